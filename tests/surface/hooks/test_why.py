"""`bower why`: what a hook would inject for a prompt, and what keeps the nearest other entries out."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest

from bowerbird.bird import Bowerbird

if TYPE_CHECKING:
    from tests.surface.hooks.conftest import Hooks

PROMPT = "how do we give a customer a large sum of money back?"
REFUNDS = "Refunds over 500 euros need a second approval"
INFERRED = {"source": "observer_inferred"}


def keep(hooks: Hooks, text: str, **about: Any) -> str:
    os.chdir(hooks.project)
    with Bowerbird.open(hooks.store) as bird:
        return bird.remember(text, **about).id


def why(hooks: Hooks, prompt: str = PROMPT, *options: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(hooks.bower("why", prompt, *options))["data"]
    return data


def reason(hooks: Hooks, id: str) -> str:
    (one,) = [one for one in why(hooks)["withheld"] if one["id"] == id]
    return str(one["reason"])


def test_it_shows_what_the_hook_injects_and_records_nothing(hooks: Hooks) -> None:
    id = keep(hooks, REFUNDS)
    far = keep(hooks, "Redis must be up before the auth tests run")
    said = why(hooks)
    assert [one["id"] for one in said["injected"]] == [id]
    assert said["injected"][0]["relevance"] >= said["least"]
    (out,) = said["withheld"]
    assert out["id"] == far
    assert "too little beside" in out["reason"]
    assert said["obstacles"] == [
        "no hook of an agent has ever run here: bower install connects one"
    ]
    context = hooks.context("UserPromptSubmit", prompt=PROMPT)
    assert REFUNDS in context
    assert why(hooks)["obstacles"] == []


def test_what_is_not_near_enough_has_the_relevance_that_it_lacks(hooks: Hooks) -> None:
    keep(hooks, "Redis must be up before the auth tests run")
    said = why(hooks, "rename the auth module to accounts")
    assert said["injected"] == []
    assert f"needs {said['least']:.2f}" in said["withheld"][0]["reason"]


@pytest.mark.parametrize(
    ("about", "expected"),
    [
        (INFERRED | {"confidence": 0.7}, "confidence of 0.70"),
        ({"origin": "import"}, "has the trust imported"),
        ({"kind": "procedure", "metadata": {"learned": {"signal": "routines"}}}, "was learned"),
        ({"origin": "tool_external"}, "review"),
    ],
)
def test_the_gate_that_held_a_memory_back_is_named(
    hooks: Hooks, about: dict[str, Any], expected: str
) -> None:
    id = keep(hooks, REFUNDS, **about)
    assert hooks.context("UserPromptSubmit", prompt=PROMPT) == ""
    assert expected in reason(hooks, id)


def test_a_memory_of_another_project_says_so(hooks: Hooks) -> None:
    id = keep(hooks, REFUNDS)
    own, hooks.project = hooks.project, hooks.project.parent / "other"
    (hooks.project / ".git").mkdir(parents=True)
    assert str(own) in reason(hooks, id)


def test_what_a_session_received_is_not_repeated(hooks: Hooks) -> None:
    id = keep(hooks, REFUNDS)
    assert REFUNDS in hooks.context("UserPromptSubmit", prompt=PROMPT, session_id="0f8fad5b")
    said = why(hooks, PROMPT, "--session", "0f8fad5b")
    assert said["injected"] == []
    assert [(one["id"], one["reason"]) for one in said["withheld"]] == [
        (id, "was already given to this session")
    ]


def test_what_keeps_everything_out_comes_first(hooks: Hooks) -> None:
    assert "nothing has been stored yet" in why(hooks)["obstacles"]
    keep(hooks, REFUNDS)
    hooks.environment |= {"BOWER_AGENT_INJECT": "off", "BOWER_AGENT_CAPTURE": "off"}
    said = why(hooks, "refunds")
    assert "names nothing" in said["withheld"][0]["reason"]
    obstacles = " ".join(said["obstacles"])
    for one in ("BOWER_AGENT_INJECT", "BOWER_AGENT_CAPTURE", "names nothing"):
        assert one in obstacles


def test_what_was_typed_and_waits_is_named_the_nearest_first(hooks: Hooks) -> None:
    about: dict[str, Any] = {"source": "user_taught", "origin": "user", "review": "typed once"}
    keep(hooks, "The jam is red", **about)
    keep(hooks, "Money goes back by transfer", **about)
    keep(hooks, REFUNDS)
    assert why(hooks)["typed"] == ["Money goes back by transfer", "The jam is red"]
    shown = hooks.bower("why", PROMPT, "--format", "text")
    assert "2 memories wait for review: bower review\n  typed by you: Money goes back" in shown
    begun = hooks.context("SessionStart", source="startup")
    assert "2 memories wait for review: bower review" in begun, "as many as `bower why` says"
