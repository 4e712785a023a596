"""What the journal tells of sessions: what this one was given, what the one before it left open."""

from bowerbird.core.events import GAVE, PROMPTED, STARTED, STOPPED
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


def last_of(journal: "Journal", project: str, session: str) -> "tuple[str, list[dict[str, Any]]]":
    """The last session of a project but for this one, by its agent's name for it, and its lines."""
    others = [name for name, _, _ in journal.sessions() if name != session]
    for name in others[:_LATEST]:
        lines = [*journal.lines(name)]
        if project_of(lines) == project:
            return name.removeprefix(f"{lines[0].get('agent', '')}-"), lines
    return "", []


def left_open(lines: "Kept") -> list[Line]:
    """What a session was asked last and did not come to the end of, and what it meant to do."""
    asked = ""
    todo: list[str] = []
    for line in lines:
        if line.get("sub"):
            continue
        if line.get("what") == PROMPTED:
            asked = str(line.get("text", ""))
        elif line.get("what") == STOPPED:
            asked = ""
        listed = line.get("todo")
        if isinstance(listed, list):
            todo = [one for one in listed if isinstance(one, str)]
    found = [Line("left undone", one[:_LONGEST]) for one in todo[:_MOST_OPEN]]
    if asked:
        found.insert(0, Line("asked last", asked[:_LONGEST]))
    return found
