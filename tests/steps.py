"""Sessions made by hand, step by step, for tests of what is learned from them."""

from __future__ import annotations

from typing import Any

from bowerbird.core.events import CALLED, FAILED, PROMPTED, SAID, Event
from bowerbird.sessions.learn.promote import digest
from bowerbird.sessions.learn.steps import Digest, Lesson, RecordedSession, Step


def call(tool: str, given: dict[str, Any], answer: str = "ok", **about: Any) -> Step:
    what = FAILED if about.get("failed") else CALLED
    event = Event("codex", "result", what, cwd="/p", tool=tool, given=given, answer=answer)
    return Step(event, error=answer if about.get("failed") else "", **about)


def ran(command: str, answer: str = "ok", **about: Any) -> Step:
    return call("shell", {"command": command}, answer, **about)


def read(path: str, answer: str = "1\tx", **given: Any) -> Step:
    return call("Read", {"file_path": path, **given}, answer, paths=(path,))


def wrote(path: str, old: str = "a", new: str = "b", **about: Any) -> Step:
    given = {"file_path": path, "old_string": old, "new_string": new}
    return call("Edit", given, paths=(path,), **about)


def asked(text: str = "go on", line: int = 0) -> Step:
    return Step(Event("codex", "user", PROMPTED, text=text), line=line)


def said(text: str, line: int = 1) -> Step:
    return Step(Event("codex", "assistant", SAID, text=text), line=line)


def recorded(name: str, *steps: Step) -> RecordedSession:
    return RecordedSession(name, "/p", steps)


def after(count: int, *steps: Step) -> tuple[RecordedSession, list[Digest]]:
    """The last of so many sessions that went alike, with what stayed of the others."""
    past = [digest(recorded(f"s{number}", *steps), "p") for number in range(count - 1)]
    return recorded(f"s{count - 1}", *steps), past


def only(found: list[Lesson]) -> Lesson:
    (one,) = found
    return one
