"""Which of the files that are known already have changed, and which notes have come beside them.

A walk of everything would take a large tree seconds; this asks the system once for each known file.
"""

import os

from bowerbird.ingest.ignore import kept_out_file
from bowerbird.ingest.known import Before
from bowerbird.ingest.walk import Found, rules_above
from bowerbird.ingest.watch import NOTES, sort_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from bowerbird.core.ports.store import Store

# Files that come beside known notes and are notes by their names.
_NOTES = (".md", ".markdown", ".txt", ".rst", ".org")


def changed(store: "Store", root: str, *, notes_only: bool) -> list[str]:
    """The known files below a folder that are not what was indexed, gone ones too, and new notes."""
    known = store.documents.known(root)
    paths = {path for _, path in known}
    found: dict[str, None] = {}
    beside: dict[str, None] = {}
    for (_, path), facts in known.items():
        is_note = sort_of(path) == NOTES
        if notes_only and not is_note:
            continue
        try:
            status = os.stat(path)
        except NotADirectoryError:
            continue  # one document of a collection, which stands at a path below its file
        except OSError:
            found[path] = None
            continue
        modified = status.st_mtime_ns // 1_000_000
        if not Before(*facts).surely_is(Found(path, status.st_size, modified)):
            found[path] = None
        if is_note:
            beside[os.path.dirname(path)] = None
    for folder in beside:
        found |= dict.fromkeys(_come(folder, root, paths))
    return [*found]


def has_grown(store: "Store", path: str, bytes: int) -> bool:
    """Whether a file has grown by a number of bytes since it was indexed; never for one that was not."""
    known = [
        Before(*facts).size for facts in store.documents.known(os.path.realpath(path)).values()
    ]
    return os.path.getsize(path) - max(known, default=0) >= bytes


def _come(folder: str, root: str, known: "Collection[str]") -> "Iterator[str]":
    rules = None
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        if path in known or not name.lower().endswith(_NOTES) or kept_out_file(name):
            continue
        rules = rules or rules_above(path, root)
        if os.path.isfile(path) and not os.path.islink(path) and not rules.hides(path):
            yield path
