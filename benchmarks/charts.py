"""Charts of one commit's results of speed and size, and the page that shows them with their figures.

    python benchmarks/charts.py FOLDER

FOLDER holds results of `bower bench latency` and `resources` and of `python -m growth`; those of the
newest commit are drawn.
"""

import argparse
import json
import os
from html import escape

from bowerbird.bench import target
from bowerbird.bench.record import stamp
from svg import Series, line_chart

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    Result = dict[str, Any]

_BENCHES = ("latency-", "resources-", "growth-")
_ACROSS = "passages in the store"
_PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>body{{font:15px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem}}
figure{{display:inline-block;width:min(34rem,100%);margin:0 0 1rem}}svg{{width:100%}}
table{{border-collapse:collapse;margin:1rem 0}}td,th{{padding:.15rem .8rem .15rem 0;text-align:right;
font-variant-numeric:tabular-nums}}td:first-child,th:first-child{{text-align:left}}
.missed{{color:#d55e00;font-weight:600}}</style>
<h1>{title}</h1>
<p>{about}</p>
{body}
</html>
"""


def main() -> int:
    """Draw the newest results of a folder, and print the paths written."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder")
    folder = parser.parse_args().folder
    results = []
    for name in os.listdir(folder):
        if name.endswith(".json") and name.startswith(_BENCHES):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                results.append(json.load(file))
    if not results:
        parser.error(f"{folder} holds no results of latency, resources or growth")
    for path in draw(folder, max(results, key=lambda result: str(result["date"]))):
        print(path)
    return 0


def draw(folder: str, newest: "Result") -> list[str]:
    """Draws the results in a folder that have the commit of `newest`; returns the paths written."""
    mark = stamp(newest)
    charts = {
        **_latency(_results(folder, "latency", mark)),
        **_resources(_results(folder, "resources", mark)),
        **_growth(_results(folder, "growth", mark)),
    }
    written = []
    for name, svg in charts.items():
        written.append(os.path.join(folder, f"{name}-{mark}.svg"))
        _write(written[-1], svg)
    written.append(os.path.join(folder, f"speed-{mark}.html"))
    _write(written[-1], _page(folder, mark, list(charts.values()), newest))
    return written


def _results(folder: str, bench: str, mark: str) -> "list[Result]":
    """The results of a benchmark at a commit, smallest corpus first."""
    found = []
    for name in sorted(os.listdir(folder)):
        if name.startswith(bench + "-") and name.endswith(f"-{mark}.json"):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                found.append(json.load(file))
    return sorted(found, key=lambda result: int(result["passages"]))


def _latency(results: "Sequence[Result]") -> dict[str, str]:
    if not results:
        return {}
    cold = [
        Series(name, _points(results, "cold", name, "ratio", "median"), number)
        for number, name in enumerate(("query", "query --fast", "status", "curate"))
    ]
    limits = [(x, target.at(target.COLD_RATIO["query"], int(x))) for x, _ in cold[0].points]
    cold.append(Series("limit: query", limits, 0, limit=True))
    warm = [
        Series(f"{name} {point}", _points(results, "warm", "ms", name, point), number)
        for number, (name, point) in enumerate(
            (("query", "p50"), ("query", "p99"), ("query --fast", "p50"), ("fts5", "p50"))
        )
    ]
    return {
        "cold": line_chart("Cold: a whole process", _ACROSS, "CPU ÷ bare Python", cold),
        "warm": line_chart("Warm: one question", _ACROSS, "milliseconds", warm),
    }


def _resources(results: "Sequence[Result]") -> dict[str, str]:
    if not results:
        return {}
    wall = _points(results, "ingest", "mb_per_s_wall", "median")
    ingest = [
        Series("wall", wall, 0),
        Series("CPU", _points(results, "ingest", "mb_per_s_cpu", "median"), 1),
        Series("limit", [(x, target.INGEST_MB_S[0]) for x, _ in wall], 0, limit=True),
    ]
    room = [
        Series("store", _points(results, "store_mb"), 0),
        Series("text", _points(results, "ingest", "text_mb"), 2),
        Series("RSS, indexing", _points(results, "ingest", "peak_rss_mb"), 1),
    ]
    return {
        "ingest": line_chart("Taking in", _ACROSS, "MB of text a second", ingest),
        "room": line_chart("Room", _ACROSS, "MB", room),
    }


def _growth(results: "Sequence[Result]") -> dict[str, str]:
    """One line per system; a system that was skipped at a size has no point there."""
    if not results:
        return {}
    names = list(dict.fromkeys(name for result in results for name in result["systems"]))

    def lines(*path: str) -> list[Series]:
        found = []
        for number, name in enumerate(names):
            had = [one for one in results if path[0] in one["systems"].get(name, {})]
            if had:
                found.append(Series(name, _points(had, "systems", name, *path), number))
        return found

    cold = [Series("query", _points(results, "cold", "query", "ratio", "median"), 0)]
    limits = [(x, target.at(target.COLD_RATIO["query"], int(x))) for x, _ in cold[0].points]
    cold.append(Series("limit", limits, 0, limit=True))
    return {
        "growth-p50": line_chart("Ten rows: p50", _ACROSS, "ms of CPU", lines("cpu_ms", "p50")),
        "growth-p99": line_chart("Ten rows: p99", _ACROSS, "ms of CPU", lines("cpu_ms", "p99")),
        "growth-memory": line_chart("Memory while asked", _ACROSS, "MB", lines("rss_mb")),
        "growth-room": line_chart("Room on disk", _ACROSS, "MB", lines("store_mb")),
        "growth-cold": line_chart("Cold: one question", _ACROSS, "CPU ÷ bare Python", cold),
    }


def _points(results: "Sequence[Result]", *path: str) -> "list[tuple[float, float]]":
    """The value at a path of keys, by the size of the store."""
    points = []
    for result in results:
        found: Any = result
        for key in path:
            found = found[key]
        points.append((float(result["passages"]), float(found)))
    return points


def _page(folder: str, mark: str, charts: "Sequence[str]", newest: "Result") -> str:
    body = [f"<figure>{svg}</figure>" for svg in charts]
    for bench in ("latency", "resources", "growth"):
        results = _results(folder, bench, mark)
        if results:
            body.append(_targets(results))
    load = newest["load"]["before"]
    about = (
        f"Commit {mark}, {newest['date']}, Python {newest['python']}, {newest['machine']}, "
        f"load {load[0] if load else 'unknown'} at the start. Seed {newest['seed']}."
    )
    return _PAGE.format(
        title="Bowerbird: speed and room", about=escape(about), body="\n".join(body)
    )


def _targets(results: "Sequence[Result]") -> str:
    """One row per target, one column per size; missed targets are highlighted."""
    sizes = "".join(f"<th>{result['passages']:,}</th>" for result in results)
    rows = [f"<tr><th>{escape(results[0]['bench'])}</th>{sizes}</tr>"]
    for number, first in enumerate(results[0]["targets"]):
        cells = []
        for result in results:
            one = result["targets"][number]
            sign = "≥" if one["at_least"] else "≤"
            mark = "" if one["met"] else ' class="missed"'
            cells.append(f"<td{mark}>{one['figure']:g} ({sign} {one['limit']:g})</td>")
        rows.append(f"<tr><td>{escape(first['name'])}</td>{''.join(cells)}</tr>")
    return f"<table>{''.join(rows)}</table>"


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    raise SystemExit(main())
