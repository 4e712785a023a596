"""Who calls over MCP is named by the server, else by the client, and never as the user."""

from __future__ import annotations

import pytest

from bowerbird.surfaces.mcp.caller import Caller, named


@pytest.mark.parametrize(
    ("own", "client", "expected"),
    [
        ("", "claude-code", "claude-code"),
        ("ci", "claude-code", "ci"),
        ("", " two\nlines ", "two lines"),
        ("", "user", "agent"),
        ("", " user\u200b", "agent"),
        ("", "", ""),
    ],
)
def test_a_client_goes_by_its_name(own: str, client: str, expected: str) -> None:
    assert named(Caller(actor=own), client).actor == expected
