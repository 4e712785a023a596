"""An index beside the store nominates; the store decides."""

import fcntl
import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import Any

import apsw
import pytest

from bowerbird.bird import Bowerbird
from bowerbird.core.document import Document, Incoming, Piece
from bowerbird.core.errors import MissingExtra, StoreDamaged
from bowerbird.core.query import Filter
from bowerbird.core.types import ModelIdentity, Project, Vector
from bowerbird.storage.sqlite.nouns.filters import where
from bowerbird.storage.sqlite.resident import hnsw
from bowerbird.storage.sqlite.resident import residence as resident
from bowerbird.storage.sqlite.resident.hnsw import Building
from bowerbird.storage.sqlite.search.candidates import scan
from bowerbird.storage.sqlite.store import Store

# Looked for rather than loaded: the order in which it is matters (`hnsw._loaded`).
if not hnsw.available():
    pytest.skip("the extra `hnsw` is not installed", allow_module_level=True)

MODEL = ModelIdentity("test", "hand", 64, "1")
SHOP = Project("name:shop", "shop", None)
HOME = Project("name:home", "home", None)
DRAW = random.Random()


def build(store: Store, model: int) -> int | None:
    return Building(store.path).now(model)


def vector() -> Vector:
    values = [DRAW.randint(-127, 127) for _ in range(64)]
    return Vector(bytes(value & 0xFF for value in values), sum(v * v for v in values) ** 0.5)


def write(store: Store, path: str, vectors: list[Vector], project: Project) -> None:
    with store.transaction():
        incoming = Incoming(
            store.projects.ensure(project),
            Document(path, path, "markdown", b"h" * 16, 10, 1_700_000_000_000),
            [Piece(f"piece {i}", i + 1, i + 1) for i in range(len(vectors))],
            vectors,
            "import",
            "imported",
        )
        store.documents.replace_all([incoming], store.ensure_model(MODEL))


@pytest.fixture
def store(
    store_path: str, clock: Callable[[], int], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Store]:
    monkeypatch.setattr(resident, "HNSW_FROM", 100)
    # Whatever ran before in this process, a test meets the same vectors.
    DRAW.seed(11)
    opened = Store.open(store_path, clock, write=True)
    write(opened, "/shop/a.md", [vector() for _ in range(600)], SHOP)
    write(opened, "/home/b.md", [vector() for _ in range(60)], HOME)
    opened.keep_resident()
    yield opened
    opened.close()


@pytest.fixture
def model(store: Store) -> int:
    row = store.model_row(MODEL)
    assert row is not None
    return row


def entries(store: Store) -> int:
    return store.words.totals()[0]


def recall(store: Store, model: int, filter: Filter, limit: int = 20) -> float:
    shares = []
    for _ in range(20):
        asked = vector()
        found = store.candidates.dense(asked, model, filter, limit, entries(store))
        exact = scan(store.connection, where(filter), asked, model, limit)
        assert dict(found) == pytest.approx(store.candidates.cosines(asked, model, [*dict(found)]))
        shares.append(len({*dict(found)} & {*dict(exact)}) / len(exact))
    return sum(shares) / len(shares)


def test_it_is_built_aside_and_taken_up_by_itself(store: Store, model: int) -> None:
    index_file = store.path + hnsw.SUFFIX
    assert store.candidates.tier(entries(store), model) in ("exact", "sketch")
    building = store._building
    assert building is not None
    building.wait()
    assert os.stat(index_file).st_mode & 0o777 == 0o600
    assert not os.path.exists(index_file + ".new")
    assert store.candidates.tier(entries(store), model) == "hnsw"
    assert recall(store, model, Filter()) >= 0.95
    measured = store.upkeep.measured_recall(model)
    assert measured is not None
    assert measured >= 0.95


