"""What the checks let through of a real language model: lessons of sessions, and every other task.

    python benchmarks/language.py MODEL.gguf SESSIONS [--most 20] [--tokens 1500] \
        [--patience 600] [--proposed FILE]

MODEL is a GGUF file (`pip install "bowerbird[gguf]"`), the weaker the better an opponent; SESSIONS a
folder of transcripts. Nothing is stored. For each task it prints how many answers had the wanted shape,
how many proposals passed the checks, and all that passed, with its evidence, for somebody to judge. FILE
gets every lesson that was proposed, also what was dropped and why, beside the line that it names.
"""

from __future__ import annotations

import argparse
import json
import os
from collections import Counter
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, TextIO

from bowerbird.core.errors import ModelError
from bowerbird.core.thinking import Prompt, mismatch
from bowerbird.models.llm import expanding, judging, rating, summarising
from bowerbird.models.llm.gguf import GgufModel
from bowerbird.sessions.learn import model_lessons, session_lines
from bowerbird.sessions.learn.transcript import recorded_session

if TYPE_CHECKING:
    from collections.abc import Callable

    from bowerbird.core.thinking import Task

CONTEXT = 8_192
PATIENCE = 600.0
# Made for this: what a person might have kept, and ask.
NOTES = (
    "Redis must be up before the auth tests; `make redis` starts it.",
    "The API listens on port 8080 behind the proxy.",
    "Deploys go out from main only, never from a release branch.",
    "The nightly import must not run beside the backup, which locks both tables for 20 minutes.",
    "Use tabs in Go files, and spaces in Python files.",
    "The reporting schema is read-only for the app user.",
)
PAIRS = (
    ("The API listens on port 8080.", "Since the proxy moved, the API listens on port 9090."),
    ("Anna looks after billing.", "Questions about billing go to Boris, not to Anna."),
    ("Use tabs in Go files.", "Keep functions in Go files under 50 lines."),
    ("Deploys run on Friday.", "Deploys run on Friday, after the standup."),
)
ALIKE = (
    "The nightly import locks warehouse.orders.",
    "The backup locks warehouse.orders for 20 minutes.",
    "The report job locks warehouse.orders at six.",
)
QUESTIONS = ("why do the auth tests hang?", "which port has the API?", "when may the import run?")


class Asked:
    """Asks the model, and counts."""

    def __init__(self, model: GgufModel, patience: float) -> None:
        self.model = model
        self.patience = patience
        self.shapes: Counter[tuple[str, bool]] = Counter()
        self.seconds = 0.0

    def ask(self, task: Task, data: str) -> dict[str, Any]:
        """The answer. Raises ModelError for one of another shape."""
        begun = perf_counter()
        prompt = Prompt(task.instructions, data, task.schema, task.name, task.most_tokens)
        try:
            said = self.model.answer(prompt, self.patience).text
        finally:
            self.seconds += perf_counter() - begun
        try:
            found: dict[str, Any] = json.loads(said)
        except ValueError:
            found = {}
        wrong = mismatch(found, task.schema)
        self.shapes[task.name, not wrong] += 1
        if wrong:
            raise ModelError(wrong)
        return found


def lessons(asked: Asked, folder: Path, most: int, out: TextIO) -> None:
    """Lessons of the first sessions in which somebody typed; each proposed one to `out`."""
    dropped: Counter[str] = Counter()
    passed, proposed, read = [], 0, 0
    for path in sorted(folder.rglob("*.jsonl")):
        session = recorded_session(str(path)) if read < most else None
        if session is None or not any(
            one.who == session_lines.USER for one in session_lines.session_lines(session)
        ):
            continue
        read += 1
        extractor = model_lessons.ModelLessons(asked, (), lambda _text: False)
        try:
            extractor.lessons(session, [])
        except ModelError as error:
            print(f"  {path.name}: {error.message}", flush=True)
            continue
        print(f"  {path.name}: {len(extractor.proposed)} proposed", flush=True)
        proposed += len(extractor.proposed)
        lines = {one.line: one for one in session_lines.session_lines(session)}
        for one in extractor.proposed:
            dropped[_sort(one.dropped)] += 1
            number = one.lesson.lines[0]
            told = {
                "session": path.name,
                "line": number,
                "kind": one.lesson.kind,
                "text": one.lesson.text,
                "dropped": one.dropped,
                "evidence": lines[number].text if number in lines else "",
            }
            print(json.dumps(told, ensure_ascii=False), file=out, flush=True)
            if not one.dropped:
                passed.append((path.name, one.lesson, lines[one.lesson.lines[0]]))
    print(f"lessons: {read} sessions, {proposed} proposed, {len(passed)} passed")
    for why, number in dropped.most_common():
        print(f"  {number:4} {why or 'passed'}")
    for name, lesson, line in passed:
        print(
            f"  {name}:{line.line} {lesson.kind}: {lesson.text}\n      {line.who}: {line.text[:300]}"
        )


def _sort(why: str) -> str:
    """A reason without what it names."""
    for end in (" is not in its evidence", " is not in what it quotes", " the other way round"):
        if why.endswith(end):
            return f"…{end}"
    return "its line is none of the session's own" if why.startswith("line ") else why


def others(asked: Asked) -> None:
    """Every other task on what was made for it."""
    texts = [*NOTES]
    work: dict[str, list[Callable[[], object]]] = {
        "judge": [partial(_judged, asked, *pair) for pair in PAIRS],
        "rate": [partial(rating.RatingScorer(asked, "asked").scores, QUESTIONS[0], texts)],
        "expand": [partial(expanding.ModelExpander(asked).expand, one) for one in QUESTIONS],
        "hyde": [partial(expanding.ModelExpander(asked).imagine, one) for one in QUESTIONS],
        "consolidate": [partial(summarising.ModelSummariser(asked).pattern, ALIKE)],
    }
    for name, calls in work.items():
        kept = []
        for call in calls:
            try:
                found = call()
            except ModelError as error:
                found = None
                print(f"  {name}: {error.message}")
            if found:
                kept.append(found)
        print(f"{name}: {len(calls)} asked, {len(kept)} passed")
        for one in kept:
            print(f"  {one}")


def _judged(asked: Asked, old: str, new: str) -> str:
    answer = asked.ask(judging.TASK, f"Older: {old}\n\nNewer: {new}")
    found = judging.verdict(answer, old, new)
    return f"{found.relation}: {found.reason}" if found.relation else ""


def main() -> None:
    """Run every task."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("model")
    arguments.add_argument("sessions", type=Path)
    arguments.add_argument("--most", type=int, default=20)
    arguments.add_argument("--tokens", type=int, default=1_500)
    arguments.add_argument("--patience", type=float, default=PATIENCE)
    arguments.add_argument("--proposed", type=Path, default=Path(os.devnull))
    given = arguments.parse_args()
    session_lines.MOST = given.tokens
    asked = Asked(GgufModel(given.model, CONTEXT), given.patience)
    with given.proposed.open("w", encoding="utf-8") as out:
        lessons(asked, given.sessions, given.most, out)
    others(asked)
    for (name, good), number in sorted(asked.shapes.items()):
        print(f"{name}: {number} answers {'of' if good else 'not of'} the wanted shape")
    print(f"{asked.seconds:.0f} s in the model")


if __name__ == "__main__":
    main()
