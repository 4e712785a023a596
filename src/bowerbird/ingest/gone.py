"""Paths that were named and are not there any more: what the store holds of them goes."""

import os

from bowerbird.core.answers import Report

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from bowerbird.core.ports import Store


def remove_gone(
    paths: list[str], place: str, store: "Callable[[], Store]"
) -> tuple[list[str], Report]:
    """The paths that remain to be indexed, and a report of what was removed of the others.

    A missing path of which nothing is stored remains too: it is refused like any wrong one. Then
    nothing is removed.
    """
    missing = [path for path in paths if _is_missing(path)]
    if not missing or not os.path.exists(place):
        return paths, Report()
    opened = store()
    held = {path: opened.documents.below(_real(path)) for path in missing}
    if not all(held.values()):
        return paths, Report()
    documents = {one for found in held.values() for one in found}
    with opened.transaction():
        removed = sum(opened.documents.remove(project, path) for project, path in documents)
    return [path for path in paths if path not in held], Report(removed=removed)


def _is_missing(path: str) -> bool:
    try:
        return not os.path.exists(_real(path))
    except ValueError:
        return False  # no path at all: refused where it is read


def _real(path: str) -> str:
    return os.path.realpath(os.path.expanduser(path))
