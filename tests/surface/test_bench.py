"""Bench: a corpus by seed, figures that hang together."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from bowerbird.bench.command import sizes
from bowerbird.bench.corpus import write_corpus
from bowerbird.bench.latency import percentiles
from bowerbird.bench.processes import Processes, bare
from bowerbird.bench.target import Target

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.surface.conftest import Ran

    Bower = Callable[..., Ran]


def test_the_same_seed_makes_the_same_corpus(tmp_path: Path) -> None:
    made = []
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        (tmp_path / name).mkdir()
        made.append(write_corpus(str(tmp_path / name), 120, seed, 30))
    assert made[0] == made[1]
    assert made[0].digest != made[2].digest
    assert len(made[0].questions) == 30
    assert len(set(made[0].questions)) > 20


def test_a_corpus_makes_about_as_many_passages_as_asked_for(bower: Bower, tmp_path: Path) -> None:
    (tmp_path / "corpus").mkdir()
    write_corpus(str(tmp_path / "corpus"), 500, 1, 0)
    report = bower("index", str(tmp_path / "corpus")).data
    assert 490 <= report["passages"] <= 520
    assert report["skipped"] == []


def test_latency_and_resources_write_their_figures(bower: Bower, tmp_path: Path) -> None:
    out = tmp_path / "out"
    size = ("--corpus-size", "100", "--out", str(out))
    (found,) = bower("bench", "latency", "--iterations", "2", *size).data["results"]
    cold, warm = found["cold"], found["warm"]
    assert cold["bare"]["ratio"] == {"min": 1.0, "median": 1.0, "max": 1.0}
    assert 1 < cold["version"]["ratio"]["median"] < cold["query"]["ratio"]["median"]
    assert warm["ratio_to_fts5"]["p50"] > 0
    assert all(ms["p50"] <= ms["p95"] <= ms["p99"] for ms in warm["ms"].values())
    assert found["bytecode"]["compiled"] > 0
    assert {"figure", "limit", "met"} <= set(found["targets"][0])
    output = bower("bench", "resources", "--iterations", "1", *size, "--format", "text").out
    assert "MB/s" in output
    names = {path.name.rsplit("-", 1)[0] for path in out.iterdir()}
    assert names == {"latency-100", "resources-100"}
    assert json.loads(next(out.glob("latency-*.json")).read_text())["passages"] >= 100


def test_upkeep_measures_a_store_of_memories(bower: Bower) -> None:
    (found,) = bower("bench", "upkeep", "--corpus-size", "100", "--iterations", "1").data["results"]
    assert (found["pruned"], found["patterns"], found["compressed"]) == (2, 1, 3)
    assert {*found["ms"]} == {*found["cpu_ms"]}


@pytest.mark.parametrize(
    "arguments",
    [
        ["recall"],
        ["latency", "somewhere"],
        ["latency", "--jobs", "2"],
        ["recall", "somewhere", "--seed", "2"],
        ["latency", "--corpus-size", "many"],
        ["latency", "--corpus-size", "10"],
        ["resources", "--iterations", "0"],
        ["latency", "--sizes", "1g"],
    ],
)
def test_options_of_the_other_subject_are_refused(bower: Bower, arguments: list[str]) -> None:
    ran = bower("bench", *arguments)
    assert ran.code == 2
    assert ran.data["remedy"]


def test_learning_is_measured_in_a_store_of_its_own(
    quality: Callable[..., str], tmp_path: Path
) -> None:
    folder, out = tmp_path / "sessions", tmp_path / "out"
    folder.mkdir()
    said = {
        "type": "user",
        "uuid": "1",
        "sessionId": "s1",
        "cwd": str(tmp_path),
        "timestamp": "2026-01-01T10:00:00Z",
        "message": {"role": "user", "content": "From now on always run make lint before a commit."},
    }
    (folder / "s1.jsonl").write_text(json.dumps(said) + "\n", encoding="utf-8")
    found = json.loads(quality("learn", str(folder), "--json", "--out", str(out)))
    assert found["sessions"] == 1
    assert sum(one["kept"] for one in found["signals"]) == 1
    ended = found["finalised"]
    assert 0 < ended["p50_ms"] == ended["p95_ms"] == ended["most_ms"]
    assert (out / "learned.jsonl").read_text(encoding="utf-8").count("\n") == 1
    year = json.loads(quality("learn", str(folder), "--year", "--json", "--out", str(out)))
    assert [one["month"] for one in year["months"]] == list(range(1, 13))
    assert year["months"][-1]["kept"] == 1
    (written,) = year["written"]
    assert json.loads(out.joinpath(written).read_text(encoding="utf-8"))["months"] == year["months"]


def test_a_process_is_measured_alone(tmp_path: Path) -> None:
    ballast = bytes(300_000_000)
    cost = Processes(str(tmp_path)).run(bare())
    assert 0 < cost.cpu < 2
    assert 1_000_000 < cost.peak < len(ballast) / 2, "the parent's memory was counted"


def test_percentiles_are_values_that_were_measured() -> None:
    assert percentiles([float(n) for n in range(101)]) == {"p50": 50.0, "p95": 95.0, "p99": 99.0}
    assert percentiles([3.0]) == {"p50": 3.0, "p95": 3.0, "p99": 3.0}


def test_a_promise_is_a_floor_or_a_ceiling() -> None:
    assert Target("a", 1.0, 2.0).met
    assert not Target("a", 1.0, 2.0, floor=True).met


def test_sizes_may_be_written_short() -> None:
    assert sizes("1k, 10K,100_000,1M") == [1_000, 10_000, 100_000, 1_000_000]
