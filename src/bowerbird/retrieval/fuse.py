"""Scores of different signals on one absolute scale, added up. Pure functions over rows.

Reciprocal-rank fusion loses to full text alone on conversations (LoCoMo R@10 .573 against .608);
what each signal says in absolute terms does not. Weights are shares of a score that lies in 0 to 1.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

# What counts of one entry: its own words and meaning, those of the entries beside it, the meaning of
# the whole neighbourhood, the words of its document, who says it. Halved, so that a score lies
# between 0 and 1. Chosen on the other sets, each set stays within .010 R@10 of its own best
# (benchmarks/README.md has the ablation).
SCALE = 0.5
LEXICAL = 0.70 * SCALE
DENSE = 0.20 * SCALE
WINDOW = 0.30 * SCALE
WHOLE = 0.30 * SCALE
SUPPORT = 0.3
ASKER = 0.15 * SCALE
NAMED = 0.07 * SCALE
# Without vectors the words stand for the meaning too, so that a score means the same.
WORDS_ALONE = (LEXICAL + WHOLE + DENSE + WINDOW) / (LEXICAL + WHOLE)


def shares(found: "Iterable[tuple[int, float]]", achievable: float) -> dict[int, float]:
    """BM25 as the share of what a perfect entry would reach, 0 to 1: the same for every store."""
    if achievable <= 0:
        return {}
    return {row: min(max(bm25, 0.0) / achievable, 1.0) for row, bm25 in found}


def own(lexical: "Mapping[int, float]", dense: "Mapping[int, float]") -> dict[int, float]:
    """What each row says by itself: its words and its meaning."""
    return {
        row: LEXICAL * lexical.get(row, 0.0) + DENSE * max(dense.get(row, 0.0), 0.0)
        for row in lexical.keys() | dense.keys()
    }


def surrounded(
    scores: "Mapping[int, float]", pairs: "Iterable[tuple[int, int, float]]"
) -> dict[int, float]:
    """Each row's score plus a share of its neighbours' own scores, by closeness."""
    result = dict(scores)
    for row, neighbour, closeness in pairs:
        if row in scores:
            result[row] += SUPPORT * closeness * scores.get(neighbour, 0.0)
    return result


def windows(
    rows: "Iterable[int]",
    cosines: "Mapping[int, float]",
    lengths: "Mapping[int, tuple[float, float]]",
    pairs: "Iterable[tuple[int, int, float]]",
) -> dict[int, float]:
    """The cosine of the question with each row's neighbourhood; `lengths` as the store keeps them."""
    sums = {
        row: lengths[row][0] * cosines[row] for row in rows if row in lengths and row in cosines
    }
    for row, neighbour, closeness in pairs:
        if row in sums and neighbour in lengths and neighbour in cosines:
            sums[row] += closeness * lengths[neighbour][0] * cosines[neighbour]
    return {
        row: max(total, 0.0) / lengths[row][1] for row, total in sums.items() if lengths[row][1] > 0
    }


def added(
    scores: "Mapping[int, float]", extra: "Mapping[int, float]", weight: float
) -> dict[int, float]:
    """Each row's score plus `weight` times what another signal gives it; rows keep to `scores`."""
    return {row: score + weight * extra.get(row, 0.0) for row, score in scores.items()}


def best(scores: "Mapping[int, float]", count: int) -> dict[int, float]:
    """The rows with the highest scores; equal scores go by row, so that an answer repeats."""
    ranked = sorted(scores.items(), key=lambda item: (-item[1], item[0]))
    return dict(ranked[:count])
