"""A language model in a GGUF file, run by xllamacpp (llama.cpp)."""

import os

from bowerbird.core.errors import BadConfig
from bowerbird.models.gguf import GgufEndpoint
from bowerbird.models.http import Refused
from bowerbird.models.llm.wires import Compatible, read, too_long

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.thinking import Prompt, Said

_WIRE = Compatible()


class GgufModel:
    """One file, loaded at the first question."""

    remote = False
    host = ""

    def __init__(self, path: str, context: int) -> None:
        """Raises BadConfig if there is no such file."""
        path = os.path.expanduser(path)
        if not os.path.isfile(path):
            raise BadConfig(f"llm.model: no file {path}", "name a GGUF file on this machine")
        self._endpoint = GgufEndpoint(path, "llm", context)
        self._context = context
        self.name = f"gguf {self._endpoint.model}"

    def answer(self, prompt: "Prompt", patience: float) -> "Said":
        """What it says. Raises ModelError, also without xllamacpp."""
        body = _WIRE.body(self.name, prompt, self._context)
        try:
            reply = self._endpoint.post(_WIRE.path(self.name), body, patience)
        except Refused as refused:
            if refused.too_long:
                raise too_long(refused.message) from refused
            raise
        return read(_WIRE, reply, self.name)

    def close(self) -> None:
        """Free its memory; the next question loads it again."""
        self._endpoint.close()
