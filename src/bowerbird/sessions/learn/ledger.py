"""The processed sessions and their digests, in the store.

A digest is written after the session's lessons are stored. If the process is killed before that, the
session is processed again, and admission recognises each memory as known.
"""

import json
from contextlib import suppress

from bowerbird.guard.redact import ALLOW_NOTHING, redact, redact_sentences
from bowerbird.sessions.learn.steps import Digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.core.ports.store import Store


def read_digests(store: "Store") -> dict[str, Digest]:
    """Return the digest of every processed session, by its id; an unreadable one is left out."""
    found: dict[str, Digest] = {}
    for session, line in store.digests.all().items():
        with suppress(ValueError, TypeError, AttributeError, KeyError):
            found[session] = _read(json.loads(line))
    return found


def add_digest(store: "Store", digest: Digest) -> None:
    """Record a processed session. Inside a transaction."""
    encoded = json.dumps(
        redact_sentences(digest.raw_dict()), ensure_ascii=False, separators=(",", ":")
    )
    line = redact(encoded, ALLOW_NOTHING).text.encode("utf-8", "replace").decode()
    store.digests.put(digest.session, line)


def _read(data: "dict[str, Any]") -> Digest:
    # What earlier versions counted besides, per file, too, is left out.
    one = Digest(**{name: data[name] for name in Digest.__slots__ if name in data})
    one.kept, one.again, one.held = tuple(one.kept), tuple(one.again), tuple(one.held)
    one.touched = tuple(one.touched)
    return one
