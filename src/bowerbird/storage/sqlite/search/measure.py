"""How much of the exact answer the current tier finds, measured on the store's own vectors."""

from bowerbird.core.query import Filter
from bowerbird.core.types import Vector
from bowerbird.storage.sqlite.nouns.filters import condition_of
from bowerbird.storage.sqlite.search.candidates import scan

TYPE_CHECKING = False
if TYPE_CHECKING:
    import apsw

    from bowerbird.core.ports.reading import CandidateSource

# Stored vectors asked with, spread over the store, and how deep both answers are compared.
SAMPLES = 50
DEPTH = 100
# Cosines of two ways of computing them differ by less.
_SAME = 1e-5


def measured_recall(
    connection: "apsw.Connection", candidates: "CandidateSource", model: int, entries: int
) -> float | None:
    """Recall@100 of the exact scan; None for a store without vectors.

    Rows as near as the exact hundredth count: where texts repeat, which of them comes is chance.
    """
    lowest, highest = next(
        connection.execute("SELECT min(id), max(id) FROM vector WHERE model = ?", (model,))
    )
    if lowest is None:
        return None
    shares = []
    for number in range(SAMPLES):
        row = connection.execute(
            "SELECT int8, norm FROM vector WHERE model = ? AND id >= ? AND norm > 0"
            " ORDER BY id LIMIT 1",
            (model, lowest + (highest - lowest) * number // SAMPLES),
        ).fetchone()
        if row is None:
            continue
        vector = Vector(*row)
        exact = scan(connection, condition_of(connection, Filter()), vector, model, DEPTH)
        if exact:
            found = candidates.dense(vector, model, Filter(), DEPTH, entries)
            near = sum(cosine >= exact[-1][1] - _SAME for _, cosine in found)
            shares.append(min(near / len(exact), 1.0))
    return sum(shares) / len(shares) if shares else None
