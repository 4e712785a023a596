"""``bower get``: one entry in full.

query and list show ids; the first six characters or more are enough. A location in an
indexed file, as query shows it, selects the passage that contains its first line; the end of a path
is enough. --history adds the memory's versions and changes, --evidence the sessions, the commit and
the lines that it was learned from.
"""

import re

from bowerbird.core.errors import BadInput
from bowerbird.core.history import Shown
from bowerbird.core.types import MEMORY
from bowerbird.surfaces.fields import ID, MCP, TYPED, Bowerbird, Field, Given, Notes, Tool, Verb
from bowerbird.surfaces.narrowing import AS_OF

EXAMPLES = (
    ("bower get 019a2f6c-81d4-7000", "by the first characters of its id"),
    ("bower get notes/auth.md:12", "the passage that holds a line of a file"),
    ("bower get 019a2f6c-81d4-7000 --format json", "every field"),
    ("bower get 019a2f6c-81d4-7000 --history", "with its versions and changes"),
    ("bower get 019a2f6c-81d4-7000 --evidence", "with the sessions it was learned from"),
    ("bower get 019a2f6c-81d4-7000 --as-of today", "as it was at that time"),
)
_ID = re.compile(r"[0-9a-fA-F-]+")
# As places are shown: `notes/auth.md:12-30`.
_LOCATION = re.compile(r"(?P<path>.+?)(?::(?P<line>\d{1,9})(?:-\d+)?)?", re.DOTALL)
VERB = Verb(
    "get",
    "Show one entry in full",
    (
        Field(
            "id", "text",
            "the id or its first characters, at least six; or a location in an indexed file", needed=True,
            interfaces=(TYPED,), option=("ID|PATH:LINE",),
        ),
        Field(
            "id", "text", "the id as it was returned, or its first 18 characters", pattern=ID,
            needed=True, interfaces=(MCP,),
        ),
        *AS_OF,
        Field("history", "flag", "also show its versions and changes", default=False),
        Field("evidence", "flag", "also show the sessions and lines it was learned from", default=False),
    ),
    Shown,
    group="Ask",
    order=3,
    route=("GET", "/get/{id}"),
    tool=Tool(
        "memory_get",
        "Read one entry",
        "Read the whole entry for an id that memory_search or memory_context returned: full text,"
        " source, tags, trust and state.",
        always=("notice", "id", "type", "text", "trust", "state"),
    ),
    renderer="entries",
)  # fmt: skip


def by_words(given: Given) -> str:
    """Where words were given instead of an id or a location: no location is of several plain words."""
    id = given["id"]
    return "id" if " " in id and not {"/", ".", ":"} & set(id) else ""


def run(bird: Bowerbird, given: Given) -> Shown:
    """Show one entry in full: what could be an id is one, anything else a place."""
    id = given["id"]
    location = None if _ID.fullmatch(id) else _LOCATION.fullmatch(id)
    if location is not None and given.get("as_of"):
        raise BadInput("the text of a file is kept as it is now", "give the id of a memory")
    entry = (
        bird.get(id, as_of=given.get("as_of"))
        if location is None
        else bird.at(location["path"], int(location["line"] or 1))
    )

    wanted = given.get("history") and entry.family == MEMORY
    evidence = (
        bird.admin.evidence(entry.id) if given.get("evidence") and entry.family == MEMORY else None
    )
    return Shown(entry, bird.history(entry.id) if wanted else None, evidence)


def used(shown: Shown) -> list[str]:
    """It alone."""
    return [shown.entry.id]


def notes(shown: Shown, given: Given) -> Notes:
    """That it has no history."""
    if given.get("history") and shown.history is None:
        yield "a passage has no history of its own: it is as its file was indexed"
