"""``quality nothing``: does relevance separate questions with an answer from those without?

A question without an answer is asked in the store of another conversation, with its names replaced by
those of its speakers; if the set is one store, in that store without the documents that answer it.
"""

import os
import re
import tempfile
from bisect import bisect_left, bisect_right
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context

from bowerbird.bench.metrics import mean
from bowerbird.bench.recall import SETTINGS
from bowerbird.bench.sets import Layout, Scope
from bowerbird.bird import Bowerbird
from bowerbird.core.value import Record, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from bowerbird.bench.sets import EvaluationSet
    from bowerbird.core.answers import Hits

# As many hits as a query shows by default.
LIMIT = 10
# Number of other stores in which each question is asked, evenly spread over the set.
ELSEWHERE = 4
# The share of true answers that a threshold has to keep.
KEPT = 0.9
FLOORS = (0.03, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5)
# The modes of a query: full, and by words alone.
WAYS = {"full": False, "fast": True}
# A name that begins this share of the rows is a speaker of the conversation.
_SPEAKS = 0.1
_SPEAKER = re.compile(r"([A-Z][\w'’-]+(?: [A-Z][\w'’-]+)?):\s")


class Case(Value):
    """A store, the questions that it answers, and the texts of questions that it cannot answer."""

    __slots__ = ("scope", "unanswerable")

    def __init__(self, scope: Scope, unanswerable: list[str]) -> None:
        self.scope = scope
        self.unanswerable = unanswerable


class Answers(Record):
    """The answers of one store.

    `found`: for each question whose evidence is returned, the relevance of the best hit and of the best
    hit with evidence. `false`: the relevance of the best hit for each question without an answer, 0 if
    there is no hit. `missed` counts questions whose evidence is not returned.
    """

    found: list[tuple[float, float]]
    false: list[float]
    missed: int


def cases(evaluation: "EvaluationSet") -> list[Case]:
    """The stores of a set, each with questions that it answers and questions that it does not."""
    scopes = evaluation.scopes
    if len(scopes) == 1:
        return [_with_gaps(scopes[0])]
    people = [speakers(scope) for scope in scopes]
    variants = []
    for here, scope in enumerate(scopes):
        strange = []
        for step in _steps(len(scopes)):
            there = (here + step) % len(scopes)
            strange += [
                renamed(question.text, people[there], people[here])
                for question in scopes[there].questions
            ]
        variants.append(Case(scope, strange))
    return variants


