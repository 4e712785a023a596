"""How the settings read: the file, then each with its value, its meaning and where it was set."""

from bowerbird.core.config import DEFAULT
from bowerbird.core.text import clean
from bowerbird.surfaces.cli.page import Page

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.config import Effective

_INDENT = "    "


def text(found: "Effective", page: Page) -> str:
    """A line each, with the meaning below."""
    there = "" if found.exists else " (does not exist yet; TOML)"
    lines = [f"file: {page.path(found.path)}{there}"]
    for one in found.settings:
        value = clean(str(one["value"])) or "not set"
        origin = one["origin"]
        mark = "" if origin == DEFAULT else page.style(f"  ({page.path(origin)})", "yellow")
        lines.append(f"{page.style(one['key'], 'cyan')} = {value}{mark}")
        if not page.quiet:
            lines += page.below(one["meaning"], _INDENT, "dim")
    return "\n".join(lines)
