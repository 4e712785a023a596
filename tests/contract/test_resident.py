"""A process that stays answers as one that has just begun, whoever writes meanwhile."""

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bowerbird.bird import Bowerbird
from bowerbird.core.document import Document, Incoming, Piece
from bowerbird.core.query import Filter
from bowerbird.core.types import ModelIdentity, Project, Vector
from bowerbird.core.who import USER, Who
from bowerbird.daemon.birds import ASK, Birds
from bowerbird.daemon.hook_server import HookServer
from bowerbird.retrieval.cache import LIFETIME_MS, MOST
from bowerbird.storage.sqlite.nouns import filters
from bowerbird.storage.sqlite.nouns.words import Snapshot
from bowerbird.storage.sqlite.resident import matrix as matrices
from bowerbird.storage.sqlite.resident import residence, understood
from bowerbird.storage.sqlite.resident.residence import ResidentSource
from bowerbird.storage.sqlite.search import candidates
from bowerbird.storage.sqlite.search.candidates import CandidateSource
from bowerbird.storage.sqlite.search.contextual import Contextual
from bowerbird.storage.sqlite.store import Store

MODEL = ModelIdentity("test", "hand", 64, "1")
SHOP = Project("name:shop", "shop", None)
HOME = Project("name:home", "home", None)
SPEAKERS = ("", "user", "Ann")
DRAW = random.Random(7)


def vector() -> Vector:
    values = [DRAW.randint(-127, 127) for _ in range(64)]
    return Vector(bytes(value & 0xFF for value in values), sum(v * v for v in values) ** 0.5)


def write(store: Store, path: str, count: int, project: Project) -> None:
    """Every tenth vector says nothing."""
    vectors = [vector() if i % 10 else Vector(bytes(64), 0.0) for i in range(count)]
    with store.transaction():
        incoming = Incoming(
            store.projects.ensure(project),
            Document(path, path, "markdown", b"h" * 16, 10, 1_700_000_000_000),
            [
                Piece(f"piece {i}{'?' * (i % 2)}", i + 1, i + 1, speaker=SPEAKERS[i % 3])
                for i in range(count)
            ],
            vectors,
            "import",
            "imported",
        )
        store.documents.replace_all([incoming], store.ensure_model(MODEL))


@pytest.fixture
def store(store_path: str, clock: Callable[[], int]) -> Iterator[Store]:
    opened = Store.open(store_path, clock, write=True)
    write(opened, "/shop/a.md", 300, SHOP)
    write(opened, "/home/b.md", 30, HOME)
    opened.keep_resident()
    yield opened
    opened.close()


@pytest.fixture
def model(store: Store) -> int:
    row = store.model_row(MODEL)
    assert row is not None
    return row


def resident(store: Store) -> ResidentSource:
    """What is kept in memory, as a question of this moment is given it."""
    kept = store.candidates
    assert isinstance(kept, ResidentSource)
    return kept


def around_agrees(
    here: CandidateSource, there: CandidateSource, rows: list[int], asked: Vector, model: int
) -> None:
    """What stands around some rows, whatever of it was met before, or compared with nothing."""
    met = there.cosines(asked, model, [row + step for row in rows for step in (0, 1)])
    for known in (met, {row: met[row] for row in rows if row in met}):
        pairs, *around = here.around(rows, known, asked, model)
        same, *exact = there.around(rows, known, asked, model)
        np.testing.assert_allclose(sorted(pairs), sorted(same), atol=1e-9)
        assert around == [pytest.approx(each, abs=1e-6) for each in exact]
    alone, *nothing = here.around(rows, {}, None, 0)
    np.testing.assert_allclose(sorted(alone), sorted(there.around(rows, {}, None, 0)[0]), atol=1e-9)
    assert nothing == [{}, {}]


