"""Examples for `fuzz.py`: a small one of each format, and the fragments that are inserted into them."""

from __future__ import annotations

from typing import Any

TEXTS = (
    "",
    " ",
    "\0",
    "\n",
    "\r\n",
    "\u2028",
    "\ud800",
    "\udfff",
    "\u202e",
    "\ufeff",
    "😀",
    "é",
    "\x1b[31m",
    "a" * 700,
    "a " * 400,
    "```",
    "~~~",
    "---",
    "===",
    "# ",
    "#" * 7,
    "- ",
    "1. ",
    "> ",
    "|",
    "[",
    "]",
    "{",
    "}",
    '"',
    "'",
    "\\",
    "\\u0000",
    "\\ud83d",
    ": ",
    "A: x",
    "**A**: y",
    "*",
    "&a",
    "*a",
    "!!python",
    "2026-01-02",
    "2026-13-45T99:99",
    "0000-00-00",
    "last week",
    "in May 1999",
    "7d",
    "99999y",
    "9" * 400,
    "password = hunter2hunter2",
    "ghp_" + "aB3dE6gH9jK2" * 3,
    "-----BEGIN RSA PRIVATE KEY-----",
    "OR",
    "AND",
    "NOT",
    "(",
    ")",
    "NEAR",
    "^",
    ".",
    "/",
    "..",
    "~",
    "$rewindTo",
    "saved to: tool-results/",
)
VALUES: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    -1,
    1.5,
    1e308,
    10**30,
    1_790_000_000,
    253_402_300_800_000,
    "",
    [],
    {},
    [[]],
    [{}],
    {"text": None},
    [{"type": "text", "text": 1}],
    [None, 1, "a"],
    {"a": {"a": {}}},
    "NaN",
    -(2**63),
)
AT = "2026-01-02T12:00:00.000Z"
RECORDS: dict[str, list[dict[str, Any]]] = {
    "claude-code": [
        {
            "type": "user",
            "sessionId": "s",
            "uuid": "u",
            "timestamp": AT,
            "message": {"content": "Why?"},
        },
        {
            "type": "assistant",
            "sessionId": "s",
            "message": {
                "id": "m",
                "content": [
                    {"type": "text", "text": "Look"},
                    {"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": "ls"}},
                ],
            },
        },
        {
            "type": "user",
            "parentUuid": "u",
            "isMeta": True,
            "message": {
                "content": [
                    {
                        "type": "tool_result",
                        "tool_use_id": "t",
                        "content": [{"type": "text", "text": "a"}],
                    },
                    {
                        "type": "tool_result",
                        "content": "saved to: /x/tool-results/out.txt",
                        "is_error": True,
                    },
                ]
            },
        },
        {"type": "summary", "summary": "About it"},
    ],
    "codex": [
        {"timestamp": AT, "type": "session_meta", "payload": {"id": "c"}},
        {
            "timestamp": AT,
            "type": "event_msg",
            "payload": {"type": "user_message", "message": "Why?"},
        },
        {
            "type": "response_item",
            "payload": {
                "type": "message",
                "role": "user",
                "content": [{"type": "input_text", "text": "Why?"}],
            },
        },
        {
            "type": "response_item",
            "payload": {
                "type": "function_call",
                "call_id": "1",
                "name": "sh",
                "arguments": '{"cmd": ["ls"]}',
            },
        },
        {
            "type": "response_item",
            "payload": {
                "type": "function_call_output",
                "call_id": "1",
                "output": '{"output": "a"}',
            },
        },
        {"type": "compacted", "payload": {"message": "all of it"}},
    ],
    "gemini": [
        {"sessionId": "s", "projectHash": "p", "summary": "About it"},
        {"id": "1", "type": "user", "timestamp": AT, "content": [{"text": "Why?"}]},
        {
            "id": "2",
            "type": "gemini",
            "content": "So",
            "toolCalls": [
                {
                    "id": "t",
                    "name": "ls",
                    "args": {"path": "."},
                    "status": "error",
                    "result": [{"functionResponse": {"response": {"output": "a"}}}],
                }
            ],
        },
        {"$rewindTo": "1"},
        {"$set": {"messages": [{"id": "3", "type": "user", "content": "again"}]}},
    ],
    "openclaw": [
        {"type": "session", "id": "s", "version": 1},
        {"type": "message", "timestamp": AT, "message": {"role": "user", "content": "Why?"}},
        {
            "type": "message",
            "message": {
                "role": "assistant",
                "content": [
                    {"type": "text", "text": "So"},
                    {"type": "toolCall", "id": "t", "name": "x"},
                ],
            },
        },
        {
            "type": "message",
            "message": {"role": "toolResult", "toolCallId": "t", "content": [{"text": "a"}]},
        },
        {"type": "compaction", "summary": "all"},
    ],
    "conversation": [
        {"role": "user", "content": "Why?", "timestamp": AT, "name": "Ana"},
        {"speaker": "Bo", "text": "So", "date": "1:56 pm on 8 May, 2023", "session_id": "s"},
        {"role": "tool", "content": [{"text": "a"}]},
        {"role": "a", "tool_calls": [{"function": {"name": "x", "arguments": "{}"}}]},
    ],
}
OPENCODE = {
    "info": {"id": "s", "title": "T"},
    "messages": [
        {
            "info": {"id": "m", "role": "user", "time": {"created": 1_790_000_000_000}},
            "parts": [
                {"type": "text", "text": "Why?"},
                {
                    "type": "tool",
                    "callID": "t",
                    "tool": "sh",
                    "state": {"input": {}, "output": "a"},
                },
            ],
        }
    ],
}
MARKDOWN = (
    "---\ntitle: A note\ntags: [a, b]\ndate: 2026-01-02\nextra: {x: 1}\n---\n\n# One\n\n"
    "text here\n\n## Two\n"
    "- item\n- item\n\n```python\n# no heading\n```\n\nUnder\n=====\n\n| a | b |\n~~~\nx\n"
)
BRV = (
    "---\ntitle: Roll back\nkeywords: [a]\nrelated: [a/b.md]\nimportance: 70\ntype: note\n---\n"
    "# Roll back\n"
    "**Files:**\n- `src/a.py`\n\nSee @a/b and @c/d.md\n"
)
TALK = "Ana: Hey Bo\nBo: Hello\nAna: How is it?\nBo: 3:4 (well)\n**Ana**: fine\n"
GIT = {
    "config": '[core]\n\tbare = false\n[remote "origin"]\n\turl = git@h.example:a/b.git\n',
    "HEAD": "ref: refs/heads/main\n",
    "packed-refs": "# pack-refs\n" + "0" * 40 + " refs/heads/main\n",
    "commondir": "..\n",
    "logs/HEAD": "0 1 a <a> 0 +0\tclone: from https://h/a/b\n",
    "objects/info/alternates": "../other\n",
}
IGNORE = "*.log\n/a/**/b\n!keep.log\ntmp/\n[a-c]?.txt\n\\#x\n**/y/**\n"
TOML = 'project = "shop"\n[query]\nlimit = 5\nmin_score = 0.5\n[index]\nchunk_tokens = 400\n'
QUESTIONS = (
    'redis AND (port OR "the host") NOT old*',
    "a b c",
    '"x y" OR z',
    "what was done last week in May",
)
GEMINI = RECORDS["gemini"][0] | {"messages": RECORDS["gemini"][1:3]}
