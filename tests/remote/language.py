"""A server with a language model of each provider, in its own words, that fails as it is told."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, Self

from bowerbird.core.config import Config
from bowerbird.guard.redact import ALLOW_NOTHING
from bowerbird.models.llm.registry import thinker
from bowerbird.storage.model_use import ModelUses

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from bowerbird.core.clock import Clock
    from bowerbird.models.llm.tiers import Tiers

# Of no provider: made up for these tests, in the shape of theirs.
KEY = "sk-test-0123456789abcdefghijklmnop"
READ, WRITTEN = 120, 30


def tiers(folder: Path, clock: Clock, **settings: Any) -> Tiers:
    """The models of some settings of `llm`, counted beside a store in a folder."""
    config = Config()
    for name, value in settings.items():
        config.put(f"llm.{name}", value, "test")
    uses = ModelUses(str(folder / "memory.db"), lambda _: ())
    found = thinker(config, uses, ALLOW_NOTHING, clock, {})
    assert found is not None
    return found


def _openai(text: str, end: str) -> dict[str, Any]:
    refused = end == "refused"
    message = {
        "role": "assistant",
        "content": None if refused else text,
        "refusal": "I can't help with that." if refused else None,
    }
    ended = {"cut": "length"}.get(end, "stop")
    used = {"prompt_tokens": READ, "completion_tokens": WRITTEN, "total_tokens": READ + WRITTEN}
    return {"choices": [{"index": 0, "message": message, "finish_reason": ended}], "usage": used}


def _ollama(text: str, end: str) -> dict[str, Any]:
    return {
        "model": "m",
        "message": {"role": "assistant", "content": text},
        "done": True,
        "done_reason": {"cut": "length"}.get(end, "stop"),
        "prompt_eval_count": READ,
        "eval_count": WRITTEN,
    }


def _gemini(text: str, end: str) -> dict[str, Any]:
    used = {"promptTokenCount": READ, "candidatesTokenCount": 20, "thoughtsTokenCount": 10}
    if end == "refused":
        return {"promptFeedback": {"blockReason": "SAFETY"}, "usageMetadata": used}
    parts = [{"text": "hm", "thought": True}, {"text": text}]
    ended = {"cut": "MAX_TOKENS"}.get(end, "STOP")
    candidate = {"content": {"role": "model", "parts": parts}, "finishReason": ended}
    return {"candidates": [candidate], "usageMetadata": used}


def _anthropic(text: str, end: str) -> dict[str, Any]:
    return {
        "type": "message",
        "content": [] if end == "refused" else [{"type": "text", "text": text}],
        "stop_reason": {"cut": "max_tokens", "refused": "refusal"}.get(end, "end_turn"),
        "usage": {"input_tokens": READ, "output_tokens": WRITTEN},
    }


def _cloudflare(text: str, _end: str) -> dict[str, Any]:
    try:
        said = json.loads(text)  # it parses what its schema asked for
    except ValueError:
        said = text
    used = {"prompt_tokens": READ, "completion_tokens": WRITTEN}
    return {"result": {"response": said, "usage": used}, "success": True, "errors": []}


def shape_of(path: str) -> Callable[[str, str], dict[str, Any]]:
    """How the provider with that path answers."""
    if path.endswith("/chat/completions"):
        return _openai
    if path.endswith("/api/chat"):
        return _ollama
    if path.endswith(":generateContent"):
        return _gemini
    if path.endswith("/messages"):
        return _anthropic
    return _cloudflare


class LanguageServer:
    """Answers with the texts of `says`, the last one again and again. `asked` has path, headers, body.

    An entry of `says` is a text, a text and how it ended (``cut``, ``refused``), a status with body and
    headers, ``hang`` or ``die``.
    """

    def __init__(self) -> None:
        self.says: list[Any] = ["{}"]
        self.asked: list[tuple[str, dict[str, str], dict[str, Any]]] = []
        self.over = threading.Event()
        self._lock = threading.Lock()
        handler = type("Handler", (_Handler,), {"ours": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *raised: object) -> None:
        self.over.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _serve(self) -> None:
        self._server.serve_forever(poll_interval=0.01)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    @property
    def bodies(self) -> list[dict[str, Any]]:
        return [body for _, _, body in self.asked]

    def next(self, path: str, headers: dict[str, str], body: dict[str, Any]) -> Any:
        with self._lock:
            self.asked.append((path, headers, body))
            said = self.says.pop(0) if len(self.says) > 1 else self.says[0]
        return said(body) if callable(said) else said


class _Handler(BaseHTTPRequestHandler):
    ours: LanguageServer
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        headers = {name.lower(): value for name, value in self.headers.items()}
        said = self.ours.next(self.path, headers, body)
        if said == "hang":
            self.ours.over.wait()
            return
        if said == "die":
            self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n{")
            self.close_connection = True
            return
        status, more = 200, {}
        if isinstance(said, tuple) and isinstance(said[0], int):
            status, data, more = (*said, {})[:3]
        else:
            text, end = said if isinstance(said, tuple) else (said, "")
            data = json.dumps(shape_of(self.path)(text, end))
        self.send_response(status)
        self.send_header("Content-Length", str(len(data.encode())))
        for name, value in more.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data.encode())

    def log_message(self, *_arguments: object) -> None:
        """Say nothing."""
