"""Another model reads the store anew while words keep answering."""

import contextlib
import pathlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from bowerbird.core.config import Config
from bowerbird.core.errors import StoreBusy
from bowerbird.core.query import Filter, Query
from bowerbird.core.types import GLOBAL, ModelIdentity, Vector
from bowerbird.ingest.pipeline import Ingest
from bowerbird.ingest.reindex import reindex
from bowerbird.models.embed.static import StaticEmbedder
from bowerbird.retrieval.pipeline import Retrieval
from bowerbird.storage.sqlite.nouns.vectors import Vectors
from bowerbird.storage.sqlite.store import Store


class Turned(StaticEmbedder):
    """The built-in model with its axes in another order: another model."""

    @classmethod
    def made(cls) -> "Turned":
        model = cls.builtin()
        model.identity = ModelIdentity("test", "turned", 256, "1")
        return model

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        return [Vector(vector.values[::-1], vector.norm) for vector in super().embed(texts)]

    def embed_query(self, text: str, word_weight: Callable[[str], float] | None = None) -> Vector:
        vector = super().embed_query(text, word_weight)
        return Vector(vector.values[::-1], vector.norm)


@pytest.fixture
def store(store_path: str, clock: Callable[[], int], tmp_path: pathlib.Path) -> Iterator[Store]:
    opened = Store.open(store_path, clock, write=True)
    corpus = pathlib.Path(__file__).parent.parent / "golden" / "corpus"
    Ingest(opened, StaticEmbedder.builtin(), Config(), lambda _path: GLOBAL).index([str(corpus)])
    yield opened
    opened.close()


def dense(store: Store, model: StaticEmbedder) -> list[tuple[int, float]]:
    row = store.model_row(model.identity)
    assert row is not None
    asked = model.embed_query("how do I undo a release")
    return store.candidates.dense(asked, row, Filter(), 10, 100)


def test_a_new_model_reads_everything_once_and_finds_the_same(store: Store) -> None:
    old, new = StaticEmbedder.builtin(), Turned.made()
    before = dense(store, old)
    total = sum(store.entries.active().values())
    assert reindex(store, old) == 0
    assert reindex(store, new) == total
    assert reindex(store, new) == 0
    after = dense(store, new)
    assert [row for row, _ in after] == [row for row, _ in before]
    assert store.model_row(old.identity) is None
    assert next(store.connection.execute("SELECT count(*) FROM vector"))[0] == total


def test_windows_are_renewed_with_the_vectors(store: Store) -> None:
    lengths = "SELECT id, round(window, 3) FROM vector ORDER BY id"
    before = store.connection.execute(lengths).fetchall()
    reindex(store, Turned.made())
    assert store.connection.execute(lengths).fetchall() == before


def test_until_then_words_answer_and_say_so(store: Store) -> None:
    new = Turned.made()
    hits = Retrieval(store, lambda: new).answer(Query("how do I undo a release"))
    assert "ship rollback" in hits[0].text
    said = "dense: no vectors of test/turned@1 (256 dims) in this store; run: bower reindex"
    assert hits.trace.degraded == [said]


def test_a_run_that_was_stopped_is_finished_by_the_next(store: Store) -> None:
    new = Turned.made()
    with store.transaction():
        model = store.ensure_model(new.identity)
    some, _ = store.vectors.next_unread(model, 3)
    documents = {entry.document for entry in some}
    assert len(some) >= 3
    with store.transaction():
        store.vectors.write(some, new.embed([entry.text for entry in some]), model)
    total = sum(store.entries.active().values())
    assert store.vectors.unread(model) == total - len(some)
    rest, _ = store.vectors.next_unread(model, 100)
    assert not documents & {entry.document for entry in rest}
    assert reindex(store, new) == total - len(some)


