"""A model server on loopback that speaks Anthropic's streaming messages and follows a script."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, ClassVar, Self

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType

# A step: a text that ends the turn, or a tool with its input.
Step = str | tuple[str, dict[str, Any]]


class ScriptedModel:
    """Answers each request of the main conversation by the next step; "Done." when they are used up.

    `requests` are the bodies of those requests, in order.
    """

    def __init__(self, *steps: Step) -> None:
        self.steps = list(steps)
        self.requests: list[dict[str, Any]] = []
        self._lock = threading.Lock()
        handler = type("Handler", (_Handler,), {"model": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.address = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        raised: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def next_step(self, request: dict[str, Any]) -> Step:
        """The answer to a request: side requests, such as for a title, bring no shell."""
        tools = {tool.get("name") for tool in request.get("tools", ())}
        with self._lock:
            if "Bash" not in tools:
                return "Done."
            self.requests.append(request)
            return self.steps.pop(0) if self.steps else "Done."

    def texts(self) -> str:
        """Everything that reached the model in its messages."""
        return "\n".join(text for one in self.requests for text in _texts(one.get("messages")))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for one in value:
            yield from _texts(one)
    elif isinstance(value, dict):
        for one in value.values():
            yield from _texts(one)


class _Handler(BaseHTTPRequestHandler):
    model: ClassVar[ScriptedModel]
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: Any) -> None:
        """Say nothing: the test's output is not a log."""

    def do_GET(self) -> None:
        self._reply({"data": [], "has_more": False})

    def do_POST(self) -> None:
        size = int(self.headers.get("content-length", 0))
        request = json.loads(self.rfile.read(size) or b"{}")
        if "count_tokens" in self.path:
            self._reply({"input_tokens": 1_000})
        elif "/messages" not in self.path:
            self._reply({})
        else:
            self._answer(request, self.model.next_step(request))

    def _answer(self, request: dict[str, Any], step: Step) -> None:
        number = len(self.model.requests)
        if isinstance(step, str):
            block: dict[str, Any] = {"type": "text", "text": step}
            delta, reason = {"type": "text_delta", "text": step}, "end_turn"
            empty = block | {"text": ""}
        else:
            name, given = step
            block = {"type": "tool_use", "id": f"toolu_{number:024d}", "name": name, "input": given}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(given)}
            empty, reason = block | {"input": {}}, "tool_use"
        message: dict[str, Any] = {
            "id": f"msg_{number:024d}",
            "type": "message",
            "role": "assistant",
            "model": request.get("model", "claude"),
            "content": [],
            "stop_reason": None,
            "stop_sequence": None,
            "usage": {"input_tokens": 1_000, "output_tokens": 1},
        }
        if not request.get("stream"):
            self._reply(message | {"content": [block], "stop_reason": reason})
            return
        events: tuple[tuple[str, dict[str, Any]], ...] = (
            ("message_start", {"message": message}),
            ("content_block_start", {"index": 0, "content_block": empty}),
            ("content_block_delta", {"index": 0, "delta": delta}),
            ("content_block_stop", {"index": 0}),
            (
                "message_delta",
                {
                    "delta": {"stop_reason": reason, "stop_sequence": None},
                    "usage": {"output_tokens": 20},
                },
            ),
            ("message_stop", {}),
        )
        body = "".join(
            f"event: {kind}\ndata: {json.dumps({'type': kind} | data)}\n\n" for kind, data in events
        )
        self._send(body.encode(), "text/event-stream")

    def _reply(self, data: dict[str, Any]) -> None:
        self._send(json.dumps(data).encode(), "application/json")

    def _send(self, body: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
