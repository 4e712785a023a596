"""Keeps the digest of each session in the store: one memory a session, edited as the session goes on."""

from bowerbird.core.query import Filter
from bowerbird.core.types import DIGEST, MEMORY, STATES
from bowerbird.guard.trust import evidence
from bowerbird.sessions.learn.session_digest import digest_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.core.draft import About
    from bowerbird.core.types import Entry, Project
    from bowerbird.sessions.digests import SessionDigest
    from bowerbird.sessions.learn.steps import RecordedSession
    from bowerbird.verbs.keeping import Keeping
    from bowerbird.wiring.acting import Acting

# It states what was recorded, by rules that may misread it.
_CONFIDENCE = 0.9


class Digesting:
    """The digests of one store."""

    def __init__(self, acting: "Acting", keeping: "Keeping") -> None:
        self._acting = acting
        self._keeping = keeping

    def keep(
        self,
        session: "RecordedSession",
        project: "Project",
        withdrawn: "Sequence[str]" = (),
        *,
        own: bool,
    ) -> list[str]:
        """Stores the digest of a session, in place of an earlier one; none where nothing happened.

        A digest that somebody forgot is not made again. That of a transcript which is not the
        user's `own` has the trust of its file. `withdrawn` is what was taken back in it since it was
        stored last. Returns the ids of what the models have to read.
        """
        known = self._known(session.id)
        digest = digest_of(session, [*_withdrawn(known), *withdrawn])
        if digest is None:
            return []
        if known is None:
            draft = self._acting.draft(digest.text, _about(digest))
            if not own:
                found = evidence("agent", own=False, kept=False, follows=False)
                draft = draft.replace(
                    origin=found.origin, lineage=found.lineage, review=found.reason
                )
            return [one.id for one in self._keeping.admission([draft], project).admit_all([draft])]
        if known.state == "active":
            self._keeping.restate(known.id, digest.text, _about(digest))
            return [known.id]
        return []

    def _known(self, session: str) -> "Entry | None":
        filter = Filter(families=(MEMORY,), kinds=(DIGEST,), states=STATES, sessions=(session,))
        found = self._acting.writer().entries.list(filter, 1)
        return found[0] if found else None


def _withdrawn(known: "Entry | None") -> "tuple[str, ...]":
    """What was taken back in a session, by its digest as it is stored."""
    fields = known.details.fields if known is not None and known.details is not None else None
    return tuple((fields.payload or {}).get("withdrawn", ())) if fields is not None else ()


def _about(digest: "SessionDigest") -> "About":
    return {
        "kind": DIGEST,
        "source": "observer_inferred",
        "origin": "agent",
        "session": digest.session,
        "confidence": _CONFIDENCE,
        "payload": digest.payload,
        "summary": digest.gist,
        "occurred": digest.ended or None,
    }
