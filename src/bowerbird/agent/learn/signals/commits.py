"""Commits: what was done and why, from the message of a commit.

Definition: a commit that landed in the session and whose message has a body with a self-contained
sentence that states a reason or a choice, and is no choice about the tidiness of the code. Its forms are
those of `commit_messages.py`. Of 60 such sentences from 9,846 messages in the changelogs of thirteen C
programs, read one by one, 9 were broken by the form of a changelog; of the others 48 had
the right kind (decision or gotcha). Source: shell commands, and files that hold a message.
"""

import re

from bowerbird.agent.learn.claims import claims
from bowerbird.agent.learn.commit_messages import landed_commits
from bowerbird.agent.learn.steps import Lesson

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.agent.learn.steps import Digest, RecordedSession

NAME = "commits"


def lessons(session: "RecordedSession", _past: "Sequence[Digest]") -> list[Lesson]:
    """Return a lesson for each commit."""
    found = {}
    for commit in landed_commits(session):
        stated = claims(commit.body, imperative=True)
        reasons = [one for one in stated if not (one.tidy and one.decides)]
        if not reasons:
            continue
        best = max(reasons, key=lambda one: (one.causes or one.decides, one.names))
        key = " ".join(re.findall(r"\w+", commit.subject.lower()))
        found[key] = Lesson(
            *(NAME, key, best.kind),
            f"{commit.subject.rstrip('.')}: {best.text}",
            (commit.step.line,),
            (session.id,),
            source="commit_auto",
            strength=0.9,
            outside=commit.step.outside,
        )
    return [*found.values()]
