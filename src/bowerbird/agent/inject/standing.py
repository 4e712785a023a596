"""Whether what a memory says of files may be so still: what is told unasked is looked at first."""

from bowerbird.agent.learn import definitions, lengths
from bowerbird.core.anchors import DELETED
from bowerbird.core.anchors import believed as _believed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.types import Entry


def outlived(entry: "Entry", root: str) -> bool:
    """Whether a memory tells of a place or a length that is another one now, or its files are all gone.

    What else is about a file that changed is told, and that it changed: five of six such sentences hold
    (core.anchors). `root` is the folder of its project.
    """
    gone = [getattr(one, "reason", "") == DELETED for one in entry.anchors]
    if gone and all(gone):
        return True
    return not all(one.stands(entry.text, root) for one in (definitions, lengths))


def believed(entry: "Entry") -> float:
    """How sure a memory is of itself; 1 for what is none.

    What was learned, and nobody vouched for, is less so where its files or symbols changed since.
    """
    if entry.details is None:
        return 1.0
    fields = entry.details.fields
    learned = "learned" in fields.metadata and not fields.verified
    return fields.confidence * (_believed(entry.anchors) if learned else 1.0)
