"""The second look: memories and the best passages compared by the contextual model, if no hit is certain.

A sum of word vectors does not know that "money back" and "refund" mean the same; the contextual model
does. Loading it costs a new process about 100 ms, so it runs only if words and vectors found nothing
certain. Long-running processes apply the same rule, so that every interface returns the same answer.
"""

from bowerbird.core.errors import ModelError
from bowerbird.core.language import READ_IN_CONTEXT
from bowerbird.core.types import MEMORY, NOTES
from bowerbird.core.value import Do, Record
from bowerbird.retrieval.fuse import best

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

# No second look if the best hit has at least this relevance.
SURE = 0.8
# Number of memories to compare: a constant, and memories per requested hit.
POOL = 60
FOR_A_HIT = 4
# Number of passages to compare, if the model has read them; with the best ten the gain is half.
PASSAGES = 20
_NO_COSINES: "Mapping[int, float]" = {}


class Look(Record):
    """The result of a second look.

    `cosines` are of memories, `passages` of passages. `met` is a memory's word alignment with the
    query: the mean over the query's words of their best cosine, and the lowest of them. `compared` is
    the number of memories compared, `language` the query's.
    """

    cosines: "Mapping[int, float]"
    met: "Mapping[int, tuple[float, float]]"
    compared: int
    passages: "Mapping[int, float]" = _NO_COSINES
    language: str = ""


_UNREAD = (
    "it does not read this language: memories were found by their words and what each of them means"
)
NONE = Look({}, {}, 0)


class QueryVectors:
    """Computes query vectors of the contextual model, with no transaction open meanwhile.

    That takes 10 ms, or 100 ms in a new process; writers and checkpoints of the log must not wait for
    it.
    """

    def __init__(self, store: "Store", model: "Callable[[], Reader | None]") -> None:
        self._store = store
        self._model = model
        self._computed: dict[str, tuple[Vector, Reader] | ModelError | None] = {}

    def __call__(self, text: str) -> "tuple[Vector, Reader] | None":
        """The vector of a text and its model; None if there is no such model. Raises ModelError.

        It is computed once, even if the store changed meanwhile and everything is read again.
        """
        if text not in self._computed:
            self._store.apart(lambda: self._read(text))
        understood = self._computed[text]
        if isinstance(understood, ModelError):
            raise understood
        return understood

    def _read(self, text: str) -> None:
        try:
            model = self._model()
            self._computed[text] = None if model is None else (model.embed_query(text), model)
        except ModelError as error:
            self._computed[text] = error


def passages(entries: "Mapping[int, Entry]", scores: "Mapping[int, float]") -> list[int]:
    """The rows of the best PASSAGES passages among the entries."""
    ranked = {row: scores[row] for row, one in entries.items() if one.family != MEMORY}
    return list(best(ranked, PASSAGES))


def notes_of(rows: "Sequence[int]", entries: "Mapping[int, Entry]") -> list[int]:
    """Those of the rows that are passages of notes."""
    return [row for row in rows if entries[row].source in NOTES and not entries[row].session]


def look(
    contextual: "Contextual",
    understood: QueryVectors,
    question: "Question",
    query: "Query",
    passages: "Sequence[int]",
    notes: "Sequence[int]",
    trace: "Trace",
) -> Look:
    """Compare the query with memories and with `passages` by the contextual model.

    Returns NONE if it cannot compare; passages without its vector are left out, and all of them if one of
    the `notes` among them has none: where 128 of 700 documents were read, those displaced better ones
    (Cranfield, nDCG@10 .526 instead of .552). The store may have changed since the query was analysed:
    the result is only valid if it is `unchanged`.
    """
    families = query.filter.families
    has_memories, by = contextual.model()
    of_memories = has_memories and (not families or MEMORY in families)
    if not of_memories and not contextual.has_any(passages):
        return NONE
    if question.intent.language not in READ_IN_CONTEXT:
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
    if not of_memories:
        cosines = contextual.cosines(vector, passages) if passages else {}
        return Look({}, {}, 0, _if_whole(cosines, notes))
    filter = query.filter.replace(families=(MEMORY,))
    wanted = query.candidates(POOL, FOR_A_HIT)
    near, compared, waiting, beside = contextual.compared(vector, filter, wanted, passages)
    if waiting:
        trace.skip("second look", f"{waiting} memories wait to be read by it: ", Do("warm"))
    met = reader.met(vector, {row: of_words for row, (_, of_words) in near.items()})
    cosines = {row: cosine for row, (cosine, _) in near.items()}
    return Look(cosines, met, compared, _if_whole(beside, notes), question.intent.language)


def _if_whole(cosines: "Mapping[int, float]", notes: "Sequence[int]") -> "Mapping[int, float]":
    return cosines if all(row in cosines for row in notes) else _NO_COSINES
