"""What share of a colleague's notes on recorded sessions is learned from them.

    benchmarks/notes.py SESSIONS NOTES.tsv --out DIR [--verdicts FILE] [--noted]

SESSIONS is a folder of transcripts, NOTES what a reader who saw no memory product would have noted: the
columns id, session (the file's name), priority (A important, B nice), class (R rule or correction of the
user, G gotcha with its cure, D decision, F fact, E environment, K command, X dead end, W workflow),
lines, where, note. Lines with `#` are skipped. With `--noted` only the sessions with notes are read.

Whether a memory holds a note is decided in two steps. Each note is compared with the memories of its
session, by the names and words that they share and by the contextual model of the package; DIR/pairs.tsv
lists the nearest of them, best first. A reader then writes FILE, tab-separated: note, memory, yes or no.
Without a verdict a pair counts from `_SAME` on, and the report says how many of them nobody read.
DIR/learned.tsv lists the memories, for reading them one by one: a line `memory`, its id, then any of
right, junk, useful, alone in FILE (`-` for none of them) is a verdict on the memory itself.
"""

from __future__ import annotations

import argparse
import hashlib
import math
import os
import re
import shutil
import statistics
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from bowerbird.bird import Bowerbird
from bowerbird.models.embed.contextual import ContextualEmbedder

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bowerbird.core.learned import Proposal

_KEPT = frozenset({"created", "superseded", "quarantined"})
# A pair that nobody read counts from this likeness on; pairs are listed from half of it on.
_SAME = 0.6
_MOST_LISTED = 3
_Z = 1.96
_NAME = re.compile(r"[\w./-]*\w[_./]\w[\w./-]*|\b[a-z]+[A-Z]\w*|\b[A-Z]\w+[A-Z]\w*|\b\w{4,}\b")
_JUDGED = ("right", "junk", "useful", "alone")


class Note:
    """One note."""

    def __init__(self, line: str) -> None:
        columns = line.rstrip("\n").split("\t")
        self.id, self.session, self.priority, self.sort = columns[:4]
        self.text = columns[-1]


def interval(found: int, number: int) -> str:
    """The share, with its Wilson interval of 95 %."""
    if not number:
        return "–"
    share = found / number
    middle = (share + _Z * _Z / (2 * number)) / (1 + _Z * _Z / number)
    half = (
        _Z
        * math.sqrt(share * (1 - share) / number + _Z * _Z / (4 * number**2))
        / (1 + _Z * _Z / number)
    )
    shown = (
        f"{one:.2f}".removeprefix("0") for one in (share, max(0, middle - half), middle + half)
    )
    return "{} ({}–{})".format(*shown)


def named(text: str) -> str:
    """The id of a memory in the files of verdicts: it belongs to its words."""
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def learned(folder: Path, only: set[str]) -> tuple[list[Proposal], float, int]:
    """What the sessions of a folder leave, the seconds of CPU that took, and the number of sessions."""
    with tempfile.TemporaryDirectory() as workspace:
        given = Path(workspace) / "sessions"
        given.mkdir()
        for path in folder.rglob("*.jsonl"):
            if not only or path.name in only:
                shutil.copy(path, given / path.name)
        begin = time.process_time()
        with Bowerbird.open(os.path.join(workspace, "memory.db"), project="notes") as bird:
            done = bird.admin.learn(given)
        took = time.process_time() - begin
    return [one for one in done.lessons if one.decision in _KEPT], took, done.sessions


def alike(notes: list[str], texts: list[str]) -> np.ndarray:
    """How alike each note and memory are, 0 to 1: half by shared names and words, half by the model."""
    model = ContextualEmbedder.builtin()
    ours, theirs = (
        np.array([np.frombuffer(one.values, np.int8) for one in model.embed(some)], np.float32)
        for some in (notes, texts)
    )
    ours /= np.linalg.norm(ours, axis=1, keepdims=True)
    theirs /= np.linalg.norm(theirs, axis=1, keepdims=True)
    words = [
        [{one.lower() for one in _NAME.findall(text)} for text in some] for some in (notes, texts)
    ]
    shared = np.array(
        [[len(one & other) / max(1, min(len(one), 12)) for other in words[1]] for one in words[0]]
    )
    likeness: np.ndarray = (np.minimum(1, shared * 1.3) + ours @ theirs.T) / 2
    return likeness


