"""Whether what a memory says of files may be so still: what is told unasked is looked at first."""

from bowerbird.agent.learn.definitions import stands
from bowerbird.core.anchors import DELETED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.types import Entry


def outlived(entry: "Entry", root: str) -> bool:
    """Whether a memory says where something is defined that is not there, or all its files are gone.

    What else is about a file that changed is told, and that it changed: five of six such sentences hold
    (core.anchors). `root` is the folder of its project.
    """
    gone = [getattr(one, "reason", "") == DELETED for one in entry.anchors]
    return (bool(gone) and all(gone)) or not stands(entry.text, root)