def agree(store: Store, model: int, filter: Filter, limit: int = 25) -> list[int]:
    """Ask both ways, so often that it is from memory; the rows that came back."""
    asked = vector()
    exact = CandidateSource(store.connection)
    for _ in range(residence._QUESTIONS + 1):
        here = store.candidates.dense(asked, model, filter, limit, 330)
    there = exact.dense(asked, model, filter, limit, 330)
    assert resident(store).matrix is not None
    assert [row for row, _ in here] == [row for row, _ in there]
    assert [cosine for _, cosine in here] == pytest.approx([c for _, c in there], abs=1e-6)
    for phrases in (["piece", "7"], ["piece 11"], ["pie*", "7"], ["nowhere"]):
        words = exact.lexical(phrases, filter, limit)
        assert store.candidates.lexical(phrases, filter, limit) == words
    rows = [row for row, _ in here] + [999_999]
    assert store.candidates.facts(rows) == exact.facts(rows)
    here_pairs, here_code = store.candidates.adjacent(rows)
    there_pairs, there_code = exact.adjacent(rows)
    assert (set(here_pairs), here_code) == (set(there_pairs), there_code)
    around_agrees(store.candidates, exact, rows[:-1], asked, model)
    here_scores, *here_counts = store.candidates.wholes(["piece", "7"], {1, 2, 99})
    there_scores, *there_counts = exact.wholes(["piece", "7"], {1, 2, 99})
    assert (dict(here_scores), here_counts) == (dict(there_scores), there_counts)
    assert store.candidates.cosines(asked, model, rows) == pytest.approx(
        exact.cosines(asked, model, rows), abs=1e-6
    )
    return rows[:-1]


@pytest.mark.parametrize(
    "filter",
    [
        Filter(),
        Filter(projects=(SHOP.uid,)),
        Filter(projects=(HOME.uid,)),
        Filter(path="b.md"),
        Filter(states=("quarantined",)),
        Filter(projects=(SHOP.uid,), now=1_800_000_000_000),
    ],
)
def test_memory_answers_as_the_exact_scan_does_filters_inside(
    store: Store, model: int, filter: Filter
) -> None:
    for limit in (1, 25, 1_000):
        agree(store, model, filter, limit)


@pytest.mark.parametrize(
    "filter",
    [
        Filter((SHOP.uid,)),
        Filter((SHOP.uid,), now=1_700_000_000_000),
        Filter((SHOP.uid,), kinds=("passage",), families=("passage",)),
        Filter((HOME.uid,)),
        Filter((SHOP.uid,), since=1),
    ],
)
def test_what_a_filter_leaves_out_is_the_rest_of_what_passes(
    store: Store, model: int, filter: Filter
) -> None:
    for _ in range(4):
        store.candidates.dense(vector(), model, Filter(), 1, 330)
    connection = resident(store)._connection
    condition, values = filters.where(filter)
    every = {row for (row,) in connection.execute("SELECT id FROM facet")}
    sql = f"SELECT f.id FROM facet f WHERE {condition}"
    passing = {row for (row,) in connection.execute(sql, values)}
    others = filters.outside(connection, filter)
    told = filter.since is None and 2 * len(passing) > len(every)
    assert (others is not None) == told
    if others is not None:
        assert {row for (row,) in connection.execute(*others)} == every - passing


def test_what_is_read_ahead_is_in_memory_at_the_next_question(store: Store) -> None:
    assert not isinstance(store.candidates, ResidentSource)
    store.read_ahead()
    assert isinstance(store.candidates, ResidentSource)


def test_a_server_that_was_warmed_answers_its_first_question_from_memory(store_path: str) -> None:
    with Bowerbird.open(store_path, project="shop") as bird:
        bird.remember("The till opens at nine")
    birds = Birds(store_path)
    HookServer(birds).warm()
    with birds.acquire(ASK) as bird:
        kept = bird._wiring.opened.reader()
        assert isinstance(kept, Store)
        residence_of_it = kept._residence
        assert residence_of_it is not None
        assert residence_of_it.snapshot is not None
    birds.close()


def test_a_write_of_another_process_is_seen_at_once(store: Store, model: int) -> None:
    assert len(agree(store, model, Filter(), 1_000)) == 297
    other = Store.open(store.path, store.clock, write=True)
    write(other, "/home/c.md", 20, HOME)
    asked = vector()
    exact = CandidateSource(store.connection)
    here = store.candidates.dense(asked, model, Filter(), 1_000, 350)
    there = exact.dense(asked, model, Filter(), 1_000, 350)
    assert [row for row, _ in here] == [row for row, _ in there]
    assert resident(store).matrix is not None, "what is new was added to it"
    assert len(agree(store, model, Filter(), 1_000)) == 315
    with other.transaction():
        other.documents.remove(other.projects.row(SHOP.uid) or 0, "/shop/a.md")
    here = store.candidates.dense(asked, model, Filter(), 1_000, 50)
    assert here == exact.dense(asked, model, Filter(), 1_000, 50)
    assert not isinstance(store.candidates, ResidentSource), "read anew once it rests"
    assert len(agree(store, model, Filter(), 1_000)) == 45
    other.close()


