"""Converts the lines of a journal to a session: its events, and what was injected. Pure."""

from bowerbird.core.events import CALLED, FAILED, GAVE, PROMPTED
from bowerbird.core.sessions import Handed, Session
from bowerbird.sessions.observe.journal import project_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


def session(name: str, lines: "Sequence[dict[str, Any]]", *, whole: bool) -> Session:
    """Return a session by its file name; `whole`: with its events."""
    kept = [line for line in lines if isinstance(line.get("at"), int)]
    recorded = [line for line in kept if line.get("what") != GAVE]
    whats = [line.get("what") for line in recorded]
    agent = str(next((line["agent"] for line in kept if line.get("agent")), ""))
    return Session(
        id=name.removeprefix(agent + "-") if agent else name,
        agent=agent,
        cwd=str(next((line["cwd"] for line in kept if line.get("cwd")), "")),
        project=project_of(kept),
        began=kept[0]["at"] if kept else 0,
        last=kept[-1]["at"] if kept else 0,
        events=len(recorded),
        prompts=whats.count(PROMPTED),
        calls=whats.count(CALLED) + whats.count(FAILED),
        failed=sum("failed" in line for line in recorded),
        external=any("external" in line for line in recorded),
        handed=tuple(_handed(line) for line in kept if line.get("what") == GAVE),
        recorded=tuple(recorded) if whole else (),
    )


def _handed(line: "dict[str, Any]") -> Handed:
    items = line.get("items")
    return Handed(
        sign=str(line.get("nonce", "")),
        at=line["at"],
        event=str(line.get("event", "")),
        why=str(line.get("why", "")),
        tokens=_number(line.get("tokens")),
        lines=_number(line.get("lines")),
        items=tuple(one for one in items if isinstance(one, dict))
        if isinstance(items, list)
        else (),
    )


def _number(value: object) -> int:
    return value if type(value) is int else 0
