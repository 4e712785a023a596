"""The processed sessions and their digests: JSON lines in a file beside the store.

A line is appended after the session's lessons are stored. If the process is killed before that, the
session is processed again, and admission recognises each memory as known. Of two lines of one session the
later one counts.
"""

import json
import os
from contextlib import suppress

from bowerbird.guard.redact import ALLOW_NOTHING, redact
from bowerbird.host.foreign import whole
from bowerbird.host.places import append_to, make_folder, write_lines
from bowerbird.sessions.learn.steps import Digest, Touched

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SUFFIX = ".learned"
# A session takes 2 to 10 kB.
_LARGEST = 200_000_000


class Ledger:
    """The processed sessions of one store."""

    def __init__(self, store: str) -> None:
        self._path = store + SUFFIX

    def digests(self) -> dict[str, Digest]:
        """Return the digest of every processed session, by its id; a truncated line is ignored."""
        found: dict[str, Digest] = {}
        try:
            data = whole(self._path, _LARGEST)
        except FileNotFoundError:
            return found
        for raw in data.splitlines():
            with suppress(ValueError, TypeError, AttributeError):
                one = _read(json.loads(raw))
                found[one.session] = one
        return found

    def add(self, digest: Digest) -> None:
        """Record a processed session. Raises OSError."""
        make_folder(os.path.dirname(self._path))
        encoded = json.dumps(_written(digest), ensure_ascii=False, separators=(",", ":"))
        line = redact(encoded, ALLOW_NOTHING).text + "\n"
        handle = append_to(self._path)
        try:
            write_lines(handle, line.encode("utf-8", "replace"))
        finally:
            os.close(handle)


def _read(data: "dict[str, Any]") -> Digest:
    one = Digest(**data)
    one.touched = {path: Touched(*numbers) for path, numbers in data["touched"].items()}
    one.kept, one.again, one.held = tuple(one.kept), tuple(one.again), tuple(one.held)
    one.commits = tuple(map(tuple, one.commits))
    return one


def _written(digest: Digest) -> "dict[str, Any]":
    touched = digest.touched.items()
    files = {path: [one.first, one.edited, one.reads, one.edits] for path, one in touched}
    return {**digest.raw_dict(), "touched": files}
