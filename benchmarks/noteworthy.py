"""Fits which passages of a session a colleague would note, and evaluates fits on sessions left out.

    benchmarks/noteworthy.py SESSIONS NOTES.tsv                     # each session left out
    benchmarks/noteworthy.py SESSIONS NOTES.tsv --ask OTHERS NOTES  # fitted on the first
    benchmarks/noteworthy.py SESSIONS NOTES.tsv --weights           # write noteworthy_weights.txt

What a reader said of a passage counts instead, of sessions without notes, too: the lines of `VERDICTS`
hold its id and `keep` or `junk`; `--list` prints the passages with their ids, the most likely first.

SESSIONS and NOTES are those of `benchmarks/notes.py`. Another passage counts as noted from a likeness of
`NOTED` with a note of its session on. A logistic regression with a ridge, on the features of
`sessions/learn/noteworthy.py`.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from bowerbird.sessions.learn.explanations import standing
from bowerbird.sessions.learn.noteworthy import CONSTANT, FITTED, PASSAGES, WORDS, candidates
from bowerbird.sessions.learn.signals import corrections
from bowerbird.sessions.learn.transcript import recorded_session
from bowerbird.sessions.learn.turns import turns
from notes import Note, alike, interval, named

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Sequence

    from numpy.typing import NDArray

    from bowerbird.sessions.learn.steps import RecordedSession

    Floats = NDArray[np.float64]

NOTED = 0.5
VERDICTS = Path(__file__).parent / "noteworthy_verdicts.tsv"
RIDGE = 10.0
MOST = (3, 5)
STEPS = 40
LEAST = (-1.0, -0.5, -0.2, 0.0, 0.3, 0.6, 1.0)


class Table:
    """What one regression chooses among in the noted sessions, and how alike each is to each note."""

    def __init__(
        self, regression: str, sessions: Path, notes: Path, read: Container[str] = ()
    ) -> None:
        lines = notes.read_text(encoding="utf-8").splitlines()[1:]
        self.notes = [Note(line) for line in lines if line and not line.startswith("#")]
        self.files: list[str] = []
        self.texts: list[str] = []
        self.named: list[dict[str, float]] = []
        noted = {one.session for one in self.notes}
        for path in sorted(sessions.rglob("*.jsonl")):
            if path.name not in noted and not read:
                continue
            session = recorded_session(str(path))
            for text, values in _rows(regression, session) if session else ():
                if path.name in noted or named(text) in read:
                    self.files.append(path.name)
                    self.texts.append(text)
                    self.named.append(values)
        self.near = alike([one.text for one in self.notes], self.texts)
        for at, note in enumerate(self.notes):
            self.near[at] *= np.array([file == note.session for file in self.files])

    def rows(self, names: Sequence[str]) -> Floats:
        """The features as numbers; the constant is last."""
        return np.array([[one.get(name, 0.0) for name in names] + [1.0] for one in self.named])

    def noted(self, verdicts: dict[str, bool]) -> Floats:
        """Whether each passage is worth noting: by a reader, else by its likeness with the notes."""
        alike = self.near.max(axis=0) >= NOTED
        said = [verdicts.get(named(text), one) for text, one in zip(self.texts, alike, strict=True)]
        return np.array(said, float)


def _rows(regression: str, session: RecordedSession) -> Iterator[tuple[str, dict[str, float]]]:
    """The text and the features of all that a regression chooses among in a session."""
    if regression == WORDS:
        for _, values, lesson, _ in corrections.candidates(session):
            yield lesson.text, values
        return
    pieces = turns(session)
    for number, turn in enumerate(pieces):
        if not turn.refused:
            late = number / max(1, len(pieces) - 1)
            for _, _, passage, values in candidates(turn, late):
                yield standing(passage), values


def fit(rows: Floats, wanted: Floats) -> Floats:
    """The weights of a regression by Newton's method; the constant, which is last, is not shrunk."""
    weights = np.zeros(rows.shape[1])
    shrinks = np.r_[np.full(rows.shape[1] - 1, RIDGE), 1e-6]
    for _ in range(STEPS):
        odds = 1 / (1 + np.exp(-np.clip(rows @ weights, -30, 30)))
        slope = rows.T @ (odds - wanted) + shrinks * weights
        curve = (rows * (odds * (1 - odds))[:, None]).T @ rows + np.diag(shrinks)
        weights -= np.linalg.solve(curve, slope)
    return weights


