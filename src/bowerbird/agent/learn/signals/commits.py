"""Commits: what was done and why, from the message of a commit.

Definition: a commit that landed in the session and whose message has a body with a self-contained
sentence that states a reason or a choice. Source: shell commands.
"""

import re

from bowerbird.agent.learn.claims import claims
from bowerbird.agent.learn.steps import Lesson
from bowerbird.agent.observe.calls import command, kind_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.agent.learn.steps import Digest, RecordedSession

NAME = "commits"
_MESSAGE = re.compile(
    r"(?s)git commit\b[^\n]*?\s-\w*m\s+(?:\"\$\(cat <<'?(?P<end>\w+)'?\n(?P<long>.*?)\n(?P=end)\b"
    r"|\"(?P<short>(?:[^\"\\]|\\.)*)\""
    r"|'(?P<single>[^']*)')"
)
_LANDED = re.compile(r"(?m)^\[[^\]\n]* (?P<sha>[0-9a-f]{7,40})\] ")
# Trailers of a message, which name people, not changes.
_TRAILER = re.compile(r"(?m)^[A-Z][\w-]+(?:-[\w]+)*: .*$|^🤖.*$")


def lessons(session: "RecordedSession", _past: "Sequence[Digest]") -> list[Lesson]:
    """Return a lesson for each commit."""
    found = {}
    for step in session.steps:
        message = _MESSAGE.search(command(step.event.given))
        answer = step.event.answer if isinstance(step.event.answer, str) else ""
        if message is None or step.failed or not _LANDED.search(answer):
            continue
        raw = message["long"] or message["short"] or message["single"] or ""
        subject, _, body = raw.strip().partition("\n")
        # Join wrapped lines.
        body = re.sub(r"(?<=[^\n:])\n(?=[^\n\s*•-])", " ", _TRAILER.sub("", body))
        reasons_given = claims(body)
        if reasons_given:
            best = max(reasons_given, key=lambda one: (one.causes, one.names))
            key = " ".join(re.findall(r"\w+", subject.lower()))
            kind = "gotcha" if best.causes else "decision"
            found[key] = Lesson(
                *(
                    NAME,
                    key,
                    kind,
                    f"{subject.rstrip('.')}: {best.text}",
                    (step.line,),
                    (session.id,),
                ),
                source="commit_auto",
                strength=0.9,
                outside=step.outside,
            )
    return [*found.values()]


def commit_of(session: "RecordedSession", line: int) -> str:
    """Return the commit that contains the work up to a line of a session's transcript; empty for none.

    That is the first one from the line on, else the last one before it if no file was edited since.
    """
    last = ""
    for step in session.steps:
        if step.failed:
            continue
        answer = step.event.answer if isinstance(step.event.answer, str) else ""
        if "git commit" in command(step.event.given) and (found := _LANDED.search(answer)):
            last = found["sha"]
            if step.line >= line:
                return last
        elif kind_of(step.event.tool) == "edit":
            last = ""
    return last
