"""The reranker of another package, whose failures leave the order as it is."""

from bowerbird.core.errors import ModelError, PluginFailed, nearest
from bowerbird.core.plugins import PREFIX, RERANKERS
from bowerbird.guard.redact import redact
from bowerbird.host.plugins import made, told

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.core.ports.thinking import Reranker

_HAS = ("most", "budget_s", "order")


class PluggedReranker:
    """The reranker of an installed package, made at once; one that cannot be made orders nothing."""

    unsure_only = False

    def __init__(self, name: str, ours: list[str]) -> None:
        """`ours` are the names of the rerankers that need no package."""
        self._name = name
        self._failed: ModelError | None = None
        self._inner: Reranker | None = None
        # One text, so that the attempt is made and reported.
        self.most, self.budget_s = 1, 0.0
        try:
            self._inner = made(RERANKERS, name, has=_HAS)
        except PluginFailed as error:
            self._failed = ModelError(error.message, error.remedy)
        if self._inner is not None:
            self.most, self.budget_s = self._inner.most, self._inner.budget_s
        elif self._failed is None:
            near = nearest(name, ours)
            remedy = f"install a package with an entry point {name!r} in {PREFIX}{RERANKERS}"
            remedy = f"did you mean {near}?" if near else remedy
            self._failed = ModelError(f"the reranker {name!r} is not installed", remedy)

    def order(self, question: str, texts: "Sequence[str]") -> "Sequence[int]":
        """The positions of the texts, the best first. The package gets no secret. Raises ModelError."""
        if self._failed is not None or self._inner is None:
            raise self._failed or ModelError(f"there is no reranker {self._name!r}")
        try:
            return [int(at) for at in self._inner.order(redact(question).text, texts)]
        except Exception as error:  # it is somebody else's code
            remedy = "update its package, or take it out of rerank.provider"
            raise ModelError(
                f"the reranker {self._name!r} failed: {told(error)}", remedy
            ) from error

    def close(self) -> None:
        """Does nothing: the package holds what it holds."""
