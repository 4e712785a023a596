"""A language model behind a server."""

from bowerbird.core.text import count_tokens
from bowerbird.core.thinking import unbounded
from bowerbird.models.http import Refused
from bowerbird.models.llm.wires import WIRES, read, too_long
from bowerbird.models.providers import is_local

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.core.thinking import Prompt, Said
    from bowerbird.models.http import Endpoint

_BAD = 400


class RemoteModel:
    """One model of one provider."""

    def __init__(self, provider: str, model: str, endpoint: "Endpoint", context: int) -> None:
        self._wire = WIRES[provider]
        # Of a longer prompt Ollama drops the beginning, and says nothing of it.
        self._cuts = provider == "ollama"
        # llama.cpp, on which these run, ends an answer by the lengths in its schema.
        self._bounds = self._cuts or (provider == "compatible" and endpoint.here)
        self._model = model
        self._endpoint = endpoint
        self._context = context
        self.name = f"{provider} {model}"
        self.host = endpoint.host
        self.remote = not is_local(endpoint, model if provider == "ollama" else "")

    def answer(self, prompt: "Prompt", patience: float) -> "Said":
        """What it says. Raises Refused for an error of the server, and ModelError."""
        needed = count_tokens(prompt.instructions + prompt.message) + prompt.most_tokens
        if self._cuts and needed > self._context:
            raise too_long(f"{self.name} is to read {self._context:,} tokens, not {needed:,}")
        plain = prompt.replace(schema=unbounded(prompt.schema))
        if not self._bounds:
            prompt = plain
        try:
            reply = self._post(prompt, patience)
        except Refused as refused:
            # A proxy on this machine passes it on to a strict mode.
            if refused.status != _BAD or refused.too_long or prompt.schema == plain.schema:
                raise
            reply = self._post(plain, patience)
        return read(self._wire, reply, self.name)

    def _post(self, prompt: "Prompt", patience: float) -> "Any":
        body = self._wire.body(self._model, prompt, self._context)
        return self._endpoint.post(self._wire.path(self._model), body, patience)

    def close(self) -> None:
        """Close idle connections."""
        self._endpoint.close()
