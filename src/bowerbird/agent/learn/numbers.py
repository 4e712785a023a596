"""What is kept of a project in numbers, out of its sessions: what goes with what, and how often.

Nothing of it is told by itself; the files that go with a file are ranked by it, and at some numbers of
sessions of a module rules make lessons of it (`signals/synthesis.py`). Pure.
"""

from collections import Counter, defaultdict

from bowerbird.agent.learn.touching import modules, stem
from bowerbird.core.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.agent.learn.steps import Digest

# Sessions after which what they tell counts half.
_HALF = 60
# What a read counts beside an edit: in the session of the file that is asked for, and of the other one.
_READ_HERE, _READ_THERE = 0.7, 0.35
# What an edit of late anywhere adds, the same name (a file and its test), and the same folder.
_ANYWHERE, _SAME_NAME, _SAME_FOLDER = 0.01, 0.3, 0.1
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
        """The files that most likely change along with one, the likeliest first.

        Of 105 later sessions of two developers, asked of each file that a session edited, the first five
        hold .222 of the others: .155 by how often both were edited in one session, .103 by how often a
        file was edited at all; the difference to the former is .041 to .098 in 95 of 100 resamplings.
        """
        scores: defaultdict[str, float] = defaultdict(float)
        edits: defaultdict[str, float] = defaultdict(float)
        for at, one in enumerate(self.digests):
            late, here = self._late(at), one.touched.get(path)
            many = (len(one.edited) + 2).bit_length()
            for other, it in one.touched.items():
                scores.setdefault(other, 0.0)
                edits[other] += late * bool(it.edits)
                if here is not None:
                    ours = 1.0 if here.edits else _READ_HERE
                    theirs = 1.0 if it.edits else _READ_THERE
                    scores[other] += late * ours * theirs / many
        for other in scores:
            scores[other] += _ANYWHERE * edits[other] + _SAME_NAME * (stem(other) == stem(path))
            if modules([other]) == modules([path]):
                scores[other] += _SAME_FOLDER * min(1.0, edits[other])
        scores.pop(path, None)
        return sorted(scores, key=lambda other: (-scores[other], other))[:most]

    def _late(self, at: int) -> float:
        """What a session counts by how many came after it."""
        return float(0.5 ** ((len(self.digests) - 1 - at) / _HALF))


def recalled(digests: "Sequence[Digest]", most: int = 5) -> "list[tuple[float, float, float]]":
    """For each later session that edited some files: how many of the others each file of it foretold.

    The share among the first `most` by `companions`, by how often both were edited in one session, and by
    how often a file was edited at all; each from the sessions before alone.
    """
    found = []
    for at, one in enumerate(digests):
        if at < _FEWEST_BEFORE or not 1 < len(one.edited) <= WIDE:
            continue
        numbers = Numbers(digests[:at])
        popular = Counter(path for it in digests[:at] for path in it.edited)
        shares = []
        for path in one.edited:
            rest = {*one.edited} - {path}
            both = Counter(other for it in digests[:at] if path in it.edited for other in it.edited)
            ways = (
                numbers.companions(path, most),
                _first(both, path, most),
                _first(popular, path, most),
            )
            shares.append([len(rest.intersection(way)) / len(rest) for way in ways])
        ours, raw, plain = (sum(column) / len(shares) for column in zip(*shares, strict=True))
        found.append((ours, raw, plain))
    return found


# Sessions from which on anything can be foretold.
_FEWEST_BEFORE = 10


def _first(counts: "Counter[str]", path: str, most: int) -> list[str]:
    return [other for other, _ in counts.most_common(most + 1) if other != path][:most]
