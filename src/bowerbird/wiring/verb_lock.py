"""Serialises the verbs of threads that share a store."""

from _thread import RLock
from functools import wraps

from bowerbird.core.given import names_of, require_texts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from types import TracebackType
    from typing import Any, ParamSpec, TypeVar

    from bowerbird.core.ports.store import Backend

    P = ParamSpec("P")
    R = TypeVar("R")


class VerbLock:
    """A lock that is held while a verb of one store runs, for whatever project.

    Errors that the backend raises inside it are converted to Bowerbird's, with a remedy.
    """

    def __init__(self, path: str, backend: "Backend") -> None:
        self._backend = backend
        self._lock = RLock()
        self._path = path

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(
        self,
        kind: "type[BaseException] | None",
        raised: "BaseException | None",
        traceback: "TracebackType | None",
    ) -> None:
        self._lock.release()
        if isinstance(raised, Exception):
            ours = self._backend.ours(raised, self._path)
            if ours is not None:
                raise ours from raised


def in_turn(verb: "Callable[P, R]") -> "Callable[P, R]":
    """Decorates a verb: checks its texts, and waits until no other thread runs one on the same store.

    A connection, its transaction and its caches belong to one verb at a time. A verb may call another,
    for instance a `progress` callback that reads the status.
    """
    names, rest = names_of(verb)

    @wraps(verb)
    def waiting(*given: "P.args", **named: "P.kwargs") -> "R":
        whose: Any = given[0]
        require_texts(names, rest, given[1:], named)
        with whose._wiring.turn:  # noqa: SLF001 the verb's own
            return verb(*given, **named)

    return waiting


def keywords(verb: "Callable[..., object]") -> "Iterable[str]":
    """The names of a verb's keyword arguments, apart from those that it takes as `**`."""
    written: dict[str, object] = verb.__wrapped__.__kwdefaults__  # type: ignore[attr-defined]  # set by `wraps`
    return written
