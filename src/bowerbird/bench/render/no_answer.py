"""Renders the figures of ``bench nothing`` and ``bench precision``."""

from bowerbird.surfaces.cli.page import table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.surfaces.cli.page import Page

_HEAD = ("", "true", "no answer", "AUROC", "floor", "false recall", "hit floor", "false recall")


def text(data: "dict[str, Any]", page: "Page") -> str:
    """One line per set and mode, then what each threshold keeps and lets through."""
    rows: list[tuple[str, ...]] = [_HEAD]
    floors: list[tuple[str, ...]] = []
    for one in data["sets"]:
        for way in ("full", "fast"):
            found = one[way]
            name = one["set"] if way == "full" else f"{one['set']}, fast"
            rows.append(
                (
                    name,
                    f"{found['true_answers']:,}",
                    f"{found['unanswerable']:,}",
                    *(
                        _figure(found[key])
                        for key in (
                            "auroc",
                            "floor",
                            "false_recall",
                            "hit_floor",
                            "hit_false_recall",
                        )
                    ),
                )
            )
            floors.append((name, *map(_kept, found["floors"])))
    shares = tuple(_figure(row["floor"]) for row in data["sets"][0]["full"]["floors"])
    figures = tuple(range(1, len(_HEAD)))
    lines = [
        page.style("At the floor that keeps 90 % of the true answers", "bold"),
        *table(rows, figures),
        "",
        page.style("True answers kept / false ones let through, by floor", "bold"),
        *table([("", *shares), *floors], tuple(range(1, len(shares) + 1))),
    ]
    return "\n".join([*lines, *(f"written: {page.path(path)}" for path in data["written"])])


def precision(data: "dict[str, Any]", page: "Page") -> str:
    """One line each for `query` and `context`, and one per threshold on the hits of `query`."""
    asked = [("query", data["query"])]
    asked += [(f"query, from {_figure(row['floor'])}", row) for row in data["floors"]]
    asked += [("context", data["context"])]
    keys = [key for key in data["query"] if key != "floor"]
    rows: list[tuple[str, ...]] = [("", *(key.replace("_", " ") for key in keys))]
    rows += [(name, *(_figure(found[key]) for key in keys)) for name, found in asked]
    head = page.style(f"{data['set']}: {data['cases']} cases", "bold")
    lines = [
        f"{head}, {data['beliefs']} beliefs",
        "",
        *table(rows, tuple(range(1, len(keys) + 1))),
    ]
    return "\n".join([*lines, *(f"written: {page.path(path)}" for path in data["written"])])


def _kept(row: "dict[str, float]") -> str:
    return f"{_figure(row['kept'])}/{_figure(row['false_recall'])}"


def _figure(value: float) -> str:
    return f"{value:.3f}".replace("0.", ".", 1) if value < 1 else f"{value:.2f}"
