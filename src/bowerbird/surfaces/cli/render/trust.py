"""How a word about whose files are trusted reads."""

from bowerbird.core.grounds import TrustChange
from bowerbird.core.text import clean
from bowerbird.surfaces.cli.page import Page, counted, table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.grounds import Folders, Grounds


def text(value: "TrustChange | Folders", page: Page) -> str:
    """What holds of the folder now, and what that changed; of a list a line each."""
    if not isinstance(value, TrustChange):
        rows = [(_sign(one), page.path(one.root), clean(one.reason)) for one in value.folders]
        lines = table(rows) or [
            "no folder is declared trusted yet; to declare one: bower trust PATH"
        ]
        if value.foreign:
            lines += ["", "from outside, until you say otherwise with: bower trust FILE"]
            lines += [f"  {clean(one)}" for one in value.foreign]
        return "\n".join(lines)
    grounds = value.grounds
    lines = [page.style(f"{page.path(grounds.root)}: {_sign(grounds)}", "bold")]
    lines.append(page.style(clean(grounds.reason), "dim"))
    for count, what in ((value.raised, "normal"), (value.lowered, "imported")):
        if count:
            lines.append(f"{counted(count, 'indexed file')} now {what}")
    return "\n".join(lines)


def _sign(grounds: "Grounds") -> str:
    return "trusted" if grounds.trusted else "not trusted"
