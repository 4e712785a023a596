"""Edges by another tool's index: exact where it covers a file, and gone as soon as that file changes."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest

from bowerbird import Bowerbird
from bowerbird.code.scip import read
from bowerbird.core.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

# What `pick` gives is told by no type: reading alone cannot know whose `ring` is called.
FILES = {
    "bells.py": "class Big:\n    def ring(self):\n        return 1\n\n\n"
    "class Small:\n    def ring(self):\n        return 2\n",
    "till.py": "def open_till(pick):\n    return pick().ring()\n",
}
PACKAGE = "scip-python python shop 0.1"
RING = f"{PACKAGE} bells/Small#ring()."
OUTSIDE = "scip-python python stdlib 3 print()."


def number(value: int) -> bytes:
    made = bytearray()
    while value > 127:
        made.append(value & 127 | 128)
        value >>= 7
    return bytes([*made, value])


def field(key: int, value: bytes | str | int) -> bytes:
    if isinstance(value, int):
        return number(key << 3) + number(value)
    data = value.encode() if isinstance(value, str) else value
    return number(key << 3 | 2) + number(len(data)) + data


def occurrence(line: int, column: int, symbol: str, roles: int = 0) -> bytes:
    place = number(line - 1) + number(column) + number(column + 4)
    return field(2, field(1, place) + field(2, symbol) + (field(3, roles) if roles else b""))


def index_of(root: str, **documents: bytes) -> bytes:
    """An index of modules with their occurrences."""
    parts = [field(2, field(1, f"{name}.py") + said) for name, said in documents.items()]
    return field(1, field(3, f"file://{root}")) + b"".join(parts)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "project"
    root.mkdir()
    for name, text in FILES.items():
        (root / name).write_text(text)
    monkeypatch.chdir(root)
    return root


@pytest.fixture
def scip(project: Path, tmp_path: Path) -> Path:
    path = tmp_path / "index.scip"
    path.write_bytes(
        index_of(
            str(project),
            bells=occurrence(7, 8, RING, 1) + occurrence(2, 8, RING.replace("Small", "Big"), 1),
            till=occurrence(1, 4, f"{PACKAGE} till/open_till().", 1) + occurrence(2, 18, RING),
            missing=b"",
        )
    )
    later = os.stat(project / "till.py").st_mtime_ns + 1_000_000_000
    os.utime(path, ns=(later, later))
    return path


@pytest.fixture
def bird(store_path: str, clock: Callable[[], int], project: Path) -> Iterator[Bowerbird]:
    with Bowerbird.open(store_path, project="shop", clock=clock) as bird:
        bird.index(project)
        yield bird


def callers(bird: Bowerbird, target: str) -> list[tuple[str, str]]:
    found = bird.impact(target).reached
    return [(one.node.name, one.origin) for one in found if one.edge == "calls"]


def edges(bird: Bowerbird) -> list[Any]:
    graph: Any = bird._wiring.writer().documents.graph
    found = graph._connection.execute(
        "SELECT s.qualified, e.kind, e.name, t.qualified, e.origin, e.line FROM edge e"
        " JOIN node s ON s.id = e.source LEFT JOIN node t ON t.id = e.target"
    )
    return sorted(found, key=repr)


def test_calls_are_exact_where_an_index_covers_the_file(
    bird: Bowerbird, project: Path, scip: Path
) -> None:
    assert callers(bird, "Small.ring") == []
    taken = bird.index(project, scip=scip).scip
    assert taken is not None
    assert (taken.files, taken.newer, taken.unknown) == (2, 0, 1)
    assert callers(bird, "Small.ring") == [("open_till", "scip")]
    assert callers(bird, "Big.ring") == []


def test_a_place_that_the_outline_overlooked_is_a_reference(
    bird: Bowerbird, project: Path, scip: Path
) -> None:
    places = occurrence(1, 14, f"{PACKAGE} bells/Big#") + occurrence(2, 18, RING)
    big = occurrence(1, 6, f"{PACKAGE} bells/Big#", 1) + occurrence(7, 8, RING, 1)
    scip.write_bytes(index_of(str(project), bells=big, till=places))
    bird.index(project, scip=scip)
    found = bird.impact("bells.py:Big").reached
    assert [(one.node.name, one.edge, one.origin, one.line) for one in found if one.node.name] == [
        ("open_till", "references", "scip", 1)
    ]


def test_a_changed_file_is_read_for_itself_again(
    bird: Bowerbird, project: Path, scip: Path
) -> None:
    bird.index(project, scip=scip)
    (project / "till.py").write_text("\n" + FILES["till.py"])
    found = bird.impact("Small.ring")
    # What it stands in is still known: its own file did not change.
    assert [(one.node.name, one.edge) for one in found.reached] == [("Small", "contains")]
    assert [os.path.basename(one) for one in found.stale] == ["till.py"]
    bird.index(project)
    assert callers(bird, "Small.ring") == []


def test_what_it_knows_outlives_a_change_elsewhere(
    bird: Bowerbird, project: Path, scip: Path
) -> None:
    bird.index(project, scip=scip)
    (project / "bells.py").write_text(f"# louder\n{FILES['bells.py'].replace('Big', 'Huge')}")
    bird.index(project)
    # Two methods are called so, and neither stands on the line of then: nobody can tell.
    assert callers(bird, "Small.ring") == []
    (project / "bells.py").write_text(
        "# one\nclass Small:\n    def ring(self):\n        return 2\n"
    )
    bird.index(project)
    assert callers(bird, "Small.ring") == [("open_till", "scip")]


def test_reading_all_again_keeps_what_it_knows(bird: Bowerbird, project: Path, scip: Path) -> None:
    bird.index(project, scip=scip)
    before = edges(bird)
    bird.admin.reindex(again=True)
    assert edges(bird) == before


def test_a_file_that_is_newer_than_the_index_is_left_as_it_was_read(
    bird: Bowerbird, project: Path, scip: Path
) -> None:
    os.utime(scip, ns=(1, 1))
    taken = bird.index(project, scip=scip).scip
    assert taken is not None
    assert (taken.files, taken.newer) == (0, 2)


def test_what_is_outside_leads_to_nothing(bird: Bowerbird, project: Path, scip: Path) -> None:
    (project / "loud.py").write_text("from bells import Big\n\n\ndef f():\n    Big()\n")
    scip.write_bytes(index_of(str(project), loud=occurrence(5, 4, OUTSIDE)))
    bird.index(project, scip=scip)
    assert callers(bird, "Big") == []
    assert bird.impact("loud.py:f", direction="dependencies").unresolved == {"Big": 1}


@pytest.mark.parametrize(
    "data", [b"", b"no index", b"\xff" * 40, field(2, b"\x0a\xff"), field(1, b"")]
)
def test_what_is_no_index_is_refused(data: bytes) -> None:
    with pytest.raises(BadInput):
        read(data)


def test_an_index_that_is_not_there_is_refused(bird: Bowerbird, project: Path) -> None:
    with pytest.raises(BadInput):
        bird.index(project, scip="nowhere.scip")