def test_filters_what_is_new_and_what_is_gone_are_the_stores(store: Store, model: int) -> None:
    assert build(store, model) == 660
    assert recall(store, model, Filter(projects=(SHOP.uid,))) >= 0.95
    assert recall(store, model, Filter(projects=(HOME.uid,))) >= 0.95
    assert store.candidates.dense(vector(), model, Filter(path="none"), 5, entries(store)) == []
    # The newest rows are deleted and others written: numbers are not given twice.
    fresh = [vector() for _ in range(60)]
    write(store, "/home/b.md", fresh, HOME)
    last = next(
        store.connection.execute(
            "SELECT min(id) FROM facet WHERE project = (SELECT id FROM project WHERE uid = ?)",
            (HOME.uid,),
        )
    )[0]
    assert last == 661
    found = store.candidates.dense(fresh[7], model, Filter(), 3, entries(store))
    assert found[0][0] == 668
    assert found[0][1] == pytest.approx(1.0)
    assert recall(store, model, Filter()) >= 0.95
    with store.transaction():
        store.documents.remove(store.projects.row(SHOP.uid) or 0, "/shop/a.md")
    assert {row for row, _ in store.candidates.dense(vector(), model, Filter(), 200, 100)} == set(
        range(661, 721)
    )


def test_what_is_read_after_it_was_built_is_found(store: Store, model: int) -> None:
    """Entries may wait to be read: a model's server was away when they came."""
    waiting = 40
    with store.transaction():
        incoming = Incoming(
            store.projects.ensure(SHOP),
            Document("/shop/late.md", "late.md", "markdown", b"h" * 16, 10, 1_700_000_000_000),
            [Piece(f"late {i}", i + 1, i + 1) for i in range(waiting)],
            [],
            "import",
            "imported",
        )
        store.documents.replace_all([incoming], model)
    write(store, "/home/c.md", [vector() for _ in range(30)], HOME)
    assert build(store, model) == 690
    read = [vector() for _ in range(waiting)]
    unread, _ = store.vectors.next_unread(model, 100)
    with store.transaction():
        store.vectors.write(unread, read, model)
    for one in (read[0], read[-1]):
        found = store.candidates.dense(one, model, Filter(), 3, entries(store))
        assert found[0][1] == pytest.approx(1.0)
    assert recall(store, model, Filter()) >= 0.95


def test_it_is_not_built_again_for_what_has_no_vector(store: Store, model: int) -> None:
    nothing = [Vector(bytes(64), 0.0) for _ in range(200)]
    write(store, "/shop/empty.md", nothing, SHOP)
    assert store.upkeep.build_index(model) == 660
    before = os.stat(store.path + hnsw.SUFFIX).st_mtime_ns
    assert store.candidates.tier(entries(store), model) == "hnsw"
    assert store._building is not None
    store._building.wait()
    assert os.stat(store.path + hnsw.SUFFIX).st_mtime_ns == before


def test_a_store_that_cannot_be_read_ends_no_thread_with_a_traceback(
    store: Store, model: int
) -> None:
    raw = apsw.Connection(store.path)
    raw.pragma("writable_schema", True)
    raw.execute(
        "UPDATE sqlite_schema SET rootpage ="
        " (SELECT rootpage FROM sqlite_schema WHERE name = 'facet') WHERE name = 'vector'"
    )
    raw.close()
    building = Building(store.path)
    building.start(model)
    building.wait()
    with pytest.raises(StoreDamaged):
        building.now(model)


class Hook:
    """Counts what it is told, and breaks off by hand after so many."""

    def __init__(self, enough: int) -> None:
        self.total, self.done, self.enough = 0, 0, enough

    def start(self, _what: str, total: int) -> None:
        self.total = total

    def advance(self, units: int, _label: str = "") -> None:
        self.done += units
        if self.done >= self.enough:
            raise KeyboardInterrupt

    def finish(self) -> None:
        """Nobody calls it here."""


def test_building_tells_how_far_it_is_and_may_be_broken_off(
    store: Store, model: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hnsw, "_BATCH", 100)
    index_file = store.path + hnsw.SUFFIX
    hook = Hook(10_000)
    assert store.upkeep.build_index(model, hook) == 660
    assert (hook.total, hook.done) == (660, 660)
    with open(index_file, "rb") as file:
        built = file.read()
    with pytest.raises(KeyboardInterrupt):
        store.upkeep.build_index(model, Hook(300))
    assert not os.path.exists(index_file + ".new")
    with open(index_file, "rb") as file:
        assert file.read() == built


def test_two_do_not_build_at_once(store: Store, model: int) -> None:
    with open(store.path + hnsw.SUFFIX + ".new", "wb") as others:
        fcntl.flock(others, fcntl.LOCK_EX)
        assert store.upkeep.build_index(model) is None
    assert os.path.exists(store.path + hnsw.SUFFIX + ".new")
    assert store.upkeep.build_index(model) == 660