def report(name: str, table: Table, odds: Floats) -> None:
    """Print the recall of notes, and the share of passages like a note, by the passages a session."""
    for most in MOST:
        taken = []
        for file in sorted({one.session for one in table.notes}):
            own = [at for at in np.argsort(-odds) if table.files[at] == file]
            taken += own[:most]
        near = table.near[:, taken]
        found = near.max(axis=1) >= NOTED
        right = (near.max(axis=0) >= NOTED).mean()
        important = np.array([one.priority == "A" for one in table.notes])
        print(
            f"| {name} | {most} | {found.mean():.2f} | {found[important].mean():.2f} | {right:.2f} |",
            flush=True,
        )


def curve(odds: Floats, noted: Floats) -> None:
    """Print how many passages have at least some odds, and the share of them that is worth noting."""
    print("\n| log odds | passages | worth noting |\n|---|---|---|")
    for least in LEAST:
        taken = noted[odds >= least]
        print(f"| {least:.1f} | {len(taken)} | {interval(int(taken.sum()), len(taken))} |")


def main() -> None:
    """Evaluate, or write the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sessions", type=Path)
    parser.add_argument("notes", type=Path)
    parser.add_argument("--ask", type=Path, nargs=2)
    parser.add_argument("--weights", action="store_true")
    parser.add_argument("--list", action="store_true")
    given = parser.parse_args()
    lines = VERDICTS.read_text(encoding="utf-8").splitlines()
    verdicts = {id: said == "keep" for id, said in (line.split("\t") for line in lines)}
    written = []
    for regression in (PASSAGES, WORDS):
        read = verdicts if regression == PASSAGES else ()
        table = Table(regression, given.sessions, given.notes, read)
        other = Table(regression, *given.ask) if given.ask else None
        written += evaluate(regression, table, other, verdicts, listed=given.list)
    if given.weights:
        Path(FITTED).write_text("".join(written), encoding="utf-8")


def evaluate(
    regression: str,
    table: Table,
    other: Table | None,
    verdicts: dict[str, bool],
    *,
    listed: bool,
) -> list[str]:
    """Print how well a regression chooses; return the lines of its weights."""
    names = sorted({name for one in table.named for name in one})
    rows, noted = table.rows(names), table.noted(verdicts)
    weights = fit(rows, noted)
    print(f"\n## {regression}: {len(rows)}, {int(noted.sum())} worth noting\n")
    print("| chosen by | a session | of the notes | of important ones | like a note |")
    print("|---|---|---|---|---|")
    random = np.random.default_rng(0)
    left = np.zeros(len(rows))
    for file in set(table.files):
        own = np.array([one == file for one in table.files])
        left[own] = rows[own] @ fit(rows[~own], noted[~own])
    report("chance", table, random.random(len(rows)))
    report("the regression, session left out", table, left)
    if other is not None:
        asked = other.rows(names)
        report("others: chance", other, random.random(len(asked)))
        report("others: the regression", other, asked @ weights)
        curve(asked @ weights, other.noted(verdicts))
    curve(left, noted)
    if listed:
        for at in np.argsort(-left):
            print(named(table.texts[at]), f"{left[at]:.1f}", table.texts[at], sep="\t")
    pairs = zip([*names, CONSTANT], weights, strict=True)
    return [f"{regression}\t{name}\t{value:.3g}\n" for name, value in pairs]


if __name__ == "__main__":
    main()
