"""Commits: what was done and why, from the message of a commit.

Definition: a commit that landed in the session and whose message gives a reason (`commit_reasons.py`). It
is a record: its text says which commit, when, and quotes subject and reason. Source: shell commands, and
files that hold a message.
"""

import re

from bowerbird.sessions.learn.commit_messages import landed_commits
from bowerbird.sessions.learn.commit_reasons import reasons
from bowerbird.sessions.learn.cure_records import day
from bowerbird.sessions.learn.steps import Lesson

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.sessions.learn.commit_messages import LandedCommit
    from bowerbird.sessions.learn.steps import Digest, RecordedSession

NAME = "commits"
_SHORT = 7


def lessons(session: "RecordedSession", _past: "Sequence[Digest]") -> list[Lesson]:
    """Return a record of each commit that gives a reason."""
    found = {}
    for commit in landed_commits(session):
        reason = reasons(commit.subject, commit.body)
        if not reason:
            continue
        found[_key(commit)] = Lesson(
            NAME,
            _key(commit),
            "decision",
            _text(commit, reason),
            (commit.step.line,),
            (session.id,),
            source="commit_auto",
            strength=0.9,
            outside=commit.step.outside,
            recorded=True,
        )
    return [*found.values()]


def recorded_commit(session: "RecordedSession", lesson: "Lesson") -> "LandedCommit | None":
    """Return the commit that a lesson records; None if it records none."""
    known = landed_commits(session) if lesson.signal == NAME else ()
    return next((one for one in reversed(known) if _key(one) == lesson.key), None)


def _key(commit: "LandedCommit") -> str:
    return " ".join(re.findall(r"\w+", commit.subject.lower()))


def _text(commit: "LandedCommit", reason: str) -> str:
    when = day(commit.step.at)
    which = " ".join(filter(None, ("Commit", commit.sha[:_SHORT], when and f"on {when}")))
    subject = commit.subject.rstrip(".")
    said = "" if reason.rstrip(".") == subject else f" {reason}"
    return f"{which}: {subject}.{said}"
