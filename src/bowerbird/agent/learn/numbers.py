"""Which files go with a file: by what sessions of its project touched, and commits they were shown. Pure.

At some numbers of sessions of a module rules make lessons of the same digests (`signals/synthesis.py`).
"""

from collections import Counter, defaultdict

from bowerbird.agent.learn.touching import stem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bowerbird.agent.learn.steps import Digest, Touched

# Chosen by the earlier half of the sessions and commits in docs/learning.md (Files that change together).
# What a read counts beside an edit, and by which power many edits of a file count more than one.
_READ, _MORE_EDITS = 0.35, 0.25
# Prior of a file's counts, in sessions: how often the other one is
# touched in all of them, and this share more where both have one name (a file and its test).
_BEFORE, _SAME_NAME = 0.3, 0.3
# Sessions and commits that edit more files than this rename or reformat: they tell nothing of any two.
WIDE = 25


class Numbers:
    """One project: its sessions, and each commit that one of them was shown like a session of its own."""

    def __init__(self, digests: "Sequence[Digest]") -> None:
        commits = {frozenset(files) for one in digests for files in one.commits}
        self._changes = [
            {path: _counts(one) for path, one in digest.touched.items()} for digest in digests
        ]
        self._changes += [dict.fromkeys(one, 1.0) for one in commits if 1 < len(one) <= WIDE]
        self._anywhere: defaultdict[str, float] = defaultdict(float)
        for change in self._changes:
            for path, count in change.items():
                self._anywhere[path] += min(1.0, count)

    def likely(self, path: str) -> dict[str, float]:
        """How likely each file that was touched changes along with one; comparable for one `path` only.

        The share of the sessions and commits of `path` that touched the other one, too, where edits count
        more than reads and many edits more than one. As long as those are few, how often a file is
        touched in any, and whether it has the same name, count beside them.
        """
        together: defaultdict[str, float] = defaultdict(float)
        here = 0.0
        for change in self._changes:
            if ours := change.get(path):
                here += min(1.0, ours)
                for other, count in change.items():
                    together[other] += ours * count
        name, number = stem(path), len(self._changes)
        return {
            other: (
                together[other] + _BEFORE * (often / number + _SAME_NAME * (stem(other) == name))
            )
            / (here + _BEFORE)
            for other, often in self._anywhere.items()
            if other != path
        }


def first(likely: "Mapping[str, float]", most: int = 5) -> list[str]:
    """The likeliest files, the likeliest first."""
    return sorted(likely, key=lambda other: (-likely[other], other))[:most]


def _counts(one: "Touched") -> float:
    return float(one.edits**_MORE_EDITS) if one.edits else _READ


def recalled(digests: "Sequence[Digest]", most: int = 5) -> "list[tuple[float, float, float]]":
    """For each later session that edited some files: how many of the others each file of it foretold.

    The three shares of `shares`, from the sessions before alone.
    """
    return [
        shares(digests[:at], one.edited, most)
        for at, one in enumerate(digests)
        if foretellable(digests[:at], one.edited)
    ]


def shares(
    before: "Sequence[Digest]", files: "Sequence[str]", most: int = 5
) -> "tuple[float, float, float]":
    """Of two files and more that changed together: how many of the others each of them foretold.

    The share among the first `most` by `Numbers.likely`, by how often both were edited in one session or
    commit, and by how often a file was edited at all; each the mean over the files.
    """
    numbers = Numbers(before)
    commits = {frozenset(it) for one in before for it in one.commits if 1 < len(it) <= WIDE}
    edited = [*(it.edited for it in before), *commits]
    popular = Counter(path for it in edited for path in it)
    found = []
    for path in files:
        rest = {*files} - {path}
        both = Counter(other for it in edited if path in it for other in it)
        ways: tuple[Mapping[str, float], ...] = (numbers.likely(path), both, popular)
        found.append([hit(way, path, rest, most) for way in ways])
    ours, raw, plain = (sum(column) / len(found) for column in zip(*found, strict=True))
    return ours, raw, plain


# Sessions from which on anything can be foretold.
_FEWEST_BEFORE = 10


def foretellable(before: "Sequence[Digest]", files: "Sequence[str]") -> bool:
    """Whether there is anything to foretell it by, and files that belong together."""
    return len(before) >= _FEWEST_BEFORE and 1 < len(files) <= WIDE


def hit(scores: "Mapping[str, float]", path: str, rest: "set[str]", most: int) -> float:
    """The share of `rest` among the `most` files of highest score without `path`.

    Of files that score alike, each order counts the same: what is told is the mean over all of them.
    """
    alike: defaultdict[float, list[str]] = defaultdict(list)
    for other, score in scores.items():
        if other != path:
            # Sums that differ only by the order in which they were added are one score.
            alike[round(score, 9)].append(other)
    room, found = most, 0.0
    for score in sorted(alike, reverse=True):
        here = alike[score]
        found += len(rest.intersection(here)) * min(1.0, room / len(here))
        room -= len(here)
        if room <= 0:
            break
    return found / len(rest)
