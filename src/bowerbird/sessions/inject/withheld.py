"""What keeps an entry from being injected, whatever its relevance."""

from bowerbird.core.memories import EVERYWHERE
from bowerbird.core.origins import INFERRED
from bowerbird.core.types import MEMORY, NOTES, TRUSTS
from bowerbird.sessions.inject.selection import is_held
from bowerbird.sessions.inject.validity import effective_confidence, outlived
from bowerbird.sessions.levels import AUTONOMOUS, THRESHOLDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.details import Details
    from bowerbird.core.types import Entry, Project

# Kinds of memory that describe the content of files.
_OF_FILES = ("module_insight", "context_cost")
_TRUSTED = TRUSTS.index("normal")


def withheld(entry: "Entry", above: float, project: "Project") -> str:
    """Return why an entry is not injected at any event; empty if nothing keeps it out.

    `above` is the confidence of the project's level; `project` has its folder as root.
    """
    reason = _not_trusted(entry)
    if reason or entry.details is None:
        return reason
    if quiet := entry.details.fields.quiet_in:
        if EVERYWHERE in quiet:
            return "is kept quiet: it answers only who asks"
        if not {project.uid, project.name, *project.aliases}.isdisjoint(quiet):
            return "is kept quiet in this project: it answers only who asks"
    needed, own = required(entry.details, above), entry.details.fields.confidence
    if own <= needed:
        return f"has a confidence of {own:.2f}, and needs more than {needed:.2f}"
    if entry.anchors or entry.kind in _OF_FILES:
        if outlived(entry, project.root or ""):
            return "is about files that are gone or have changed"
        if effective_confidence(entry) <= needed:
            return "is about files that have changed, which leaves it too little confidence"
    return ""


def required(details: "Details", above: float) -> float:
    """Return the confidence that a memory must exceed; `above` is that of the project's level.

    The level says how much a memory needs that was inferred. What a person or an agent stored explicitly
    needs only what the highest level requires: less says that they doubt it.
    """
    return above if details.source in INFERRED else THRESHOLDS[AUTONOMOUS]


def _not_trusted(entry: "Entry") -> str:
    if is_held(entry):
        return f"awaits review: {entry.review}"
    if entry.state != "active":
        return f"is {entry.state}"
    if TRUSTS.index(entry.trust) < _TRUSTED:
        return f"has the trust {entry.trust}: its text may come from outside"
    if entry.family == MEMORY:
        return ""
    if entry.session:
        return "is part of a transcript"
    return "" if entry.source in NOTES else "is code, which is best read in its file"
