"""Renders the figures of ``bench learn``."""

from bowerbird.surfaces.cli.page import table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.surfaces.cli.page import Page


def text(data: "dict[str, Any]", page: "Page") -> str:
    """One line per signal and the outcome of the memories; or one line per month."""
    if "months" in data:
        months: list[tuple[str, ...]] = [
            ("month", "sessions", "learned", "active", "faded by half", "let go", "kB")
        ]
        months += [
            (
                *(f"{one[name]:,}" for name in ("month", "sessions", "kept", "active")),
                f"{one['faded']:,}",
                f"{one['gone']:,}",
                f"{one['bytes'] // 1000:,}",
            )
            for one in data["months"]
        ]
        return "\n".join(
            [*table(months), *(f"written: {page.path(one)}" for one in data["written"])]
        )
    rows = [("signal", "lessons", "kept")]
    rows += [(one["signal"], f"{one['found']:,}", f"{one['kept']:,}") for one in data["signals"]]
    counts = ", ".join(f"{name} {count:,}" for name, count in sorted(data["decisions"].items()))
    lines = [page.style(f"{data['sessions']:,} sessions in {data['took_s']} s", "bold")]
    if took := data["finalised"]:
        ends = [f"{took[name]:.0f}" for name in ("p50_ms", "p95_ms", "most_ms")]
        spread = f"{ends[0]} ms in the middle, {ends[1]} at p95, {ends[2]} at most"
        lines += [f"CPU of a session until its memories are stored: {spread}"]
        lines += [f"{took['within']:.2f} of them within 100 ms"]
    lines += ["", *table(rows), "", counts]
    lines += [f"written: {page.path(one)}" for one in data["written"]]
    return "\n".join(lines)
