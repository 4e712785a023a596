"""An event in our terms, from the payload that an agent hands to a hook."""

from bowerbird.core import events
from bowerbird.core.events import Event

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from bowerbird.agents.agent import Agent, Hooks

    Payload = Mapping[str, Any]


def hooks_of(agent: "Agent") -> "Hooks":
    """What the agent reports. Raises ValueError if it has no hooks."""
    if agent.hooks is None:
        raise ValueError(f"{agent.name} has no hooks")
    return agent.hooks


def event_of(agent: "Agent", name: str, payload: "Payload") -> Event:
    """The event of that name; an unknown one has only its name. Raises ValueError."""
    hooks = hooks_of(agent)
    tool = _first(payload, hooks.tool) or hooks.tools.get(name, "")
    given = _table(payload, hooks.given)
    answer = next((payload[one] for one in hooks.answer if one in payload), None)
    error = _first(payload, hooks.error)
    what = hooks.events.get(name, "")
    if isinstance(answer, dict) and (wrong := answer.get("error")) and not error:
        error = wrong if isinstance(wrong, str) else _first(wrong, ("message",)) or "error"
    if what == events.CALLED and error:
        what = events.FAILED
    return Event(
        agent=agent.id,
        name=name,
        what=what,
        session=_first(payload, hooks.session),
        cwd=_first(payload, hooks.cwd),
        sub=_first(payload, hooks.sub),
        transcript=_first(payload, hooks.transcript),
        tool=tool,
        # Some agents put a tool's arguments beside its name.
        given=given or (dict(payload) if tool else {}),
        answer=answer,
        use=_first(payload, hooks.use),
        text=_text(payload, hooks, what),
        error=error,
        why=_first(payload, hooks.why),
        again=payload.get("stop_hook_active") is True,
    )


def _text(payload: "Payload", hooks: "Hooks", what: str) -> str:
    text = _first(payload, hooks.text)
    return hooks.prompt(text) if hooks.prompt and what == events.PROMPTED else text


def _first(payload: "Any", names: tuple[str, ...]) -> str:
    """The first of these fields that contains text; of a list, its first element."""
    if not isinstance(payload, dict):
        return ""
    for name in names:
        value = payload.get(name)
        if isinstance(value, list) and value:
            value = value[0]
        if isinstance(value, str) and value:
            return value
    return ""


def _table(payload: "Payload", names: tuple[str, ...]) -> "dict[str, Any]":
    return next((value for name in names if isinstance(value := payload.get(name), dict)), {})
