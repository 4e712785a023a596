"""A second look at memories where the first one is unsure: by a model that reads whole sentences.

A sum of words does not know that "money back" and "refund" mean the same. What reads sentences
does, and costs a process that begins some 100 ms: so it is asked where words and meaning found nothing
sure. Processes that stay do the same, so that every door gives the same answer.
"""

from bowerbird.core.errors import ModelError
from bowerbird.core.types import MEMORY
from bowerbird.core.value import Do, Value
from bowerbird.retrieval.relevance import words_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bowerbird.core.ports.memories import Contextual
    from bowerbird.core.ports.models import Reader
    from bowerbird.core.query import Query
    from bowerbird.core.trace import Trace
    from bowerbird.core.types import Entry
    from bowerbird.retrieval.analyse import Question
    from bowerbird.retrieval.relevance import Calibration

# An answer whose best hit is this relevant needs no second look.
SURE = 0.8
# Memories that are looked at, and how many more for each hit that is wanted.
POOL, FOR_A_HIT = 60, 4
# The model has learnt English. It takes two texts of another language for alike because they are of that
# language: French memories have cosines of .4 to .6 to any French question, the right one among them.
LANGUAGES = frozenset(("en", ""))


class Look(Value):
    """What the second look saw.

    `cosines` by row, and by row how the words of the question are `met`: all of them on average, and
    those that are met worst; `compared` is how many memories were.
    """

    __slots__ = ("compared", "cosines", "met")

    def __init__(
        self,
        cosines: "Mapping[int, float]",
        met: "Mapping[int, tuple[float, float]]",
        compared: int,
    ) -> None:
        self.cosines = cosines
        self.met = met
        self.compared = compared


_ENGLISH = (
    "it reads English alone: memories were found by their words and what those mean one by one"
)
NONE = Look({}, {}, 0)


def unsure(
    scores: "Mapping[int, float]", entries: "Mapping[int, Entry]", calibration: "Calibration"
) -> bool:
    """Whether no entry is surely relevant by the first look."""
    return not any(
        calibration.relevance(scores[row], words_of(entry)) >= SURE
        for row, entry in entries.items()
    )


def look(
    contextual: "Contextual",
    model: "Callable[[], Reader | None]",
    question: "Question",
    query: "Query",
    trace: "Trace",
) -> Look:
    """The memories that come nearest by the contextual model; none where it cannot look."""
    families = query.filter.families
    if query.fast or (families and MEMORY not in families):
        return NONE
    read, waiting, by = contextual.state()
    if not (waiting or read):
        return NONE
    if question.intent.language not in LANGUAGES:
        trace.skip("second look", _ENGLISH)
        return NONE
    try:
        reader = model()
        if reader is None:
            return NONE
        if by != str(reader.identity):
            trace.skip("second look", f"{reader.identity} has read no memory yet: ", Do("warm"))
            return NONE
        vector = reader.embed_query(query.text)
    except ModelError as error:
        trace.skip("second look", error.message, "; ", error.remedy)
        return NONE
    filter = query.filter.replace(families=(MEMORY,))
    wanted = query.candidates(POOL, FOR_A_HIT)
    near, compared = contextual.nearest(vector, filter, wanted)
    if waiting:
        trace.skip("second look", f"{waiting} memories wait to be read by it: ", Do("warm"))
    met = reader.met(vector, contextual.words([row for row, _ in near]))
    return Look(dict(near), met, compared)
