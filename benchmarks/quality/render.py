"""Tables of the figures: of an ablation as Markdown, of the others for a terminal."""

from typing import Any

from bowerbird.admin import optional_stages
from bowerbird.surfaces.cli.page import table

_ABLATION = (
    "Each stage left out in turn: what that changes, with a 95 % interval (paired bootstrap over"
    " questions). Below 0 the stage helps; a dash: it changed no figure of any question."
)
_NOTHING = ("", "true", "no answer", "AUROC", "floor", "false recall", "hit floor", "false recall")
_SEPARATES = ("auroc", "floor", "false_recall", "hit_floor", "hit_false_recall")
_MONTHS = ("month", "sessions", "learned", "active", "faded by half", "let go", "bytes")


def ablation(data: "dict[str, Any]") -> str:
    """A page: the stages, and one table per set."""
    lines = ["# What each stage is worth", "", _ABLATION, ""]
    lines += ["| left out | instead |", "|---|---|"]
    lines += [f"| {stage} | {instead} |" for stage, instead in optional_stages().items()]
    for one in data["sets"]:
        head, *rows = _stages(one)
        lines += ["", f"## {one['set']}, {one['questions']:,} questions", "", _line(head)]
        lines += ["|" + "---|" * len(head), *map(_line, rows)]
    measured = f"Version {data['version']}, commit {str(data['commit'])[:10]}, {data['date'][:10]}."
    return "\n".join([*lines, "", f"{measured} `quality ablation SET…` repeats it.", ""])


def nothing(data: "dict[str, Any]") -> str:
    """One line per set and mode, then what each threshold keeps and lets through."""
    rows: list[tuple[str, ...]] = [_NOTHING]
    floors: list[tuple[str, ...]] = []
    for one in data["sets"]:
        for way, name in (("full", one["set"]), ("fast", f"{one['set']}, fast")):
            found = one[way]
            counts = (f"{found['true_answers']:,}", f"{found['unanswerable']:,}")
            rows.append((name, *counts, *(_figure(found[key]) for key in _SEPARATES)))
            kept = [(_figure(row["kept"]), _figure(row["false_recall"])) for row in found["floors"]]
            floors.append((name, *map("/".join, kept)))
    shares = tuple(_figure(row["floor"]) for row in data["sets"][0]["full"]["floors"])
    lines = ["At the floor that keeps 90 % of the true answers", *table(rows, _right(_NOTHING)), ""]
    lines += ["True answers kept / false ones let through, by floor"]
    return "\n".join([*lines, *table([("", *shares), *floors], _right(("", *shares)))])


def precision(data: "dict[str, Any]") -> str:
    """One line each for `query` and `context`, and one per threshold on the hits of `query`."""
    asked = [("query", data["query"])]
    asked += [(f"query, from {_figure(row['floor'])}", row) for row in data["floors"]]
    asked += [("context", data["context"])]
    keys = [key for key in data["query"] if key != "floor"]
    rows: list[tuple[str, ...]] = [("", *(key.replace("_", " ") for key in keys))]
    rows += [(name, *(_figure(found[key]) for key in keys)) for name, found in asked]
    head = f"{data['set']}: {data['cases']} cases, {data['beliefs']} beliefs"
    return "\n".join([head, "", *table(rows, _right(rows[0]))])


def learned(data: "dict[str, Any]") -> str:
    """One line per signal and the outcome of the memories; or one line per month."""
    if "months" in data:
        keys = ("month", "sessions", "kept", "active", "faded", "gone", "bytes")
        months = [tuple(f"{one[key]:,}" for key in keys) for one in data["months"]]
        return "\n".join(table([_MONTHS, *months]))
    rows = [("signal", "lessons", "kept")]
    rows += [(one["signal"], f"{one['found']:,}", f"{one['kept']:,}") for one in data["signals"]]
    lines = [f"{data['sessions']:,} sessions in {data['took_s']} s"]
    if took := data["finalised"]:
        lines.append(
            f"CPU of a session until its memories are stored: {took['p50_ms']:.0f} ms in the middle, "
            f"{took['p95_ms']:.0f} at p95, {took['most_ms']:.0f} at most; "
            f"{took['within']:.2f} of them within 100 ms"
        )
    counts = ", ".join(f"{name} {count:,}" for name, count in sorted(data["decisions"].items()))
    return "\n".join([*lines, "", *table(rows), "", counts])


def _stages(one: "dict[str, Any]") -> list[tuple[str, ...]]:
    metrics = list(one["full"])
    rows: list[tuple[str, ...]] = [("left out", "changed", *metrics)]
    rows.append(("nothing", "", *(_figure(one["full"][metric]) for metric in metrics)))
    for stage, found in one["without"].items():
        cells = (_difference(found[metric]) if found["changed"] else "–" for metric in metrics)
        rows.append((stage, str(found["changed"]), *cells))
    return rows


def _line(cells: tuple[str, ...]) -> str:
    return f"| {' | '.join(cells)} |"


def _right(head: tuple[str, ...]) -> tuple[int, ...]:
    """All columns but the first, which are numbers."""
    return tuple(range(1, len(head)))


def _figure(value: float) -> str:
    return f"{value:.3f}".replace("0.", ".", 1) if value < 1 else f"{value:.2f}"


def _difference(found: "dict[str, float]") -> str:
    cells = (f"{found[name]:+.3f}".replace("0.", ".", 1) for name in ("mean", "low", "high"))
    return "{} [{}, {}]".format(*cells).replace("-", "−")
