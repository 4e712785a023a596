"""What an experiment counts, by the events that hooks record: dead ends tried again, and corrections."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from tests.surface.hooks.test_injecting import keep

from bowerbird.bird import Bowerbird
from bowerbird.host.places import project_of
from bowerbird.sessions.experiment.arms import ARMS, FULL, NONE, arm

if TYPE_CHECKING:
    from tests.surface.hooks.conftest import Hooks

LINKED = "Linking the packages with `npm link` does not work: the bundler follows no links."
TRIED = {
    "approach_tried": "Installing with `npm install` beside the lock file",
    "why_it_failed": "it stops with `ERESOLVE could not resolve the tree`",
    "alternative_used": "`npm install --legacy-peer-deps`",
}


class Experiment:
    """Sessions of chosen arms in one project."""

    def __init__(self, hooks: Hooks) -> None:
        self.hooks = hooks
        hooks.environment["BOWER_AGENT_EXPERIMENT"] = "on"
        place = project_of(str(hooks.project)).uid
        self._free: dict[str, list[str]] = {one: [] for one in ARMS}
        for name in (f"session-{number}" for number in range(300)):
            self._free[arm(name, place)].append(name)

    def begin(self, arm: str = FULL) -> str:
        """A session that has a prompt."""
        name = self._free[arm].pop()
        self.hooks.context("SessionStart", source="startup", session_id=name)
        self.say(name, "build the shop")
        return name

    def say(self, session: str, prompt: str) -> None:
        self.hooks.context("UserPromptSubmit", prompt=prompt, session_id=session)

    def run(self, session: str, command: str, error: str = "") -> None:
        call = {"tool_name": "Bash", "tool_input": {"command": command}, "session_id": session}
        if error:
            self.hooks.context("PostToolUseFailure", **call, error=error)
        else:
            self.hooks.context("PostToolUse", **call, tool_response={"stdout": "done"})

    def figure(self, metric: str, arm: str = FULL) -> float | None:
        """The mean of a figure over the sessions of an arm that have it."""
        data = json.loads(self.hooks.bower("session", "--compare", "--format", "json"))["data"]
        column, row = ("full", NONE) if arm == FULL else ("own", arm)
        (found,) = (
            one[column]
            for one in data["comparison"]["rows"]
            if (one["metric"], one["arm"]) == (metric, row)
        )
        assert found is None or isinstance(found, float)
        return found


@pytest.fixture
def experiment(hooks: Hooks) -> Experiment:
    return Experiment(hooks)


def test_a_command_that_is_known_as_a_dead_end_is_a_re_entry(experiment: Experiment) -> None:
    early = experiment.begin()
    experiment.run(early, "npm link ../ui")
    assert experiment.figure("dead_end_re_entry") is None
    keep(experiment.hooks, LINKED, kind="dead_end")
    # What was done before anybody knew is none, nor is a session that ended by then.
    assert experiment.figure("dead_end_re_entry") is None
    again = experiment.begin()
    experiment.run(again, "cd ui && npm link ../core")
    assert experiment.figure("dead_end_re_entry") == 1.0
    other = experiment.begin()
    experiment.run(other, "npm pack; echo npm link")
    assert experiment.figure("dead_end_re_entry") == 0.5
    untold = experiment.begin(NONE)
    experiment.run(untold, "npm link")
    assert experiment.figure("dead_end_re_entry", NONE) == 1.0


def test_the_alternative_of_a_dead_end_is_no_re_entry_and_its_error_is_one(
    experiment: Experiment,
) -> None:
    keep(experiment.hooks, "Installing anew does not work.", kind="dead_end", payload=TRIED)
    session = experiment.begin()
    experiment.run(session, "npm install --legacy-peer-deps")
    assert experiment.figure("dead_end_re_entry") == 0.0
    experiment.run(session, "yarn", error="npm ERR! ERESOLVE could not resolve the tree")
    assert experiment.figure("dead_end_re_entry") == 1.0


def test_a_dead_end_that_names_neither_command_nor_error_is_not_counted(
    experiment: Experiment,
) -> None:
    keep(experiment.hooks, "A cache before the router does not work.", kind="dead_end")
    keep(experiment.hooks, "`npm ci` does not work here, `npm install` does.", kind="dead_end")
    session = experiment.begin()
    experiment.run(session, "npm install")
    assert experiment.figure("dead_end_re_entry") is None


def test_work_that_a_person_stops_or_rejects_was_corrected(experiment: Experiment) -> None:
    session = experiment.begin()
    experiment.run(session, "make shop")
    experiment.say(session, "No, that is wrong: undo it")
    experiment.run(session, "git restore shop")
    experiment.say(session, "Now the invoices, please")
    experiment.run(session, "rm -r shop", error="The user doesn't want to proceed with this")
    experiment.say(session, "And what is the port?")
    assert experiment.figure("corrections") == pytest.approx(2 / 3)
    experiment.hooks.environment["BOWER_AGENT_CAPTURE"] = "metadata"
    secretive = experiment.begin(NONE)
    experiment.run(secretive, "make shop")
    assert experiment.figure("corrections", NONE) is None


def test_injected_memories_that_a_person_calls_wrong_are_counted(experiment: Experiment) -> None:
    keep(experiment.hooks, "Use pnpm, never npm", kind="preference")
    trap = "Redis must be up before the auth tests run"
    wrong = keep(experiment.hooks, trap, kind="gotcha", pinned=True)
    experiment.run(experiment.begin(), "make shop")
    assert experiment.figure("flagged_memories") == 0.0
    with Bowerbird.open(experiment.hooks.store) as bird:
        bird.admin.judged(bird.get(wrong), "held")
    assert experiment.figure("flagged_memories") == 0.5
