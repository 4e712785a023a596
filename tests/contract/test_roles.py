"""The context of a role: its kinds, as many as it takes, the files and the steps of like work."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest

from bowerbird import Bowerbird
from bowerbird.core.errors import BadInput, UnknownName
from bowerbird.core.packs import PackedFile
from bowerbird.core.recalled import takes
from bowerbird.core.roles import MOST_STEPS, ratio_of, step_limit

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TASK = "move the login of the shop to tokens"


@pytest.fixture
def bird(tmp_path: Path) -> Iterator[Bowerbird]:
    project = tmp_path / "shop"
    (project / ".git").mkdir(parents=True)
    os.chdir(project)
    with Bowerbird.open(tmp_path / "memory.db") as opened:
        yield opened


def keep(bird: Bowerbird, text: str, kind: str, **about: Any) -> str:
    return bird.remember(text, kind=kind, **about).id


def calibration(bird: Bowerbird, ratio: float, samples: int) -> str:
    text = (
        f"Work on the login of the shop took {ratio} times the planned steps, {samples} times seen."
    )
    payload = {"module": "login", "ratio": ratio, "sample_count": samples}
    return keep(bird, text, "task_calibration", payload=payload)


def test_a_planner_is_told_what_planning_takes_and_nothing_else(bird: Bowerbird) -> None:
    calibration(bird, 1.5, 3)
    calibration(bird, 1.1, 1)
    keep(bird, "The login of the shop reads the cookie first.", "gotcha")
    dead = {"approach_tried": "sessions in Redis", "why_it_failed": "they expire"}
    keep(bird, "The login of the shop cannot keep sessions in Redis.", "dead_end", payload=dead)
    keep(bird, "Who moves the login of the shop moves its e-mails.", "causal_dependency")
    pack = bird.context(TASK, role="planner", steps=40)
    assert [one.kind for one in pack] == ["task_calibration"] * 2 + [
        "dead_end",
        "causal_dependency",
    ]
    assert (pack.role, pack.ratio, pack.step_limit) == ("planner", 1.4, 56)
    assert pack.spent <= pack.budget == 2_500


def test_a_coder_is_told_traps_and_the_files_of_like_work(bird: Bowerbird, tmp_path: Path) -> None:
    for name, size in (("login.py", 400), ("mail.py", 800), ("huge.sql", 500_000)):
        (tmp_path / "shop" / name).write_text("x" * size)
    payload = {
        "always_read_files": ["mail.py", "gone.py", "../memory.db", "huge.sql"],
        "frequently_read_files": ["login.py"],
    }
    keep(
        bird, "For the login of the shop others read mail.py.", "prefetch_pattern", payload=payload
    )
    trap = keep(bird, "The login of the shop reads the cookie first.", "gotcha")
    pack = bird.context(TASK, role="coder")
    assert [one.id for one in pack] == [trap]
    assert [(one.path, one.often, one.tokens) for one in pack.files] == [
        ("mail.py", "always", 200),
        ("login.py", "often", 100),
    ]
    assert pack.step_limit is None
    (files,) = takes(pack.replace(files=(PackedFile("mail.py", "always", 1),)))
    assert files.endswith("mail.py (always, 1 token)")


def test_a_checker_is_told_what_was_seen(bird: Bowerbird) -> None:
    keep(bird, "The login of the shop shows a spinner for a second.", "e2e_observation")
    keep(bird, "The login of the shop must work without scripts.", "requirement")
    keep(bird, "The login of the shop was moved once.", "fact")
    assert [one.kind for one in bird.context(TASK, role="qa")] == ["e2e_observation", "requirement"]


def test_where_nothing_is_known_nothing_is_reported(bird: Bowerbird) -> None:
    pack = bird.context(TASK, role="planner", steps=7)
    assert (pack.items, pack.ratio, pack.step_limit, pack.files) == ((), None, 7, ())


@pytest.mark.parametrize(
    ("planned", "ratio", "limit"),
    [(10, None, 10), (10, 1.31, 14), (10, 9.0, 20), (10, 0.5, 5), (900, 2.0, MOST_STEPS)],
)
def test_steps_are_limited_by_experience(planned: int, ratio: float | None, limit: int) -> None:
    assert step_limit(planned, ratio) == limit


def test_a_ratio_counts_as_often_as_it_was_seen() -> None:
    assert ratio_of([{"ratio": 2, "sample_count": 3}, {"ratio": 1.0}, None, {}]) == 1.75


def test_what_cannot_be_is_said(bird: Bowerbird) -> None:
    with pytest.raises(UnknownName):
        bird.context(TASK, role="plannr")
    with pytest.raises(BadInput):
        bird.context(TASK, steps=4)
    with pytest.raises(BadInput):
        bird.context(TASK, role="qa", steps=0)
