"""What a tool call touches."""

from __future__ import annotations

import pytest

from bowerbird.core.tool_calls import command, kind_of, paths


@pytest.mark.parametrize(
    ("tool", "does"),
    [
        ("Read", "read"),
        ("read_file", "read"),
        ("MultiEdit", "edit"),
        ("apply_patch", "edit"),
        ("Bash", "shell"),
        ("run_shell_command", "shell"),
        ("WebFetch", "web"),
        ("google_web_search", "web"),
        ("mcp__github__get_issue", "mcp"),
        ("mcp_gmail_read", "mcp"),
        ("mcp__bowerbird__memory_search", "own"),
        ("mcp__plugin_bowerbird_bowerbird__memory_get", "own"),
        ("mcp__bowerbird-evil__memory_search", "mcp"),
        ("mcp__bowerbirds__memory_search", "mcp"),
        ("MCP:notion", "mcp"),
        ("TodoWrite", ""),
    ],
)
def test_tools_are_known_by_what_they_do(tool: str, does: str) -> None:
    assert kind_of(tool) == does


def test_the_files_of_a_call_are_found_by_every_name() -> None:
    assert paths({"file_path": "a.go"}) == ["a.go"]
    assert paths({"paths": ["a", "b", "a"]}) == ["a", "b"]
    patch = "*** Begin Patch\n*** Update File: x/y.py\n@@\n*** Add File: z.py\n*** End Patch"
    assert paths({"input": patch}) == ["x/y.py", "z.py"]
    assert command({"command": ["bash", "-lc", "ls"]}) == "bash -lc ls"
    assert command({"command": 7}) == ""
