"""Lines that are no messages: who asks is answered, and the server ends when its client does.

``FUZZ_LINES=5000 pytest tests/surface/mcp/test_malformed.py`` sends more of them.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from typing import Any

import pytest

from bowerbird.surfaces.mcp.protocol import NO_JSON, NO_REQUEST, WRONG_PARAMS

COUNT = int(os.environ.get("FUZZ_LINES", "300"))
HELLO = (
    '{"jsonrpc": "2.0", "id": "hello", "method": "initialize", "params": {"protocolVersion":'
    ' "2025-11-25", "capabilities": {}, "clientInfo": {"name": "a", "version": "1"}}}\n'
    '{"jsonrpc": "2.0", "method": "notifications/initialized"}\n'
)
DEEP = "[" * 100_000 + "]" * 100_000


def heard(sent: str | bytes) -> list[dict[str, Any]]:
    """Everything that a server says to these lines until it ends, by itself."""
    given = sent if isinstance(sent, bytes) else sent.encode()
    command = [sys.executable, "-m", "bowerbird", "mcp"]
    done = subprocess.run(command, input=given, capture_output=True, check=True, timeout=600)
    output = [json.loads(line) for line in done.stdout.split(b"\n")[:-1]]
    assert all(one["jsonrpc"] == "2.0" for one in output)
    return output


# A line, the id of the answer, and its code.
MALFORMED = (
    (r'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"\ud800"}}', 1, WRONG_PARAMS),
    (r'{"jsonrpc":"2.0","id":"\ud800","method":"ping"}', "\ud800", WRONG_PARAMS),
    ('{"jsonrpc":"2.0","id":2,"method":"ping","params":[1]}', 2, WRONG_PARAMS),
    ('{"jsonrpc":"2.0","id":3,"method":"ping","params":[]}', 3, WRONG_PARAMS),
    ('{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":5}}', 4, WRONG_PARAMS),
    ('{"jsonrpc":"2.0","id":5,"method":"tools/call"}', 5, WRONG_PARAMS),
    (f'{{"jsonrpc":"2.0","id":6,"method":"ping","params":{{"x":{DEEP}}}}}', None, NO_JSON),
    ('{"jsonrpc":"2.0","id":7,"method":5}', 7, NO_REQUEST),
    ('{"jsonrpc":"1.0","id":8,"method":"ping"}', 8, NO_REQUEST),
    ('{"id":9,"method":"ping"}', 9, NO_REQUEST),
    ('{"jsonrpc":"2.0","id":10}', 10, NO_REQUEST),
    ('{"jsonrpc":"2.0","id":8.5,"method":"ping"}', 8.5, NO_REQUEST),
    ('{"jsonrpc":"2.0","id":1e400,"method":"ping"}', None, NO_REQUEST),
    ('{"jsonrpc":"2.0","id":null,"method":"ping"}', None, NO_REQUEST),
    ('{"jsonrpc":"2.0","id":true,"method":"ping"}', None, NO_REQUEST),
    ('[{"jsonrpc":"2.0","id":11,"method":"ping"}]', None, NO_REQUEST),
    ('"ping"', None, NO_REQUEST),
    ('{"jsonrpc":"2.0","id":12,"method"', None, NO_JSON),
    ("no JSON", None, NO_JSON),
)  # fmt: skip


def test_malformed_requests_are_answered_in_a_conversation() -> None:
    """Each by itself, and the request behind them as if they had not been."""
    last = '{"jsonrpc": "2.0", "id": "last", "method": "ping"}\n'
    answers = heard(HELLO + "".join(line + "\n" for line, _, _ in MALFORMED) + last)
    refused = [one for one in answers if "error" in one]
    assert sorted((repr(one["id"]), one["error"]["code"]) for one in refused) == sorted(
        (repr(id), code) for _, id, code in MALFORMED
    )
    assert all(one["error"]["message"] for one in refused)
    assert {"hello", "last"} == {one["id"] for one in answers if "result" in one}


def test_half_a_character_is_refused_with_what_to_do() -> None:
    line, _, _ = next(one for one in MALFORMED if "ud800" in one[0])
    _, answer = heard(HELLO + line)
    assert answer["error"]["message"].endswith("leave that character out")


@pytest.mark.parametrize(
    ("line", "id", "code"), [MALFORMED[0], MALFORMED[7], MALFORMED[15], MALFORMED[17]]
)
def test_a_malformed_request_is_answered(line: str, id: object, code: int) -> None:
    """Also as the last line, which nothing ends, and before anything else."""
    hello, answer = heard(HELLO + line)
    assert hello["id"] == "hello"
    assert (answer["id"], answer["error"]["code"]) == (id, code)
    assert heard(line) == [answer] or code == WRONG_PARAMS


def test_what_asks_nothing_is_not_answered() -> None:
    quiet = (
        "\n  \n"
        '{"jsonrpc": "2.0", "method": "notifications/\\ud800"}\n'
        '{"jsonrpc": "2.0", "id": 5, "result": {}}\n'
        '{"jsonrpc": "2.0", "id": null, "error": {"code": 1, "message": "x"}}\n'
        '{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": [1]}\n'
    )
    assert [one["id"] for one in heard(HELLO + quiet)] == ["hello"]


def spoilt(draw: random.Random, number: int) -> tuple[bytes, object]:
    """A request, spoilt or not, and the id that it has; None where it is not to be read."""
    message: dict[str, Any] = {
        "jsonrpc": "2.0",
        "id": draw.choice((number, f"n{number}")),
        "method": draw.choice(("ping", "tools/list", "tools/call", "resources/read", "no/such")),
    }
    odd: tuple[Any, ...] = (
        None,
        5,
        -1.5,
        True,
        "",
        "x",
        [],
        [1],
        {},
        {"name": 5},
        {"_meta": 3},
        "\ud800",
        {"\udfff": 1},
    )
    if draw.random() < 0.7:
        message["params"] = draw.choice(odd)
    for _ in range(draw.choice((0, 0, 1, 1, 2))):
        key = draw.choice(("jsonrpc", "method", "params", "extra", "result", "error"))
        if draw.random() < 0.3:
            message.pop(key, None)
        else:
            message[key] = draw.choice(odd)
    line = json.dumps(message).encode()
    if draw.random() < 0.1:
        place = draw.randrange(len(line))
        line = line[:place] + bytes([draw.randrange(256)]) + line[place + 1 :]
        line = line.replace(b"\n", b" ")
    try:
        read = json.loads(line.decode("utf-8", "replace"))
    except ValueError:
        return line, None
    asks = isinstance(read, dict) and ("method" in read or not {"result", "error"} & set(read))
    return line, read.get("id") if asks else None


def test_every_line_with_an_id_is_answered() -> None:
    draw = random.Random(14)
    lines = [spoilt(draw, number) for number in range(COUNT)]
    answers = heard(HELLO.encode() + b"\n".join(line for line, _ in lines))
    answered = [one.get("id") for one in answers]
    for line, id in lines:
        if type(id) in (int, str):
            assert answered.count(id) == 1, line
    assert "hello" in answered
