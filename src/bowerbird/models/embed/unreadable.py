"""Replaces a model that cannot be made: each use raises the reason, and queries use words alone."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bowerbird.core.errors import ModelError
    from bowerbird.core.types import ModelIdentity, Vector


class Unreadable:
    """An embedder that raises the error with which making the model failed."""

    sentences = False

    def __init__(self, error: "ModelError") -> None:
        self._error = error

    @property
    def identity(self) -> "ModelIdentity":
        """Raises ModelError."""
        raise self._error

    def ready(self) -> None:
        """Raises ModelError."""
        raise self._error

    def embed(self, _texts: "Sequence[str]") -> "list[Vector]":
        """Raises ModelError."""
        raise self._error

    def embed_query(
        self, _text: str, _word_weight: "Callable[[str], float] | None" = None
    ) -> "Vector":
        """Raises ModelError."""
        raise self._error
