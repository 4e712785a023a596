"""Generates the table of routes in docs/HTTP.md from the OpenAPI document."""

from bowerbird.surfaces.http.openapi import document

START = "<!-- Written by scripts/reference.py from the code; change that, then run it again. -->"
END = "<!-- The end of what is written. -->"


def renewed(text: str) -> str:
    """The page with a regenerated table."""
    before, _, rest = text.partition(START)
    after = rest.partition(END)[2]
    return f"{before}{START}\n\n{table()}\n{END}{after}"


def table() -> str:
    """A row per route, with what it does."""
    lines = ["| route | |", "|---|---|"]
    for path, operations in document()["paths"].items():
        for method, operation in operations.items():
            lines.append(f"| `{method.upper()} {path}` | {operation['summary']} |")
    return "\n".join(lines) + "\n"
