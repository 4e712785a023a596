"""A memory that its caller names: exactly that one is put and got, whatever else says the same."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import apsw
import pytest

from bowerbird import Bowerbird
from bowerbird.core.errors import BadInput, Denied
from bowerbird.core.query import Filter
from bowerbird.core.who import USER, Who
from bowerbird.storage.sqlite.nouns.filters import where

if TYPE_CHECKING:
    from collections.abc import Iterator

DARK, LIGHT = "The user prefers a dark theme", "The user prefers a light theme"
AGENT = Who("agent:ada", "agent", session="s1", reader="s1")


@pytest.fixture
def bird(store_path: str) -> Iterator[Bowerbird]:
    with Bowerbird.open(store_path, project="shop") as opened:
        yield opened


def got(bird: Bowerbird, key: str) -> list[str]:
    return [one.text for one in bird.list(fields=[f"key={key}"])]


def test_the_same_key_again_replaces_text_and_fields_of_the_same_memory(bird: Bowerbird) -> None:
    first = bird.remember(DARK, key="users/1/theme", tags=["ui"], metadata={"since": 2024})
    again = bird.remember(LIGHT, key="users/1/theme", metadata={"v": 2})
    assert (first.decision, again.decision, again.id) == ("created", "updated", first.id)
    assert again.is_update
    assert {"text", "tags", "metadata"} <= {*again.changed}
    entry = bird.get(first.id)
    assert entry.details is not None
    assert (entry.text, entry.tags, entry.details.fields.metadata) == (LIGHT, (), {"v": 2})
    assert [one.text for one in bird.history(first.id).versions] == [DARK, LIGHT]
    same = bird.remember(LIGHT, key="users/1/theme", metadata={"v": 2})
    assert (same.decision, same.changed) == ("known", ())
    assert [hit.text for hit in bird.query("light theme", memories_only=True)] == [LIGHT]
    assert bird.admin.reindex() == 0
    assert bird.admin.verify().sound


def test_keys_are_exact_and_their_beginning_finds_several(bird: Bowerbird) -> None:
    for user in ("1", "2", "10"):
        bird.remember(DARK, key=f"users/{user}/theme")
    assert got(bird, "users/1/theme") == [DARK]
    assert len(got(bird, "users/1*")) == 2
    assert len(got(bird, "users/*")) == 3
    assert got(bird, "users") == got(bird, "USERS/1/theme") == got(bird, "%") == []


def test_what_others_say_leaves_it_alone(bird: Bowerbird) -> None:
    kept = bird.remember(DARK, key="theme")
    more = bird.remember(f"{DARK} with high contrast")
    assert more.decision == "created"
    assert got(bird, "theme") == [DARK]
    bird.prune(threshold=1.0)
    assert got(bird, "theme") == [DARK]
    bird.forget(kept.id)
    assert got(bird, "theme") == []
    assert bird.remember(DARK, key="theme").decision == "created"


def test_each_project_has_its_own_keys(bird: Bowerbird) -> None:
    other = bird.within("bakery")
    bird.remember(DARK, key="theme")
    other.remember(LIGHT, key="theme")
    assert (got(bird, "theme"), got(other, "theme")) == ([DARK], [LIGHT])


@pytest.mark.parametrize("key", ["a*", " a", "a" * 1001, f"ghp_{'a1B2' * 9}"])
def test_a_key_that_would_not_find_it_is_refused(bird: Bowerbird, key: str) -> None:
    with pytest.raises(BadInput, match="cannot be a key"):
        bird.remember(DARK, key=key)


def test_a_key_stays_and_a_persons_memory_is_no_agents(bird: Bowerbird) -> None:
    kept = bird.acting(Who(USER, USER)).remember(DARK, key="theme")
    with pytest.raises(BadInput, match="keeps its key"):
        bird.edit(kept.id, key="other")
    with pytest.raises(Denied):
        bird.acting(AGENT).remember(LIGHT, key="theme")
    assert got(bird, "theme") == [DARK]


def test_what_came_from_outside_waits_under_its_key(bird: Bowerbird) -> None:
    bird.remember(DARK, key="page", origin="tool_external")
    assert got(bird, "page") == []
    again = bird.remember(LIGHT, key="page", origin="tool_external")
    assert (again.decision, again.state) == ("updated", "quarantined")
    found = bird.list(fields=["key=page"], states=["active", "quarantined"])
    assert [one.text for one in found] == [LIGHT]


def test_writers_at_once_make_one_memory_of_a_key(store_path: str) -> None:
    def put(number: int) -> str:
        with Bowerbird.open(store_path, project="shop") as bird:
            return bird.remember(f"The counter stands at {number}", key="counter").id

    with ThreadPoolExecutor(4) as pool:
        assert len({*pool.map(put, range(8))}) == 1


def test_a_key_is_looked_up_in_the_index(bird: Bowerbird) -> None:
    bird.remember(DARK, key="theme")
    connection = apsw.Connection(bird.path)
    for key in ("theme", "th*"):
        condition, values = where(Filter(fields=(("key", (key,)),)))
        asked = f"EXPLAIN QUERY PLAN SELECT f.id FROM facet f WHERE {condition}"
        assert any("version_key" in row[3] for row in connection.execute(asked, values))
    connection.close()
