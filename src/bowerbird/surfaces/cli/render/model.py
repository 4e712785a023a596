"""How the models read: a line each, by role; what is going on; and what was fetched."""

from bowerbird.core.model_choice import EMBED, Fetched, ModelChoice, Models
from bowerbird.core.text import clean
from bowerbird.surfaces.cli.page import Page, table
from bowerbird.surfaces.cli.render.status import size

# The numbers of the table are set flush right.
_RIGHT = (2, 3, 4, 5)
_INDENT = "    "


def text(found: Models | Fetched, page: Page) -> str:
    """The table of models, or the file that was fetched."""
    if isinstance(found, Fetched):
        how = "was there already" if found.was_there else "fetched"
        line = page.style(f"{how}: {clean(page.path(found.path))}", "bold")
        return f"{line}\n{size(found.size_bytes)}, sha256 {found.sha256}"
    head = ("", "role", "dims", "size", "ms/text", "found", "where", "name")
    lines = table([head, *map(_row, found.models)], _RIGHT)
    lines[0] = page.style(lines[0], "dim")
    if page.quiet:
        return "\n".join(lines)
    lines += [f"{clean(one.name)}: {clean(one.note)}" for one in found.models if one.note]
    if found.change is not None:
        done = f"{found.change.done:,} of {found.change.total:,} entries"
        state = "is embedding the store" if found.change.running else "has stopped"
        lines.append(page.style(f"{clean(found.change.name)} {state}: {done}", "bold"))
    if found.why:
        lines.append(f"embed.provider = auto: {found.why}")
    lines.append(f"files of models: {clean(page.path(found.folder))}")
    if not any(one.found is not None for one in found.models if one.role == EMBED):
        lines += page.below("speed and quality on this machine: bower model --measure", "", "dim")
    return "\n".join(lines)


def _row(one: ModelChoice) -> tuple[str, ...]:
    return (
        "*" if one.used else "",
        one.role,
        f"{one.dims:,}" if one.dims else "",
        size(one.size_bytes) if one.size_bytes else "",
        "" if one.ms_per_text is None else f"{one.ms_per_text:,.1f}",
        "" if one.found is None else f"{one.found:.2f}",
        "here" if one.local else "elsewhere",
        clean(one.name),
    )
