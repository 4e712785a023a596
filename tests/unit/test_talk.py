"""Of a conversation with more turns than are kept, no more are weighed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bowerbird.guard.trust import TAINTED
from bowerbird.ingest.sources import turns
from bowerbird.ingest.sources.talk import ASSISTANT, USER, Talk
from bowerbird.ingest.trail import Trail

if TYPE_CHECKING:
    import pytest


def test_turns_that_are_not_kept_are_not_weighed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "MOST_TURNS", 3)
    trail = Trail("a.json")
    talk = Talk(trail)
    talk.say(ASSISTANT, "I look", 1, None)
    talk.call("c1", "Bash", {"command": "ls"}, 1, None)
    for line in range(2, 12):
        talk.say(USER, f"otter {line}", line, None)
        talk.call(f"c{line}", "Bash", {"command": "ls"}, line, None)
    talk.result("c1", "a dam", 12, None)
    talk.result("c9", "a lodge", 12, None)
    assert talk.cut
    assert trail._lines <= 3
    assert trail._calls <= 3
    pieces = talk.pieces()
    assert not any("lodge" in piece.text for piece in pieces)
    assert [piece.trust for piece in pieces if "dam" in piece.text] == [TAINTED]
