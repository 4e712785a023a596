"""What every backend must do, over the real thing."""

import contextlib
import os
import stat
from pathlib import Path

import apsw
import pytest

from bowerbird.core.document import Document, Incoming, Piece
from bowerbird.core.errors import (
    BowerbirdError,
    NotAStore,
    StoreFull,
    StoreMissing,
    StoreNewer,
    StoreOutdated,
)
from bowerbird.core.query import Filter
from bowerbird.core.types import GLOBAL, ModelIdentity, Project, Vector
from bowerbird.retrieval.analyse import analyse, distinct_words
from bowerbird.storage.sqlite.care import migrations
from bowerbird.storage.sqlite.file.schema import VERSION
from bowerbird.storage.sqlite.file.steps import MIGRATIONS
from bowerbird.storage.sqlite.file.vectors import WITHOUT_SQLITE_VEC
from bowerbird.storage.sqlite.nouns.filters import needless
from bowerbird.storage.sqlite.search.candidates import EXACT_LIMIT
from bowerbird.storage.sqlite.store import Store

MODEL = ModelIdentity("test", "hand", 8, "1")
NOW = 1_700_000_000_000


def clock() -> int:
    return NOW


def vector(*values: int) -> Vector:
    padded = bytes(value & 0xFF for value in values) + bytes(8 - len(values))
    return Vector(padded, float(sum(value * value for value in values) ** 0.5))


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "deep" / "memory.db")


@pytest.fixture
def store(path: str) -> "Store":
    return Store.open(path, clock, write=True)


def write(store: Store, path: str, texts: list[str], project: Project = GLOBAL) -> None:
    with store.transaction():
        incoming = Incoming(
            store.projects.ensure(project),
            Document(path, path, "markdown", b"h" * 16, 10, NOW),
            [Piece(text, i + 1, i + 1) for i, text in enumerate(texts)],
            [vector(100, i) for i, _ in enumerate(texts)],
            "import",
            "imported",
        )
        store.documents.replace_all([incoming], store.ensure_model(MODEL))


def rows(store: Store) -> dict[str, int]:
    tables = (
        "document", "facet", "entry", "vector", "word_index", "document_index", "word", "tag",
    )  # fmt: skip
    return {
        table: next(store.connection.execute(f"SELECT count(*) FROM {table}"))[0]
        for table in tables
    }


def test_files_are_private_under_any_umask(tmp_path: Path) -> None:
    folder = str(tmp_path / "data" / "of" / "mine")
    old = os.umask(0)
    try:
        store = Store.open(os.path.join(folder, "memory.db"), clock, write=True)
        write(store, "/a.md", ["one"])
    finally:
        os.umask(old)
    for made in (folder, os.path.dirname(folder), str(tmp_path / "data")):
        assert stat.S_IMODE(os.stat(made).st_mode) == 0o700, made
    modes = {
        name: stat.S_IMODE(os.stat(os.path.join(folder, name)).st_mode)
        for name in os.listdir(folder)
    }
    assert set(modes.values()) == {0o600}, modes


def test_pragmas_read_back(store: Store) -> None:
    values = {
        name: store.connection.pragma(name)
        for name in ("journal_mode", "synchronous", "foreign_keys", "secure_delete", "auto_vacuum")
    }
    assert values == {
        "journal_mode": "wal",
        "synchronous": 2,
        "foreign_keys": 1,
        "secure_delete": 1,
        "auto_vacuum": 2,
    }


def test_words_find_and_filters_apply_inside(store: Store) -> None:
    shop = Project("name:shop", "shop", None)
    write(store, "/notes/a.md", ["redis cache", "postgres database"])
    write(store, "/notes/b.md", ["redis queue"], shop)

    def found(filter: Filter) -> set[str]:
        rows = store.candidates.lexical(["redis"], filter, 10)
        return {entry.text for entry in store.entries.load([row for row, _ in rows]).values()}

    assert found(Filter()) == {"redis cache", "redis queue"}
    assert found(Filter(projects=("",))) == {"redis cache"}
    assert found(Filter(projects=("name:shop",))) == {"redis queue"}
    assert found(Filter(path="b.md")) == {"redis queue"}
    assert found(Filter(path="*/notes/*.md", min_trust="normal")) == set()
    assert found(Filter(since=NOW + 1)) == set()
    assert found(Filter(until=NOW, families=("passage",))) == {"redis cache", "redis queue"}
    assert found(Filter(states=("quarantined",))) == set()


