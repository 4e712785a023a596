"""How the list of plug-ins reads: a line each, and how it is used below."""

from bowerbird.core.text import clean
from bowerbird.surfaces.cli.page import Page

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.plugins import Plugins

_INDENT = "    "


def text(found: "Plugins", page: Page) -> str:
    """Group, name and version, and what it gives; of one that cannot be used why, and the remedy."""
    lines: list[str] = []
    for one in found.plugins:
        head = f"{one.group}: {one.name}"
        if one.error:
            lines += [page.style(head, "red"), *page.below(clean(one.error), _INDENT, "red")]
            lines.append(_INDENT + page.remedy(clean(one.remedy)))
            continue
        mark = page.style("  (in use)", "green") if one.chosen else ""
        lines.append(f"{page.style(f'{head} {one.version}', 'cyan')}  ({one.package}){mark}")
        lines += page.below(clean(one.gives), _INDENT)
        if not one.chosen:
            lines += page.below(f"to use it: {one.use}", _INDENT, "dim")
    return "\n".join(lines) or "No installed package adds anything."
