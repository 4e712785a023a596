"""What a tool call touches, and whether it reads what outsiders wrote."""

from __future__ import annotations

import pytest

from bowerbird.agent.observe.calls import command, external, fetches, kind_of, paths
from bowerbird.core.events import CALLED, Event


@pytest.mark.parametrize(
    "expected",
    [
        "curl https://x.example",
        "cd a && curl -s x | jq .",
        "sudo wget x",
        "gh issue view 3",
        "gh pr diff 7 --repo a/b",
        "x=$(curl a)",
        "bash -c 'curl a'",
        "TOKEN=1 curl x",
        "timeout 5 curl x",
        "/usr/bin/curl x",
        "xargs -n1 curl < list",
        "echo a\ncurl b",
        "for u in a b; do curl $u; done",
        "python3 -c 'import requests; requests.get(\"https://x.example\")'",
        "npx get https://x.example",
        "himalaya message read 4",
    ],
)
def test_what_fetches_is_seen(expected: str) -> None:
    assert fetches(expected)


@pytest.mark.parametrize(
    "expected",
    [
        "grep -rn curl src",
        "git commit -m 'use curl'",
        "gh auth status",
        "go test ./...",
        "cat http/server.go",
        "cat curl_test.go",
        "echo https://x.example",
        "python3 -m http.server",
        "node x.js http://localhost:3000",
        "git log --oneline",
    ],
)
def test_what_reads_nothing_of_others_is_not(expected: str) -> None:
    assert not fetches(expected)


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


def test_what_a_call_reads_from_outside_is_said() -> None:
    def why(tool: str, **given: str) -> str:
        return external(Event("claude-code", "PostToolUse", CALLED, tool=tool, given=given))

    assert why("WebSearch", query="x") == "web"
    assert why("mcp__jira__issue") == "mcp"
    assert why("Bash", command="gh issue list") == "shell"
    assert why("Bash", command="ls") == why("Read", file_path="a.md") == ""
    assert why("mcp__bowerbird__memory_search") == ""


def test_the_files_of_a_call_are_found_by_every_name() -> None:
    assert paths({"file_path": "a.go"}) == ["a.go"]
    assert paths({"paths": ["a", "b", "a"]}) == ["a", "b"]
    patch = "*** Begin Patch\n*** Update File: x/y.py\n@@\n*** Add File: z.py\n*** End Patch"
    assert paths({"input": patch}) == ["x/y.py", "z.py"]
    assert command({"command": ["bash", "-lc", "ls"]}) == "bash -lc ls"
    assert command({"command": 7}) == ""
