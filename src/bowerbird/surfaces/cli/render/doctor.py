"""Renders a diagnosis: a line for each check, the remedy below it."""

from bowerbird.core.config import DEFAULT
from bowerbird.core.health import OK
from bowerbird.core.text import clean
from bowerbird.surfaces.cli.page import Page, cells, wrap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.health import Examined, Finding

_COLOURS = {"ok": "green", "warning": "yellow", "problem": "red"}
_SIGNS = {"ok": ("✓", "ok"), "warning": ("!", "!"), "problem": ("✗", "X")}


def text(found: "Examined", page: Page) -> str:
    """The findings, settings last; with --quiet only what needs attention."""
    shown = _shown(found, page)
    width = max((cells(one.check) for one in shown), default=0)
    lines: list[str] = []
    for one in (one for one in shown if one.check != "setting"):
        lines += _finding(one, width, page)
    settings = [one for one in shown if one.check == "setting"]
    if settings:
        lines += ["", *_settings(settings, page)]
    if not page.quiet:
        lines += ["", _verdict(found, page)]
    return "\n".join(lines)


def _settings(settings: "list[Finding]", page: Page) -> list[str]:
    """Those that somebody set, and how many are at their default."""
    changed = [one for one in settings if one.origin != DEFAULT]
    rest = f"{len(settings) - len(changed)} settings have their default; bower config shows all"
    if not changed:
        return [page.style(rest, "dim")]
    longest = max(cells(one.found) for one in changed)
    return [
        page.style("Settings, and where each comes from", "bold"),
        *(
            f"  {one.found}{' ' * (longest - cells(one.found))}  "
            + page.style(page.path(one.origin), "dim")
            for one in changed
        ),
        page.style(f"  {rest}", "dim"),
    ]


def markdown(found: "Examined", page: Page) -> str:
    """The findings as a table, to be pasted into a report; with --quiet what needs attention."""
    rows = []
    for one in _shown(found, page):
        remedy = one.remedy or one.origin
        parts = (one.level, one.check, one.found, remedy)
        rows.append("| " + " | ".join(clean(part).replace("|", "\\|") for part in parts) + " |")
    return "\n".join(["| | | | |", "|---|---|---|---|", *rows] if rows else [])


def _shown(found: "Examined", page: Page) -> "list[Finding]":
    return [one for one in found.findings if not (page.quiet and one.level == OK)]


def _finding(one: "Finding", width: int, page: Page) -> list[str]:
    sign = page.style(page.glyph(*_SIGNS[one.level]), _COLOURS[one.level])
    indent = " " * (width + len("x  ") + 1)
    first, *rest = wrap(one.found, max(20, page.columns - len(indent))) or [""]
    head = f"{sign} {page.style(f'{one.check:<{width}}', 'bold')}  {first}"
    lines = [head, *(indent + line for line in rest)]
    if one.remedy:
        arrow = page.glyph("→", "->")
        for number, line in enumerate(wrap(one.remedy, max(20, page.columns - len(indent) - 2))):
            lines.append(indent + (f"{arrow} {line}" if number == 0 else f"  {line}"))
    return lines


def _verdict(found: "Examined", page: Page) -> str:
    problems, warnings = found.problems, found.warnings
    if problems:
        return page.style(f"{problems} to mend, {warnings} to look at", "red", "bold")
    if warnings:
        return page.style(f"nothing is broken, {warnings} to look at", "yellow", "bold")
    return page.style("all is well", "green", "bold")
