"""Renders the figures of a growth measurement."""

from bowerbird.bench.render.speed import about, headed, targets
from bowerbird.surfaces.cli.page import table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.surfaces.cli.page import Page

_FIGURES = (
    ("RSS MB", "rss_mb"),
    ("disk MB", "store_mb"),
    ("in, MB/s", "ingest_mb_per_s"),
    ("of CPU", "ingest_mb_per_cpu_s"),
)


def text(data: "dict[str, Any]", page: "Page") -> str:
    """One block per size with one line per system; then the growth factors."""
    blocks = []
    for result in data["results"]:
        first = page.style(f"{result['passages']:,} passages", "bold") + about(result)
        cold = result["cold"]["query"]
        line = f"cold query {cold['ratio']['median']:.2f} ÷ bare, {cold['peak_rss_mb']:.1f} MB"
        lines = [first, "", *_systems(result, page), "", line, *targets(result, page)]
        blocks.append("\n".join(lines))
    grown = data["growth"]
    if grown["by"]:
        line = ", ".join(f"{name} {by:g}" for name, by in grown["by"].items())
        blocks.append(f"p50 from {grown['from']:,} to {grown['to']:,} passages, times: {line}")
    if data["written"]:
        blocks.append("written: " + ", ".join(page.path(path) for path in data["written"]))
    return "\n\n".join(blocks)


def _systems(result: "dict[str, Any]", page: "Page") -> list[str]:
    rows: list[tuple[str, ...]] = [
        ("CPU, ms", "p50", "p95", "p99", *(name for name, _ in _FIGURES), "exact ten")
    ]
    for name, found in result["systems"].items():
        if "skipped" in found:
            continue
        times = (f"{found['cpu_ms'][point]:.2f}" for point in ("p50", "p95", "p99"))
        figures = (
            f"{found[key]:.2g}" if found[key] < 1 else f"{found[key]:.1f}" for _, key in _FIGURES
        )
        rows.append((name, *times, *figures, str(found.get("of_exact_ten", ""))))
    left_out = [
        f"{name} left out: {found['skipped']}"
        for name, found in result["systems"].items()
        if "skipped" in found
    ]
    return headed(table(rows, tuple(range(1, 9))), page) + left_out
