"""Phases of other ways of working: those that come with the package, and a package's own."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import pytest

from bowerbird import Bowerbird
from bowerbird.core.errors import BadConfig, UnknownName
from bowerbird.core.methodologies import OURS

if TYPE_CHECKING:
    from pathlib import Path

BACKENDS = ("file",)  # what a phase asks is no matter of the store
TASK = "let the login of the shop work without scripts"
OWN = """
from bowerbird.core.methodologies import Methodology
from bowerbird.core.phases import Phase
from bowerbird.core.plugins import Plugin

BETS = Methodology("shape-up", "bets", (Phase("betting", "worth", 700, {}, {"other": 1.0}),))
SHAPE_UP = Plugin("shape-up", "bets of six weeks", "1.0", lambda: BETS)
"""


def ask(store: str, methodology: str, phase: str) -> tuple[str | None, int, list[str]]:
    with Bowerbird.open(store, settings={"agent.methodology": methodology}) as bird:
        if not os.path.exists(store):
            bird.remember("The login of the shop must work without scripts.", kind="requirement")
        pack = bird.context(TASK, phase=phase)
        bird.query(TASK, phase=phase)
        return pack.phase, pack.budget, [one.kind for one in pack]


def test_each_phase_of_ours_can_be_asked_for(store_path: str) -> None:
    for name, methodology in OURS.items():
        for phase in methodology.phases:
            found = ask(store_path, name, phase.name)
            assert found[1:] == (phase.budget, ["requirement"])
    assert ask(store_path, "tdd", "red")[0] == "tdd:red"
    assert ask(store_path, "tdd", "implement")[0] == "implement"


def test_an_unknown_phase_is_one_of_finding_ones_way(store_path: str) -> None:
    assert ask(store_path, "bmad", "party")[0] == "explore"
    with pytest.raises(UnknownName):
        ask(store_path, "native", "party")


def test_what_one_bowerbird_is_configured_with_another_does_not_know(store_path: str) -> None:
    assert ask(store_path, "tdd", "red")[0] == "tdd:red"
    with pytest.raises(UnknownName):
        ask(store_path, "native", "tdd:red")


def test_weights_of_ones_own_change_no_name(store_path: str) -> None:
    own = {"agent.phase_weights": "implement.requirement=4, tdd:red.requirement=4"}
    for methodology, phase, name in (
        ("native", "implement", "implement"),
        ("tdd", "red", "tdd:red"),
    ):
        with Bowerbird.open(store_path, settings={"agent.methodology": methodology} | own) as bird:
            bird.remember("The login of the shop must work without scripts.", kind="requirement")
            pack = bird.context(TASK, phase=phase)
            assert (pack.phase, [one.kind for one in pack]) == (name, ["requirement"])
            weighed = bird.query(TASK, phase=phase)[0].score
        with Bowerbird.open(store_path, settings={"agent.methodology": methodology}) as bird:
            assert bird.query(TASK, phase=name)[0].score < weighed


def test_a_package_brings_its_own(
    store_path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = tmp_path / "site"
    info = site / "shapeup-1.0.dist-info"
    info.mkdir(parents=True)
    (site / "shapeup_memory.py").write_text(OWN)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: shapeup\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[bowerbird.methodologies]\nshape-up = shapeup_memory:SHAPE_UP\n"
    )
    monkeypatch.syspath_prepend(str(site))
    assert ask(store_path, "shape-up", "betting")[:2] == ("shape-up:betting", 700)
    sys.modules.pop("shapeup_memory", None)
    with pytest.raises(BadConfig):
        ask(store_path, "waterfall", "betting")


@pytest.mark.parametrize("broken", [False, True])
def test_without_its_package_all_goes_on_as_native(
    store_path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: bool
) -> None:
    if broken:
        info = tmp_path / "site" / "shapeup-1.0.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: shapeup\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text("[bowerbird.methodologies]\nshape-up = gone:ALL\n")
        monkeypatch.syspath_prepend(str(info.parent))
    monkeypatch.setenv("BOWER_AGENT_METHODOLOGY", "shape-up")
    with Bowerbird.open(store_path) as bird:
        kept = bird.remember("The login must work without scripts.", kind="requirement")
        done = bird.remember(
            "The login works by now.", kind="work_unit_outcome", work_unit="spec-1"
        )
        assert (kept.decision, done.decision, done.note) == ("created", "created", "")
        assert len(bird.context(TASK, role="coder", unit="spec-1")) > 0
        with pytest.raises(BadConfig):
            bird.context(TASK, phase="betting")
        (found,) = [one for one in bird.admin.doctor() if "shape-up" in one.found and one.remedy]
        assert found.level == "warning"
        assert "native is used instead" in found.found
        assert "or set BOWER_AGENT_METHODOLOGY to one of: bmad, native, tdd" in str(found.remedy)
    monkeypatch.setenv("BOWER_AGENT_METHODOLOGY", "native")
    with Bowerbird.open(store_path) as bird:
        assert not [one for one in bird.admin.doctor() if one.check == "configuration"]