@pytest.mark.parametrize(
    "damage", [b"", b"no index", b"x" * 5_000 + hnsw._TAIL.pack(9, b"BOWHNSW1")]
)
def test_a_foreign_or_broken_file_is_not_used(store: Store, model: int, damage: bytes) -> None:
    assert store.upkeep.build_index(model) == 660
    with open(store.path + hnsw.SUFFIX, "wb") as file:
        file.write(damage)
    identity, replica = Building.facts(store.connection, model)
    assert hnsw.Hnsw.opened(store.path + hnsw.SUFFIX, identity, replica) is None
    assert recall(store, model, Filter()) >= 0.95


def test_another_stores_or_models_index_is_not_used(store: Store, model: int) -> None:
    store.upkeep.build_index(model)
    index_file = store.path + hnsw.SUFFIX
    identity, replica = Building.facts(store.connection, model)
    assert hnsw.Hnsw.opened(index_file, identity, replica) is not None
    assert hnsw.Hnsw.opened(index_file, identity, "another") is None
    assert hnsw.Hnsw.opened(index_file, "another", replica) is None


def test_without_the_extra_the_tier_below_answers(
    store: Store, model: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resident, "available", lambda: False)
    assert recall(store, model, Filter()) >= 0.95
    assert not os.path.exists(store.path + hnsw.SUFFIX)
    monkeypatch.setitem(__import__("sys").modules, "usearch.index", None)
    with pytest.raises(MissingExtra) as raised:
        store.upkeep.build_index(model)
    assert "bowerbird[hnsw]" in raised.value.remedy


def test_the_tier_is_reported_and_measured_on_request(store_path: str) -> None:
    with Bowerbird.open(store_path) as bird:
        bird.remember("Redis must be up before the auth tests run")
        assert bird.status().measured_recall is None
        status = bird.status(measure=True)
        assert (status.vector_index_tier, status.measured_recall) == ("exact", 1.0)
        assert bird.admin.build_index() == 1


def test_a_process_that_ends_while_it_is_built_ends_well(store: Store, store_path: str) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", _LEAVES_EARLY, store_path],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode, ended.stdout) == (0, "leaving\n"), ended.stderr
    assert not os.path.exists(store.path + hnsw.SUFFIX + ".new")


_LEAVES_EARLY = """
import os
import sys
from bowerbird.storage.sqlite.resident import hnsw
from bowerbird.storage.sqlite.resident import residence as resident
from bowerbird.storage.sqlite.store import Store

resident.HNSW_FROM = 100
hnsw.BUILD_WIDTH = 20_000
opened = Store.open(sys.argv[1], lambda: 0, write=False)
opened.keep_resident()
opened.candidates.tier(660, 1)
while not os.path.exists(sys.argv[1] + hnsw.SUFFIX + ".new"):
    pass
print("leaving")
"""


def test_onnxruntime_may_be_loaded_after_the_index() -> None:
    """After usearch 2.26.3 by itself that is a segmentation fault."""
    if find_spec("onnxruntime") is None:
        pytest.skip("the extra `onnx` is not installed")
    program = (
        "from bowerbird.storage.sqlite.resident import hnsw; hnsw._loaded(); import onnxruntime"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_what_is_erased_is_in_no_index(
    store_path: str, clock: Callable[[], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The index is built anew without it; one that is being built meanwhile does not come to stand."""
    with Bowerbird.open(store_path, project="shop", clock=clock) as bird:
        ids = [bird.remember(f"The depot {n} lies behind hall {n * 7}").id for n in range(9)]
        assert bird.admin.build_index() == len(ids)
        index_file = store_path + hnsw.SUFFIX
        assert bird.admin.erase([ids[3]]).removed == (index_file,)
        assert not os.path.exists(index_file)

        def erasing(index: type[Any], dims: int) -> Any:
            bird.admin.erase([ids[4]])
            return empty(index, dims)

        empty = hnsw._empty
        monkeypatch.setattr(hnsw, "_empty", erasing)
        assert bird.admin.build_index() is None
        assert not os.path.exists(index_file)
        monkeypatch.undo()
        assert bird.admin.build_index() == len(ids) - 2
