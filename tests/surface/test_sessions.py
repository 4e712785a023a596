"""``bower sessions`` and the digest in ``bower session --summary``, as a user meets them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.surface.test_learn import Talk

from bowerbird import Bowerbird
from bowerbird.core.types import STATES

if TYPE_CHECKING:
    from collections.abc import Callable


def _worked(folder: Path, session: str, day: int, prompt: str) -> None:
    talk = Talk(session, folder, day).say(prompt)
    talk.run("pytest -q", "3 passed in 0.10s").record("assistant", "It works now.")
    (folder / ".git").mkdir(exist_ok=True)
    talk.put(folder / "talks")


def _data(ran: Any) -> Any:
    return json.loads(ran.out)["data"]


def test_sessions_are_a_time_line_the_latest_first(
    bower: Callable[..., Any], tmp_path: Path
) -> None:
    _worked(tmp_path, "s1-first", 3, "Add a rate limit to the login page")
    _worked(tmp_path, "s2-second", 4, "Let people reset their forgotten password")
    bower("learn", str(tmp_path / "talks"))
    listed = _data(bower("sessions", "--all-projects"))["sessions"]
    assert [one["session"] for one in listed] == ["s2-second", "s1-first"]
    assert listed[0]["summary"] == "Let people reset their forgotten password"
    assert listed[0]["ended"].startswith("2026-01-04T10:00")
    assert "tests passed" in listed[0]["done"]
    assert len(_data(bower("sessions", "--all-projects", "--limit", "1"))["sessions"]) == 1
    shown = bower("sessions", "--all-projects", "--format", "text").out
    assert "Add a rate limit" in shown


def test_the_summary_of_a_session_begins_with_its_digest(
    bower: Callable[..., Any], tmp_path: Path
) -> None:
    _worked(tmp_path, "s1-first", 3, "Add a rate limit to the login page")
    bower("learn", str(tmp_path / "talks"))
    shown = bower("session", "s1-first", "--summary", "--format", "text").out
    assert "Session of 3 January 2026. Asked: “Add a rate limit to the login page”" in shown
    (session,) = _data(bower("session", "s1-first", "--summary"))["sessions"]
    assert session["summary"]["digest"].startswith("Session of 3 January 2026")
    assert not session["summary"]["learned"]


def test_without_a_store_there_are_no_sessions(bower: Callable[..., Any]) -> None:
    found = bower("sessions")
    assert found.code == 0
    assert _data(found)["sessions"] == []


def test_a_session_that_taught_what_was_replaced_since_has_taught_it(store_path: str) -> None:
    with Bowerbird.open(store_path, project="shop") as bird:
        for number, port in enumerate((8081, 8082)):
            talk = Path.home() / ".claude" / "projects" / "shop" / f"s{number}.jsonl"
            talk.parent.mkdir(parents=True, exist_ok=True)
            record = {
                "type": "user",
                "uuid": f"u{number}",
                "sessionId": f"s{number}",
                "timestamp": f"2026-01-0{number + 1}T10:00:00Z",
                "message": {
                    "role": "user",
                    "content": f"From now on the API of orders always runs on port {port} here.",
                },
            }
            talk.write_text(json.dumps(record) + "\n")
            bird.admin.learn(talk)
        states = [one.state for one in bird.list(kinds=("requirement",), states=STATES)]
        assert sorted(states) == ["active", "superseded"]
        learned = {one.session: one.learned for one in bird.sessions().sessions}
        assert learned == {"s0": 1, "s1": 1}
