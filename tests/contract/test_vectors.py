"""Another model reads the store anew while words keep answering."""

import pathlib
from collections.abc import Callable, Iterator, Sequence

import pytest

from bowerbird.core.config import Config
from bowerbird.core.errors import StoreBusy
from bowerbird.core.query import Filter, Query
from bowerbird.core.types import GLOBAL, ModelIdentity, Vector
from bowerbird.ingest.pipeline import Ingest
from bowerbird.ingest.reindex import reindex
from bowerbird.models.embed.static import StaticEmbedder
from bowerbird.retrieval.pipeline import Retrieval
from bowerbird.storage.sqlite.store import Store
from bowerbird.storage.sqlite.vectors import Vectors


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
    assert hits.trace.degraded == ["dense: no vectors of test/turned@1 (256 dims) in this store"]


def test_a_run_that_was_stopped_is_finished_by_the_next(store: Store) -> None:
    new = Turned.made()
    with store.transaction():
        model = store.ensure_model(new.identity)
    some = store.vectors.next_unread(model, 3)
    documents = {entry.document for entry in some}
    assert len(some) >= 3
    with store.transaction():
        store.vectors.write(some, new.embed([entry.text for entry in some]), model)
    total = sum(store.entries.active().values())
    assert store.vectors.unread(model) == total - len(some)
    assert not documents & {entry.document for entry in store.vectors.next_unread(model, 100)}
    assert reindex(store, new) == total - len(some)


def test_what_changed_while_it_was_read_keeps_no_vector_of_its_old_text(store: Store) -> None:
    new = Turned.made()
    with store.transaction():
        model = store.ensure_model(new.identity)
    some = store.vectors.next_unread(model, 100)
    vectors = new.embed([entry.text for entry in some])
    changed, gone = some[0].row, some[1].row
    with store.transaction():
        store.connection.execute("UPDATE entry SET hash = x'00' WHERE id = ?", (changed,))
        store.connection.execute("DELETE FROM vector WHERE id = ?", (gone,))
        store.connection.execute("DELETE FROM tag WHERE entry = ?", (gone,))
        store.connection.execute("DELETE FROM facet WHERE id = ?", (gone,))
    with store.transaction():
        assert store.vectors.write(some, vectors, model) == len(some) - 2
    assert [entry.row for entry in store.vectors.next_unread(model, 1) if entry.row == changed]
    assert reindex(store, new) >= 1
    assert store.vectors.unread(model) == 0


def test_a_run_stopped_at_its_very_end_leaves_nothing_behind(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(_vectors: Vectors, _model: int) -> int:
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


class Disturbed(Turned):
    """A model that is slower than whoever changes the entries meanwhile."""

    disturb: Callable[[], object]
    asked = 0

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        self.asked += 1
        assert self.asked < 10, "it goes on in vain"
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
