"""What only memories have: relations that lead to others, and a past that weighs."""

from bowerbird.core.phases import phase
from bowerbird.retrieval import fuse
from bowerbird.retrieval.life import lived

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from bowerbird.core.ports import Candidates
    from bowerbird.core.query import Query
    from bowerbird.core.trace import Trace
    from bowerbird.retrieval.analyse import Question

# The relations of so many best hits are followed.
BEST = 5
# Without a phase all kinds count the same.
_EVEN: "Mapping[str, float]" = {}


def remembered(
    find: "Candidates",
    scores: dict[int, float],
    memories: set[int],
    question: "Question",
    query: "Query",
    trace: "Trace",
) -> tuple[dict[int, float], dict[int, float]]:
    """Scores with related memories, and the same with the past of each memory weighed."""
    if not memories:
        return scores, scores
    said = with_relations(find, scores, memories, query, trace)
    memories = memories | (said.keys() - scores.keys())
    return said, with_lives(find, said, memories, question, query, trace)


def with_relations(
    find: "Candidates",
    scores: dict[int, float],
    memories: "Collection[int]",
    query: "Query",
    trace: "Trace",
) -> dict[int, float]:
    """Scores plus what the best hits lend to the memories that are related to them."""
    starts = [row for row in fuse.best(scores, BEST) if row in memories]
    if not starts or trace.leaves_out("relations"):
        return scores
    lent = fuse.related(scores, find.related(starts, query.filter))
    if lent:
        scores = fuse.added({**dict.fromkeys(lent, 0.0), **scores}, lent)
        trace.ran("relations", len(lent), "related to the best hits", scores)
    return scores


def with_lives(
    find: "Candidates",
    scores: dict[int, float],
    memories: "Collection[int]",
    question: "Question",
    query: "Query",
    trace: "Trace",
) -> dict[int, float]:
    """Scores with each memory weighed by its age, use, source and confidence."""
    now = query.filter.now
    if now is None or trace.leaves_out("life"):
        return scores
    weights = _EVEN
    if query.phase:
        weights = phase(query.phase).weights
    lives = find.lives(list(memories))
    scores = lived(scores, lives, now, question.intent.kinds, weights)
    note = "age, use, source and confidence of memories"
    trace.ran("life", len(lives), f"{note}, for {query.phase}" if query.phase else note, scores)
    return scores
