"""What narrows a search or a list, as fields that `query` and `list` share."""

import os

from bowerbird.core.errors import BadInput
from bowerbird.core.places import as_text
from bowerbird.core.types import AUDIENCES, SCOPES, STATES, TRUSTS
from bowerbird.surfaces import HTTP, ID, LONGEST_QUESTION, NAME, TEXT, TYPED, Field, Given

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_ENTRIES, _MEMORIES = "which entries", "which memories"


def _several(
    name: str, option: str, meaning: str, metavar: str, group: str, **more: "Any"
) -> Field:
    """A field of several names, which may be given one by one."""
    bounds: dict[str, Any] = {"low": 1, "high": NAME, "default": ()}
    return Field(
        name, "texts", meaning, option=(option,), metavar=metavar, group=group, **(bounds | more)
    )


FILTERS = (
    Field(
        "memories_only",
        "flag",
        "memories alone, no passages",
        default=False,
        option=("--memories",),
        wire="memories",
        group=_ENTRIES,
    ),
    Field(
        "all_projects", "flag", "of every project", default=False, doors=(TYPED,), group=_ENTRIES
    ),
    _several("kinds", "--kind", "of one of these kinds", "KIND", _ENTRIES),
    _several("tags", "--tag", "with all of these tags", "TAG", _ENTRIES),
    Field(
        "path",
        "text",
        "of files whose path in their project holds or matches this, or below this one: /x, ./x, ~/x",
        high=TEXT,
        metavar="TEXT",
        group=_ENTRIES,
    ),
    Field(
        "since",
        "when",
        "not older: 2024-03-15, 7d, 2w, 12h, 3mo",
        metavar="WHEN",
        group=_ENTRIES,
    ),
    Field("until", "when", "not newer; the same forms", metavar="WHEN", group=_ENTRIES),
    _several("sessions", "--session", "of one of these sessions", "ID", _ENTRIES),
    Field(
        "min_trust",
        "text",
        "believed at least so far",
        default="low",
        choices=TRUSTS,
        metavar="TRUST",
        group=_ENTRIES,
    ),
    _several(
        "exclude", "--exclude", "all but these", "ID", _ENTRIES, pattern=ID, low=None, high=None
    ),
    _several(
        "states", "--state", "in one of these states", "STATE", _MEMORIES,
        choices=STATES, default=("active",), low=None, high=None,
    ),
    _several(
        "scopes", "--scope", "of one of these scopes", "SCOPE", _MEMORIES,
        choices=SCOPES, low=None, high=None,
    ),
    _several(
        "audiences", "--audience", "for one of these", "WHO", _MEMORIES,
        choices=AUDIENCES, low=None, high=None,
    ),
    _several("modules", "--module", "about all of these modules", "NAME", _MEMORIES),
    _several("agents", "--agent", "written by one of these agents", "NAME", _MEMORIES),
    _several(
        "sources", "--source", "come to be so: user_taught, qa_auto, …", "HOW", _MEMORIES
    ),
    Field(
        "min_confidence",
        "number",
        "at least so sure",
        default=0.0,
        low=0.0,
        high=1.0,
        metavar="X",
        group=_MEMORIES,
    ),
    Field(
        "needs_review", "flag", "only what waits to be looked at", metavar="", group=_MEMORIES
    ),
    Field(
        "matching",
        "text",
        'what holds some words and not others: redis AND "timed out" NOT stag*',
        low=1,
        high=LONGEST_QUESTION,
        doors=(HTTP,),
    ),
)  # fmt: skip


def placed(given: Given) -> Given:
    """What was typed, with a path that begins where the command stands, or at home, as an absolute one.

    Raises BadInput by the names that were typed.
    """
    sure = given.get("min_confidence")
    if sure is not None and not 0.0 <= sure <= 1.0:
        raise BadInput(f"--min-confidence cannot be {sure}", "give it a number from 0 to 1")
    text = given.get("path")
    if not text:
        return given
    at_home = os.path.expanduser(text)  # ~draft.md is nobody's home
    if at_home != text or text in {".", ".."} or text.startswith(("./", "../")):
        return given | {"path": as_text(os.path.realpath(at_home))}
    return given
