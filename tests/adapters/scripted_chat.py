"""A model server on loopback that speaks OpenAI's chat completions and follows a script."""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from collections.abc import Iterator

# A step: a text that ends the turn, or a tool with its input.
Step = str | tuple[str, dict[str, Any]]


class Chat:
    """Answers each request that offers tools by the next step; "Done." to all others."""

    def __init__(self, *steps: Step) -> None:
        self.steps = list(steps)
        self.requests: list[dict[str, Any]] = []
        self.address = ""

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """The message that answers a request."""
        step: Step = "Done."
        if request.get("tools"):
            self.requests.append(request)
            step = self.steps.pop(0) if self.steps else step
        if isinstance(step, str):
            return {"role": "assistant", "content": step}
        call = {"name": step[0], "arguments": json.dumps(step[1])}
        use = {"index": 0, "id": f"c{len(self.steps)}", "type": "function", "function": call}
        return {"role": "assistant", "content": None, "tool_calls": [use]}

    def messages(self) -> list[dict[str, Any]]:
        """All messages of the longest conversation."""
        found: list[dict[str, Any]] = max((one["messages"] for one in self.requests), key=len)
        return found


@contextmanager
def serving(*steps: Step) -> Iterator[Chat]:
    """A model that follows these steps, at its `address`."""
    chat = Chat(*steps)
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"chat": chat}))
    chat.address = f"http://127.0.0.1:{server.server_port}/v1"
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield chat
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    chat: ClassVar[Chat]
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: Any) -> None:
        """Say nothing: the test's output is not a log."""

    def do_GET(self) -> None:
        self._reply(json.dumps({"object": "list", "data": [{"id": "m", "object": "model"}]}))

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        message = self.chat.answer(request)
        why = "tool_calls" if "tool_calls" in message else "stop"
        about: dict[str, Any] = {"id": "x", "created": 1, "model": "m"}
        about["usage"] = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        choice = {"index": 0, "finish_reason": why}
        if not request.get("stream"):
            choices = [{**choice, "message": message}]
            self._reply(json.dumps({**about, "object": "chat.completion", "choices": choices}))
            return
        about["object"] = "chat.completion.chunk"
        parts = [{**choice, "delta": message, "finish_reason": None}, {**choice, "delta": {}}]
        lines = [f"data: {json.dumps({**about, 'choices': [one]})}\n\n" for one in parts]
        self._reply("".join([*lines, "data: [DONE]\n\n"]), "text/event-stream")

    def _reply(self, text: str, kind: str = "application/json") -> None:
        body = text.encode()
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
