"""How the uses of a definition read: a line a use, below its file."""

from bowerbird.surfaces.cli.page import Page, counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.usages import References, Usage, UsingFile

_MEANS = {"imports": "import", "calls": "call", "inherits": "base class", "links": "link"}


def text(found: "References", page: Page) -> str:
    """The files, tests last, and a count."""
    if found.candidates:
        lines = [f"{found.target} may be any of these; name one as file:symbol"]
        lines += [f"  {one.kind} {one.name}  {page.path(one.path)}" for one in found.candidates]
        return "\n".join(lines)
    lines = []
    for one in found.found:
        name = f"{one.kind} {one.name}" if one.name else one.kind
        lines.append(page.style(f"{name}  {page.path(one.path)}:{one.start_line}", "bold"))
    for file in found.files:
        lines += _file(file, page)
    if not found.total:
        lines.append("  nothing in the indexed code uses it")
    else:
        files = counted(len(found.files), "file")
        more = f"; {found.more:,} more, with --limit" if found.more else ""
        lines.append(f"\n{counted(found.total, 'use')}, shown of {files}{more}")
    if found.stale:
        paths = ", ".join(page.path(path) for path in found.stale)
        lines.append(f"changed or gone since indexed, what they say is left out: {paths}")
        lines.append("  → bower index")
    return "\n".join(lines)


def _file(file: "UsingFile", page: Page) -> list[str]:
    mark = page.style("  test", "cyan") if file.test else ""
    return [f"{page.path(file.path)}{mark}", *(f"  {_use(one, page)}" for one in file.usages)]


def _use(one: "Usage", page: Page) -> str:
    sure = " (by its name alone)" if one.origin == "rule" else ""
    within = f"  in {one.name}" if one.name else ""
    return f"{one.line}: {page.style(_MEANS.get(one.kind, 'reference') + sure, 'dim')}{within}"
