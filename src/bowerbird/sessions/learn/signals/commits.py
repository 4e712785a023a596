"""Commits: what was done and why, from the message of a commit, or what was published of it.

Definition: a commit that landed in the session, or a pull request, issue, comment or reply of it, whose
text gives a reason (`commit_reasons.py`). It is a record: its text says which one, when, and quotes
subject and reason. Source: shell commands, and files that hold a message.
"""

import re

from bowerbird.sessions.learn.commit_messages import landed_commits, published
from bowerbird.sessions.learn.commit_reasons import reasons
from bowerbird.sessions.learn.cure_records import day
from bowerbird.sessions.learn.steps import Lesson

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.sessions.learn.commit_messages import LandedCommit, Published
    from bowerbird.sessions.learn.steps import Digest, RecordedSession

NAME = "commits"
_SHORT = 7


def lessons(session: "RecordedSession", _past: "Sequence[Digest]") -> list[Lesson]:
    """Return a record of each commit, and of each published text, that gives a reason."""
    commits = landed_commits(session)
    said = {_reason(one) for one in commits}
    # What its commit says, too, is recorded with that.
    texts = [one for one in published(session) if _reason(one) not in said]
    found = [_lesson(session, one, one.what) for one in texts]
    found += [_lesson(session, one, f"Commit {one.sha[:_SHORT]}".rstrip()) for one in commits]
    return [*{lesson.key: lesson for lesson in found if lesson is not None}.values()]


def _lesson(
    session: "RecordedSession", one: "LandedCommit | Published", name: str
) -> Lesson | None:
    """Return the record of a text by its name; None if it gives no reason."""
    reason = _reason(one)
    if not reason:
        return None
    which = " ".join(filter(None, (name, (when := day(one.step.at)) and f"on {when}")))
    subject = one.subject.rstrip(".")
    said = [f"{subject}."] if subject else []
    said += [] if reason.rstrip(".") == subject else [reason]
    return Lesson(
        NAME,
        _key(one),
        "decision",
        f"{which}: {' '.join(said)}",
        (one.step.line,),
        (session.id,),
        source="commit_auto",
        strength=0.9,
        outside=one.step.outside,
        recorded=True,
    )


def recorded_commit(session: "RecordedSession", lesson: "Lesson") -> "LandedCommit | None":
    """Return the commit that a lesson records; None if it records none."""
    known = landed_commits(session) if lesson.signal == NAME else ()
    return next((one for one in reversed(known) if _key(one) == lesson.key), None)


def _key(one: "LandedCommit | Published") -> str:
    return " ".join(re.findall(r"\w+", (one.subject or _reason(one)).lower()))


def _reason(one: "LandedCommit | Published") -> str:
    return reasons(one.subject, one.body)
