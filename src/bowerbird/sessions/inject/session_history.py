"""Reads from the journal what was injected into a session, and what the one before it left open."""

from bowerbird.core.events import ENDED, GAVE, PROMPTED, STARTED, STOPPED, TAKEN
from bowerbird.core.injected import Line
from bowerbird.sessions.observe.journal import project_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from bowerbird.sessions.observe.journal import Journal

    Kept = Iterable[dict[str, Any]]

# Sessions among which the last one of a project is searched for.
_LATEST = 20
_MOST_OPEN = 4
_LONGEST = 300
_LONGEST_BRANCH = 60
# A session without an end event (its process was killed) counts as over after this long without any
# event: the longest command of an agent takes ten minutes.
_QUIET_MS = 600_000


def given(lines: "Kept") -> list[str]:
    """Return the ids of what was injected into a session, the newest first, without duplicates."""
    found: dict[str, None] = {}
    for line in reversed([*lines]):
        items = line.get("items")
        if line.get("what") == GAVE and isinstance(items, list):
            for item in items:
                if isinstance(item, dict) and isinstance(item.get("id"), str):
                    found[item["id"]] = None
    return [*found]


def last_of(
    journal: "Journal", project: str, session: str, now: int
) -> "tuple[str, list[dict[str, Any]]]":
    """Return a project's last finished session, by the agent's name for it, and its lines.

    A session that is active beside this one (`now`, in UTC milliseconds) leaves nothing open yet.
    """
    others = [name for name, _, _ in journal.sessions() if name != session]
    for name in others[:_LATEST]:
        lines = [*journal.lines(name)]
        if project_of(lines) == project and _is_over(lines, now):
            return name.removeprefix(f"{lines[0].get('agent', '')}-"), lines
    return "", []


def _is_over(lines: "list[dict[str, Any]]", now: int) -> bool:
    last = lines[-1]
    at = last.get("at")
    return last.get("what") in (ENDED, TAKEN) or not isinstance(at, int) or at < now - _QUIET_MS


def left_open(lines: "Kept", branch: str = "") -> list[Line]:
    """Return a session's last, unfinished request, and its open to-do items.

    The branch is given if it differs from `branch`, that of the starting session.
    """
    asked = worked_on = ""
    todo: list[str] = []
    for line in lines:
        if line.get("sub"):
            continue
        if line.get("what") == STARTED:
            worked_on = str(line.get("branch", ""))
        elif line.get("what") == PROMPTED:
            asked = str(line.get("text", ""))
        elif line.get("what") == STOPPED:
            asked = ""
        listed = line.get("todo")
        if isinstance(listed, list):
            todo = [one for one in listed if isinstance(one, str)]
    where = f" on branch {worked_on[:_LONGEST_BRANCH]}" if worked_on not in ("", branch) else ""
    found = [Line(f"left undone{where}", one[:_LONGEST]) for one in todo[:_MOST_OPEN]]
    if asked:
        found.insert(0, Line(f"asked last{where}", asked[:_LONGEST]))
    return found
