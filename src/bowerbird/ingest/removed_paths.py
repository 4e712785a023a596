"""Removes the documents of paths that were passed to `index` and no longer exist.

Their documents stay if the parent folder is missing as well, or has been empty since before they were
indexed: that suggests a drive that is not mounted.
"""

import os

from bowerbird.core.pieces import in_pieces
from bowerbird.core.report import Report, Skipped
from bowerbird.ingest.known_files import UNMOUNTED, Before

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from bowerbird.core.ports.store import Store


def remove_gone(
    paths: list[str], store_path: str, store: "Callable[[], Store]"
) -> tuple[list[str], Report]:
    """Returns the paths left to index, and a report of what was removed or kept for the others.

    A missing path without any stored document is left too, and refused later like any wrong path; then
    nothing is removed.
    """
    missing = [path for path in paths if _is_missing(path)]
    if not missing or not os.path.exists(store_path):
        return paths, Report()
    opened = store()
    known = {path: opened.documents.known(_real(path)) for path in missing}
    if not all(known.values()):
        return paths, Report()
    kept: list[Skipped] = []
    gone: dict[tuple[int, str], None] = {}
    for path, documents in known.items():
        why = _not_gone(_real(path), [Before(*facts) for facts in documents.values()])
        if why:
            kept.append(Skipped(path, why))
        else:
            gone.update(dict.fromkeys(documents))

    def remove(some: "Sequence[tuple[int, str]]") -> int:
        with opened.transaction():
            return sum(opened.documents.remove(project, path) for project, path in some)

    removed = sum(in_pieces([*gone], remove)) if gone else 0
    rest = [path for path in paths if path not in known]
    return rest, Report(removed=removed, skipped=tuple(kept))


def _not_gone(path: str, documents: "Iterable[Before]") -> str:
    """Why a missing path may still exist elsewhere; empty if it was deleted."""
    folder = os.path.dirname(path)
    try:
        emptied = None if os.listdir(folder) else os.stat(folder).st_mtime_ns // 1_000_000
    except OSError:
        there = folder
        while not os.path.isdir(there):
            there = os.path.dirname(there)
        return (
            "missing together with its folder, as when a drive is not mounted: what is known of it"
            f" stays; to drop that, index {there}"
        )
    if emptied is not None and any(one.outlived(emptied) for one in documents):
        return f"{folder} is {UNMOUNTED}"
    return ""


def _is_missing(path: str) -> bool:
    try:
        return not os.path.exists(_real(path))
    except (ValueError, FileNotFoundError):
        return False  # not a valid path, or in a removed working directory: refused later


def _real(path: str) -> str:
    return os.path.realpath(os.path.expanduser(path))
