"""Who is let in, and what is taken: on every route, in every interface."""

from __future__ import annotations

import json
import secrets
import socket
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import anyio
import pytest

from bowerbird.daemon.log import Log
from bowerbird.daemon.tokens import Tokens
from bowerbird.surfaces.http.gate import LARGEST_BODY, MOST, MOST_OF_ONE, Gate

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.surface.http.conftest import Server

QUERY = "/api/v1/query"


def open_routes(server: Server) -> list[tuple[str, str]]:
    return [(how, path) for how, path in server.routes() if path == "/health"]


def test_without_a_token_or_with_a_wrong_one_every_route_is_closed_but_health(
    server: Server,
) -> None:
    right = server.token
    wrong = [
        None,
        {"Authorization": ""},
        {"Authorization": "Bearer"},
        {"Authorization": f"Bearer {secrets.token_urlsafe(32)}"},
        {"Authorization": f"Bearer {right[:-1]}"},
        {"Authorization": f"Bearer {right}x"},
        {"Authorization": f"Basic {right}"},
        {"Authorization": right},
        {"Cookie": f"token={right}"},
    ]
    for how, path in server.routes():
        for headers in wrong:
            said = server.ask(how, path, token=None, headers=headers)
            assert said.status == (200 if path == "/health" else 401), (how, path, headers)
        said = server.ask(how, f"{path}?token={right}", token=None)
        assert said.status == (200 if path == "/health" else 401)
    assert server.ask("GET", "/health", token=None).data["status"] == "ok"
    assert set(server.ask("GET", "/health", token=None).data) == {"status", "version"}


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": "127.0.0.1"},
        {"Host": "127.0.0.1:1"},
        {"Host": "localhost.evil.example:80"},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://localhost:1"},
        {"Origin": "file://"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_a_foreign_host_or_origin_is_refused_on_every_route(
    server: Server, headers: dict[str, str]
) -> None:
    for how, path in server.routes():
        for token in ("", None):
            said = server.ask(how, path, token=token, headers=headers)
            assert said.status == 403, (how, path)
            assert "access-control-allow-origin" not in said.headers


def test_its_own_names_are_taken(server: Server) -> None:
    for host in (f"127.0.0.1:{server.port}", f"LOCALHOST:{server.port}", f"[::1]:{server.port}"):
        own = {"Host": host, "Origin": f"http://{host}", "Sec-Fetch-Site": "same-origin"}
        assert server.ask("GET", "/health", headers=own).status == 200


def test_no_other_page_is_allowed_by_cors(server: Server) -> None:
    asked = {"Origin": "http://evil.example", "Access-Control-Request-Method": "POST"}
    said = server.ask("OPTIONS", QUERY, headers=asked)
    assert said.status == 403
    assert not [name for name in said.headers if name.startswith("access-control")]


def test_a_request_that_is_no_http_is_refused(server: Server) -> None:
    with socket.create_connection(("127.0.0.1", server.port), 600) as raw:
        raw.sendall(b"GET /health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n")
        assert raw.recv(1000).split(b" ")[1] in {b"400", b"403"}


@pytest.mark.parametrize(
    ("headers", "raw", "status"),
    [
        ({"Content-Type": "text/plain"}, b'{"query": "x"}', 415),
        ({"Content-Type": "application/x-www-form-urlencoded"}, b"query=x", 415),
        ({"Content-Type": "application/json; charset=latin-1"}, b"{}", 415),
        ({"Content-Type": "application/json", "Content-Encoding": "gzip"}, b"{}", 415),
        ({}, b"no json", 400),
        ({}, b'{"query": ', 400),
        ({}, b"\xff\xfe", 400),
        ({}, b'{"query": "\\ud800", "project": "shop"}', 400),
        ({}, b'{"query": "x"} {}', 400),
        ({}, b"[]", 422),
        ({}, b'{"query": "x", "project": "shop", "limit": 51}', 422),
        ({}, b'{"query": "x", "project": "shop", "limit": "5"}', 422),
        ({}, b'{"query": "x", "project": "shop", "limit": 1' + b"0" * 5000 + b"}", 400),
        ({}, b'{"query": "x", "project": "shop", "other": 1}', 422),
        ({}, b'{"query": "", "project": "shop"}', 422),
        ({}, b'{"query": "x", "project": ""}', 422),
        ({}, b'{"query": "x", "project": "shop", "since": "yesteryear"}', 422),
        ({}, b'{"query": "x", "project": "shop", "since": NaN}', 400),
        ({}, b'{"query": "' + b"x" * 10_001 + b'", "project": "shop"}', 422),
        ({}, b'{"query": "' + b"x" * LARGEST_BODY + b'"}', 413),
        ({}, b"[" * 100_000 + b"]" * 100_000, 400),
    ],
)
def test_what_cannot_be_taken_is_reported(
    server: Server, headers: dict[str, str], raw: bytes, status: int
) -> None:
    said = server.ask("POST", QUERY, raw=raw, headers=headers)
    assert said.status == status
    assert set(said.data) == {"error", "status", "remedy", "error_type"}
    assert said.data["status"] == "error"
    assert said.data["remedy"]


def test_deep_and_wide_structures_are_refused_and_not_kept(server: Server) -> None:
    deep: object = "x"
    for _ in range(100):
        deep = [deep]
    said = server.post("curate", content="a deep one", project="shop", metadata={"deep": deep})
    assert said.status == 422
    wide = {str(number): 10**400 for number in range(10)}
    said = server.post("curate", content="a wide one", project="shop", metadata=wide)
    assert said.status == 422
    assert server.get("list", project="shop").data["count"] == 0


def test_a_body_that_says_it_is_large_is_refused_before_it_is_sent(server: Server) -> None:
    with socket.create_connection(("127.0.0.1", server.port), 600) as raw:
        raw.sendall(
            f"POST {QUERY} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
            f"Authorization: Bearer {server.token}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {10**12}\r\n\r\n".encode()
        )
        assert raw.recv(1000).split(b" ")[1] == b"413"


def test_a_body_in_pieces_is_counted_too(server: Server) -> None:
    with socket.create_connection(("127.0.0.1", server.port), 600) as raw:
        raw.sendall(
            f"POST {QUERY} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
            f"Authorization: Bearer {server.token}\r\nContent-Type: application/json\r\n"
            f"Transfer-Encoding: chunked\r\n\r\n".encode()
        )
        piece = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
        for _ in range(LARGEST_BODY // 0x10000 + 1):
            raw.sendall(piece)
        assert raw.recv(1000).split(b" ")[1] == b"413"


@pytest.mark.parametrize(
    ("path", "token", "status"),
    [(QUERY, True, 413), (QUERY, False, 401), ("/mcp", True, 413), ("/ui/do/curate", False, 403)],
)
def test_who_sends_far_too_much_hears_why(
    server: Server, path: str, token: bool, status: int
) -> None:
    """Python's client sends everything first: it saw a reset connection and no answer."""
    headers = {"Content-Type": "application/json"}
    headers |= {"Authorization": f"Bearer {server.token}"} if token else {}
    for body in (b" " * 10_000_000, iter([b" " * 1_000_000] * 10)):
        asked = urllib.request.Request(
            f"http://127.0.0.1:{server.port}{path}", body, headers, method="POST"
        )
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(asked, timeout=600)
        assert refused.value.code == status
        assert refused.value.read()


@pytest.mark.parametrize("path", [QUERY, "/health"])
def test_a_body_of_two_lengths_is_refused_and_nothing_behind_it_is_read(
    server: Server, path: str
) -> None:
    with socket.create_connection(("127.0.0.1", server.port), 600) as raw:
        head = f"Host: 127.0.0.1:{server.port}\r\nAuthorization: Bearer {server.token}\r\n"
        raw.sendall(
            f"POST {path} HTTP/1.1\r\n{head}Content-Type: application/json\r\n"
            f"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
            f"GET /health HTTP/1.1\r\n{head}\r\n".encode()
        )
        heard = b"".join(iter(lambda: raw.recv(10_000), b""))
        assert heard.split(b" ")[1] == b"400"
        assert heard.count(b"HTTP/1.1 ") == 1


def test_neither_one_token_nor_all_of_them_may_take_all_the_room(store_path: str) -> None:
    """Requests that are under way hold their places; the next one is told to wait, others are not."""
    tokens = Tokens(store_path)
    texts = {name: tokens.make(name, read_only=True, projects=()) for name in ("one", "two")}
    go_on = anyio.Event()
    begun = 0

    async def slow(scope: Any, receive: Any, send: Any) -> None:
        nonlocal begun
        begun += 1
        await go_on.wait()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    async def nobody(_: str) -> None:
        return None

    gate = Gate(slow, tokens, nobody, frozenset({"here"}), Log(quiet=True))

    async def ask(name: str, statuses: list[tuple[int, str]]) -> None:
        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: Any) -> None:
            if message["type"] == "http.response.start":
                reported = {
                    key.decode().lower(): value.decode() for key, value in message["headers"]
                }
                statuses.append((message["status"], reported.get("retry-after", "")))

        headers = [(b"host", b"here"), (b"authorization", f"Bearer {texts[name]}".encode())]
        scope = {"type": "http", "method": "GET", "path": "/x", "headers": headers}
        await gate(scope, receive, send)

    async def main() -> None:
        served: list[tuple[int, str]] = []
        refused: list[tuple[int, str]] = []
        async with anyio.create_task_group() as group:
            for name, count in (("one", MOST_OF_ONE), ("two", MOST - MOST_OF_ONE)):
                for _ in range(count):
                    group.start_soon(ask, name, served)
                await anyio.wait_all_tasks_blocked()
                await ask(name, refused)
            assert begun == MOST
            assert refused == [(429, "1"), (503, "1")]
            assert not served
            go_on.set()
        await ask("one", served)
        assert served == [(200, "")] * (MOST + 1)

    anyio.run(main)


def test_silent_connections_hold_nobody_up(server: Server) -> None:
    """Heads that come drop by drop, more of them than the server keeps."""
    silent = []
    try:
        for _ in range(700):
            one = socket.create_connection(("127.0.0.1", server.port), 600)
            one.sendall(b"POST /api/v1/query HTTP/1.1\r\nHost: ")
            silent.append(one)
        with ThreadPoolExecutor(8) as pool:
            asked = pool.map(lambda _: server.post("query", query="x", project="shop"), range(40))
            assert {said.status for said in asked} == {200}
    finally:
        for one in silent:
            one.close()


def test_every_answer_is_json_that_no_browser_takes_for_a_page(server: Server) -> None:
    text = "<script>alert(1)</script> is what the page shows"
    kept = server.post("curate", content=text, project="html")
    found = server.post("query", query="what does the page show", project="html")
    got = server.get(f"get/{kept.data['id']}", project="html")
    assert found.data["results"][0]["text"] == got.data["text"] == text
    for said in (kept, found, got, server.ask("GET", "/<script>alert(1)</script>")):
        assert said.headers["content-type"] == "application/json"
        assert said.headers["x-content-type-options"] == "nosniff"
        assert said.headers["cache-control"] == "no-store"
        assert "default-src 'none'" in said.headers["content-security-policy"]
    assert b"script" not in server.ask("GET", "/<script>").body


def test_the_log_holds_nothing_of_what_was_said(serve: Callable[..., Server]) -> None:
    server = serve()
    word = "quetzalcoatlus"
    server.post("curate", content=f"The {word} flies at night", project=word)
    server.post("query", query=f"when does the {word} fly?", project=word)
    server.get("list", project=word, path=word)
    server.ask("GET", f"/{word}?{word}={word}")
    server.ask("POST", QUERY, raw=word.encode())
    server.end()
    expected = "\n".join(server.lines)
    assert word not in expected
    assert server.token not in expected
    requests = [json.loads(line) for line in server.lines if '"request"' in line]
    last = next(one for one in requests[::-1] if one["route"] == QUERY)
    assert last | {"time": "", "ms": 0} == {
        "time": "", "event": "request", "method": "POST", "route": QUERY, "status": 400, "ms": 0,
        "token": "user",
    }  # fmt: skip
