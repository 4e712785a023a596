"""What the journal tells of sessions: what this one was given, what the one before it left open."""

from bowerbird.core.events import ENDED, GAVE, PROMPTED, STARTED, STOPPED
from bowerbird.core.injected import Line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from bowerbird.agent.observe.journal import Journal

    Kept = Iterable[dict[str, Any]]

# Sessions among which the last one of a project is looked for.
_LATEST = 20
_MOST_OPEN = 4
_LONGEST = 300
_LONGEST_BRANCH = 60
# A session whose end was not told (its process was killed) is over when nothing was told of it for so
# long: the longest command of an agent takes ten minutes.
_QUIET_MS = 600_000


def given(lines: "Kept") -> list[str]:
    """The ids of what a session was given, the newest first, none twice."""
    found: dict[str, None] = {}
    for line in reversed([*lines]):
        items = line.get("items")
        if line.get("what") == GAVE and isinstance(items, list):
            for item in items:
                if isinstance(item, dict) and isinstance(item.get("id"), str):
                    found[item["id"]] = None
    return [*found]


def project_of(lines: "Kept") -> str:
    """The project that a session began in; empty where it is not told."""
    for line in lines:
        if line.get("what") == STARTED and isinstance(line.get("project"), str):
            return str(line["project"])
    return ""


def last_of(
    journal: "Journal", project: str, session: str, now: int
) -> "tuple[str, list[dict[str, Any]]]":
    """The last session of a project that is over, by its agent's name for it, and its lines.

    One that goes on beside this one (`now`, in UTC milliseconds) leaves nothing open yet.
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
    return last.get("what") == ENDED or not isinstance(at, int) or at < now - _QUIET_MS


def left_open(lines: "Kept", branch: str = "") -> list[Line]:
    """What a session was asked last and did not come to the end of, and what it meant to do.

    On which branch is told where it was not `branch`, that of the session that begins.
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