def verdicts(path: Path | None) -> tuple[dict[tuple[str, str], bool], dict[str, set[str]]]:
    """What readers decided: on pairs of note and memory, and on memories."""
    pairs, memories = {}, {}
    for line in path.read_text(encoding="utf-8").splitlines() if path else ():
        first, second, third = line.split("\t")[:3]
        if first == "memory":
            memories[second] = set(third.split())
        else:
            pairs[first, second] = third == "yes"
    return pairs, memories


def main() -> None:
    """Report recall by class, and write what is to be read."""
    parser = argparse.ArgumentParser()
    parser.add_argument("sessions", type=Path)
    parser.add_argument("notes", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--verdicts", type=Path)
    parser.add_argument("--noted", action="store_true")
    given = parser.parse_args()
    lines = given.notes.read_text(encoding="utf-8").splitlines()[1:]
    notes = [Note(line) for line in lines if line and not line.startswith("#")]
    wanted = {note.session for note in notes}
    lessons, took, number = learned(given.sessions, wanted if given.noted else set())
    # One that repeats a memory of an earlier session is evidence of it, so it counts once.
    files = [os.path.basename(one.transcript) for one in lessons]
    ids = [named(one.text) for one in lessons]
    near = alike([one.text for one in notes], [one.text for one in lessons])
    pairs, memories = verdicts(given.verdicts)
    given.out.mkdir(parents=True, exist_ok=True)
    found: dict[str, str] = {}
    unread = 0
    with (given.out / "pairs.tsv").open("w", encoding="utf-8") as out:
        for note, row in zip(notes, near, strict=True):
            own = [at for at in range(len(lessons)) if files[at] == note.session]
            best = sorted(own, key=lambda at: -row[at])[:_MOST_LISTED]
            for at in best:
                said = pairs.get((note.id, ids[at]))
                if said is None and row[at] >= _SAME / 2:
                    print(
                        note.id,
                        ids[at],
                        "?",
                        f"{row[at]:.2f}",
                        note.text,
                        lessons[at].text,
                        sep="\t",
                        file=out,
                    )
            sure = [at for at in own if pairs.get((note.id, ids[at]), row[at] >= _SAME)]
            if sure:
                found[note.id] = ids[sure[0]]
                unread += not any(pairs.get((note.id, ids[at])) for at in sure)
    with (given.out / "learned.tsv").open("w", encoding="utf-8") as out:
        for one, id, file in zip(lessons, ids, files, strict=True):
            judged = " ".join(sorted(memories[id])) if id in memories else "?"
            print(
                "memory", id, judged, one.signal, file, *one.lines[:1], one.text, sep="\t", file=out
            )
    report(notes, found, unread)
    each: dict[str, int] = defaultdict(int)
    for file in files:
        each[file] += 1
    counts = [each[file] for file in each] + [0] * (number - len(each))
    print(
        f"\n{len(lessons)} memories of {number} sessions, median {statistics.median(counts):g},"
        f" {took:.0f} s of CPU"
    )
    on_each(lessons, ids, memories)


def report(notes: list[Note], found: dict[str, str], unread: int) -> None:
    """Print the recall of each class."""
    some = {"all": notes, "A": [one for one in notes if one.priority == "A"]}
    some |= {sort: [one for one in notes if one.sort == sort] for sort in "RDGFEKXW"}
    print("| notes | number | learned |\n|---|---|---|")
    for name, those in some.items():
        got = sum(one.id in found for one in those)
        print(f"| {name} | {len(those)} | {got} = {interval(got, len(those))} |")
    print(f"{unread} of them by likeness alone")


def on_each(lessons: Iterable[Proposal], ids: list[str], memories: dict[str, set[str]]) -> None:
    """Print the verdicts on the memories, by signal."""
    by: dict[str, list[set[str]]] = defaultdict(list)
    number: dict[str, int] = defaultdict(int)
    for one, id in zip(lessons, ids, strict=True):
        for name in ("all", one.signal):
            number[name] += 1
            by[name] += [memories[id]] if id in memories else []
    print(
        "\n| signal | memories | read | " + " | ".join(_JUDGED) + " |\n|---|---|---|" + "---|" * 4
    )
    for name, count in sorted(number.items(), key=lambda some: -some[1]):
        shares = " | ".join(
            interval(sum(what in one for one in by[name]), len(by[name])) for what in _JUDGED
        )
        print(f"| {name} | {count} | {len(by[name])} | {shares} |")


if __name__ == "__main__":
    main()
