"""Questions about repositories: are the right file and the right lines among the first results?

    python benchmarks/code_questions.py FOLDER QUESTIONS.jsonl [--only NAME …] [--without STAGE …]
        [--out RANKS.json] [--beside RANKS.json] [--missed N]

FOLDER has a folder for each repository. A question is a line of JSON: `repository`, `kind`, `text`, and
`right`, a list of [path, first line, last line]. A hit has the right file if it is in one of these
files, and the right lines if it overlaps one of these ranges. Each repository has a store of its own.
Baselines over the same files: FTS5 over whole files, FTS5 over pieces of 40 lines, and the pieces
ranked by the number of distinct query words, then of occurrences, as when searching with ripgrep.
`--beside` compares with what another commit wrote by `--out` (set PYTHONPATH to its `src`).
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bowerbird import Bowerbird
from bowerbird.bench.baselines import STOP_WORDS, LexicalBaseline
from bowerbird.bench.metrics import paired_interval
from bowerbird.core.errors import BowerbirdError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    Question = dict[str, Any]
    Place = tuple[str, int, int]

# Lines of a piece that the baselines rank, and maximum rank.
LINES = 40
DEPTH = 10
NEVER = 99
_WORD = re.compile(r"\w+")


def ranked(folder: Path, asked: Sequence[Question], without: Sequence[str]) -> dict[str, list[Any]]:
    """For each system, the rank by file and the rank by lines for each question."""
    with (
        tempfile.TemporaryDirectory() as place,
        Bowerbird.open(Path(place) / "memory.db", project="asked") as bird,
    ):
        bird.index(folder)
        texts = _texts(bird, folder)
        answers: dict[str, Callable[[str], Iterable[Place]]] = {
            "bowerbird": lambda text: _hits(bird, folder, text, without),
            **_baselines(texts),
        }
        return {
            name: [_ranks(answer(one["text"]), one["right"]) for one in asked]
            for name, answer in answers.items()
        }


def _hits(bird: Bowerbird, folder: Path, text: str, without: Sequence[str]) -> list[Place]:
    hits = bird.query(text, limit=DEPTH, without=without)
    return [
        (
            str(Path(hit.path).relative_to(folder)),
            hit.entry.start_line or 0,
            hit.entry.end_line or 0,
        )
        for hit in hits
        if hit.path is not None
    ]


def _texts(bird: Bowerbird, folder: Path) -> dict[str, list[str]]:
    """The lines of each indexed file."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if not path.is_file():
            continue
        try:
            bird.at(path)
            found[str(path.relative_to(folder))] = path.read_text(encoding="utf-8").splitlines()
        except (BowerbirdError, UnicodeDecodeError):
            continue  # not indexed, or no text
    return found


def _baselines(texts: dict[str, list[str]]) -> dict[str, Callable[[str], Iterable[Place]]]:
    files = [(path, 1, max(len(lines), 1)) for path, lines in texts.items()]
    pieces = [
        (path, start + 1, min(start + LINES, len(lines)))
        for path, lines in texts.items()
        for start in range(0, len(lines), LINES)
    ]
    parts = ["\n".join(texts[path][first - 1 : last]) for path, first, last in pieces]
    whole = LexicalBaseline(["\n".join(lines) for lines in texts.values()])
    cut = LexicalBaseline(parts)
    lowered = [part.lower() for part in parts]

    def counted(text: str) -> list[Place]:
        every = dict.fromkeys(_WORD.findall(text.lower()))
        asked = [word for word in every if word not in STOP_WORDS] or list(every)
        scores = [
            (sum(word in part for word in asked), sum(part.count(word) for word in asked))
            for part in lowered
        ]
        order = sorted(range(len(pieces)), key=lambda place: scores[place], reverse=True)
        return [pieces[place] for place in order[:DEPTH]]

    return {
        "FTS5, files": lambda text: [files[place] for place in whole.rank(text)[:DEPTH]],
        "FTS5, 40 lines": lambda text: [pieces[place] for place in cut.rank(text)[:DEPTH]],
        "words counted": counted,
    }


def _ranks(found: Iterable[Place], right: Sequence[Sequence[Any]]) -> list[int]:
    by_file = by_lines = NEVER
    for rank, (path, first, last) in enumerate(found, 1):
        for good, start, end in right:
            if path != good:
                continue
            by_file = min(by_file, rank)
            if first <= end and last >= start:
                by_lines = min(by_lines, rank)
    return [by_file, by_lines]


def _report(rows: dict[str, list[list[int]]]) -> None:
    """Print a table: by file and by lines, the share at rank 1 and in the top 3, with differences."""
    print("| system | file first | file in 3 | lines first | lines in 3 |\n|---|---|---|---|---|")
    ours = rows["bowerbird"]
    for name, ranks in rows.items():
        cells = []
        for which in (0, 1):
            if which and name == "FTS5, files":
                cells += ["", ""]
                continue
            for most in (1, 3):
                theirs = [float(one[which] <= most) for one in ranks]
                cell = f"{sum(theirs) / len(theirs):.2f}"
                if ranks is not ours:
                    mine = [float(one[which] <= most) for one in ours]
                    mean, low, high = paired_interval(mine, theirs)
                    cell += f" ({mean:+.2f} [{low:+.2f}, {high:+.2f}])"
                cells.append(cell)
        print(f"| {name} | {' | '.join(cells)} |")


def main() -> None:
    """Ask all questions and print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("questions", type=Path)
    parser.add_argument("--only", nargs="*", default=[], help="repositories")
    parser.add_argument("--without", nargs="*", default=[], help="stages to leave out")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--beside", type=Path, nargs="*", default=[])
    parser.add_argument(
        "--missed", type=int, default=0, help="tell questions not among the first N"
    )
    given = parser.parse_args()
    asked = [json.loads(line) for line in given.questions.read_text(encoding="utf-8").splitlines()]
    asked = [one for one in asked if not given.only or one["repository"] in given.only]
    rows: dict[str, list[list[int]]] = defaultdict(list)
    order: list[Question] = []
    for name in dict.fromkeys(one["repository"] for one in asked):
        mine = [one for one in asked if one["repository"] == name]
        order += mine
        for system, ranks in ranked((given.folder / name).resolve(), mine, given.without).items():
            rows[system] += ranks
    if given.out:
        kept = {one["text"]: ranks for one, ranks in zip(order, rows["bowerbird"], strict=True)}
        given.out.write_text(json.dumps(kept), encoding="utf-8")
    for other in given.beside:
        kept = json.loads(other.read_text(encoding="utf-8"))
        rows[other.stem] = [kept[one["text"]] for one in order]
    for column in ("repository", "kind", ""):
        for value in dict.fromkeys(one[column] if column else "all" for one in order):
            wanted = [not column or one[column] == value for one in order]
            part = {
                name: [rank for rank, want in zip(ranks, wanted, strict=True) if want]
                for name, ranks in rows.items()
            }
            print(f"\n**{value}** ({sum(wanted)} questions)\n")
            _report(part)
    if given.missed:
        for one, (by_file, by_lines) in zip(order, rows["bowerbird"], strict=True):
            if by_lines > given.missed:
                print(
                    f"{by_file:3} {by_lines:3} {one['repository']:14} {one['kind']:10} {one['text']}"
                )


if __name__ == "__main__":
    main()
