"""Who calls over MCP is an agent, whatever the client calls itself."""

from __future__ import annotations

import pytest

from bowerbird.core.who import Who, agent, is_user, name_of
from bowerbird.surfaces.mcp.caller import Caller, named


@pytest.mark.parametrize(
    ("own", "client", "expected"),
    [
        ("", "claude-code", "agent:claude-code"),
        ("agent:ci", "claude-code", "agent:ci"),
        ("", " two\nlines ", "agent:two lines"),
        ("", "user", "agent"),
        ("", " user\u200b", "agent"),
        ("", "User ", "agent"),
        ("", "ｕｓｅｒ", "agent"),
        ("", "u\u200cs\u200de\u00adr", "agent"),
        ("", "-user-", "agent"),
        ("", "", "agent"),
        ("", "agent", "agent"),
    ],
)
def test_a_client_is_an_agent_under_its_name(own: str, client: str, expected: str) -> None:
    assert named(Caller(None, Who(own)), client).who.actor == expected


@pytest.mark.parametrize("name", ["", "user", "uѕer", "agent:user", "USER", "user\n", "\ud800"])
def test_no_name_makes_a_user_of_an_agent(name: str) -> None:
    assert not is_user(agent(name))
    assert agent(name).startswith("agent")
    assert not is_user(name_of(agent(name)))
