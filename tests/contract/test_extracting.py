"""The port of extractors: what the signals find, and what a slow or failing one costs."""

from __future__ import annotations

import json
from threading import Event, Thread
from typing import TYPE_CHECKING

import pytest

from bowerbird import Bowerbird
from bowerbird.core.errors import ModelError
from bowerbird.sessions.learn.registry import BY_NAME, RULES
from bowerbird.sessions.learn.transcript import recorded_session
from bowerbird.verbs.learning import Learning

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from bowerbird.core.learned import Learned
    from bowerbird.core.ports.thinking import Extractor
    from bowerbird.sessions.learn.steps import Digest, Lesson, RecordedSession

RULE = "remember that staging listens on port 5433"
LEARNED = "Staging listens on port 5433."


class Slow:
    """Finds what the rules find, when it is allowed to."""

    def __init__(self) -> None:
        self.asked = Event()
        self.leave = Event()

    def lessons(self, session: RecordedSession, past: Sequence[Digest]) -> list[Lesson]:
        self.asked.set()
        self.leave.wait()
        return RULES.lessons(session, past)


class Failing:
    """A model that is not there."""

    def lessons(self, session: RecordedSession, past: Sequence[Digest]) -> list[Lesson]:
        raise ModelError(f"cannot read {session.id}", "start it")


@pytest.fixture
def talk(tmp_path: Path) -> str:
    said = {"role": "user", "content": RULE}
    record = {"type": "user", "uuid": "1", "sessionId": "one", "cwd": str(tmp_path)}
    path = tmp_path / "one.jsonl"
    line = json.dumps({**record, "timestamp": "2026-01-01T10:00:00Z", "message": said})
    path.write_text(line + "\n", encoding="utf-8")
    return str(path)


def learn(
    bird: Bowerbird, talk: str, extractor: Extractor[RecordedSession, Digest, Lesson] = RULES
) -> Learned:
    wiring = bird._wiring
    here = wiring.config, wiring.opened, wiring.reach, wiring.acting
    return Learning(*here, dry_run=False, extractor=extractor).learn([talk], None)


def learned(bird: Bowerbird) -> list[str]:
    return [one.text for one in bird.list(memories_only=True) if one.kind != "session_digest"]


def test_the_signals_name_themselves(talk: str) -> None:
    session = recorded_session(talk)
    assert session is not None
    found = RULES.lessons(session, [])
    assert [one.text for one in found] == [LEARNED]
    assert all(one.signal in BY_NAME for one in found)


def test_others_write_while_a_slow_extractor_reads(
    bird: Bowerbird, store_path: str, talk: str
) -> None:
    slow = Slow()
    bird.remember("The kitchen closes at ten")
    bird.close()

    def read() -> None:
        with Bowerbird.open(store_path, project="shop") as other:
            learn(other, talk, slow)

    thread = Thread(target=read)
    thread.start()
    assert slow.asked.wait(60)
    with Bowerbird.open(store_path, project="shop") as other:
        other.remember("The kitchen opens at six")
        slow.leave.set()
        thread.join()
        assert LEARNED in learned(other)


def test_a_session_in_which_an_extractor_fails_is_read_again(bird: Bowerbird, talk: str) -> None:
    done = learn(bird, talk, Failing())
    assert (done.sessions, done.lessons) == (0, ())
    assert [one.reason for one in done.skipped] == [
        "cannot read one; it is read again the next time"
    ]
    assert learn(bird, talk).sessions == 1
    assert learned(bird) == [LEARNED]
