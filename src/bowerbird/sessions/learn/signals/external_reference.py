"""External reference: an external page that is read repeatedly.

Definition: the same address was fetched in `SESSIONS` or more sessions. Its content is never stored; and
as it is external, the memory waits in quarantine. Source: fetches.
"""

import re

from bowerbird.sessions.learn.steps import Lesson, Mark, once
from bowerbird.sessions.observe.calls import kind_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.sessions.learn.steps import Digest, RecordedSession

NAME = "external_reference"
SESSIONS = 3
# Without the query and the fragment (`?`, `#`), which may contain anything.
_ADDRESS = re.compile(r"https?://([\w.-]+\.\w{2,}(?:/[\w./~-]*)?)")


@once
def marks(session: "RecordedSession") -> dict[str, Mark]:
    """Return the addresses that were fetched."""
    found: dict[str, Mark] = {}
    for step in session.steps:
        address = step.event.given.get("url")
        if kind_of(step.event.tool) == "web" and isinstance(address, str) and not step.failed:
            match = _ADDRESS.match(address)
            if match:
                found.setdefault(match[1].rstrip("/"), Mark(lines=(step.line,)))
    return found


def lessons(session: "RecordedSession", past: "Sequence[Digest]") -> list[Lesson]:
    """Return a lesson for each address."""
    found = []
    for address, mark in marks(session).items():
        before = [one.session for one in past if address in one.marks.get(NAME, {})]
        if len(before) + 1 >= SESSIONS:
            text = f"`https://{address}` is looked up again and again for work on this project."
            found.append(
                Lesson(
                    NAME,
                    address,
                    "module_insight",
                    text,
                    mark.lines,
                    sessions=(*before, session.id),
                    outside=True,
                )
            )
    return found
