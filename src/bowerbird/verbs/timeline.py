"""The sessions of a store as a time line, from their digests."""

from bowerbird.core.query import Filter
from bowerbird.core.sessions import DigestedSession, Timeline
from bowerbird.core.types import ALIVE, DIGEST, MEMORY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.core.ports.store import Store
    from bowerbird.core.types import Entry
    from bowerbird.retrieval.lookup import Lookup

# The states of what a session left.
# What a session taught counts for it, also once it was replaced.
LEFT = (*ALIVE, "superseded")
# Digests that are read beyond the wanted ones: a session that went on is later than its digest's place.
_BEYOND = 50


def timeline(
    store: "Store", lookup: "Lookup", projects: "Sequence[str] | None", limit: int
) -> Timeline:
    """The latest sessions of some projects, or of all, each with how much it left."""
    sessions = latest(lookup, projects, limit)
    if not sessions:
        return Timeline()
    projects = None if projects is None else tuple(projects)
    names = tuple(one.session for one in sessions)
    of_sessions = Filter(projects=projects, families=(MEMORY,), sessions=names, states=LEFT)
    left = store.overview.left_by_session(of_sessions, DIGEST)
    return Timeline(tuple(_counted(one, *left.get(one.session, (0, 0))) for one in sessions))


def latest(
    lookup: "Lookup", projects: "Sequence[str] | None", limit: int
) -> "list[DigestedSession]":
    """The latest sessions of some projects, or of all, without what they left."""
    projects = None if projects is None else tuple(projects)
    of_digests = Filter(projects=projects, families=(MEMORY,), kinds=(DIGEST,))
    sessions = map(_digested, lookup.list(of_digests, limit + _BEYOND, 0))
    return sorted(sessions, key=lambda one: one.ended, reverse=True)[:limit]


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


def _counted(one: DigestedSession, learned: int, waiting: int) -> DigestedSession:
    return one.replace(learned=learned, waiting=waiting)