def _steps(scopes: int) -> list[int]:
    others = min(ELSEWHERE, scopes - 1)
    return [1 + step * (scopes - 1) // others for step in range(others)]


def speakers(scope: Scope) -> list[str]:
    """The speakers of a conversation, whose names begin its rows ("Ada: …"), most frequent first."""
    opened = Counter(found.group(1) for row in scope.rows if (found := _SPEAKER.match(row.text)))
    return [name for name, count in opened.most_common() if count >= _SPEAKS * len(scope.rows)]


def renamed(text: str, people: "Sequence[str]", others: "Sequence[str]") -> str:
    """The text with each of `people` renamed to one of `others`."""
    if not (people and others):
        return text
    names = {name: others[number % len(others)] for number, name in enumerate(people)}
    any_name = "|".join(map(re.escape, names))
    return re.sub(rf"\b({any_name})\b", lambda found: names[found.group()], text)


def _with_gaps(scope: Scope) -> Case:
    """Leaves out every second evidence document, and questions with evidence of both kinds."""
    evidence = sorted({row for question in scope.questions for row in question.grades})
    gone = set(evidence[1::2])
    kept = [row for row in range(len(scope.rows)) if row not in gone]
    moved = {row: new for new, row in enumerate(kept)}
    answered = [
        one.replace(grades={moved[row]: grade for row, grade in one.grades.items()})
        for one in scope.questions
        if gone.isdisjoint(one.grades)
    ]
    unanswerable = [one.text for one in scope.questions if gone.issuperset(one.grades)]
    rows = [scope.rows[row] for row in kept]
    return Case(Scope(scope.name, rows, answered), unanswerable)


def measure(evaluation: "EvaluationSet", *, jobs: int = 1) -> "dict[str, Any]":
    """The figures of a set, for each mode."""
    variants = cases(evaluation)
    answers: dict[str, list[Answers]] = {way: [] for way in WAYS}
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        for done in as_completed([pool.submit(run_case, one, evaluation.form) for one in variants]):
            for way, found in done.result().items():
                answers[way].append(found)
    return {
        "set": evaluation.name,
        "stores": len(variants),
        "limit": LIMIT,
        **{way: figures(found) for way, found in answers.items()},
    }


def run_case(case: Case, form: str) -> dict[str, Answers]:
    """Indexes one store and asks all its questions, in each mode."""
    with tempfile.TemporaryDirectory(prefix="bower-bench-") as folder:
        corpus = os.path.join(folder, "corpus")
        os.mkdir(corpus)
        layout = Layout.write(case.scope, corpus, form)
        store = os.path.join(folder, "bench.db")
        with Bowerbird.open(store, project="bench", settings=SETTINGS) as bird:
            bird.index(corpus)
            return {way: _asked(bird, case, layout, fast=fast) for way, fast in WAYS.items()}


def _asked(bird: Bowerbird, case: Case, layout: Layout, *, fast: bool) -> Answers:
    found, missed = [], 0
    for question in case.scope.questions:
        hits = bird.query(question.text, limit=LIMIT, fast=fast)
        right = [
            hit.relevance
            for hit in hits
            if not question.grades.keys().isdisjoint(
                layout.rows_at(hit.path, hit.start_line, hit.end_line)
            )
        ]
        if right:
            found.append((best(hits), max(right)))
        else:
            missed += 1
    false = [best(bird.query(text, limit=LIMIT, fast=fast)) for text in case.unanswerable]
    return Answers(found, false, missed)


def best(hits: "Hits") -> float:
    """The relevance of an answer: that of its most relevant hit; 0 without hits."""
    return max((hit.relevance for hit in hits), default=0.0)


def figures(answers: "Iterable[Answers]") -> "dict[str, Any]":
    """The metrics of several stores together."""
    stores = list(answers)
    found = [pair for one in stores for pair in one.found]
    false = [value for one in stores for value in one.false]
    answered = [whole for whole, _ in found]
    floor = keeping(answered, KEPT)
    hit_floor = keeping([hit for _, hit in found], KEPT)
    return {
        "true_answers": len(found),
        "evidence_not_shown": sum(one.missed for one in stores),
        "unanswerable": len(false),
        "auroc": round(auroc(answered, false), 4),
        "kept": KEPT,
        "floor": round(floor, 4),
        "false_recall": round(_share(false, floor), 4),
        # The same if the hit that contains the evidence has to reach the threshold itself.
        "hit_floor": round(hit_floor, 4),
        "hit_false_recall": round(_share(false, hit_floor), 4),
        "floors": [
            {
                "floor": one,
                "kept": round(_share(answered, one), 4),
                "evidence_kept": round(_share([hit for _, hit in found], one), 4),
                "false_recall": round(_share(false, one), 4),
            }
            for one in FLOORS
        ],
        "reliability": reliability(answered, false),
    }


def auroc(true: "Sequence[float]", false: "Sequence[float]") -> float:
    """The probability that a true answer has a higher relevance than a false one; a tie counts half."""
    if not (true and false):
        return 0.5
    ordered = sorted(false)
    below = sum(bisect_left(ordered, one) + bisect_right(ordered, one) for one in true)
    return below / (2 * len(true) * len(false))


def keeping(values: "Sequence[float]", share: float) -> float:
    """The highest threshold that at least this share of the values reaches; 0 of no values."""
    if not values:
        return 0.0
    lost = int((1 - share) * len(values) + 1e-9)
    return sorted(values)[lost]


def _share(values: "Sequence[float]", floor: float) -> float:
    return mean([float(one >= floor) for one in values])


def reliability(true: "Sequence[float]", false: "Sequence[float]") -> "list[dict[str, float]]":
    """By tenths of relevance: the share of true answers, if half of all answers were true."""
    table = []
    for tenth in range(10):
        of_true = mean([float(min(int(one * 10), 9) == tenth) for one in true])
        of_false = mean([float(min(int(one * 10), 9) == tenth) for one in false])
        both = of_true + of_false
        table.append(
            {
                "from": tenth / 10,
                "answers": round(both / 2, 4),
                "true": round(of_true / both, 4) if both else 0.0,
            }
        )
    return table
