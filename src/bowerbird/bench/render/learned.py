"""How the figures of learning read."""

from bowerbird.surfaces.cli.page import table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.surfaces.cli.page import Page


def text(data: "dict[str, Any]", page: "Page") -> str:
    """A line a signal, and what became of the lessons."""
    rows = [("signal", "lessons", "kept", "counts")]
    rows += [
        (one["signal"], f"{one['found']:,}", f"{one['kept']:,}", "yes" if one["on"] else "no")
        for one in data["signals"]
    ]
    told = ", ".join(f"{name} {count:,}" for name, count in sorted(data["decisions"].items()))
    lines = [page.style(f"{data['sessions']:,} sessions in {data['took_s']} s", "bold")]
    lines += ["", *table(rows), "", told]
    lines += [f"written: {page.path(one)}" for one in data["written"]]
    return "\n".join(lines)
