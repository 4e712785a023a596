"""How connecting reads: agents with what they have, or files with the lines that go and come."""

from bowerbird.core.text import clean
from bowerbird.surfaces.cli.page import Page, cells, table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from bowerbird.surfaces.installer.changes import Change
    from bowerbird.surfaces.installer.state import State

_TO_BE = {"made": "create", "changed": "change", "removed": "remove"}
_DONE = {"made": "created"}
_COLOURS = {"+": "green", "-": "red"}


def text(data: "dict[str, Any]", page: Page) -> str:
    """The agents of this machine; or what became of each file."""
    if "done" not in data:
        return _overview(data["agents"], page)
    if not (data["done"] or data["dry_run"]):
        return "nothing was written"
    lines = []
    for one in data["agents"]:
        lines.append(page.style(one["name"], "bold"))
        for file in one["files"]:
            lines += _file(file, data, page)
    if data["dry_run"]:
        lines.append("nothing was written: this was a dry run")
    return "\n".join(lines)


def _file(file: "dict[str, Any]", data: "dict[str, Any]", page: Page) -> "list[str]":
    change = _DONE.get(file["change"], file["change"])
    if not data["done"] and change != "unchanged":
        change = "would be " + change
    lines = [f"  {change:<9}  {page.path(file['path'])}"]
    if not data["done"] and file["change"] != "unchanged":
        lines[0] += f"  {file['entries']}"
    if data["whole"] or page.verbose:
        lines += ["    " + _line(line, page) for line in file["diff"]]
    if file["backup"] and page.verbose:
        lines.append(f"    original: {page.path(file['backup'])}")
    return lines


def rows(changes: "Sequence[Change]", page: Page, *, whole: bool) -> "list[str]":
    """The files that are to change, a line each; with `whole`, each followed by its changed lines."""
    width = max(cells(page.path(one.path)) for one in changes)
    lines = []
    for one in changes:
        path = page.path(one.path)
        padded = path + " " * (width - cells(path))
        lines.append(f"{_TO_BE[one.what]}  {page.style(padded, 'bold')}  {one.summary}")
        lines += ["  " + _line(line, page) for line in one.diff()] if whole else []
    return lines


def asked(offered: "Sequence[State]", page: Page) -> str:
    """The agents to choose from, and the question."""
    lines = ["Agents on this machine:"]
    for number, one in enumerate(offered, 1):
        lines.append(f"  {number}  {one.name}" + ("  (connected)" if one.connected else ""))
    return "\n".join([*lines, "Connect which? Numbers, none, or Enter for all: "])


def _line(line: str, page: Page) -> str:
    colour = _COLOURS.get(line[:1])
    return page.style(clean(line), colour) if colour else page.style(clean(line), "dim")


def _overview(agents: "Sequence[dict[str, Any]]", page: Page) -> str:
    rows = []
    for one in agents:
        has = "not found here" if not one["found"] else "found, not connected"
        if one["connected"]:
            has = "connected" + (", with hooks" if one["hooks"] else ", without hooks")
        rows.append((one["id"], one["name"], one["problem"] or has))
    lines = table(rows)
    missing = [one["id"] for one in agents if one["found"] and not one["connected"]]
    if missing:
        lines += ["", "to connect: " + page.style("bower install " + " ".join(missing), "cyan")]
    elif not any(one["connected"] for one in agents):
        by_hand = page.style("bower mcp --setup json", "cyan")
        lines += [
            "",
            f"an agent that was not found: bower install NAME; any other MCP client: {by_hand}",
        ]
    return "\n".join(lines)
