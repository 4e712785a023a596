"""A language model in a GGUF file, run in this process by xllamacpp (llama.cpp)."""

import os
from threading import Lock

from bowerbird.core.clock import within
from bowerbird.core.errors import BadConfig, ModelError
from bowerbird.models.gguf import loaded
from bowerbird.models.llm.wires import Compatible, read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.core.thinking import Prompt, Said

_WIRE = Compatible()


class GgufModel:
    """One file, loaded at the first question. One question at a time."""

    remote = False
    host = ""

    def __init__(self, path: str, context: int) -> None:
        """Raises BadConfig if there is no such file."""
        self._path = os.path.expanduser(path)
        if not os.path.isfile(self._path):
            raise BadConfig(f"llm.model: no file {self._path}", "name a GGUF file on this machine")
        self._context = context
        self._server: Any = None
        self._lock = Lock()
        self.name = f"gguf {os.path.basename(self._path)}"

    def answer(self, prompt: "Prompt", patience: float) -> "Said":
        """What it says. Raises ModelError, also without xllamacpp."""
        server = self._loaded()
        body = _WIRE.body(self.name, prompt, self._context)

        def ask() -> "Any":
            with self._lock:
                return server.handle_chat_completions(body)

        reply = within(patience, ask)
        if isinstance(reply, dict) and "error" in reply:
            said = reply["error"].get("message", "") if isinstance(reply["error"], dict) else ""
            raise ModelError(
                f"{self.name} fails: {said}", "raise llm.context, or use another model"
            )
        return read(_WIRE, reply, self.name)

    def _loaded(self) -> "Any":
        with self._lock:
            if self._server is None:
                self._server = loaded(self._path, self._context)
        return self._server

    def close(self) -> None:
        """Free its memory; the next question loads it again."""
        self._server = None
