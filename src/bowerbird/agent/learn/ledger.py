"""Which sessions were learned from, and their digests: lines of JSON in a file beside the store.

A line is appended when what the session taught is kept: killed before that, the session is learned from
again, and admission knows each memory already. Of two lines of one session the later one counts.
"""

import json
import os
from contextlib import suppress

from bowerbird.agent.learn.steps import Digest
from bowerbird.core.foreign import whole
from bowerbird.core.places import make_folder
from bowerbird.guard.redact import ALLOW_NOTHING, redact

SUFFIX = ".learned"
# A session takes 2 to 10 kB.
_LARGEST = 200_000_000


class Ledger:
    """The sessions of one store."""

    def __init__(self, store: str) -> None:
        self._path = store + SUFFIX

    def digests(self) -> dict[str, Digest]:
        """Every session that was learned from, by its name; a line that a crash cut short is none."""
        found: dict[str, Digest] = {}
        try:
            data = whole(self._path, _LARGEST)
        except FileNotFoundError:
            return found
        for raw in data.splitlines():
            with suppress(ValueError, TypeError, AttributeError):
                one = Digest(**json.loads(raw))
                lists = (tuple(one.edited), tuple(one.errors), tuple(one.kept))
                one.edited, one.errors, one.kept = lists
                found[one.session] = one
        return found

    def add(self, digest: Digest) -> None:
        """A session was learned from. Raises OSError."""
        make_folder(os.path.dirname(self._path))
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC
        handle = os.open(self._path, flags, 0o600)
        try:
            size = os.fstat(handle).st_size
            torn = size and os.pread(handle, 1, size - 1) != b"\n"
            told = json.dumps(digest.raw_dict(), ensure_ascii=False, separators=(",", ":"))
            line = redact(told, ALLOW_NOTHING).text
            os.write(handle, (("\n" if torn else "") + line + "\n").encode("utf-8", "replace"))
        finally:
            os.close(handle)