def test_brackets_in_a_path_are_a_pattern_or_stand_for_themselves(store: Store) -> None:
    for name in ("/app/[slug]/page.tsx", "/app/s/page.tsx", "/app/xyz/page.tsx"):
        write(store, name, [f"redis {name}"])

    def found(path: str) -> set[str]:
        rows = store.candidates.lexical(["redis"], Filter(path=path), 10)
        loaded = store.entries.load([row for row, _ in rows]).values()
        return {entry.text.removeprefix("redis ") for entry in loaded}

    assert found("[slug]") == {"/app/[slug]/page.tsx"}
    assert found("/app/[slug]/page.tsx") == {"/app/[slug]/page.tsx", "/app/s/page.tsx"}
    assert found("app/[slug]/*.tsx") == {"/app/[slug]/page.tsx", "/app/s/page.tsx"}
    assert found("/app/[x-z]*/page.tsx") == {"/app/xyz/page.tsx"}


def test_nearest_vectors_come_first(store: Store) -> None:
    write(store, "/a.md", ["zero", "one", "two", "three"])
    asked = vector(100, 2)
    model = store.model_row(MODEL)
    assert model is not None
    found = store.candidates.dense(asked, model, Filter(), 4, 4)
    scores = [score for _, score in found]
    assert scores == sorted(scores, reverse=True)
    assert store.entries.load([found[0][0]])[found[0][0]].text == "two"


