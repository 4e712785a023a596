"""How the figures of a bench read."""

from bowerbird.surfaces.bench.recall import METRICS, PRODUCT, SYSTEMS
from bowerbird.surfaces.cli.page import table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.surfaces.cli.call import Outcome
    from bowerbird.surfaces.cli.page import Page

_NAMES = {"fts5": "FTS5 alone", "dense": "dense alone", "rrf": "RRF of both"}


def text(outcome: "Outcome", page: "Page") -> str:
    """Systems, differences with their intervals, and the product by type."""
    data: dict[str, Any] = outcome.value
    lines = [
        page.style(f"{data['set']}: {data['questions']:,} questions", "bold")
        + f", {data['documents']:,} documents in {data['scopes']} stores, as {data['form']}",
        "",
        *_systems(data, page),
        "",
        page.style("Difference to each baseline, with its 95 % interval", "bold"),
        *_differences(data),
    ]
    if data["types"]:
        lines += ["", page.style("By type (FTS5 alone in brackets)", "bold"), *_types(data)]
    intake = data["intake"]
    rate = intake["bytes"] / 1e6 / max(intake["seconds"], 1e-9)
    lines += ["", f"taken in: {intake['passages']:,} passages, {rate:.2f} MB/s; {data['took_s']} s"]
    if "written" in data:
        lines.append(f"written: {page.path(data['written'])}")
    return "\n".join(lines)


def _figure(value: float) -> str:
    return f"{value:.3f}".replace("0.", ".", 1)


def _systems(data: "dict[str, Any]", page: "Page") -> list[str]:
    rows: list[tuple[str, ...]] = [("", *METRICS, "ms")]
    for name in SYSTEMS:
        means = data["systems"][name]
        figures = tuple(_figure(means[metric]) for metric in METRICS)
        rows.append((_NAMES.get(name, name), *figures, f"{means['ms']:.2f}"))
    lines = table(rows, tuple(range(1, len(METRICS) + 2)))
    lines[1] = page.style(lines[1], "green")
    return lines


def _differences(data: "dict[str, Any]") -> list[str]:
    rows: list[tuple[str, ...]] = [("", *METRICS)]
    for baseline, metrics in data["differences"].items():
        cells = []
        for metric in METRICS:
            found = metrics[metric]
            cells.append(f"{found['mean']:+.3f} [{found['low']:+.3f}, {found['high']:+.3f}]")
        rows.append((_NAMES[baseline], *cells))
    return table(rows)


def _types(data: "dict[str, Any]") -> list[str]:
    rows: list[tuple[str, ...]] = [("", "questions", *METRICS)]
    for type, means in data["types"].items():
        figures = tuple(
            f"{_figure(means[PRODUCT][metric])} ({_figure(means['fts5'][metric])})"
            for metric in METRICS
        )
        rows.append((type, str(means["questions"]), *figures))
    return table(rows, tuple(range(1, len(METRICS) + 2)))
