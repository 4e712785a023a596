"""Asks the questions of evaluation sets over a file and over a server: are the answers the same?

    python benchmarks/answers.py FOLDER... [--scopes N] [--questions N] [--server URL]

Each folder is an evaluation set, or holds some. A scope is indexed into a file, whose rows are then moved
to a server as they are; so ids can be compared, too. Answers are the same if they have the same hits in
the same order, each with the same relevance. Of larger sets the first N scopes, and of each the first N
questions are asked. The server is one of a package, unless it is named. Exit code 1 if an answer differs.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from bowerbird import Bowerbird
from bowerbird.bench.recall import SETTINGS
from bowerbird.bench.sets import Layout, read_set
from bowerbird.core.errors import BadInput
from postgres_server import Server

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bowerbird.bench.sets import EvaluationSet, Scope

LIMIT = 50
# How far two values of relevance may be apart.
APART = 1e-6
# The first differences are shown, so many of a set.
SHOWN = 3


def main() -> int:
    """Ask, compare, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("folders", nargs="+", metavar="FOLDER")
    parser.add_argument("--scopes", type=int, default=3)
    parser.add_argument("--questions", type=int, default=50)
    parser.add_argument("--server", metavar="URL")
    asked = parser.parse_args()
    found = []
    with ExitStack() as stack:
        url = asked.server or stack.enter_context(Server()).url
        for evaluation in sets(asked.folders):
            done = compared(evaluation, url, asked.scopes, asked.questions)
            found.append(done)
            print(json.dumps(done), flush=True)
    print("\n| set | stores | entries | questions | hits | same | most apart |")
    print("|---|---|---|---|---|---|---|")
    for one in found:
        print(
            f"| {one['set']} | {one['scopes']} | {one['entries']:,} | {one['questions']:,}"
            f" | {one['hits']:,} | {one['same']:,} | {one['apart']:.1e} |"
        )
    return int(any(one["same"] < one["questions"] for one in found))


def sets(folders: list[str]) -> Iterator[EvaluationSet]:
    """The evaluation sets in some folders."""
    for folder in folders:
        for path in (folder, *(os.path.join(folder, name) for name in sorted(os.listdir(folder)))):
            try:
                yield read_set(path)
            except (BadInput, NotADirectoryError):
                continue


def compared(evaluation: EvaluationSet, url: str, scopes: int, questions: int) -> dict[str, Any]:
    """How many of a set's questions have the same answer over both."""
    sums = {"scopes": 0, "entries": 0, "questions": 0, "hits": 0, "same": 0}
    apart, shown = 0.0, 0
    for number, scope in enumerate(evaluation.scopes[:scopes]):
        sums["scopes"] += 1
        tenant = f"{evaluation.name}-{number}-{time.time_ns()}"
        for question, here, there in _answers(
            scope,
            evaluation.form,
            f"{url}{'&' if '?' in url else '?'}tenant={tenant}",
            questions,
            sums,
        ):
            sums["questions"] += 1
            sums["hits"] += len(here)
            far = max(
                (abs(one[1] - two[1]) for one, two in zip(here, there, strict=False)), default=0.0
            )
            apart = max(apart, far)
            if [one[0] for one in here] == [one[0] for one in there] and far <= APART:
                sums["same"] += 1
            elif shown < SHOWN:
                shown += 1
                _show(question, here, there)
    return {"set": evaluation.name, **sums, "apart": apart}


def _answers(
    scope: Scope, form: str, url: str, questions: int, sums: dict[str, int]
) -> Iterator[tuple[str, list[tuple[str, float]], list[tuple[str, float]]]]:
    """Questions of a scope with what both stores answer: ids of hits with their relevance."""
    with tempfile.TemporaryDirectory(prefix="bower-answers-") as folder:
        corpus = os.path.join(folder, "corpus")
        os.mkdir(corpus)
        Layout.write(scope, corpus, form)
        file = os.path.join(folder, "answers.db")
        with Bowerbird.open(file, project="bench", settings=SETTINGS) as bird:
            sums["entries"] += bird.index(corpus).passages
            bird.admin.migrate(url, "to-postgres")
            with Bowerbird.open(url, project="bench", settings=SETTINGS) as other:
                for one in scope.questions[:questions]:
                    yield one.text, _told(bird, one.text), _told(other, one.text)


def _told(bird: Bowerbird, question: str) -> list[tuple[str, float]]:
    return [(hit.id, hit.relevance) for hit in bird.query(question, limit=LIMIT)]


def _show(question: str, here: list[tuple[str, float]], there: list[tuple[str, float]]) -> None:
    """Where two answers part."""
    at = next(
        (
            number
            for number, (one, two) in enumerate(zip(here, there, strict=False))
            if one[0] != two[0] or abs(one[1] - two[1]) > APART
        ),
        min(len(here), len(there)),
    )
    print(
        f"{question!r} from hit {at + 1}: {here[at : at + 3]} and {there[at : at + 3]}",
        file=sys.stderr,
    )


if __name__ == "__main__":
    sys.exit(main())
