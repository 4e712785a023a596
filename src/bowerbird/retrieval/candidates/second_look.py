"""A second look at memories and the best passages, where the first is unsure: by what reads sentences.

A sum of words does not know that "money back" and "refund" mean the same. What reads sentences
does, and costs a process that begins some 100 ms: so it is asked where words and meaning found nothing
sure. Processes that stay do the same, so that every door gives the same answer.
"""

from bowerbird.core.errors import ModelError
from bowerbird.core.language import GLOSSED
from bowerbird.core.types import MEMORY
from bowerbird.core.value import Do, Value
from bowerbird.retrieval.fuse import best
from bowerbird.retrieval.relevance import words_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from bowerbird.core.ports.memories import Contextual
    from bowerbird.core.ports.models import Reader
    from bowerbird.core.ports.store import Store
    from bowerbird.core.query import Query
    from bowerbird.core.trace import Trace
    from bowerbird.core.types import Entry, Vector
    from bowerbird.retrieval.analyse import Question
    from bowerbird.retrieval.relevance import Calibration

# An answer whose best hit is this relevant needs no second look.
SURE = 0.8
# Memories that are looked at, and how many more for each hit that is wanted.
POOL, FOR_A_HIT = 60, 4
# Passages that are looked at, those that it has read: among the best ten they gain half as much.
PASSAGES = 20
# The model has learnt English and reads some languages by what their words are in English. Of others it
# takes two texts for alike because they are of one language: where French was read as it stands, French
# memories had cosines of .4 to .6 to any French question, the right one among them.
LANGUAGES = frozenset(("en", "", *GLOSSED))
_NO_COSINES: "Mapping[int, float]" = {}


class Look(Value):
    """What the second look saw.

    `cosines` by row, and by row how the words of the question are `met`: all of them on average, and
    those that are met worst; `compared` is how many memories were. `passages` are cosines, too.
    """

    __slots__ = ("compared", "cosines", "met", "passages")

    def __init__(
        self,
        cosines: "Mapping[int, float]",
        met: "Mapping[int, tuple[float, float]]",
        compared: int,
        passages: "Mapping[int, float]" = _NO_COSINES,
    ) -> None:
        self.passages = passages
        self.cosines = cosines
        self.met = met
        self.compared = compared


_UNREAD = (
    "it does not read this language: memories were found by their words and what each of them means"
)
NONE = Look({}, {}, 0)


class Moved(Exception):
    """The store was written to while the model read the question: what was read is of another moment."""


def unsure(
    scores: "Mapping[int, float]", entries: "Mapping[int, Entry]", calibration: "Calibration"
) -> bool:
    """Whether no entry is surely relevant by the first look."""
    return not any(
        calibration.relevance(scores[row], words_of(entry)) >= SURE
        for row, entry in entries.items()
    )


class Understood:
    """What the contextual model makes of questions, with no transaction open while it computes.

    That takes 10 ms, and 100 in a process that begins: writers and the log do not wait for it.
    """

    def __init__(self, store: "Store", model: "Callable[[], Reader | None]") -> None:
        self._store = store
        self._model = model
        self._made: dict[str, tuple[Vector, Reader] | ModelError | None] = {}

    def __call__(self, text: str) -> "tuple[Vector, Reader] | None":
        """The vector of a text and whose it is; None where there is no such model.

        Raises ModelError, and Moved where the store was written to meanwhile: the next time it is known.
        """
        if text not in self._made and not self._store.apart(lambda: self._read(text)):
            raise Moved
        understood = self._made[text]
        if isinstance(understood, ModelError):
            raise understood
        return understood

    def _read(self, text: str) -> None:
        try:
            model = self._model()
            self._made[text] = None if model is None else (model.embed_query(text), model)
        except ModelError as error:
            self._made[text] = error


def passages(entries: "Mapping[int, Entry]", scores: "Mapping[int, float]") -> list[int]:
    """The best of some entries that are no memories."""
    ranked = {row: scores[row] for row, one in entries.items() if one.family != MEMORY}
    return list(best(ranked, PASSAGES))


def look(
    contextual: "Contextual",
    understood: Understood,
    question: "Question",
    query: "Query",
    passages: "Sequence[int]",
    trace: "Trace",
) -> Look:
    """The memories that come nearest by the contextual model, and how near passages come.

    None where it cannot look, and no passage that it has not read. Raises Moved.
    """
    if query.fast:
        return NONE
    families = query.filter.families
    read, waiting, by = contextual.state()
    of_memories = (waiting or read) and (not families or MEMORY in families)
    if not of_memories and not contextual.holds_any(passages):
        return NONE
    if question.intent.language not in LANGUAGES:
        trace.skip("second look", _UNREAD)
        return NONE
    try:
        understood_query = understood(query.text)
    except ModelError as error:
        trace.skip("second look", error.message, "; ", error.remedy)
        return NONE
    if understood_query is None:
        return NONE
    vector, reader = understood_query
    if by != str(reader.identity):
        trace.skip("second look", f"{reader.identity} has read no memory yet: ", Do("warm"))
        return NONE
    beside = contextual.cosines(vector, passages)
    if not of_memories:
        return Look({}, {}, 0, beside)
    filter = query.filter.replace(families=(MEMORY,))
    wanted = query.candidates(POOL, FOR_A_HIT)
    near, compared = contextual.nearest(vector, filter, wanted)
    if waiting:
        trace.skip("second look", f"{waiting} memories wait to be read by it: ", Do("warm"))
    met = reader.met(vector, contextual.words([row for row, _ in near]))
    return Look(dict(near), met, compared, beside)
