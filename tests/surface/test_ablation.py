"""``quality ablation`` over a set small enough to know by heart."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from bowerbird.admin import optional_stages

sys.path.append(str(Path(__file__).resolve().parents[2] / "benchmarks"))

from quality.ablation import FULL, METRICS, summary

if TYPE_CHECKING:
    from collections.abc import Callable

TEXTS = {
    "a": "The auth tests need Redis on port 6379.",
    "b": "Invoices are sent on the first day of a month.",
    "c": "The warehouse service speaks to a message broker.",
}
QUESTIONS = {"q1": ("which port has redis", "a"), "q2": ("when are invoices sent", "b")}


def write_set(folder: Path) -> None:
    folder.mkdir()
    rows = [json.dumps({"_id": id, "text": text}) for id, text in TEXTS.items()]
    asked = [json.dumps({"_id": id, "text": text}) for id, (text, _) in QUESTIONS.items()]
    (folder / "corpus.jsonl").write_text("\n".join(rows) + "\n")
    (folder / "queries.jsonl").write_text("\n".join(asked) + "\n")
    grades = [f"{id}\t{document}\t1" for id, (_, document) in QUESTIONS.items()]
    (folder / "qrels.tsv").write_text("\n".join(grades) + "\n")


def test_every_stage_has_its_row_and_the_page_is_kept(
    quality: Callable[..., str], tmp_path: Path
) -> None:
    write_set(tmp_path / "small")
    out = tmp_path / "out"
    where = ("--jobs", "1", "--json", "--out", str(out))
    data = json.loads(quality("ablation", str(tmp_path / "small"), *where))
    (one,) = data["sets"]
    assert (one["questions"], one[FULL]["R@10"]) == (2, 1.0)
    assert list(one["without"]) == list(optional_stages())
    assert one["without"]["relations"]["changed"] == 0
    page = (out / "ablation.md").read_text()
    assert all(f"| {stage} |" in page for stage in optional_stages())


def test_a_difference_is_that_of_leaving_it_out() -> None:
    scores = {
        FULL: (1.0,) * len(METRICS),
        **{stage: (0.5,) * len(METRICS) for stage in optional_stages()},
    }
    found = summary("set", [scores, scores])["without"]["dense"]
    assert found["changed"] == 2
    assert found["R@10"] == {"mean": -0.5, "low": -0.5, "high": -0.5}
