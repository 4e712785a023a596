"""Checks before an injection whether what a memory says of files is still true."""

from bowerbird.core.anchors import BY_HAND, DELETED, confidence_factor
from bowerbird.sessions.learn import definitions, file_lengths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.types import Entry


def outlived(entry: "Entry", root: str) -> bool:
    """Return whether a memory's place or length is outdated, or all of its files are gone.

    Any other memory of a changed file is injected with a note of the change: five of six such sentences
    are still true (core.anchors). `root` is the folder of its project. Memories from before their kind
    had a payload are not checked.
    """
    if gone(entry):
        return True
    payload = (entry.details.fields.payload if entry.details is not None else None) or {}
    return not all(one.stands(payload, root) for one in (definitions, file_lengths))


def gone(entry: "Entry") -> bool:
    """Return whether all files of a memory are gone, or a person marked it as stale."""
    if any(getattr(one, "path", None) == BY_HAND for one in entry.anchors):
        return True
    reasons = [getattr(one, "reason", "") == DELETED for one in entry.anchors]
    return bool(reasons) and all(reasons)


def effective_confidence(entry: "Entry") -> float:
    """Return the confidence of a memory; 1 for other entries.

    It is lower for a learned, unverified memory whose files or symbols have changed since.
    """
    if entry.details is None:
        return 1.0
    fields = entry.details.fields
    learned = "learned" in fields.metadata and not fields.verified
    return fields.confidence * (confidence_factor(entry.anchors) if learned else 1.0)
