"""Ways between memories and code, chains of causes, and communities, with their pictures."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from bowerbird import Bowerbird
from bowerbird.code.ways import chain, communities, modularity, shortest
from bowerbird.core.errors import BadInput, NotFound
from bowerbird.surfaces.pictures import PICTURES, of_groups, of_way

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from bowerbird.code.ways import Key, Link
    from bowerbird.core.ways import Way

FILES = {
    "auth.py": "def verify(token):\n    return token\n",
    "web.py": "from auth import verify\n\n\ndef login(token):\n    return verify(token)\n",
}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "project"
    root.mkdir()
    (root / ".bowerbird.toml").write_text("")
    for name, text in FILES.items():
        (root / name).write_text(text)
    monkeypatch.chdir(root)
    return root


@pytest.fixture
def bird(store_path: str, clock: Callable[[], int], project: Path) -> Iterator[Bowerbird]:
    with Bowerbird.open(store_path, clock=clock) as bird:
        bird.index(project)
        yield bird


SAID = {
    "clock": "The clocks of both machines drift apart by a minute.",
    "expiry": "Sessions end too early on the second machine.",
    "retry": "People press reload until the queue is full.",
    "queue": "Mails leave hours late on Fridays.",
    "lunch": "The canteen closes at two.",
}


@pytest.fixture
def ids(bird: Bowerbird) -> dict[str, str]:
    ids = {name: bird.remember(text).id for name, text in SAID.items()}
    bird.link(ids["clock"], ids["expiry"], "causes")
    bird.link(ids["expiry"], ids["retry"], "led_to", strength=0.5)
    bird.link(ids["queue"], ids["retry"], "derived_from")
    return ids


def reported(way: Way) -> list[tuple[str, str]]:
    return [(one.id or os.path.basename(one.path), one.name) for one in way.points]


def test_two_memories_hang_together_by_relations(bird: Bowerbird, ids: dict[str, str]) -> None:
    way = bird.way(ids["clock"], ids["queue"])
    assert reported(way) == [(ids[one], SAID[one]) for one in ("clock", "expiry", "retry", "queue")]
    legs = [(one.source, one.target, one.kind) for one in way.legs]
    assert legs == [(0, 1, "causes"), (1, 2, "led_to"), (3, 2, "derived_from")]
    assert bird.way(ids["clock"], ids["queue"], depth=2).points == ()
    assert bird.way(ids["clock"], ids["lunch"]).points == ()


def test_one_end_alone_tells_causes_and_effects(bird: Bowerbird, ids: dict[str, str]) -> None:
    way = bird.way(ids["expiry"])
    depths = {one.id: one.depth for one in way.points}
    assert depths == {ids["clock"]: -1, ids["expiry"]: 0, ids["retry"]: 1, ids["queue"]: 2}
    assert {one.origin for one in bird.way(ids["expiry"]).legs} == {"stated"}
    assert bird.way(ids["lunch"]).legs == ()


def test_a_memory_leads_to_code_by_what_it_is_about(bird: Bowerbird, ids: dict[str, str]) -> None:
    about = bird.remember("It trusts whatever it is handed.", files=["auth.py:verify"]).id
    bird.link(ids["expiry"], about, "related_to")
    way = bird.way(ids["clock"], "web.py:login")
    assert [name for _, name in reported(way)][-2:] == ["verify", "login"]
    assert [one.kind for one in way.legs] == ["causes", "related_to", "documents", "calls"]
    said = [(one.origin, os.path.basename(one.path), one.line, one.column) for one in way.legs]
    assert said == [("stated", "", 0, 0)] * 3 + [("ast", "web.py", 5, 11)]
    back = bird.way("login", ids["clock"])
    assert [one.origin for one in back.legs] == ["ast", *["stated"] * 3]
    assert [one.id for one in back.points] == [one.id for one in way.points][::-1]


def test_what_stands_in_a_file_is_said_where_it_begins(bird: Bowerbird) -> None:
    (leg,) = bird.way("web.py", "web.py:login").legs
    assert (leg.kind, leg.origin, os.path.basename(leg.path), leg.line) == (
        "contains",
        "ast",
        "web.py",
        4,
    )


def test_no_way_leads_through_a_file_that_changed(
    bird: Bowerbird, ids: dict[str, str], project: Path
) -> None:
    about = bird.remember("It trusts whatever it is handed.", files=["auth.py:verify"]).id
    (project / "web.py").write_text("def login(token):\n    return None\n\n\n# nothing else\n")
    way = bird.way(about, "web.py:login")
    assert way.points == ()
    assert [os.path.basename(path) for path in way.stale] == ["web.py"]


def test_no_way_leads_into_a_file_that_is_gone(bird: Bowerbird, project: Path) -> None:
    assert bird.way("web.py:login", "auth.py:verify").legs
    (project / "auth.py").unlink()
    way = bird.way("web.py:login", "auth.py:verify")
    assert way.points == ()
    assert [os.path.basename(path) for path in way.stale] == ["auth.py"]


def test_what_stands_in_a_file_that_changed_is_not_known(bird: Bowerbird, project: Path) -> None:
    assert bird.way("web.py", "web.py:login").legs
    (project / "web.py").write_text("# all else is gone\n")
    way = bird.way("web.py", "web.py:login")
    assert way.points == ()
    assert [os.path.basename(path) for path in way.stale] == ["web.py"]


def test_what_cannot_be_an_end_is_refused(bird: Bowerbird, ids: dict[str, str]) -> None:
    with pytest.raises(NotFound):
        bird.way(ids["clock"], "nowhere.py")
    with pytest.raises(NotFound):
        bird.way("01900000-0000-7000-8000-000000000000", ids["clock"])
    with pytest.raises(BadInput):
        bird.way("web.py:login")
    with pytest.raises(BadInput):
        bird.way(ids["clock"], ids["queue"], depth=0)


def test_what_is_forgotten_leads_nowhere(bird: Bowerbird, ids: dict[str, str]) -> None:
    bird.forget(ids["expiry"])
    assert bird.way(ids["clock"], ids["queue"]).points == ()


def test_memories_that_hang_together_are_a_community(bird: Bowerbird, ids: dict[str, str]) -> None:
    bird.link(ids["clock"], ids["retry"], "related_to")
    bird.link(ids["queue"], ids["expiry"], "related_to")
    both = [
        bird.remember("The deploy key is on paper.", files=["web.py"]).id,
        bird.remember("Nobody reviews changes on Sundays.", files=["web.py"]).id,
    ]
    found = bird.communities()
    groups = [{one.id for one in some.points} for some in found.communities]
    assert groups == [{ids[one] for one in ("clock", "expiry", "retry", "queue")}, set(both)]
    assert found.alone == 1
    assert found.modularity > 0.25


@pytest.mark.parametrize("picture", PICTURES)
def test_pictures(bird: Bowerbird, ids: dict[str, str], picture: str) -> None:
    way = PICTURES[picture](of_way(bird.way(ids["clock"], ids["queue"])))
    groups = PICTURES[picture](of_groups(bird.communities()))
    for drawn in (way, groups):
        assert "derived_from" in drawn or "related" in drawn
        assert "clocks" in drawn
        assert "http" not in drawn


def test_label_propagation_parts_two_cliques() -> None:
    one, other = "abcd", "wxyz"
    edges = {(a, b): 1.0 for some in (one, other) for a in some for b in some if a < b}
    edges["d", "w"] = 0.2
    assert communities(edges) == [["d", "a", "b", "c"], ["w", "x", "y", "z"]]
    assert modularity(edges, communities(edges)) == pytest.approx(0.4836, abs=1e-3)
    assert modularity(edges, [[*one, *other]]) == pytest.approx(0.0)
    assert modularity({}, []) == 0.0


def test_the_stronger_of_two_short_ways_is_taken() -> None:
    links: dict[Key, list[tuple[Key, float]]]
    links = {"a": [("b", 0.1), ("c", 0.9)], "b": [("d", 1.0)], "c": [("d", 1.0)], "d": []}

    def neighbours(front: Sequence[Key]) -> list[Link]:
        said = ("ast", "a.py", 1, 0)
        return [(one, other, "k", True, w, said) for one in front for other, w in links[one]]

    way = shortest({"a"}, {"d"}, neighbours, 3)
    assert way is not None
    assert [link[:2] for link in way] == [("a", "c"), ("c", "d")]
    assert shortest({"d"}, {"a"}, neighbours, 3) is None


def test_a_circle_of_causes_ends() -> None:
    depths, legs = chain(
        "a", [("a", "b", "causes", 1.0, "agent"), ("b", "a", "causes", 1.0, "agent")], 5
    )
    assert depths == {"a": 0, "b": -1}
    assert len(legs) == 2
