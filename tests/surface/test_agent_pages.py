"""Each agent has a page, and it says what `bower install` does."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bowerbird.agents.folders import below_home
from bowerbird.agents.index import CONNECTABLE
from bowerbird.agents.registry import agents
from bowerbird.surfaces.installer.own_entries import hooked
from bowerbird.surfaces.installer.settings import PROJECT

if TYPE_CHECKING:
    from bowerbird.agents.agent import Agent

PAGES = Path(__file__).resolve().parents[2] / "docs" / "agents"
# The stand-in for `brv` is told of where it is used.
AGENTS = agents(tuple(one for one in CONNECTABLE if one != "brv-shim"))


@pytest.mark.parametrize("one", AGENTS, ids=lambda one: one.id)
def test_a_page_names_the_files_and_events_of_its_agent(one: Agent) -> None:
    text = " ".join((PAGES / f"{one.id}.md").read_text(encoding="utf-8").split())
    assert text.startswith(f"# {one.name} ")
    assert f"bower install {one.id} " in text
    assert f"bower install {one.id} --uninstall" in text
    for file in one.files:
        assert f"`~/{below_home(file.user[0], one)}`" in text
    for event in hooked(one.hooks) if one.hooks and any(file.hooked for file in one.files) else ():
        assert event in text
    assert (f"--{PROJECT}" in text) == any(file.project for file in one.files)


def test_the_first_page_lists_them_all() -> None:
    text = (PAGES / "README.md").read_text(encoding="utf-8")
    assert all(f"| {one.name} |" in text and f"]({one.id}.md)" in text for one in AGENTS)
    assert {path.stem for path in PAGES.glob("*.md")} == {"README", *(one.id for one in AGENTS)}
