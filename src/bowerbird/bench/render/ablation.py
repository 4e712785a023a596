"""Renders an ablation: for a terminal, and as a Markdown page."""

from bowerbird.admin import optional_stages
from bowerbird.surfaces.cli.page import table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.surfaces.cli.page import Page

_HEAD = (
    "Each stage left out in turn: what that changes, with a 95 % interval (paired bootstrap over"
    " questions). Below 0 the stage helps; a dash: it changed no figure of any question."
)


def text(data: "dict[str, Any]", page: "Page") -> str:
    """One table per set."""
    lines = []
    for one in data["sets"]:
        lines += [page.style(f"{one['set']}: {one['questions']:,} questions", "bold"), ""]
        lines += [*table(_rows(one), (1, 2, 3, 4)), ""]
    return "\n".join([*lines, *(f"written: {page.path(path)}" for path in data["written"])])


def markdown(data: "dict[str, Any]") -> str:
    """A page: the stages, and one table per set."""
    lines = ["# What each stage is worth", "", _HEAD, ""]
    lines += ["| left out | instead |", "|---|---|"]
    lines += [f"| {stage} | {instead} |" for stage, instead in optional_stages().items()]
    for one in data["sets"]:
        head, *rows = _rows(one)
        lines += ["", f"## {one['set']}, {one['questions']:,} questions", "", _line(head)]
        lines += ["|" + "---|" * len(head), *map(_line, rows)]
    measured = f"Version {data['version']}, commit {str(data['commit'])[:10]}, {data['date'][:10]}."
    return "\n".join([*lines, "", f"{measured} `bower bench ablation DIR…` repeats it.", ""])


def _line(cells: tuple[str, ...]) -> str:
    return f"| {' | '.join(cells)} |"


def _rows(one: "dict[str, Any]") -> list[tuple[str, ...]]:
    metrics = list(one["full"])
    rows: list[tuple[str, ...]] = [("left out", "changed", *metrics)]
    rows.append(("nothing", "", *(_figure(one["full"][metric]) for metric in metrics)))
    for stage, found in one["without"].items():
        cells = (_difference(found[metric]) if found["changed"] else "–" for metric in metrics)
        rows.append((stage, str(found["changed"]), *cells))
    return rows


def _figure(value: float) -> str:
    return f"{value:.3f}".replace("0.", ".", 1)


def _difference(found: "dict[str, float]") -> str:
    cells = (f"{found[name]:+.3f}".replace("0.", ".", 1) for name in ("mean", "low", "high"))
    return "{} [{}, {}]".format(*cells).replace("-", "−")