def test_without_sqlite_vec_the_same_is_found(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = ["the first bell rings", "a second bell", "three of them", "none at all"]
    write(store, "/a.md", texts)
    model = store.model_row(MODEL)
    assert model is not None

    def found(store: Store) -> list[list[tuple[int, float]]]:
        source = store.candidates
        many = EXACT_LIMIT + 1
        return [
            source.lexical(["bell"], Filter(), 4),
            source.dense(vector(90, -7), model, Filter(), 4, 4),
            source.dense(vector(90, -7), model, Filter(), 4, many),
            sorted(source.cosines(vector(-3, 50), model, [1, 2, 3]).items()),
        ]

    expected = found(store)
    monkeypatch.setattr("sys.path", [])
    with contextlib.closing(Store.open(store.path, store.clock, write=False)) as bare:
        assert found(bare) == expected
        assert [*bare.connection.execute("SELECT vec_version()")] == [(WITHOUT_SQLITE_VEC,)]
    assert [len(one) for one in expected] == [2, 4, 4, 3]


def test_replacing_and_removing_leave_no_orphan(store: Store) -> None:
    write(store, "/a.md", ["alpha beta", "gamma"])
    before = rows(store)
    write(store, "/a.md", ["alpha beta", "gamma"])
    assert rows(store) == before
    with store.transaction():
        assert store.documents.remove(0, "/a.md")
        assert not store.documents.remove(0, "/a.md")
    assert set(rows(store).values()) == {0}
    assert store.words.totals() == (0, 0)


def test_unspaced_scripts_are_found(store: Store) -> None:
    texts = [
        "黑豹队的防守只丢了308分",
        "彼は東京タワーへ行った",
        "ฉันชอบกินข้าวผัด",
        "저는 서울에서 삽니다",
    ]
    write(store, "/a.md", texts)
    for asked, text in zip(["防守", "東京タワー", "ข้าวผัด", "서울"], texts, strict=True):
        phrases = analyse(distinct_words(asked), {}, 4, 10).phrases
        found = store.candidates.lexical(phrases, Filter(), 1)
        assert store.entries.load([found[0][0]])[found[0][0]].text == text


def test_a_failed_transaction_leaves_nothing(store: Store) -> None:
    def break_half_way() -> None:
        with store.transaction():
            store.projects.ensure(Project("name:x", "x", None))
            raise KeyError

    with pytest.raises(KeyError):
        break_half_way()
    assert next(store.connection.execute("SELECT count(*) FROM project"))[0] == 1
    assert store.generation() == 0


def test_a_reader_never_creates(path: str) -> None:
    with pytest.raises(StoreMissing) as raised:
        Store.open(path, clock, write=False)
    assert "bower index" in raised.value.remedy
    assert not os.path.exists(os.path.dirname(path))


def test_a_text_file_is_not_a_store(tmp_path: Path) -> None:
    other = tmp_path / "notes.txt"
    other.write_text("x" * 5000)
    for mode in (True, False):
        with pytest.raises(NotAStore):
            Store.open(str(other), clock, write=mode)
    assert other.read_text() == "x" * 5000


def test_another_programs_database_is_left_alone(tmp_path: Path) -> None:
    other = str(tmp_path / "other.db")
    connection = apsw.Connection(other)
    connection.execute("CREATE TABLE theirs (x)")
    connection.close()
    with pytest.raises(NotAStore):
        Store.open(other, clock, write=True)


def test_a_newer_schema_is_refused(store: Store, path: str) -> None:
    store.connection.pragma("user_version", 99)
    store.close()
    with pytest.raises(StoreNewer) as raised:
        Store.open(path, clock, write=True)
    assert "upgrade" in raised.value.remedy


def test_the_version_that_readers_ask_for_is_the_number_of_steps(store: Store) -> None:
    assert len(MIGRATIONS) == VERSION == store.connection.pragma("user_version")


def test_a_writer_whose_schema_moved_stops(store: Store, path: str) -> None:
    other = apsw.Connection(path)
    other.pragma("user_version", len(MIGRATIONS) + 1)
    for begin in (store.transaction, store.rehearsal):
        with pytest.raises(StoreOutdated), begin():
            pass
    other.close()


def step_a_column(connection: apsw.Connection) -> None:
    """A later step, for tests."""
    connection.execute("ALTER TABLE project ADD COLUMN colour TEXT")


def step_that_fails(connection: apsw.Connection) -> None:
    """A step that breaks half-way."""
    connection.execute("CREATE TABLE half (x)")
    raise apsw.SQLError("broken on purpose")


def test_an_upgrade_backs_up_first_and_a_failed_step_leaves_the_old_state(
    store: Store, path: str
) -> None:
    write(store, "/a.md", ["kept"])
    steps = (*MIGRATIONS, step_a_column, step_that_fails)
    with pytest.raises(BowerbirdError):
        migrations.migrate(store.connection, path, NOW, "replica", steps)
    assert store.connection.pragma("user_version") == len(MIGRATIONS) + 1
    names = {row[0] for row in store.connection.execute("SELECT name FROM migration")}
    assert names == {*(step.__name__ for step in MIGRATIONS), "step_a_column"}
    copy = apsw.Connection(f"{path}.before-step_a_column.bak")
    assert copy.execute("SELECT text FROM entry").fetchall() == [("kept",)]
    copy.close()


def test_a_backup_that_fails_leaves_nothing_behind(store: Store, path: str) -> None:
    """What fills a disk would go on to fill it."""
    write(store, "/a.md", ["kept"])
    os.makedirs(path + ".bak/in-its-place")
    with pytest.raises(IsADirectoryError):
        migrations.backup(store.connection, path + ".bak")
    left = [name for name in os.listdir(os.path.dirname(path)) if "unfinished" in name]
    assert left == []


def test_a_full_disk_has_its_own_error_and_reading_goes_on(store: Store) -> None:
    write(store, "/a.md", ["kept"])
    pages = store.connection.pragma("page_count")
    store.connection.pragma("max_page_count", pages)
    with pytest.raises(StoreFull) as raised:
        write(store, "/b.md", ["x" * 200_000])
    assert "free some space" in raised.value.remedy
    assert sum(store.entries.active().values()) == 1


def test_asking_without_a_join_finds_what_the_filter_would(store: Store) -> None:
    write(store, "/notes/a.md", ["redis cache", "redis queue", "postgres database"])
    usual = Filter(projects=("", "name:shop"), now=NOW)
    # The same entries pass, but by the long way.
    stated = usual.replace(families=("memory", "passage"))
    model = store.model_row(MODEL)
    assert model is not None
    assert needless(store.connection, usual)
    assert not needless(store.connection, stated)
    find, asked = store.candidates, vector(100, 1)
    words = [sorted(find.lexical(["redis"], one, 10)) for one in (usual, stated)]
    near = [sorted(find.dense(asked, model, one, 10, 3)) for one in (usual, stated)]
    assert words[0] == words[1]
    assert near[0] == near[1]
    write(store, "/other/b.md", ["redis elsewhere"], Project("name:other", "other", None))
    assert not needless(store.connection, usual)
    assert len(store.candidates.lexical(["redis"], usual, 10)) == 2
    store.connection.execute("UPDATE facet SET state = 1 WHERE id = 1")
    assert not needless(store.connection, Filter())
