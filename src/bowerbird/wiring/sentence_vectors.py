"""How the sentences of a session are said: read at the end of a turn, they are not read again later."""

from array import array
from hashlib import blake2b
from itertools import chain

from bowerbird.core.types import Vector

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bowerbird.core.ports.models import Reader
    from bowerbird.storage.question_vectors import QuestionVectors

# Of one session, some 2,500 sentences; the older half of more is read again.
MOST_BYTES = 8 << 20
# Begin the names under which they are kept: the same model gives vectors of several sorts.
_MANNER = "manner "
_TOLD = "told "


class SentenceVectors:
    """What the contextual model says of sentences; `kept` has what other processes read of the session.

    With `keep` they find what this one reads. Raises ModelError.
    """

    def __init__(self, reader: "Reader", kept: "QuestionVectors", *, keep: bool) -> None:
        self._reader = reader
        self._kept = kept
        self._keep = keep
        self._known: dict[str, dict[bytes, list[float]]] = {_MANNER: {}, _TOLD: {}}
        self._finders: dict[str, Callable[[bytes], Vector | None]] = {}

    def manner(self, texts: "Sequence[str]") -> list[list[float]]:
        """The vectors of some sentences, in order (`Reader.manner`)."""
        return self._read(_MANNER, [*texts], self._reader.manner)

    def told(self, sentences: "Sequence[str]") -> list[list[float]]:
        """What the sentences of one text do (`Reader.told`)."""
        if not sentences:
            return []
        (numbers,) = self._read(
            _TOLD, ["\0".join(sentences)], lambda _: [[*chain(*self._reader.told(sentences))]]
        )
        wide = len(numbers) // len(sentences)
        return [numbers[at : at + wide] for at in range(0, len(numbers), wide)]

    def _read(
        self,
        sort: str,
        texts: "Sequence[str]",
        read: "Callable[[Sequence[str]], list[list[float]]]",
    ) -> list[list[float]]:
        known = self._known[sort]
        left: dict[bytes, str] = {}
        for text in texts:
            one = _hash(text)
            if one in known:
                continue
            if (vector := self._find(sort, one)) is not None:
                known[one] = array("f", vector.values).tolist()
            else:
                left[one] = text
        if left:
            new = dict(zip(left, read([*left.values()]), strict=True))
            known |= new
            if self._keep:
                vectors = {
                    one: Vector(array("f", each).tobytes(), 1.0) for one, each in new.items()
                }
                self._kept.keep(self._model(sort), vectors)
        return [known[_hash(text)] for text in texts]

    def _find(self, sort: str, one: bytes) -> "Vector | None":
        if sort not in self._finders:
            self._finders[sort] = self._kept.finder(self._model(sort))
        return self._finders[sort](one)

    def _model(self, sort: str) -> str:
        return sort + str(self._reader.identity)


def _hash(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
