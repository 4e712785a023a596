"""A simulated year of one store: what lives, fades and merges, and what is told of the past.

    python benchmarks/year.py [--memories 10000] [--out benchmarks/results]

Memories are written all year, of kinds that fade and others; few are used again and again, most never
(the k-th is used in proportion to 1/k). Every day some are edited, superseded, deprecated and forgotten;
every week the store is pruned, every four weeks consolidated. A plain dictionary keeps what held when. At
the end each week's answer by `as_of` is compared with it, for all memories, text by text.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from bowerbird import Bowerbird
from bowerbird.bench.corpus import write_corpus, written
from bowerbird.bench.latency import PROJECT
from bowerbird.bench.record import circumstances, write
from bowerbird.bench.upkeep import exported
from bowerbird.core.life import DAY
from bowerbird.core.text import sentences
from bowerbird.core.types import STATES
from bowerbird.guard.redact import redact
from svg import Series, line_chart

if TYPE_CHECKING:
    from collections.abc import Iterable

START = 1_767_225_600_000
WEEKS = 52
# A fifth of what is written is work in progress, which fades first; a third stays.
KINDS = ("work_state", "gotcha", "error_pattern", "module_insight", "fact", "decision")
# A day's changes of each sort, and uses.
EDITED, SUPERSEDED, DEPRECATED, FORGOTTEN, USED = 2, 2, 1, 1, 40
FAILED = "The nightly job {name} failed on worker {name}-{number} because its lease was lost"
# Of ten memories, three are about the same failure: these are to be summed up.
ALIKE = 3
LEAST = 3_000
SINCE = re.compile(r"\bsince (\d{4})\b", re.IGNORECASE)


class Year:
    """The store, the clock, and what held when by a dictionary."""

    def __init__(self, folder: str, memories: int, seed: int) -> None:
        self.draw = random.Random(seed)  # noqa: S311 a seed is the point
        self.now = START
        self.folder = folder
        self.weekly = memories // WEEKS
        self.bird = Bowerbird.open(
            os.path.join(folder, "memory.db"), project=PROJECT, clock=lambda: self.now
        )
        self.texts: dict[str, str] = {}
        self.redacted = 0
        # What patterns sum up, which holds again once they do not.
        self.below: dict[str, dict[str, str]] = {}
        self.past: dict[int, dict[str, str]] = {}
        self.counts: list[dict[str, int]] = []
        corpus = os.path.join(folder, "corpus")
        os.mkdir(corpus)
        write_corpus(corpus, memories, seed, 0)
        self._passages = written(corpus)

    def week(self, number: int) -> None:
        """A day of writing, six of changes and uses, and what a server does."""
        self._write(number)
        for _ in range(6):
            self.now += DAY // 2
            self._change()
            self.now += DAY // 2
            self._use()
        self.now += 1
        self._ended(one.id for one in self.bird.prune().leaving)
        if number % 4 == 3:  # noqa: PLR2004 every four weeks
            for pattern in self.bird.consolidate().patterns:
                self.texts[pattern.id] = pattern.text
                self.below[pattern.id] = {id: self.texts.pop(id) for id in pattern.examples}
        self.now += 1
        self.past[self.now] = dict(self.texts)
        self.now += 1
        self.counts.append({"week": number + 1, **self._by_state()})

    def _by_state(self) -> dict[str, int]:
        entries = self.bird.list(states=STATES, limit=100_000)
        found = dict.fromkeys(STATES, 0)
        for one in entries:
            found[one.state] += 1
        return found

    def _write(self, week: int) -> None:
        rows = []
        said, self.now = self.now, self.now + DAY
        for number in range(self.weekly):
            at = said + self.draw.randrange(DAY)
            if number % 10 < ALIKE:
                name = f"j{week}x{number // 10}"
                rows.append((FAILED.format(name=name, number=number), "error_pattern", at))
            else:
                text = self.draw.choice(sentences(next(self._passages))).strip("# ")[:200]
                rows.append((f"{text} (w{week}n{number})", self.draw.choice(KINDS), at))
        path = os.path.join(self.folder, "week.jsonl")
        with open(path, "w", encoding="utf-8") as file:
            for line in exported(rows):
                file.write(line)
                one = json.loads(line)
                if one.get("row") == "memory":
                    self.texts[one["id"]] = self._stored(one["versions"][0]["text"])
        self.bird.admin.import_from(path)

    def _stored(self, text: str) -> str:
        """A text as it is stored, without a word that is taken for a password: those are counted."""
        kept = redact(text).text
        self.redacted += kept != text
        return kept

    def _some(self, count: int) -> list[str]:
        return self.draw.sample(sorted(self.texts), count)

    def _change(self) -> None:
        for id in self._some(EDITED):
            text = self._stored(f"{self.texts[id]}, as of {self.now}")
            self.bird.edit(id, text)
            self.texts[id] = text
            if since := SINCE.search(text):  # it says that it held on earlier days, too
                begun = datetime(int(since[1]), 1, 1, tzinfo=UTC).timestamp() * 1000
                for at, held in self.past.items():
                    if at >= begun:
                        held[id] = text
        for _ in range(SUPERSEDED):
            newer, older = self._some(2)
            self.bird.link(newer, older, "supersedes")
            self._ended([older])
        gone = self._some(DEPRECATED + FORGOTTEN)
        self.bird.deprecate(gone[:DEPRECATED])
        for id in gone[DEPRECATED:]:
            self.bird.forget(id)
        self._ended(gone)

    def _ended(self, ids: Iterable[str]) -> None:
        """What does not hold any more; examples of a pattern hold again, unless others say the same."""
        for id in ids:
            self.texts.pop(id, None)
            for example, text in self.below.pop(id, {}).items():
                if self.bird.get(example).state == "active":
                    self.texts[example] = text

    def _use(self) -> None:
        """The k-th memory is used in proportion to 1/k."""
        ids = list(self.texts)
        self.bird.used([ids[int(len(ids) ** self.draw.random()) - 1] for _ in range(USED)])

    def compare(self) -> tuple[int, int]:
        """The memories compared over all weeks, and those of which something else was told."""
        known = {one.id for one in self.bird.list(states=STATES, limit=100_000)}
        compared = wrong = 0
        for at, held in self.past.items():
            told = {one.id: one.text for one in self.bird.list(as_of=at, limit=100_000)}
            # What was removed for good since is told by nobody.
            kept = {id: text for id, text in held.items() if id in known}
            compared += len(kept)
            wrong += sum(told.get(id) != text for id, text in kept.items())
            wrong += len(told.keys() - kept.keys())
        return compared, wrong


def main() -> int:
    """Runs the year, prints the figures and draws the chart."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--memories", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    if options.memories < LEAST:
        parser.error(f"--memories: at least {LEAST:,}, or a week loses more than it gets")
    begun = time.process_time()
    with tempfile.TemporaryDirectory(prefix="bower-year-") as folder:
        year = Year(folder, options.memories, options.seed)
        for number in range(WEEKS):
            year.week(number)
        compared, wrong = year.compare()
        year.bird.close()
    data = {
        "bench": "year",
        "memories": options.memories,
        "seed": options.seed,
        **circumstances(),
        "weeks": year.counts,
        "as_of": {"moments": len(year.past), "compared": compared, "wrong": wrong},
        "redacted": year.redacted,
        "cpu_s": round(time.process_time() - begun, 1),
    }
    if options.out:
        path = Path(write(str(options.out), "year", data))
        path.with_suffix(".svg").write_text(chart(year.counts), encoding="utf-8")
    print(json.dumps({**data, "weeks": year.counts[-1]}, indent=1))
    return 0


def chart(counts: list[dict[str, int]]) -> str:
    """The memories in each state, week by week."""
    shown = [name for name in STATES if any(one[name] for one in counts)]
    lines = [
        Series(name, [(one["week"], one[name]) for one in counts if one[name]], colour)
        for colour, name in enumerate(shown)
    ]
    title = "A simulated year of memories"
    return line_chart(title, "week", "memories", lines, range(4, WEEKS + 1, 8))


if __name__ == "__main__":
    sys.exit(main())
