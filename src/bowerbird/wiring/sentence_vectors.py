"""How the sentences of a session are said: read at the end of a turn, they are not read again later."""

from array import array
from functools import cached_property
from hashlib import blake2b

from bowerbird.core.types import Vector

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bowerbird.core.ports.models import Reader
    from bowerbird.storage.question_vectors import QuestionVectors

# Of one session, some 2,500 sentences; the older half of more is read again.
MOST_BYTES = 8 << 20
# Begins the name under which they are kept: the same model gives vectors of other sorts, too.
_SORT = "manner "


class SentenceVectors:
    """What the contextual model says of sentences; `kept` has what other processes read of the session.

    With `keep` they find what this one reads. Raises ModelError.
    """

    def __init__(self, reader: "Reader", kept: "QuestionVectors", *, keep: bool) -> None:
        self._reader = reader
        self._kept = kept
        self._keep = keep
        self._known: dict[bytes, list[float]] = {}

    def __call__(self, texts: "Sequence[str]") -> list[list[float]]:
        """The vectors of some sentences, in order (`Reader.manner`)."""
        left: dict[bytes, str] = {}
        for text in texts:
            one = _hash(text)
            if one in self._known:
                continue
            if (vector := self._find(one)) is not None:
                self._known[one] = array("f", vector.values).tolist()
            else:
                left[one] = text
        if left:
            read = dict(zip(left, self._reader.manner([*left.values()]), strict=True))
            self._known |= read
            if self._keep:
                vectors = {
                    one: Vector(array("f", each).tobytes(), 1.0) for one, each in read.items()
                }
                self._kept.keep(self._model, vectors)
        return [self._known[_hash(text)] for text in texts]

    @cached_property
    def _find(self) -> "Callable[[bytes], Vector | None]":
        return self._kept.finder(self._model)

    @property
    def _model(self) -> str:
        return _SORT + str(self._reader.identity)


def _hash(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
