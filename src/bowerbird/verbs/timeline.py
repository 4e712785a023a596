"""The sessions of a store as a time line, from their digests."""

from collections import Counter

from bowerbird.core.query import Filter
from bowerbird.core.sessions import DigestedSession, Timeline
from bowerbird.core.types import ALIVE, DIGEST, MEMORY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bowerbird.core.types import Entry
    from bowerbird.retrieval.lookup import Lookup

# The states of what a session left, and the maximum of memories that are counted.
# What a session taught counts for it, also once it was replaced.
LEFT = (*ALIVE, "superseded")
_MOST_LEFT = 10_000
# Digests that are read beyond the wanted ones: a session that went on is later than its digest's place.
_BEYOND = 50


def timeline(lookup: "Lookup", projects: "Sequence[str] | None", limit: int) -> Timeline:
    """The latest sessions of some projects, or of all."""
    projects = None if projects is None else tuple(projects)
    of_digests = Filter(projects=projects, families=(MEMORY,), kinds=(DIGEST,))
    digests = lookup.list(of_digests, limit + _BEYOND, 0)
    sessions = [*map(_digested, digests)]
    latest = sorted(sessions, key=lambda one: one.ended, reverse=True)[:limit]
    if not latest:
        return Timeline()
    names = tuple(one.session for one in latest)
    of_sessions = Filter(projects=projects, families=(MEMORY,), sessions=names, states=LEFT)
    left = [one for one in lookup.plainly(of_sessions, _MOST_LEFT) if one.kind != DIGEST]
    learned = Counter(one.session for one in left)
    waiting = Counter(one.session for one in left if waits(one))
    return Timeline(tuple(_counted(one, learned, waiting) for one in latest))


def told_of(lookup: "Lookup", session: str) -> "DigestedSession | None":
    """A session by its whole name, from its digest, without what it left; None if it has none."""
    of_it = Filter(families=(MEMORY,), kinds=(DIGEST,), sessions=(session,))
    return next(map(_digested, lookup.list(of_it, 1, 0)), None)


def waits(entry: "Entry") -> bool:
    """Whether a memory waits for review."""
    return (bool(entry.review) and entry.state in ALIVE) or entry.state == "quarantined"


def _digested(entry: "Entry") -> DigestedSession:
    payload = (entry.details.fields.payload if entry.details is not None else None) or {}
    ended = payload.get("ended", entry.created)
    return DigestedSession(
        entry.id,
        str(payload.get("session", entry.session)),
        entry.project,
        str(payload.get("branch", "")),
        payload.get("began", ended),
        ended,
        entry.summary,
        entry.text,
        tuple(payload.get("asked", ())),
        tuple(payload.get("done", ())),
        tuple(payload.get("decided", ())),
        tuple(payload.get("refuted", ())),
        tuple(payload.get("left", ())),
    )


def _counted(
    one: DigestedSession, learned: "Mapping[str, int]", waiting: "Mapping[str, int]"
) -> DigestedSession:
    session = one.session
    return one.replace(learned=learned.get(session, 0), waiting=waiting.get(session, 0))
