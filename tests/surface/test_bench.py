"""Bench: a corpus by seed, figures that hang together, charts that any viewer reads."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

from bowerbird.bench.command import sizes
from bowerbird.bench.corpus import write_corpus
from bowerbird.bench.latency import percentiles
from bowerbird.bench.processes import Processes, bare
from bowerbird.bench.render import growth
from bowerbird.bench.svg import Series, line_chart
from bowerbird.bench.target import Target
from bowerbird.surfaces.cli.page import Page

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


def test_latency_and_resources_draw_one_page(bower: Bower, tmp_path: Path) -> None:
    out = tmp_path / "out"
    size = ("--corpus-size", "100", "--out", str(out))
    (found,) = bower("bench", "latency", "--iterations", "5", *size).data["results"]
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
    assert names == {"latency-100", "resources-100", "cold", "warm", "ingest", "room", "speed"}
    page = next(out.glob("speed-*.html")).read_text()
    assert page.count("<svg") == 4
    assert json.loads(next(out.glob("latency-*.json")).read_text())["passages"] >= 100
    for chart in out.glob("*.svg"):
        ET.fromstring(chart.read_text())


def test_growth_puts_others_beside_and_says_who_was_left_out(bower: Bower, tmp_path: Path) -> None:
    out = tmp_path / "out"
    arguments = ("--iterations", "1", "--stores", str(tmp_path / "stores"))
    ran = bower("bench", "growth", *arguments, "--sizes", "100,200", "--out", str(out))
    first, second = ran.data["results"]
    assert (first["corpus_size"], second["corpus_size"]) == (100, 200)
    assert {"bowerbird", "FTS5 alone", "numpy scan"} <= set(second["systems"])
    assert ran.data["growth"]["by"]["bowerbird"] > 0
    # What stands there is asked again, and not taken in again.
    (again,) = bower("bench", "growth", *arguments, "--sizes", "100").data["results"]
    for name, found in first["systems"].items():
        assert again["systems"][name].get("taken_in") == found.get("taken_in")
    assert again["again_changed"] == 0
    other = bower("bench", "growth", "--iterations", "2", *arguments[2:], "--sizes", "100")
    assert other.code == 2
    assert "100-1 was made for" in other.data["error"]
    for found in second["systems"].values():
        assert found.get("skipped") or found["ms"]["p50"] <= found["ms"]["p99"]
    assert len(list(out.glob("growth-*.json"))) == 2
    for chart in out.glob("growth-*.svg"):
        ET.fromstring(chart.read_text())


def test_growth_reads_as_a_table() -> None:
    times = {"p50": 1.0, "p95": 2.0, "p99": 3.0}
    system = {"cpu_ms": times, "rss_mb": 40.0, "store_mb": 3.0, "ingest_mb_per_s": 1.5}
    system["ingest_mb_per_cpu_s"] = 1.75
    result = {
        "passages": 1_000,
        "corpus": {"bytes": 1},
        "store_mb": 3.0,
        "seed": 1,
        "load": {"before": []},
        "bytecode": {"compiled": 1, "modules": 1},
        "cold": {"query": {"ratio": {"median": 4.0}, "peak_rss_mb": 24.0}},
        "systems": {"bowerbird": system, "other": {"skipped": "no module named other"}},
        "targets": [],
    }
    grown = {"from": 1_000, "to": 10_000, "by": {"bowerbird": 2.5}}
    data = {"bench": "growth", "results": [result], "growth": grown, "written": []}
    text = growth.text(data, Page.of(io.StringIO(), quiet=False, verbose=False))
    assert "bowerbird  1.00  2.00  3.00" in text
    assert "other left out: no module named other" in text
    assert "from 1,000 to 10,000 passages, times: bowerbird 2.5" in text


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
        ["latency", "--peers-python", "python"],
        ["growth", "--sizes", "1g"],
    ],
)
def test_options_of_the_other_subject_are_refused(bower: Bower, arguments: list[str]) -> None:
    ran = bower("bench", *arguments)
    assert ran.code == 2
    assert ran.data["remedy"]


def test_learning_is_measured_in_a_store_of_its_own(bower: Bower, tmp_path: Path) -> None:
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
    found = bower("bench", "learn", str(folder), "--out", str(out)).data
    assert found["sessions"] == 1
    assert sum(one["kept"] for one in found["signals"]) == 1
    ended = found["finalised"]
    assert 0 < ended["p50_ms"] == ended["p95_ms"] == ended["most_ms"]
    assert (out / "learned.jsonl").read_text(encoding="utf-8").count("\n") == 1
    year = bower("bench", "learn", str(folder), "--year", "--out", str(out)).data
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


def test_a_chart_escapes_names_and_keeps_values_inside() -> None:
    svg = line_chart("a < b", "x & y", "ms", [Series("<p>", [(1e3, 0.2), (1e5, 80.0)])])
    root = ET.fromstring(svg)
    assert root.attrib["aria-label"] == "a < b"
    heights = [
        float(circle.attrib["cy"]) for circle in root.iter() if circle.tag.endswith("circle")
    ]
    assert heights[0] > heights[1]
    assert all(0 < height < 380 for height in heights)
    assert "<svg" in line_chart("one", "x", "y", [Series("flat", [(1_000.0, 1.0)])])


def test_a_promise_is_a_floor_or_a_ceiling() -> None:
    assert Target("a", 1.0, 2.0).met
    assert not Target("a", 1.0, 2.0, floor=True).met


def test_sizes_may_be_written_short() -> None:
    assert sizes("1k, 10K,100_000,1M") == [1_000, 10_000, 100_000, 1_000_000]
