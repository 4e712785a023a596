"""The phase of work in which a memory was injected, from the calls around that moment. Pure.

Planning and review leave no evidence of their own in hook events: injections there count as orientation.
"""

from bowerbird.core.events import CALLED, FAILED, GAVE
from bowerbird.sessions.learn.commands import checks
from bowerbird.sessions.observe.calls import kind_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

# Calls after and before a moment that are evidence for its phase.
_CALLS = 5


def phases(lines: "Sequence[dict[str, Any]]") -> dict[str, str]:
    """Return by id the phase (core.phases) of each injected memory's first injection."""
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
    if edits and any("failed" in one and checks(str(one.get("command", ""))) for one in before):
        return "refine"
    if edits:
        return "implement"
    checked = any(checks(str(one.get("command", ""))) for one in (*before[-1:], *behind))
    return "validate" if checked else "explore"
