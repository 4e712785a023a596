"""Entries whose vectors lie near the question's."""

from bowerbird.core.errors import ModelError
from bowerbird.core.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from bowerbird.core.ports.models import Embedder
    from bowerbird.core.ports.reading import CandidateSource
    from bowerbird.core.ports.store import Store
    from bowerbird.core.query import Query
    from bowerbird.core.trace import Trace
    from bowerbird.core.types import Vector
    from bowerbird.retrieval.analyse import Question

# 200 nearest lost nothing in ten hits up to 17,000 passages. Of fifty, 360 show .925 of LoCoMo's evidence
# inside 2,000 tokens instead of .923, of BEAM's .669 instead of .659.
POOL, FOR_A_HIT = 160, 4


class Meaning(Value):
    """The question's vector, and by which model's vectors it may be compared.

    In `vector` a word counts by its rarity in the store; `evenly` makes the one in which every word
    counts the same, which program code is compared with.
    """

    __slots__ = ("evenly", "identity", "model", "vector")

    def __init__(
        self, vector: "Vector", model: int, identity: str, evenly: "Callable[[], Vector]"
    ) -> None:
        self.vector = vector
        self.model = model
        self.identity = identity
        self.evenly = evenly


def meaning_of(
    store: "Store",
    embedder: "Callable[[], Embedder]",
    question: "Question",
    query: "Query",
    trace: "Trace",
) -> Meaning | None:
    """The question's meaning, or None where there is none, with the reason in the trace."""
    if query.fast:
        trace.skip("dense", "asked for words alone", kind="asked")
        return None
    if "dense" in query.without:
        return None
    try:
        model = embedder()
        row = store.model_row(model.identity)
        if row is None:
            trace.skip("dense", f"no vectors of {model.identity} in this store")
            return None
        asked = query.text if model.sentences else " ".join(question.words)
        vector = model.embed_query(asked, question.weight)
    except ModelError as error:
        trace.skip("dense", error.message, "; ", error.remedy)
        return None
    if not vector.norm:
        trace.skip("dense", "the model knows no word of the question")
        return None
    if model.sentences:
        return Meaning(vector, row, str(model.identity), lambda: vector)
    return Meaning(vector, row, str(model.identity), lambda: model.embed_query(asked))


def by_meaning(
    source: "CandidateSource",
    meaning: Meaning | None,
    also: "Iterable[int]",
    query: "Query",
    entries: int,
    trace: "Trace",
) -> dict[int, float]:
    """Cosines of the nearest rows, and of those that other signals found."""
    if meaning is None:
        return {}
    cosines: dict[int, float] = {}
    if "nearest" not in query.without:
        most = query.candidates(POOL, FOR_A_HIT)
        cosines |= source.dense(meaning.vector, meaning.model, query.filter, most, entries)
    rest = [row for row in also if row not in cosines]
    cosines |= source.cosines(meaning.vector, meaning.model, rest)
    trace.ran("dense", len(cosines), f"by {meaning.identity}")
    return cosines


def of_code(
    source: "CandidateSource", meaning: Meaning | None, code: "Iterable[int]"
) -> dict[int, float]:
    """Cosines of rows that are program code, with every word of the question counting the same.

    What is common in code, "list" or "file" or "return", is what is asked for: by rarity, R@10 on
    CoSQA is .684, evenly .700; on 600 docstrings asked of their functions nDCG@10 .510 and .525.
    """
    rows = list(code)
    if meaning is None or not rows:
        return {}
    return source.cosines(meaning.evenly(), meaning.model, rows)
