"""What is kept of a project in numbers, out of its sessions: what goes with what, and how often.

Nothing of it is told by itself; the files that go with a file are ranked by it, and at some numbers of
sessions of a module rules make lessons of it (`signals/synthesis.py`). Pure.
"""

from collections import Counter, defaultdict

from bowerbird.agent.learn.touching import modules, stem
from bowerbird.core.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bowerbird.agent.learn.steps import Digest, Touched

# Sessions after which what they tell counts half.
_HALF = 60
# Chosen by the earlier half of the sessions and commits in docs/learning.md (Files that change together).
# What a read counts beside an edit, and by which power many edits of a file count more than one.
_READ, _MORE_EDITS = 0.35, 0.25
# What is known before any session of a file counts like so many sessions: how often the other one is
# touched in all of them, and this share more where both have one name (a file and its test).
_BEFORE, _SAME_NAME = 0.3, 0.3
# Sessions that edit more files than this rename or reformat: they tell nothing of any two.
WIDE = 25


class Edge(Value):
    """Two files that sessions touched both.

    `weight` counts late sessions more; `forward` is the share that met the first one first; `gap` how
    many files lay between the two in the middle; `sorts` which sorts of sessions those were.
    """

    __slots__ = ("forward", "gap", "sessions", "sorts", "weight")

    def __init__(
        self, weight: float, sessions: int, forward: float, gap: float, sorts: "dict[str, int]"
    ) -> None:
        self.weight = weight
        self.sessions = sessions
        self.forward = forward
        self.gap = gap
        self.sorts = sorts


class Numbers:
    """One project; its sessions in the order of time."""

    def __init__(self, digests: "Sequence[Digest]") -> None:
        self.digests = digests
        self.accesses: Counter[str] = Counter()
        self.modules: Counter[str] = Counter()
        self.errors: Counter[str] = Counter()
        for one in digests:
            self.accesses.update({path: it.reads + it.edits for path, it in one.touched.items()})
            self.modules.update(modules(one.edited))
            self.errors.update(one.marks.get("error_retry", {}).keys())

    def edge(self, one: str, other: str) -> Edge | None:
        """What two files have in common; None where no session touched both."""
        both = [
            (self._late(at), it)
            for at, it in enumerate(self.digests)
            if one in it.touched and other in it.touched
        ]
        if not both:
            return None
        places = [(it.touched[one].first, it.touched[other].first) for _, it in both]
        forward = sum(first < second for first, second in places) / len(places)
        gap = sum(abs(first - second) - 1 for first, second in places) / len(places)
        sorts = Counter(it.sort for _, it in both)
        return Edge(sum(late for late, _ in both), len(both), forward, gap, dict(sorts))

    def companions(self, path: str, most: int = 5) -> list[str]:
        """The files that most likely change along with one, the likeliest first."""
        likely = self.likely(path)
        return sorted(likely, key=lambda other: (-likely[other], other))[:most]

    def likely(self, path: str) -> dict[str, float]:
        """How likely each file that was touched changes along with one; comparable for one `path` only.

        The share of the sessions of `path` that touched the other one, too, where edits count more than
        reads and many edits more than one. As long as those sessions are few, how often a file is touched
        in any, and whether it has the same name, count beside them.
        """
        together: defaultdict[str, float] = defaultdict(float)
        anywhere: defaultdict[str, float] = defaultdict(float)
        here = 0.0
        for one in self.digests:
            ours = _counts(one.touched[path]) if path in one.touched else 0.0
            here += min(1.0, ours)
            for other, it in one.touched.items():
                theirs = _counts(it)
                anywhere[other] += min(1.0, theirs)
                together[other] += ours * theirs
        name = stem(path)
        return {
            other: (
                together[other]
                + _BEFORE * (often / len(self.digests) + _SAME_NAME * (stem(other) == name))
            )
            / (here + _BEFORE)
            for other, often in anywhere.items()
            if other != path
        }

    def _late(self, at: int) -> float:
        """What a session counts by how many came after it."""
        return float(0.5 ** ((len(self.digests) - 1 - at) / _HALF))


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

    The share among the first `most` by `Numbers.likely`, by how often both were edited in one session,
    and by how often a file was edited at all; each the mean over the files.
    """
    numbers = Numbers(before)
    popular = Counter(path for it in before for path in it.edited)
    found = []
    for path in files:
        rest = {*files} - {path}
        both = Counter(other for it in before if path in it.edited for other in it.edited)
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
