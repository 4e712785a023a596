"""Finds the indexed files that have changed, and new notes beside indexed ones.

A walk of a large tree would take seconds; this makes one system call for each indexed file.
"""

import os

from bowerbird.core.errors import BadInput, quotable
from bowerbird.ingest.ignore import kept_out_file
from bowerbird.ingest.known_files import Before
from bowerbird.ingest.project_notes import is_boilerplate
from bowerbird.ingest.walk import Found, rules_above
from bowerbird.ingest.watch import NOTES, sort_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from bowerbird.core.ports.store import Store

# Extensions by which new files beside indexed notes count as notes.
_NOTES = (".md", ".markdown", ".txt", ".rst", ".org")


def changed(store: "Store", root: str, *, notes_only: bool) -> list[str]:
    """The indexed files below a folder that were changed or deleted, and new notes."""
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
            continue  # a document within a collection: its path is below its file's
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
    """Whether a file has grown by this many bytes since it was indexed; False for one that was not.

    Raises BadInput if there is none.
    """
    known = [
        Before(*facts).size for facts in store.documents.known(os.path.realpath(path)).values()
    ]
    try:
        size = os.path.getsize(path)
    except (OSError, ValueError) as error:
        raise BadInput(
            f"there is no file {quotable(path)}", "name the transcript of a session"
        ) from error
    return size - max(known, default=0) >= bytes


def _come(folder: str, root: str, known: "Collection[str]") -> "Iterator[str]":
    rules = None
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        if path in known or not name.lower().endswith(_NOTES):
            continue
        if kept_out_file(name) or is_boilerplate(name):
            continue
        rules = rules or rules_above(path, root)
        if os.path.isfile(path) and not os.path.islink(path) and not rules.hides(path):
            yield path
