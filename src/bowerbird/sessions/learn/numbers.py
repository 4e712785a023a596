"""Predicts which files change with a file, from the project's sessions and the commits they saw. Pure."""

from collections import Counter, defaultdict

from bowerbird.sessions.learn.touched_files import stem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bowerbird.sessions.learn.steps import Digest, Touched

# Chosen on the earlier half of the sessions and commits in benchmarks/learning.md (Files that change
# together). The weight of a read relative to an edit, and the exponent by which several edits of a file
# count more than one.
_READ = 0.35
_MORE_EDITS = 0.25
# Prior of a file's counts, in sessions: the other file's share of all sessions, plus this share if both
# have one name (a file and its test).
_BEFORE = 0.3
_SAME_NAME = 0.3
# Sessions and commits that edit more files than this are renames or reformats, and no evidence for any
# two files.
WIDE = 25


class Numbers:
    """The counts of one project: its sessions, and each commit that one saw, counted as a session."""

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
        """Return how likely each known file changes along with `path`; comparable for one `path` only.

        The share of the sessions and commits of `path` that also touched the other file; edits count more
        than reads, and several edits more than one. While counts are small, the prior weighs more: how
        often a file is touched in any session, and whether it has the same name.
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
    """Return the most likely files, the most likely first."""
    return sorted(likely, key=lambda other: (-likely[other], other))[:most]


def _counts(one: "Touched") -> float:
    return float(one.edits**_MORE_EDITS) if one.edits else _READ


def recalled(digests: "Sequence[Digest]", most: int = 5) -> "list[tuple[float, float, float]]":
    """Return, for each session that edited files, how well they predict each other.

    The three shares of `shares`, computed from the earlier sessions alone.
    """
    return [
        shares(digests[:at], one.edited, most)
        for at, one in enumerate(digests)
        if predictable(digests[:at], one.edited)
    ]


def shares(
    before: "Sequence[Digest]", files: "Sequence[str]", most: int = 5
) -> "tuple[float, float, float]":
    """Return the recall of the other changed files, given each of two or more, by three rankings.

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


# The minimum number of earlier sessions for a prediction.
_FEWEST_BEFORE = 10


def predictable(before: "Sequence[Digest]", files: "Sequence[str]") -> bool:
    """Return whether there are enough earlier sessions and a suitable number of files."""
    return len(before) >= _FEWEST_BEFORE and 1 < len(files) <= WIDE


def hit(scores: "Mapping[str, float]", path: str, rest: "set[str]", most: int) -> float:
    """Return the share of `rest` among the `most` files of highest score, `path` excluded.

    Ties are resolved by the mean over all orders.
    """
    alike: defaultdict[float, list[str]] = defaultdict(list)
    for other, score in scores.items():
        if other != path:
            # Sums that differ only by the order of addition are equal scores.
            alike[round(score, 9)].append(other)
    room, found = most, 0.0
    for score in sorted(alike, reverse=True):
        here = alike[score]
        found += len(rest.intersection(here)) * min(1.0, room / len(here))
        room -= len(here)
        if room <= 0:
            break
    return found / len(rest)
