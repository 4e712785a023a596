"""The language model of another package."""

from bowerbird.core.errors import ModelError, PluginFailed
from bowerbird.core.plugins import LANGUAGE_MODELS
from bowerbird.core.thinking import Said, unbounded
from bowerbird.host.plugins import made, told

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.core.ports.thinking import LanguageModel
    from bowerbird.core.thinking import Prompt

_HAS = ("remote", "answer")


class PluggedModel:
    """One of an installed package, made at the first question."""

    host = ""

    def __init__(self, provider: str, settings: "dict[str, Any]") -> None:
        """`settings` are those of `llm` for the tier: model, endpoint, key, timeout, context."""
        self._provider = provider
        self._settings = settings
        self._inner: LanguageModel | None = None
        self.name = f"{provider} {settings['model']}".strip()
        # What a package says of itself is known once it is made; until then it counts as remote.
        self.remote = True

    def answer(self, prompt: "Prompt", patience: float) -> Said:
        """What it says. Raises ModelError."""
        inner = self._made()
        try:
            said = inner.answer(prompt.replace(schema=unbounded(prompt.schema)), patience)
        except ModelError:
            raise
        except Exception as error:  # it is somebody else's code
            remedy = "update its package, or choose another llm.provider"
            message = f"the language model {self._provider!r} failed: {told(error)}"
            raise ModelError(message, remedy) from error
        if not isinstance(said, Said):
            raise ModelError(f"the language model {self._provider!r} answers with no Said")
        return said

    def _made(self) -> "LanguageModel":
        if self._inner is None:
            try:
                self._inner = made(LANGUAGE_MODELS, self._provider, self._settings, has=_HAS)
            except PluginFailed as error:
                raise ModelError(error.message, error.remedy) from error
            if self._inner is None:
                raise ModelError(f"the language model {self._provider!r} is not installed")
            self.remote = bool(self._inner.remote)
        return self._inner

    def close(self) -> None:
        """Its package keeps nothing that we could close."""
