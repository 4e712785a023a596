"""LangGraph's store beside what its own tests ask for (scripts/adapters.py runs those)."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from bowerbird import Bowerbird
from bowerbird.core.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

pytestmark = pytest.mark.filterwarnings("default")


@pytest.fixture
def bird(store_path: str, clock: Callable[[], int]) -> Iterator[Bowerbird]:
    pytest.importorskip("langgraph", reason="make adapters ONLY=langgraph")
    with Bowerbird.open(store_path, project="shop", resident=True) as opened:
        yield opened


@pytest.fixture
def store(bird: Bowerbird) -> Any:
    from bowerbird.surfaces.adapters.langgraph import BowerbirdStore

    return BowerbirdStore(bird, ttl={"default_ttl": 60, "refresh_on_read": True})


def test_values_come_back_exactly_and_outlive_the_process(store: Any, bird: Bowerbird) -> None:
    from bowerbird.surfaces.adapters.langgraph import BowerbirdStore

    value: dict[str, Any] = {"n": None, "list": [1, 2.5, {"x": "ü / : * %"}], "empty": {}, "": ""}
    for key in ("k", "a/b", ":k", "*", "ü"):
        store.put(("users", "a:b/c*"), key, value)
        again = BowerbirdStore(Bowerbird.open(bird.path, project="shop"))
        assert again.get(("users", "a:b/c*"), key).value == value
        assert again.get(("users", "a:b/c*"), f"{key}x") is None
    assert len(store.search(("users",))) == 5
    assert store.search(("use",)) == []
    store.delete(("users", "a:b/c*"), "*")
    assert len(store.search(("users",))) == 4
    with pytest.raises(BadInput):
        store.put(("users",), "k", {"f": object()})


def test_an_item_ends_with_its_time_and_reading_starts_that_anew(
    store: Any, bird: Bowerbird
) -> None:
    store.put(("a",), "short", {"text": "the kettle is on"}, ttl=1)
    store.put(("a",), "usual", {"text": "the kettle is off"})
    ends = {one.text: one.details.fields.expires or 0 for one in bird.list() if one.details}
    assert ends["text: the kettle is on"] < ends["text: the kettle is off"]
    store.get(("a",), "short", refresh_ttl=False)
    (entry,) = bird.list(fields=["key=langgraph/a/:short"])
    assert len(bird.history(entry.id).versions) == 1
    store.get(("a",), "short")
    assert len(bird.history(entry.id).versions) == 2


def test_what_bears_on_a_query_comes_first_and_the_rest_after_it(store: Any) -> None:
    for number in range(5):
        store.put(("notes",), f"n{number}", {"text": f"Invoice {number} was paid by card"})
    store.put(("notes",), "cat", {"text": "The cat sleeps on the printer"})
    found = store.search(("notes",), query="where is the cat?", limit=3)
    assert found[0].key == "cat"
    assert found[0].score > 0.5
    assert all((one.score or 0.0) < 0.1 for one in found[1:])
    later = store.search(("notes",), query="where is the cat?", limit=3, offset=3)
    assert len({one.key for one in (*found, *later)}) == 6


def test_the_project_finds_what_a_graph_kept_and_no_more_than_index_names(
    store: Any, bird: Bowerbird
) -> None:
    value: dict[str, Any] = {"text": "Tea is at four", "pin": "the safe opens with roses"}
    store.put(("users",), "tea", value, index=["text"])
    assert [one.text for one in bird.query("when is tea?")] == ["Tea is at four"]
    assert list(bird.query("what opens the safe?", weak=False)) == []


def test_it_works_from_coroutines(store: Any) -> None:
    async def together() -> Any:
        await asyncio.gather(*(store.aput(("c",), str(n), {"n": n}) for n in range(4)))
        return await store.asearch(("c",))

    assert len(asyncio.run(together())) == 4
