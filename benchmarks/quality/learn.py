"""``quality learn``: learns from the transcripts of a folder, in order of time, into a separate store."""

import json
import os
import re
import tempfile
import time

from bowerbird.bird import Bowerbird

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# The project of the learned memories.
PROJECT = "learned"
_KEPT = frozenset({"created", "superseded", "quarantined"})
_YEAR = 365
_MONTHS = 12
_DAY_MS = 86_400_000
# Start of the simulated year: a Monday.
_BEGINS_MS = 1_767_571_200_000
_FIRST = 1 << 18
_TIME = re.compile(rb'"timestamp":\s*"([^"]+)"')
_MOST = 10_000
# Threshold in milliseconds, from the end of a session until its memories are stored.
_SOON_MS = 100


def measure(folder: str, out: str | None) -> "tuple[dict[str, Any], list[str]]":
    """Counts by signal; with `out`, writes each kept memory and its evidence as JSON lines."""
    with tempfile.TemporaryDirectory() as workspace:
        store = os.path.join(workspace, "memory.db")
        with Bowerbird.open(store, project=PROJECT) as bird:
            timed = _Timed()
            done = bird.admin.learn(folder, progress=timed)
    data = done.as_dict()
    lessons = data.pop("lessons")
    written = []
    if out is not None:
        os.makedirs(out, exist_ok=True)
        path = os.path.join(out, "learned.jsonl")
        with open(path, "w", encoding="utf-8") as file:
            for lesson in lessons:
                if lesson["decision"] in _KEPT:
                    file.write(json.dumps(lesson, ensure_ascii=False) + "\n")
        written.append(path)
    reasons: dict[str, int] = {}
    for lesson in lessons:
        reasons[lesson["decision"]] = reasons.get(lesson["decision"], 0) + 1
    took = round(done.took_ms / 1000, 1)
    return {**data, "decisions": reasons, "took_s": took, "finalised": timed.figures()}, written


def year(folder: str, kept: str | None = None) -> "list[dict[str, Any]]":
    """Spreads the sessions of a folder over a year in which no memory is used: figures per month.

    `kept` counts the memories learned by then, `active` those that are found, `faded` those of them that
    lost more than half, `gone` those pruned; `bytes` is the store's size. With a path in `kept`, the
    store is kept there.
    """
    paths = [
        os.path.join(at, name)
        for at, _, names in os.walk(folder)
        for name in names
        if name.endswith(".jsonl")
    ]
    paths.sort(key=lambda path: (_began(path), path))
    now = [_BEGINS_MS]
    months: list[dict[str, Any]] = []
    learned = gone = 0
    with tempfile.TemporaryDirectory() as workspace:
        store = kept or os.path.join(workspace, "memory.db")
        with Bowerbird.open(store, project=PROJECT, clock=lambda: now[0]) as bird:
            for month in range(1, _MONTHS + 1):
                first, last = (len(paths) * at // _MONTHS for at in (month - 1, month))
                for at, path in enumerate(paths[first:last], first):
                    now[0] = _BEGINS_MS + _YEAR * _DAY_MS * at // len(paths)
                    lessons = bird.admin.learn(path).lessons
                    learned += sum(one.decision in _KEPT for one in lessons)
                now[0] = _BEGINS_MS + _YEAR * _DAY_MS * month // _MONTHS
                gone += bird.prune().pruned
                listed = bird.list(memories_only=True, limit=_MOST)
                kinds: dict[str, int] = {}
                for one in listed:
                    kinds[one.kind] = kinds.get(one.kind, 0) + 1
                details = [one.details for one in listed if one.details is not None]
                half = sum(2 * one.current_confidence < one.fields.confidence for one in details)
                # The first memory creates the store.
                size = os.path.getsize(store) if os.path.exists(store) else 0
                figures = {"month": month, "sessions": last, "kept": learned, "active": len(listed)}
                months.append(
                    {**figures, "faded": half, "gone": gone, "bytes": size, "kinds": kinds}
                )
    return months


def _began(path: str) -> bytes:
    with open(path, "rb") as file:
        found = _TIME.search(file.read(_FIRST))
    return found[1] if found else b""


class _Timed:
    """Records the CPU time from one session to the next, as the progress of learning."""

    def __init__(self) -> None:
        self._took: list[float] = []
        self._since = 0.0

    def start(self, what: str, total: int) -> None:  # noqa: ARG002 the protocol's names
        self._since = time.process_time()

    def advance(self, units: int, label: str = "") -> None:  # noqa: ARG002
        now = time.process_time()
        self._took.append(1000 * (now - self._since))
        self._since = now

    def finish(self) -> None:
        """Nothing is shown, so nothing ends."""

    def figures(self) -> "dict[str, float]":
        """CPU ms from reading a transcript to its stored memories; the share within 100 ms."""
        took = sorted(self._took)
        if not took:
            return {}
        names = {"p50_ms": 0.5, "p95_ms": 0.95, "most_ms": 1.0}
        times = {name: took[min(len(took) - 1, int(at * len(took)))] for name, at in names.items()}
        within = sum(one <= _SOON_MS for one in took) / len(took)
        return {**{name: round(ms, 1) for name, ms in times.items()}, "within": round(within, 3)}
