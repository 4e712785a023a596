"""Renders the figures of ``bench latency``, ``resources`` and ``upkeep``."""

from bowerbird.surfaces.cli.page import table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.surfaces.cli.page import Page

# Stages below this number of milliseconds are omitted.
_WORTH = 0.01


def text(data: "dict[str, Any]", page: "Page") -> str:
    """One block per corpus size: the circumstances, the figures, the targets."""
    shown = {"latency": _latency, "resources": _resources, "upkeep": _upkeep}[data["bench"]]
    blocks = []
    for result in data["results"]:
        lines = [page.style(f"{result['passages']:,} passages", "bold") + about(result)]
        lines += ["", *shown(result, page), "", *targets(result, page)]
        blocks.append("\n".join(lines))
    if data["written"]:
        blocks.append("written: " + ", ".join(page.path(path) for path in data["written"]))
    return "\n\n".join(blocks)


def about(result: "dict[str, Any]") -> str:
    """The circumstances, as the end of a line."""
    load = result["load"]["before"]
    busy = f", load {load[0]:.1f}" if load else ""
    state = result["bytecode"]
    return (
        f", {result['corpus']['bytes'] / 1e6:.1f} MB of text, store {result['store_mb']:.1f} MB"
        f"; seed {result['seed']}{busy}; {state['compiled']} of {state['modules']} modules compiled"
    )


def _upkeep(result: "dict[str, Any]", _page: "Page") -> list[str]:
    rows: list[tuple[str, ...]] = [("", "ms p50", "p95", "CPU ms p50", "p95")]
    for name, ms in result["ms"].items():
        cpu = result["cpu_ms"][name]
        rows.append((name, *(f"{one[at]:,.1f}" for one in (ms, cpu) for at in ("p50", "p95"))))
    made = f"{result['pruned']:,} pruned; {result['compressed']:,} summed up in"
    return [*table(rows, (1, 2, 3, 4)), "", f"{made} {result['patterns']:,} patterns"]


def _latency(result: "dict[str, Any]", page: "Page") -> list[str]:
    rows: list[tuple[str, ...]] = [("cold", "÷ bare", "least", "most", "CPU ms", "RSS MB")]
    for name, found in result["cold"].items():
        ratio = found["ratio"]
        rows.append(
            (
                name,
                f"{ratio['median']:.2f}",
                f"{ratio['min']:.2f}",
                f"{ratio['max']:.2f}",
                f"{found['cpu_ms']['median']:.1f}",
                f"{found['peak_rss_mb']:.1f}",
            )
        )
    lines = headed(table(rows, (1, 2, 3, 4, 5)), page)
    warm = result["warm"]
    rows = [("warm, ms", "p50", "p95", "p99")]
    for name, found in warm["ms"].items():
        rows.append((name, *(f"{found[point]:.2f}" for point in ("p50", "p95", "p99"))))
    ratio = warm["ratio_to_fts5"]
    rows.append(("query ÷ fts5", *(f"{ratio[point]:.2f}" for point in ("p50", "p95", "p99"))))
    lines += ["", *headed(table(rows, (1, 2, 3)), page)]
    stages = sorted(warm["stages_ms"].items(), key=lambda stage: -stage[1])
    parts = ", ".join(f"{name} {ms:.2f}" for name, ms in stages if ms >= _WORTH)
    return [*lines, "", f"where a warm question's ms go: {parts}"]


def _resources(result: "dict[str, Any]", page: "Page") -> list[str]:
    ingest = result["ingest"]
    rows: list[tuple[str, ...]] = [("taking in", "middle", "least", "most")]
    for name, key in (
        ("MB/s", "mb_per_s_wall"),
        ("MB/s of CPU", "mb_per_s_cpu"),
        ("seconds", "seconds"),
    ):
        found = ingest[key]
        rows.append((name, *(f"{found[part]:.2f}" for part in ("median", "min", "max"))))
    room = f"store {result['store_to_text']:.2f} times the text"
    return [
        *headed(table(rows, (1, 2, 3)), page),
        "",
        f"{room}, {result['store_bytes_a_passage']:,} bytes a passage",
        f"peak memory {ingest['peak_rss_mb']:.1f} MB",
        f"again, with nothing changed: {result['nothing_changed']['seconds']:.2f} s",
    ]


def targets(result: "dict[str, Any]", page: "Page") -> list[str]:
    """The targets, one line each, with the measured value."""
    rows: list[tuple[str, ...]] = []
    for one in result["targets"]:
        sign = "at least" if one["at_least"] else "at most"
        mark = page.glyph("✓", "ok") if one["met"] else page.glyph("✗", "MISSED")
        rows.append((mark, one["name"], f"{one['figure']:g}", f"{sign} {one['limit']:g}"))
    lines = table(rows, (2,))
    styles = ("green" if one["met"] else "red" for one in result["targets"])
    return [page.style(line, style) for line, style in zip(lines, styles, strict=True)]


def headed(lines: list[str], page: "Page") -> list[str]:
    """A table with its first line highlighted."""
    return [page.style(lines[0], "bold"), *lines[1:]]
