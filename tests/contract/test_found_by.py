"""By which words, beginnings and times something is found, beside the words of its text."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bowerbird import Bowerbird
from bowerbird.core.errors import NotFound
from bowerbird.retrieval.candidates import by_words


@pytest.fixture
def bird(store_path: str, clock: Callable[[], int]) -> Iterator[Bowerbird]:
    with Bowerbird.open(store_path, project="shop", clock=clock) as bird:
        yield bird


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        ("billin*", "The billing job runs at night"),
        ("networki*", "Our networking gear is of one maker"),
        ("dockeri*", "Dockerization of the shop is done"),
        ("night OR networki*", "Our networking gear is of one maker"),
        ("job NOT networki*", "The billing job runs at night"),
    ],
)
def test_a_beginning_finds_words_that_the_index_holds_by_shorter_stems(
    bird: Bowerbird, asked: str, text: str
) -> None:
    bird.remember("The billing job runs at night")
    bird.remember("Our networking gear is of one maker")
    bird.remember("Dockerization of the shop is done")
    assert text in [hit.text for hit in bird.query(asked, operators=True)]
    assert text in [entry.text for entry in bird.list(matching=asked)]


def test_a_beginning_of_nothing_finds_nothing(bird: Bowerbird) -> None:
    bird.remember("The billing job runs at night")
    assert not bird.query("zebr*", operators=True)
    assert not bird.list(matching="zebr*")


@pytest.mark.parametrize("asked", ["zebrasummary", "rhinofile", "rhinofile.py", "hippomodule"])
def test_a_memory_is_found_by_its_summary_its_files_and_its_modules(
    bird: Bowerbird, asked: str
) -> None:
    bird.remember("Lunch is at noon.")
    kept = bird.remember(
        "It goes out on the first.",
        summary="zebrasummary of the invoice run",
        files=("src/rhinofile.py",),
        modules=("hippomodule",),
    )
    assert bird.query(asked)[0].id == kept.id


def test_what_a_memory_is_about_is_found_after_an_edit(bird: Bowerbird) -> None:
    kept = bird.remember("It goes out on the first.")
    bird.edit(kept.id, files=("src/rhinofile.py",))
    assert bird.query("rhinofile")[0].id == kept.id


@pytest.mark.parametrize(
    ("kept", "asked"),
    [
        (
            "The deploy of the ledger failed because of a full disk on beta",
            "what failed in the deploy of the ledger last week",
        ),
        ("The auth tests hang when Redis is down", "fix the auth tests"),
    ],
)
def test_words_of_time_and_what_is_to_be_done_take_nothing_from_an_answer(
    bird: Bowerbird, kept: str, asked: str
) -> None:
    memory = bird.remember(kept)
    assert bird.query(asked)[0].relevance > 0.5
    assert [item.id for item in bird.context(asked).items] == [memory.id]


def test_a_note_is_found_by_its_file_name(bird: Bowerbird, tmp_path: Path) -> None:
    for name in ("penguinpath", "kettle", "boiler"):
        (tmp_path / f"{name}.md").write_text("Nothing is said here.\n" + f"Of {name[::-1]}.\n")
    bird.index(tmp_path)
    for asked in ("penguinpath", "penguinpath.md"):
        hits = bird.query(asked)
        assert hits[0].path == str(tmp_path / "penguinpath.md")
        assert hits[0].relevance > 0.5


def test_words_of_time_are_not_read_as_misspelt_ones(bird: Bowerbird) -> None:
    bird.remember("We chose fast storage for redis")
    hits = bird.query("what was decided last week about redis")
    assert hits.corrected == {}
    assert hits[0].text == "We chose fast storage for redis"


def test_a_memory_that_was_removed_for_good_has_its_history(store_path: str) -> None:
    now = [1_767_225_600_000]
    with Bowerbird.open(store_path, project="shop", clock=lambda: now[0]) as bird:
        id = bird.remember("The lease ends soon", expires="1h").id
        now[0] += 2 * 86_400_000
        bird.prune()
        assert bird.history(id[:20]).versions
        now[0] += 32 * 86_400_000
        bird.prune()
        with pytest.raises(NotFound):
            bird.get(id)
        found = bird.history(id[:20])
        assert (found.id, found.versions, found.relations) == (id, (), ())
        assert [event.action for event in found.events] == ["created", "pruned", "removed"]
        assert found.events[-1].reason


@pytest.mark.parametrize("resident", [False, True])
def test_without_common_words_rare_ones_find_and_all_of_them_weigh(
    store_path: str,
    clock: Callable[[], int],
    monkeypatch: pytest.MonkeyPatch,
    resident: bool,
) -> None:
    monkeypatch.setattr(by_words, "MOST_ROWS", 2)
    left_out = ("dense", "document", "fuzzy", "relations", "second look")
    asked = "deploy the turbine of the shop to staging"
    with Bowerbird.open(store_path, project="shop", clock=clock, resident=resident) as bird:
        for day in ("monday", "tuesday", "friday"):
            bird.remember(f"The {day} deploy of the shop goes to staging at night")
        bird.remember("A turbine stands in the hall")
        bird.remember("The turbine of the shop goes to repair")
        every = {hit.text: hit.bm25 for hit in bird.query(asked, without=left_out)}
        some = bird.query(asked, without=(*left_out, "common words"))
    assert len(every) == 5
    assert {hit.text for hit in some} == {text for text in every if "turbine" in text}
    assert [hit.bm25 for hit in some] == pytest.approx([every[hit.text] for hit in some])