def test_of_some_entries_only_those_without_a_vector_are_told(store: Store) -> None:
    new = Turned.made()
    with store.transaction():
        model = store.ensure_model(new.identity)
    some, _ = store.vectors.next_unread(model, 3)
    with store.transaction():
        store.vectors.write(some[1:], new.embed([entry.text for entry in some[1:]]), model)
    asked = [entry.row for entry in some]
    unread = store.vectors.unread_of(model, [*asked, 1 << 40])
    assert [(one.row, one.text) for one in unread] == [(some[0].row, some[0].text)]
    assert store.vectors.unread_of(model, asked[1:]) == []


def test_what_changed_while_it_was_read_keeps_no_vector_of_its_old_text(store: Store) -> None:
    new = Turned.made()
    with store.transaction():
        model = store.ensure_model(new.identity)
    some, _ = store.vectors.next_unread(model, 100)
    vectors = new.embed([entry.text for entry in some])
    changed, gone = some[0].row, some[1].row
    with store.transaction():
        store.connection.execute("UPDATE entry SET hash = x'00' WHERE id = ?", (changed,))
        store.connection.execute("DELETE FROM vector WHERE id = ?", (gone,))
        store.connection.execute("DELETE FROM tag WHERE entry = ?", (gone,))
        store.connection.execute("DELETE FROM facet WHERE id = ?", (gone,))
    with store.transaction():
        assert store.vectors.write(some, vectors, model) == len(some) - 2
    again, _ = store.vectors.next_unread(model, 1)
    assert [entry.row for entry in again if entry.row == changed]
    assert reindex(store, new) >= 1
    assert store.vectors.unread(model) == 0


