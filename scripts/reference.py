"""Writes the reference pages: docs/CLI.md and PYTHON.md, the tools in MCP.md, the routes in HTTP.md.

``--check`` fails if one of them is out of date.

They are generated from the fields by which the command line is parsed, and from docstrings.
"""

import re
import sys
import textwrap
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import reference_http
import reference_mcp
import reference_python
from bowerbird.core.answers import Hit, Hits
from bowerbird.surfaces.cli.arguments import GLOBALS, is_option, meaning, metavar, names_of
from bowerbird.surfaces.cli.overview import EVERY_DAY
from bowerbird.surfaces.cli.table import aliases, commands, find
from bowerbird.surfaces.fields import TYPED, Field

DOCS = Path(__file__).parent.parent / "docs"
PAGE = DOCS / "CLI.md"
MCP_PAGE = DOCS / "MCP.md"
HTTP_PAGE = DOCS / "HTTP.md"
PYTHON_PAGE = DOCS / "PYTHON.md"

# Of a command of every day; others have one, and `bower help` shows all.
MOST_EXAMPLES = 2

# How much of its explanation a command has here, in whole sentences; `bower help` shows all.
MOST_WORDS = 40

HEAD = """# The command line

<!-- Written by scripts/reference.py from the verbs' fields; change those, then run it again. -->

`bower COMMAND [OPTIONS]`; `bowerbird` is the same command. Each command is here in short: `bower help
COMMAND` explains it and each of its options, with all examples.

On a terminal the answer is text, in a pipe it is JSON; `--format` asks for one of them, or for
markdown. What `context`, `demo`, `help` and `completion` write is text anywhere. Every answer in JSON
comes in one envelope:

```json
{"command": "query", "success": true, "schema": 1, "data": {}}
```

When a command fails, `success` is false and `data` holds `error`, `status` and `remedy`.

| exit code | |
|---|---|
| 0 | success; finding nothing is one. Also Ctrl-C of `serve` and `watch` |
| 1 | a failure, a problem that the doctor finds, a line of a batch that cannot be taken |
| 2 | a wrong call |
| 130 | Ctrl-C |

Standard output carries the answer alone, remarks go to standard error.
"""


def filters() -> list[Field]:
    """What `query` and `list` have both: which entries are meant."""
    asked, listed = (find(name).VERB.at(TYPED) for name in ("query", "list"))
    common = [one for one in asked if one in listed and is_option(one) and one not in GLOBALS]
    return [one for one in common if names_of(one)[-1] not in ("--limit", "--sort")]


FILTERS = filters()


def page() -> str:
    """The whole reference."""
    known = [one.VERB for one in commands()]
    parts = [HEAD, "## Commands\n", "| | |", "|---|---|"]
    for group in dict.fromkeys(verb.group for verb in known):
        named = (f"[`{verb.name}`](#{verb.name})" for verb in known if verb.group == group)
        parts.append(f"| {group} | {', '.join(named)} |")
    parts.append("")
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
    more = in_short(module.__doc__.partition("\n\n")[2].strip().partition("\n\n")[0])
    lines += ["", more, ""] if more else [""]
    named = [field for field in own if is_option(field)]
    filtering = verb.name != "query" and all(one in named for one in FILTERS)
    shown = [one for one in named if not (filtering and one in FILTERS)]
    if shown:
        lines += [f"Options: {', '.join(f'`{names_of(one)[-1]}`' for one in shown)}.", ""]
    if filtering:
        first, last = (names_of(FILTERS[at])[-1] for at in (0, -1))
        lines += [f"Filters: `{first}` to `{last}` of [`query`](#query).", ""]
    if verb.name == "query":
        lines += [answered(), ""]
    examples = module.EXAMPLES[: MOST_EXAMPLES if verb.name in EVERY_DAY else 1]
    width = max(len(line) for line, _ in examples)
    lines += ["```sh", *(f"{line:<{width}}  # {what}" for line, what in examples), "```", ""]
    return "\n".join(lines)


def in_short(text: str) -> str:
    """The first sentences of an explanation, without one that begins a list."""
    kept: list[str] = []
    for sentence in re.split(r"(?<=[.:])\s+(?=[A-Z`-])", text):
        if kept and len(" ".join([*kept, sentence]).split()) > MOST_WORDS:
            break
        kept.append(sentence)
    if kept and kept[-1].endswith(":"):
        kept.pop()
    return textwrap.fill(" ".join(" ".join(kept).split()), 100, break_on_hyphens=False)


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
    over_http = reference_http.renewed(HTTP_PAGE.read_text(encoding="utf-8"))
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
