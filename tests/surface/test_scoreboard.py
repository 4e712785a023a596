"""The scoreboard's bundled set, and the product's part in it, run as its page says."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
SET = BENCHMARKS / "scoreboard"


def lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (SET / name).read_text("utf-8").splitlines()]


def worked(job: dict[str, Any]) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, str(BENCHMARKS / "growth" / "worker.py"), str(SET / "product.py")],
        input=json.dumps(job),
        env=os.environ,
        capture_output=True,
        text=True,
        check=True,
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_each_question_has_its_note_and_each_sort_as_many() -> None:
    asked = lines("questions.jsonl")
    assert set(Counter(one["kind"] for one in asked).values()) == {12}
    texts = [one["text"] for one in lines("rows.jsonl")]
    answered = [one["row"] for one in asked if one["kind"] != "unanswered"]
    assert len(set(answered)) == len(answered)
    assert max(answered) < len(texts)


def test_the_product_takes_the_notes_in_twice_and_answers(tmp_path: Path) -> None:
    rows = tmp_path / "rows.jsonl"
    rows.write_text("".join(json.dumps(one["text"]) + "\n" for one in lines("rows.jsonl")))
    (tmp_path / "store").mkdir()
    job = {"folder": str(tmp_path / "store"), "rows": str(rows), "vectors": ""}
    for _ in range(2):
        worked({"do": "load", **job})
    one = next(one for one in lines("questions.jsonl") if one["kind"] == "finding")
    asking = {"do": "ask", "questions": [{"text": one["ask"], "vector": []}], "before": 0}
    found = worked({**job, **asking, "limit": 3})
    assert one["row"] in found["rows"][0]
