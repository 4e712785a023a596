"""What notes lead to: edges by path, by name and by alias, kept up to date, shown by get and impact."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest

from bowerbird import Bowerbird

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

FILES = {
    "index.md": "# Home\n\nSee [[Plan]] and [the till](jobs/till.md#open).\n\n[gone](no/where.md)\n",
    "jobs/till.md": "# Till\n\nBack [home](../index.md), or run `[[code]]`; code: [it](../src/till.py)\n",
    "plans/Plan.md": "---\naliases: [Roadmap]\n---\n# Plan\n\nFirst the [[till]].\n",
    "loose.md": "# Loose\n\n[[Roadmap]] and [[Nobody]], again [[Roadmap]].\n",
    "src/till.py": "def ring():\n    return 1\n",
}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "project"
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    monkeypatch.chdir(root)
    return root


@pytest.fixture
def bird(store_path: str, clock: Callable[[], int], project: Path) -> Iterator[Bowerbird]:
    with Bowerbird.open(store_path, project="notes", clock=clock) as bird:
        bird.index(project)
        yield bird


def edges(bird: Bowerbird) -> list[tuple[str, str, str, int]]:
    graph: Any = bird._wiring.writer().documents.graph
    found = graph._connection.execute(
        "SELECT d.path, e.name, coalesce(t.path, ''), e.line, e.count FROM edge e"
        " JOIN document d ON d.id = e.document LEFT JOIN node n ON n.id = e.target"
        " LEFT JOIN document t ON t.id = n.document WHERE e.kind = 'links'"
    )
    base = os.path.basename
    return sorted((base(a), name, base(b), line) for a, name, b, line, _ in found)


ALL = [
    ("Plan.md", "till", "", 6),
    ("index.md", "Plan", "Plan.md", 3),
    ("index.md", "jobs/till.md", "till.md", 3),
    ("index.md", "no/where.md", "", 5),
    ("loose.md", "Nobody", "", 3),
    ("loose.md", "Roadmap", "Plan.md", 3),
    ("till.md", "../index.md", "index.md", 3),
    ("till.md", "../src/till.py", "till.py", 3),
]


def test_links_are_edges_by_path_by_name_and_by_alias(bird: Bowerbird) -> None:
    expected = [
        one if one[:2] != ("Plan.md", "till") else ("Plan.md", "till", "till.md", 6) for one in ALL
    ]
    assert edges(bird) == expected


def test_get_tells_where_a_passage_leads_and_what_leads_to_it(
    bird: Bowerbird, project: Path
) -> None:
    found = bird.at(project / "index.md", 3).links
    out = [(os.path.basename(one.path), one.name, one.line) for one in found if one.outward]
    assert out == [("Plan.md", "Plan", 3), ("till.md", "jobs/till.md", 3), ("", "no/where.md", 5)]
    into = [(os.path.basename(one.path), one.line) for one in found if not one.outward]
    assert into == [("till.md", 3)]


def test_impact_tells_which_notes_lead_to_a_file(bird: Bowerbird) -> None:
    found = bird.impact("src/till.py", depth=2)
    reached = [(one.depth, one.edge, os.path.basename(one.node.path)) for one in found.reached]
    assert reached[:1] == [(1, "links", "till.md")]
    reached = [one for one in reached if one[1] == "links"]
    assert {path for _, _, path in reached} == {"till.md", "index.md", "Plan.md"}
    lost = bird.impact("loose.md", direction="dependencies", depth=1)
    assert lost.unresolved == {"Nobody": 1}


def test_a_note_that_comes_later_is_what_was_meant(bird: Bowerbird, project: Path) -> None:
    (project / "nobody.md").write_text("# Somebody\n")
    bird.index(project)
    assert ("loose.md", "Nobody", "nobody.md", 3) in edges(bird)


def test_a_second_note_of_a_name_makes_it_unclear_and_its_end_makes_it_clear(
    bird: Bowerbird, project: Path
) -> None:
    before = edges(bird)
    (project / "jobs/Plan.md").write_text("# Another plan\n")
    bird.index(project)
    assert ("index.md", "Plan", "", 3) in edges(bird)
    (project / "jobs/Plan.md").unlink()
    bird.index(project)
    assert edges(bird) == before


def test_a_note_that_goes_leaves_a_link_to_nothing(bird: Bowerbird, project: Path) -> None:
    (project / "plans/Plan.md").unlink()
    bird.index(project)
    assert ("index.md", "Plan", "", 3) in edges(bird)
    assert ("loose.md", "Roadmap", "", 3) in edges(bird)


def test_reading_all_again_draws_the_same(bird: Bowerbird, project: Path) -> None:
    (project / "plans/Plan.md").write_text("# Plan\n\nNow [[loose]].\n")
    bird.index(project)
    before = edges(bird)
    bird.admin.reindex(again=True)
    assert edges(bird) == before
