"""Renders the figures of a benchmark."""

from bowerbird.bench.render import speed
from bowerbird.surfaces.cli.page import Page, table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


PRODUCT = "bowerbird"
_NAMES = {"fts5": "FTS5 alone", "dense": "dense alone", "rrf": "RRF of both"}


def text(data: "dict[str, Any]", page: Page) -> str:
    """The figures for a terminal; for recall by system, difference and type."""
    if data["bench"] != "recall":
        return speed.text(data, page)
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


def _metrics(data: "dict[str, Any]") -> list[str]:
    return [name for name in data["systems"][PRODUCT] if name != "ms"]


def _systems(data: "dict[str, Any]", page: Page) -> list[str]:
    metrics = _metrics(data)
    rows: list[tuple[str, ...]] = [("", *metrics, "ms")]
    for name, means in data["systems"].items():
        figures = tuple(_figure(means[metric]) for metric in metrics)
        rows.append((_NAMES.get(name, name), *figures, f"{means['ms']:.2f}"))
    lines = table(rows, tuple(range(1, len(metrics) + 2)))
    lines[1] = page.style(lines[1], "green")
    return lines


def _differences(data: "dict[str, Any]") -> list[str]:
    rows: list[tuple[str, ...]] = [("", *_metrics(data))]
    for baseline, metrics in data["differences"].items():
        cells = [
            f"{found['mean']:+.3f} [{found['low']:+.3f}, {found['high']:+.3f}]"
            for found in metrics.values()
        ]
        rows.append((_NAMES[baseline], *cells))
    return table(rows)


def _types(data: "dict[str, Any]") -> list[str]:
    metrics = _metrics(data)
    rows: list[tuple[str, ...]] = [("", "questions", *metrics)]
    for type, means in data["types"].items():
        figures = tuple(
            f"{_figure(means[PRODUCT][metric])} ({_figure(means['fts5'][metric])})"
            for metric in metrics
        )
        rows.append((type, str(means["questions"]), *figures))
    return table(rows, tuple(range(1, len(metrics) + 2)))
