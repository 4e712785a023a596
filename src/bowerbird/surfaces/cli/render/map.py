"""How a map of code and the outline of a file read: definitions below their files."""

from bowerbird.surfaces.cli.page import Page, counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.code_map import CodeMap, MappedFile


def text(found: "CodeMap", page: Page) -> str:
    """The files, the most used first."""
    if not found.files:
        return "nothing in the indexed code uses another file's definitions"
    lines = [line for one in found.files for line in _file(one, page)]
    more = f"; {found.more:,} more, with --budget" if found.more else ""
    definitions = sum(len(one.symbols) for one in found.files)
    files = counted(len(found.files), "file")
    lines.append(
        f"\n{counted(definitions, 'definition')} in {files}, {found.tokens:,} tokens{more}"
    )
    return "\n".join(lines)


def outline(found: "CodeMap", page: Page) -> str:
    """One file, with the lines at which each definition begins and ends."""
    lines = [line for one in found.files for line in _file(one, page, ends=True)]
    if found.stale:
        lines += ["changed since it was indexed, lines may have moved", "  → bower index"]
    return "\n".join(lines)


def _file(one: "MappedFile", page: Page, *, ends: bool = False) -> list[str]:
    lines = [page.style(page.path(one.path), "bold")]
    for symbol in one.symbols:
        end = f"-{symbol.end_line}" if ends and symbol.end_line > symbol.start_line else ""
        said = page.style(symbol.kind, "dim")
        lines.append(f"  {said} {symbol.name}  {symbol.start_line}{end}")
    return lines
