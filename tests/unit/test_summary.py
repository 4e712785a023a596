"""What a session was given and cited, what that saved, and which memories earn trust by it."""

from __future__ import annotations

from typing import Any

from bowerbird.sessions.crediting import due, surer
from bowerbird.sessions.summary import DISCOVERY, farewell, summary

ONE = "019a2f6c-81d4-7000-8000-000000000001"
TWO = "019a2f6c-90d4-7000-8000-000000000002"


def gave(tokens: int, *ids: str) -> dict[str, Any]:
    items = [{"id": id, "kind": "gotcha", "citation": "a trap"} for id in ids]
    return {"at": 1, "what": "gave", "tokens": tokens, "items": items}


def used(session: str, *ids: str) -> dict[str, Any]:
    return {"what": "used", "session": session, "given": [*ids]}


def test_what_was_cited_saves_what_finding_it_takes() -> None:
    lines = [
        gave(200, ONE, TWO),
        gave(100, ONE),
        {"what": "prompted", "text": f"see [Memory #{TWO[:18]}: a trap]"},
        {"what": "stopped", "text": f"as [Memory #{ONE[:18]}: a trap] says"},
    ]
    found = summary("s", lines)
    assert [(one.id, one.cited) for one in found.given] == [(ONE, True), (TWO, False)]
    assert (found.tokens, found.saved) == (300, DISCOVERY - 300)
    assert found.formula == "1 cited x 1,500 - 300 injected = 1,200 (estimated)"
    assert farewell(found).startswith("Memory: 2 injected (300 tokens), 1 cited. ")


def test_a_session_that_was_given_nothing_says_nothing() -> None:
    assert farewell(summary("s", [{"what": "stopped", "text": "done"}])) == ""


def test_that_nothing_was_cited_is_no_reproach() -> None:
    found = summary("s", [gave(300, ONE)])
    assert farewell(found).startswith("Memory: 1 injected (300 tokens). ")


def test_trust_is_earned_once_by_five_sessions_without_a_correction() -> None:
    four = [used(str(number), ONE) for number in range(4)]
    assert due(four, "4", [ONE, TWO]) == [ONE]
    assert due(four, "3", [ONE]) == []
    assert due([*four, used("4", ONE)], "5", [ONE]) == []
    corrected = [*four, {"what": "held", "id": ONE}]
    assert due(corrected, "5", [ONE]) == []
    assert [surer(one) for one in (0.8, 0.92, 0.97)] == [0.85, 0.95, 0.97]
