"""In which part of the work a memory was handed over, by what the session did around that moment. Pure.

Planning and looking back leave no trace of their own in what hooks are told: what is handed over there
counts as finding one's way.
"""

from bowerbird.agent.learn.commands import checks
from bowerbird.agent.observe.calls import kind_of
from bowerbird.core.events import CALLED, FAILED, GAVE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

# Calls behind and before a moment that tell what was done there.
_CALLS = 5


def phases(lines: "Sequence[dict[str, Any]]") -> dict[str, str]:
    """Of each memory that a session was handed, by id, the phase (core.phases) of the first time."""
    found: dict[str, str] = {}
    for at, line in enumerate(lines):
        items = line.get("items")
        if line.get("what") != GAVE or not isinstance(items, list):
            continue
        before = [one for one in lines[:at] if one.get("what") in (CALLED, FAILED)][-_CALLS:]
        behind = [one for one in lines[at:] if one.get("what") in (CALLED, FAILED)][:_CALLS]
        phase = _phase(before, behind)
        for item in items:
            if isinstance(item, dict) and isinstance(item.get("id"), str):
                found.setdefault(item["id"], phase)
    return found


def _phase(before: "list[dict[str, Any]]", behind: "list[dict[str, Any]]") -> str:
    edits = any(kind_of(str(one.get("tool", ""))) == "edit" for one in behind)
    if edits and any("exit" in one and checks(str(one.get("command", ""))) for one in before):
        return "refine"
    if edits:
        return "implement"
    checked = any(checks(str(one.get("command", ""))) for one in (*before[-1:], *behind))
    return "validate" if checked else "explore"