def test_a_store_that_grows_by_and_by_is_read_by_and_by(store: Store, model: int) -> None:
    agree(store, model, Filter())
    first = resident(store).columns
    with store.transaction():
        pass
    agree(store, model, Filter())
    assert resident(store).columns is first, "nothing came to it"
    for number in range(4):
        write(store, f"/shop/new{number}.md", DRAW.randint(1, 9), (SHOP, HOME)[number % 2])
        store.candidates.lexical(["piece"], Filter(), 1)
        assert resident(store).columns is not first, "what is new was added, nothing read anew"
        for filter in (Filter(), Filter(projects=(HOME.uid,))):
            agree(store, model, filter, 1_000)


def test_vectors_made_again_are_read_again(store: Store, model: int) -> None:
    agree(store, model, Filter())
    with store.transaction():
        store.connection.execute("DELETE FROM vector WHERE id % 3 = 0")
        unread, _ = store.vectors.next_unread(model, 1_000)
        store.vectors.write(unread, [vector() for _ in unread], model)
    agree(store, model, Filter(), 1_000)


def test_so_large_a_store_is_not_added_to(
    store: Store, model: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(residence, "_MOST_ADDED_TO", 300)
    agree(store, model, Filter())
    write(store, "/shop/new.md", 3, SHOP)
    assert not isinstance(store.candidates, ResidentSource)
    agree(store, model, Filter(), 1_000)


def test_a_row_takes_less_than_a_kilobyte(
    store: Store, model: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(matrices, "MOST_AS_FLOATS", 0)
    agree(store, model, Filter())
    matrix, columns = resident(store).matrix, resident(store).columns
    assert matrix is not None
    arrays = [*vars(matrix).values(), *vars(columns).values()]
    size = sum(array.nbytes for array in arrays if isinstance(array, np.ndarray))
    assert size < len(columns) * (64 + 160)


TALK = (
    '{"role": "user", "content": "I moved the auth tests to Redis on port 6379 yesterday."}\n'
    '{"role": "assistant", "content": "Then the cache host must be up before they run."}\n'
    '{"role": "user", "content": "Yes, and the vault needs its token."}\n'
)
NOTE = "# Operations\n\n" + "\n\n".join(
    f"## Part {part}\n\nThe {thing} of the {place} is restarted when {what}. " * 6
    for part, (thing, place, what) in enumerate(
        [
            ("queue", "shop", "it runs full"),
            ("cache", "vault", "the token ends"),
            ("Redis host", "tests", "auth hangs"),
        ]
    )
)
CODE = 'def restart_queue(shop):\n    """Restart the queue of a shop."""\n    return shop.queue()\n'
QUESTIONS = (
    "why do auth tests hang?",
    "when is the cache of the vault restarted?",
    "what did I move to Redis?",
    "where is restart_queue defined?",
    "which port?",
    'the "token ends" where',
    "restarted",
)


@pytest.mark.parametrize("tier", ["exact", "sketch"])
def test_whole_answers_are_those_of_a_process_that_begins(
    tier: str, store_path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if tier != "exact":
        monkeypatch.setattr(matrices, "MOST_AS_FLOATS", 2)
        monkeypatch.setattr(candidates, "EXACT_LIMIT", 2)
        monkeypatch.setattr(residence, "EXACT_LIMIT", 2)
        monkeypatch.setattr(candidates, "RESCORED", 4)
        monkeypatch.setattr(residence, "RESCORED", 4)
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "ops.md").write_text(NOTE)
    (notes / "talk.jsonl").write_text(TALK)
    (notes / "queue.py").write_text(CODE)
    with (
        Bowerbird.open(store_path, project="shop", resident=True) as stays,
        Bowerbird.open(store_path, project="shop") as begins,
    ):
        stays.index(notes)
        stays.remember("Redis must be up before the auth tests run", kind="gotcha")
        stays.remember("The queue of the shop is restarted by hand", kind="procedure")
        for number in range(residence._QUESTIONS + 1):
            stays.query(f"warm {number}")
        for path in (None, "ops.md"):
            for text in QUESTIONS:
                here, there = stays.query(text, path=path), begins.query(text, path=path)
                assert [hit.id for hit in here] == [hit.id for hit in there]
                for one, other in zip(here, there, strict=True):
                    assert one.score == pytest.approx(other.score, abs=1e-6)
                    assert (one.snippet, one.matched) == (other.snippet, other.matched)
        assert isinstance(stays._wiring.store().candidates, ResidentSource)


def test_a_second_look_nominates_what_the_file_would(
    store_path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(understood, "EXACT_LIMIT", 2)
    monkeypatch.setattr(understood, "RESCORED", 5)
    with Bowerbird.open(store_path, project="shop", resident=True) as stays:
        for number, about in enumerate(("the queue", "invoices", "the cache", "a deploy", "tests")):
            stays.remember(f"Whoever looks after {about} keeps the log of day {number}")
        stays.within("home").remember("The boiler is serviced in May")
        stays.admin.warm()
        store: Any = stays._wiring.store()
        reader = stays._wiring.opened.contextual()
        assert reader is not None
        asked = reader.embed_query("who writes down what happens to jobs?")
        shop = Filter(projects=(stays._wiring.reach.project.uid,), families=("memory",))

        def agrees() -> int:
            with store.reading():
                for _ in range(residence._QUESTIONS + 1):
                    assert store.candidates is not None
                here = store.contextual
                assert here._nominate is not None
                assert here._nominate(asked, shop) is not None
                there = Contextual(store.connection, Snapshot())
                found = here.compared(asked, shop, 3, ())
                assert found == there.compared(asked, shop, 3, ())
                assert here.nearest(asked, Filter(), 2) == there.nearest(asked, Filter(), 2)
                kept, anew = store._residence._understood, understood.Understood(store.connection)
                assert [anew.nominated(asked, shop, 0) for _ in range(2)][1] is not None
                assert np.array_equal(kept.rows, anew.rows)
                assert np.array_equal(kept.bits, anew.bits)
            return int(found[1])

        assert agrees() == 5
        said = stays.remember("Jobs that failed are written into the ledger of the queue").id
        stays.admin.warm()
        assert agrees() == 6
        # What is edited, forgotten or erased is read again by itself, and nothing else is.
        stays.edit(said, "The boiler of the shop is cleaned in June")
        assert agrees() == 6
        stays.edit(said, "Failures of jobs go into the diary that the crew writes")
        stays.admin.warm()
        assert agrees() == 6
        stays.forget(stays.list(limit=2)[1].id)
        assert agrees() == 5
        stays.admin.erase(said)
        assert agrees() == 4
        stays.revert(stays.list(states=["deleted"])[0].id)
        assert agrees() == 5
        with Bowerbird.open(store_path, project="shop") as other:
            other.admin.reindex(again=True)
            other.admin.warm()
        assert agrees() == 5


class Clock:
    def __init__(self) -> None:
        self.now = 1_800_000_000_000

    def __call__(self) -> int:
        self.now += 1
        return self.now


@pytest.fixture
def time() -> Clock:
    return Clock()


@pytest.fixture
def bird(store_path: str, time: Clock) -> Iterator[Bowerbird]:
    with Bowerbird.open(store_path, project="shop", clock=time, resident=True) as opened:
        opened.remember("Redis must be up before the auth tests run")
        opened.remember("The vault code changes tonight", expires=time.now + 60_000)
        yield opened


def kept(bird: Bowerbird, question: str, **narrowed: object) -> bool:
    hits = bird.query(question, **narrowed)  # type: ignore[arg-type]
    return [stage.name for stage in hits.trace.stages].count("cache") == 1


def test_the_same_question_is_answered_from_a_moment_ago(bird: Bowerbird) -> None:
    first = bird.query("what do the auth tests need?", explain=True)
    again = bird.query("what do the auth tests need?", explain=True)
    assert again.hits == first.hits
    assert len(again.trace.stages) == len(first.trace.stages) + 1
    row = first[0].entry.row
    assert again.trace.contributions(row) == first.trace.contributions(row) != {}
    assert kept(bird, "what do the auth tests need?", explain=True)
    assert not kept(bird, "what do the auth tests need?")
    assert not kept(bird, "what do the auth tests need?", limit=3)
    assert not kept(bird, "what do the auth tests need?", all_projects=True)


def test_any_write_ends_it(bird: Bowerbird, time: Clock) -> None:
    assert not kept(bird, "redis")
    assert kept(bird, "redis")
    bird.remember("Redis runs on port 6379")
    assert not kept(bird, "redis")
    assert kept(bird, "redis")
    with Bowerbird.open(bird.path, project="shop", clock=time) as other:
        decided = other.remember("Redis was moved to the cache host")
    hits = bird.query("redis")
    assert decided.id in {hit.id for hit in hits}


def test_five_minutes_or_an_expiry_end_it(bird: Bowerbird, time: Clock) -> None:
    assert "vault" in bird.query("vault code")[0].text
    assert kept(bird, "vault code")
    time.now += 120_000
    assert not any("vault" in hit.text for hit in bird.query("vault code"))
    assert kept(bird, "vault code")
    time.now += LIFETIME_MS
    assert not kept(bird, "vault code")


def test_so_many_are_kept_and_the_longest_unasked_goes(bird: Bowerbird) -> None:
    for number in range(MOST):
        assert not kept(bird, f"redis {number}")
    assert kept(bird, "redis 0")
    assert not kept(bird, "one more redis")
    assert kept(bird, "redis 0")
    assert not kept(bird, "redis 1")


def test_a_process_that_does_not_stay_keeps_nothing(store_path: str, time: Clock) -> None:
    with Bowerbird.open(store_path, clock=time) as bird:
        bird.remember("Redis must be up before the auth tests run")
        assert not kept(bird, "redis")
        assert not kept(bird, "redis")
    with Bowerbird.open(store_path + ".none", clock=time, resident=True) as none:
        assert len(none.query("redis")) == 0


def test_questions_and_new_memories_in_turns_are_answered_from_memory_too(
    bird: Bowerbird, time: Clock
) -> None:
    for number in range(8):
        bird.remember(f"Host number {number} of the cache stands in rack {number + 40}")
        if number == 5:
            bird.forget(bird.query("host number 3")[0].id)
        with Bowerbird.open(bird.path, project="shop", clock=time) as begins:
            for question in (f"redis {number}", f"which rack has host number {number}?", "vault"):
                here, there = bird.query(question), begins.query(question)
                assert [hit.id for hit in here] == [hit.id for hit in there]
                assert [hit.score for hit in here] == pytest.approx(
                    [hit.score for hit in there], abs=1e-6
                )
        kept = bird._wiring.store().candidates
        assert number != 4 or isinstance(kept, ResidentSource)


@pytest.mark.parametrize("elsewhere", [False, True])
def test_what_is_changed_in_place_is_read_again_and_nothing_else(
    bird: Bowerbird, time: Clock, elsewhere: bool
) -> None:
    ids = [
        bird.remember(f"Host number {number} of the cache stands in rack {number + 40}").id
        for number in range(12)
    ]

    def same() -> None:
        with Bowerbird.open(bird.path, project="shop", clock=time) as begins:
            for question in ("redis", "which rack has host number 3?", "the vault", "lanterns"):
                here, there = bird.query(question), begins.query(question)
                assert [hit.id for hit in here] == [hit.id for hit in there]
                assert [hit.text for hit in here] == [hit.text for hit in there]
                assert [hit.score for hit in here] == pytest.approx(
                    [hit.score for hit in there], abs=1e-6
                )

    for _ in range(residence._QUESTIONS + 1):
        same()
        bird.query(f"warm {_}")
    store: Any = bird._wiring.store()
    columns = resident(store).columns
    person = Who(USER, USER)
    with Bowerbird.open(bird.path, project="shop", clock=time) as other:
        writer = (other if elsewhere else bird).acting(person)
        for change in (
            lambda: writer.edit(ids[3], "Host number 3 keeps the lanterns of the vault"),
            lambda: writer.edit(ids[4], tags=["lanterns"]),
            lambda: writer.forget(ids[3]),
            lambda: writer.revert(ids[3]),
            lambda: [writer.edit(one, f"Lanterns hang over {one[-4:]}") for one in ids[5:8]],
        ):
            change()
            same()
            assert resident(store).columns is columns
        writer.remember("The lanterns of the vault were made in Redis Street")
        writer.edit(ids[9], "Host number 9 burns like a lantern")
        same()
        assert len(resident(store).columns) == len(columns) + 1
    with Bowerbird.open(bird.path, project="shop", clock=time) as other:
        other.acting(person).admin.erase([ids[0]])
    same()