def test_a_run_stopped_at_its_very_end_leaves_nothing_behind(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(_vectors: Vectors, _model: int, _limit: int) -> int:
        raise KeyboardInterrupt

    new = Turned.made()
    with monkeypatch.context() as patch:
        patch.setattr(Vectors, "drop_others", stop)
        with pytest.raises(KeyboardInterrupt):
            reindex(store, new)
    assert reindex(store, new) == 0
    assert store.model_row(StaticEmbedder.builtin().identity) is None
    assert next(store.connection.execute("SELECT count(DISTINCT model) FROM vector"))[0] == 1
    generation = store.generation()
    assert reindex(store, new) == 0
    assert store.generation() == generation


def newest(store: Store) -> list[tuple[Any, ...]]:
    """Row, document and the number of vectors of all entries, the last one written first."""
    found = store.connection.execute(
        "SELECT f.id, f.document, (SELECT count(*) FROM vector v WHERE v.id = f.id)"
        " FROM facet f ORDER BY f.id DESC"
    )
    return found.fetchall()


def test_the_newest_alone_are_read_with_the_rest_of_their_documents(store: Store) -> None:
    old, new = StaticEmbedder.builtin(), Turned.made()
    rows = newest(store)
    documents = {document for _, document, _ in rows[:2]}
    theirs = {row for row, document, _ in rows if document in documents}
    assert reindex(store, new, newest=2) == len(theirs)
    # Two models have read those; what the old one said of the others stays.
    assert {row for row, _, vectors in newest(store) if vectors == 2} == theirs
    assert reindex(store, new, newest=2) == 0
    assert store.model_row(old.identity) is not None
    assert reindex(store, new, newest=len(rows) + 1) == len(rows) - len(theirs)
    assert {vectors for _, _, vectors in newest(store)} == {1}
    assert store.model_row(old.identity) is None


def test_who_goes_back_to_the_former_model_has_its_sketches_again(store: Store) -> None:
    old, new = StaticEmbedder.builtin(), Turned.made()
    sketches = "SELECT id, sketch FROM facet ORDER BY id"
    before = store.connection.execute(sketches).fetchall()
    reindex(store, new, newest=5)
    assert store.connection.execute(sketches).fetchall() != before
    assert reindex(store, old) == 0
    assert store.connection.execute(sketches).fetchall() == before
    assert store.model_row(new.identity) is None


class Cut(Turned):
    """A model that reads some batches; then somebody presses Ctrl-C."""

    batches: int
    sentences = True

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        self.batches -= 1
        if self.batches < 0:
            raise KeyboardInterrupt
        return super().embed(texts)


def test_what_is_stopped_is_not_read_twice_by_a_model_that_takes_its_time(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bowerbird.ingest.reindex._SLOW_BATCH", 4)
    model = Cut.builtin()
    model.identity, model.batches = Turned.made().identity, 2
    with pytest.raises(KeyboardInterrupt):
        reindex(store, model)
    read = sum(vectors == 2 for _, _, vectors in newest(store))
    total = sum(store.entries.active().values())
    assert 8 <= read < total
    model.batches = total
    assert reindex(store, model) == total - read


class Disturbed(Turned):
    """A model that is slower than whoever changes the entries meanwhile."""

    disturb: Callable[[], object]
    asked = 0
    most = 10

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        self.asked += 1
        assert self.asked < self.most, "it goes on in vain"
        self.disturb()
        return super().embed(texts)


def test_what_changes_faster_than_it_is_read_is_given_up(store: Store) -> None:
    model = Disturbed.builtin()
    model.identity = Turned.made().identity
    other = Store.open(store.path, store.clock, write=True)
    model.disturb = lambda: other.connection.execute("UPDATE entry SET hash = randomblob(16)")
    with pytest.raises(StoreBusy) as raised:
        reindex(store, model)
    assert "bower reindex" in raised.value.remedy
    model.disturb, model.asked = (lambda: None), 0
    assert reindex(store, model) == sum(store.entries.active().values())
    other.close()


class Steps:
    """Counts what SQLite's machine does for a connection, in hundreds of its steps."""

    def __init__(self, store: Store) -> None:
        self.taken = 0
        store.connection.set_progress_handler(self._took, 100)

    def _took(self) -> bool:
        self.taken += 1
        return False


def crowd(store: Store, count: int) -> None:
    """Entries without a document, with nothing but what a vector needs."""
    rows = [(row,) for row in range(1_000_000, 1_000_000 + count)]
    with store.transaction():
        store.connection.executemany(
            "INSERT INTO facet (id, project, family, kind, trust, state, created, ordinal, place)"
            " VALUES (?, 0, 'memory', 'fact', 2, 0, 0, 0, 0)",
            rows,
        )
        store.connection.executemany(
            "INSERT INTO entry (id, uid, hash, text, context, speaker, summary, origin)"
            " VALUES (?1, 'uid-' || ?1, x'00', 'word', '', '', '', 'agent')",
            rows,
        )


def test_each_batch_begins_where_the_last_one_ended(
    store: Store, store_path: str, clock: Callable[[], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bowerbird.ingest.reindex._BATCH", 50)
    reindex(store, StaticEmbedder.builtin())
    spent = {}
    for name, count in (("few", 1_000), ("many", 3_000)):
        with contextlib.closing(Store.open(f"{store_path}.{name}", clock, write=True)) as other:
            crowd(other, count)
            steps = Steps(other)
            assert reindex(other, StaticEmbedder.builtin()) == count
            spent[name] = steps.taken
    # Three times as many entries, read by three times as many batches: three times the work, not nine.
    assert spent["many"] < 4 * spent["few"]


def test_what_comes_behind_the_place_is_read_in_the_end(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bowerbird.ingest.reindex._BATCH", 4)
    model = Disturbed.builtin()
    model.identity = Turned.made().identity
    other = Store.open(store.path, store.clock, write=True)

    def disturb() -> None:
        # A row of before loses its vector once the run is past it.
        if model.asked == 3:
            with other.transaction():
                other.connection.execute("DELETE FROM vector WHERE id = 1")

    model.disturb = disturb
    monkeypatch.setattr(Disturbed, "most", 1_000)
    assert reindex(store, model) == sum(store.entries.active().values()) + 1
    row = store.model_row(model.identity)
    assert row is not None
    assert store.vectors.unread(row) == 0
    other.close()
