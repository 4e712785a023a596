"""The growth benchmark and its charts: others beside the product, charts that any viewer reads."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """A program of the benchmarks, run as their pages say."""
    return subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, "PYTHONPATH": str(BENCHMARKS)},
        capture_output=True,
        text=True,
        check=False,
    )


def results(folder: Path) -> list[dict[str, object]]:
    """The results in a folder, smallest corpus first."""
    found = [json.loads(path.read_text()) for path in folder.glob("growth-*.json")]
    return sorted(found, key=lambda result: int(result["corpus_size"]))


def test_growth_puts_others_beside_and_says_who_was_left_out(tmp_path: Path) -> None:
    out = tmp_path / "out"
    arguments = ("-m", "growth", "--iterations", "1", "--stores", str(tmp_path / "stores"))
    ran = run(*arguments, "--sizes", "100,200", "--out", str(out))
    assert ran.returncode == 0, ran.stderr
    first, second = results(out)
    assert (first["corpus_size"], second["corpus_size"]) == (100, 200)
    systems = second["systems"]
    assert isinstance(systems, dict)
    assert {"bowerbird", "FTS5 alone", "numpy scan"} <= set(systems)
    for name, found in systems.items():
        assert found.get("skipped") or found["ms"]["p50"] <= found["ms"]["p99"]
        assert name in ran.stdout
        assert f"{name} left out" in ran.stdout or not found.get("skipped")
    assert "passages, times: bowerbird" in ran.stdout
    # What stands there is asked again, and not taken in again.
    again = run(*arguments, "--sizes", "100", "--out", str(tmp_path / "again"))
    assert again.returncode == 0, again.stderr
    (repeated,) = results(tmp_path / "again")
    assert repeated["again_changed"] == 0
    before, now = first["systems"], repeated["systems"]
    assert isinstance(before, dict)
    assert isinstance(now, dict)
    for name, found in before.items():
        assert now[name].get("taken_in") == found.get("taken_in")
    other = run(*arguments[:2], "--iterations", "2", *arguments[4:], "--sizes", "100")
    assert other.returncode == 2
    assert "100-1 was made for" in other.stderr
    drawn = run(str(BENCHMARKS / "charts.py"), str(out))
    assert drawn.returncode == 0, drawn.stderr
    charts = list(out.glob("growth-*.svg"))
    assert len(charts) == 5
    for chart in charts:
        ET.fromstring(chart.read_text())
    assert next(out.glob("speed-*.html")).read_text().count("<svg") == 5


def test_a_chart_escapes_names_and_keeps_values_inside() -> None:
    program = (
        "from svg import Series, line_chart\n"
        "print(line_chart('a < b', 'x & y', 'ms', [Series('<p>', [(1e3, 0.2), (1e5, 80.0)])]))"
    )
    root = ET.fromstring(run("-c", program).stdout)
    assert root.attrib["aria-label"] == "a < b"
    heights = [
        float(circle.attrib["cy"]) for circle in root.iter() if circle.tag.endswith("circle")
    ]
    assert heights[0] > heights[1]
    assert all(0 < height < 380 for height in heights)


def test_charts_of_a_folder_without_results_are_refused(tmp_path: Path) -> None:
    ran = run(str(BENCHMARKS / "charts.py"), str(tmp_path))
    assert ran.returncode == 2
    assert "no results" in ran.stderr
