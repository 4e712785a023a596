"""``quality nothing``: which questions have no answer, and what is counted of theirs."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bowerbird.bench.sets import read_set

sys.path.append(str(Path(__file__).resolve().parents[2] / "benchmarks"))

from quality.no_answer import (
    Answers,
    auroc,
    cases,
    figures,
    keeping,
    reliability,
    renamed,
    speakers,
)
from quality.render import nothing

if TYPE_CHECKING:
    from collections.abc import Callable

TALKS = {
    "one": ("Ada", "Bo", "I planted a lemon tree by the shed.", "what did Ada plant"),
    "two": (
        "Cy",
        "Di",
        "I sold the old sailing boat to a dentist.",
        "to whom did Cy sell the boat",
    ),
}


@pytest.fixture
def talks(tmp_path: Path) -> str:
    rows, asked, grades = [], [], []
    for scope, (first, second, expected, question) in TALKS.items():
        texts = [
            f"{second}: Hello {first}!",
            f"{first}: {expected}",
            f"{second}: Well done, my friend.",
        ]
        for place, text in enumerate(texts):
            id = f"{scope}/{place}"
            rows.append(json.dumps({"_id": id, "text": text, "scope": scope, "session": "s"}))
        asked.append(json.dumps({"_id": scope, "text": question, "scope": scope}))
        grades.append(f"{scope}\t{scope}/1\t1")
    folder = tmp_path / "talks"
    folder.mkdir()
    (folder / "corpus.jsonl").write_text("\n".join(rows) + "\n")
    (folder / "queries.jsonl").write_text("\n".join(asked) + "\n")
    (folder / "qrels.tsv").write_text("\n".join(grades) + "\n")
    return str(folder)


def test_a_question_is_asked_elsewhere_under_the_names_of_those_who_speak_there(
    talks: str,
) -> None:
    one, two = cases(read_set(talks))
    assert set(speakers(one.scope)) == {"Ada", "Bo"}
    assert one.unanswerable == ["to whom did Ada sell the boat"]
    assert two.unanswerable == ["what did Cy plant"]
    assert renamed("Adam and Ada's bow", ["Ada"], ["Cy"]) == "Adam and Cy's bow"
    assert renamed("Ada", [], ["Cy"]) == renamed("Ada", ["Ada"], []) == "Ada"


def test_of_one_store_every_second_answer_is_taken_out(tmp_path: Path) -> None:
    rows = [json.dumps({"_id": id, "text": f"text {id}"}) for id in "abcde"]
    grades = {"q1": "b", "q2": "d", "q3": "bd", "q4": "e"}
    asked = [json.dumps({"_id": id, "text": f"about {id}"}) for id in grades]
    (tmp_path / "corpus.jsonl").write_text("\n".join(rows) + "\n")
    (tmp_path / "queries.jsonl").write_text("\n".join(asked) + "\n")
    lines = [f"{id}\t{document}\t1" for id, all in grades.items() for document in all]
    (tmp_path / "qrels.tsv").write_text("\n".join(lines) + "\n")
    (case,) = cases(read_set(str(tmp_path)))
    assert [row.id for row in case.scope.rows] == ["a", "b", "c", "e"]
    assert [(one.id, one.grades) for one in case.scope.questions] == [
        ("q1", {1: 1.0}), ("q4", {3: 1.0}),
    ]  # fmt: skip
    assert case.unanswerable == ["about q2"]


def test_what_is_counted() -> None:
    assert auroc([0.9, 0.5], [0.5, 0.1]) == 0.875
    assert auroc([], [0.5]) == 0.5
    values = [place / 10 for place in range(1, 11)]
    assert keeping(values, 0.9) == 0.2
    assert keeping([], 0.9) == 0.0
    found = figures([Answers([(value, value / 2) for value in values], [0.15, 0.2, 0.25, 0.0], 3)])
    assert (found["floor"], found["false_recall"]) == (0.2, 0.5)
    assert (found["hit_floor"], found["hit_false_recall"]) == (0.1, 0.75)
    assert (found["true_answers"], found["unanswerable"], found["evidence_not_shown"]) == (10, 4, 3)
    rows = {row["floor"]: row for row in found["floors"]}
    assert (rows[0.3]["kept"], rows[0.3]["evidence_kept"], rows[0.3]["false_recall"]) == (
        0.8,
        0.5,
        0,
    )
    table = reliability([0.95, 1.0], [0.05, 0.95])
    assert (table[9]["answers"], round(table[9]["true"], 3)) == (0.75, 0.667)
    assert table[0]["true"] == 0


def test_both_ways_of_asking_have_their_figures(quality: Callable[..., str], talks: str) -> None:
    data = json.loads(quality("nothing", talks, "--jobs", "1", "--json"))
    (one,) = data["sets"]
    for way in ("full", "fast"):
        assert (one[way]["true_answers"], one[way]["unanswerable"]) == (2, 2)
        assert one[way]["auroc"] == 1.0
    assert "talks, fast" in nothing(data)
