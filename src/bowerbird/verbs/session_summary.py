"""Summarises what memory contributed to a session, from its journal, its transcript and the store."""

import os

from bowerbird.core.query import Filter
from bowerbird.core.sessions import LearnedMemory
from bowerbird.core.types import DIGEST, MEMORY
from bowerbird.sessions.levels import AUTONOMOUS, CONFIDENT
from bowerbird.sessions.observe.transcript import spoken
from bowerbird.sessions.summary import cited_in, summary
from bowerbird.verbs.timeline import LEFT, waits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from bowerbird.core.sessions import Session, Summary
    from bowerbird.core.types import Entry
    from bowerbird.retrieval.lookup import Lookup

# Maximum memories of one session that are read and listed.
_MOST = 200


def summed(session: "Session", lines: "list[dict[str, object]]", level: int) -> "Summary":
    """A summary of a session from its journal and transcript."""
    cited = cited_in(text for path in _transcripts(lines) for text in spoken(path))
    return summary(session.id, lines, cited).replace(level=level)


def with_learned(summary: "Summary", lookup: "Lookup") -> "Summary":
    """Adds the digest of a session and the memories that it left.

    From level 3 on, only those that wait for review.
    """
    filter = Filter(sessions=(summary.session,), families=(MEMORY,), states=LEFT)
    found = lookup.list(filter, _MOST, 0)
    digest = next((one.text for one in found if one.kind == DIGEST), "")
    left = [one for one in found if one.kind != DIGEST]
    if summary.level in (CONFIDENT, AUTONOMOUS):
        left = [one for one in left if waits(one)]
    return summary.replace(learned=tuple(map(_learned, left)), digest=digest)


def _learned(entry: "Entry") -> LearnedMemory:
    return LearnedMemory(
        entry.id, entry.kind, entry.text, entry.state, entry.review if waits(entry) else ""
    )


def _transcripts(lines: "list[dict[str, object]]") -> "Iterator[str]":
    """The transcript files of a session, each once."""
    named = dict.fromkeys(str(line["transcript"]) for line in lines if line.get("transcript"))
    yield from filter(os.path.isfile, named)
