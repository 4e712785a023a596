"""Writes the reference pages: docs/CLI.md and PYTHON.md, the tools in MCP.md, the routes in HTTP.md.

``--check`` fails if one of them is out of date.

They are generated from the fields by which the command line is parsed, and from docstrings.
"""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import reference_http
import reference_mcp
import reference_python
from bowerbird.core.answers import Hit, Hits
from bowerbird.surfaces.cli.arguments import GLOBALS, is_option, meaning, metavar, names_of
from bowerbird.surfaces.cli.table import aliases, commands
from bowerbird.surfaces.fields import TYPED, Field

DOCS = Path(__file__).parent.parent / "docs"
PAGE = DOCS / "CLI.md"
MCP_PAGE = DOCS / "MCP.md"
HTTP_PAGE = DOCS / "HTTP.md"
PYTHON_PAGE = DOCS / "PYTHON.md"

# Of each command; `bower help` shows all.
MOST_EXAMPLES = 2

HEAD = """# The command line

<!-- Written by scripts/reference.py from the verbs' fields; change those, then run it again. -->

`bower COMMAND [OPTIONS]`; `bowerbird` is the same command. On a terminal the answer is text, in a
pipe it is JSON; `--format` asks for one of them, or for markdown. What `context`, `demo`,
`help` and `completion` write is text anywhere: it is meant for a prompt, a reader or a shell.

Every answer in JSON comes in one envelope:

```json
{"command": "query", "success": true, "schema": 1, "data": {}}
```

When a command fails, `success` is false and `data` holds `error`, `status` and `remedy`. The exit
code is 0 for success (finding nothing is one), 1 for a failure (also a problem that the doctor finds,
or a line of a batch that cannot be taken), 2 for a wrong call, 130 after Ctrl-C
(0 for `serve` and `watch`). Standard output carries the answer alone;
remarks go to standard error: `--quiet` leaves them out, `--verbose` adds
the store's path and where the time went.

Each command in short; `bower help COMMAND` explains it and each of its options, with all examples.
"""


def page() -> str:
    """The whole reference."""
    known = [one.VERB for one in commands()]
    parts = [HEAD, "## Commands\n"]
    parts.append(", ".join(f"[`{one.name}`](#{one.name})" for one in known) + ".\n")
    parts += map(section, commands())
    parts.append("## Options of every command\n\nBefore the command or after it.\n")
    parts.append(options(GLOBALS))
    return "\n".join(parts)


def section(module: Any) -> str:
    """One command in short: what it does, the names of its options, and examples."""
    verb = module.VERB
    everywhere = {field.name for field in GLOBALS}
    own = [field for field in verb.at(TYPED) if field.name not in everywhere]
    lines = [f"## {verb.name}", "", f"{verb.meaning}."]
    if also := aliases(verb):
        lines[-1] += " Also: " + ", ".join(f"`{alias}`" for alias in also) + "."
    more = module.__doc__.partition("\n\n")[2].strip().partition("\n\n")[0]
    lines += ["", more, ""] if more else [""]
    if named := [f"`{names_of(field)[-1]}`" for field in own if is_option(field)]:
        lines += [f"Options: {', '.join(named)}.", ""]
    if verb.name == "query":
        lines += [answered(), ""]
    examples = module.EXAMPLES[:MOST_EXAMPLES]
    width = max(len(line) for line, _ in examples)
    lines += ["```sh", *(f"{line:<{width}}  # {what}" for line, what in examples), "```", ""]
    return "\n".join(lines)


def answered() -> str:
    """What `data` of a query holds, on the command line and over HTTP."""
    names, hit = (", ".join(f"`{row[0]}`" for row in one.TABLE) for one in (Hits, Hit))
    return (
        f"In JSON `data` holds {names}. `results` is the list of hits, the best first (`hits` in Python"
        f" and over MCP), each with {hit}; `remarks` says what degraded or is missing."
    )


def options(fields: Iterable[Field]) -> str:
    """Options as a table."""
    return "\n".join(["| | |", "|---|---|", *map(row, fields), ""])


def row(field: Field) -> str:
    """An option as a row of a table."""
    name = ", ".join(f"`{name}`" for name in names_of(field)).replace("|", "\\|")
    value = metavar(field).replace("|", "\\|")
    return f"| {name}{' ' * bool(value)}{value} | {meaning(field)} |"


def main() -> int:
    """Write the pages, or compare them."""
    current = MCP_PAGE.read_text(encoding="utf-8")
    over_http = reference_http.renewed(HTTP_PAGE.read_text(encoding="utf-8"), answered())
    wanted = {PAGE: page(), MCP_PAGE: reference_mcp.renewed(current), HTTP_PAGE: over_http}
    wanted[PYTHON_PAGE] = reference_python.page()
    if "--check" not in sys.argv[1:]:
        for place, text in wanted.items():
            place.write_text(text, encoding="utf-8")
        return 0
    stale = [
        place
        for place, text in wanted.items()
        if not place.exists() or not reference_mcp.same(place.read_text(encoding="utf-8"), text)
    ]
    for place in stale:
        print(f"{place} is stale; run: python scripts/reference.py", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
