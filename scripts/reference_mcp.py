"""Generates the parts of docs/MCP.md for tools, resources, and an example conversation.

The conversation is a real one: the SDK's client starts ``bower mcp`` and talks to it over standard
input and output. Ids, times and nonces, which differ each time, are replaced by constants.
"""

import json
import os
import re
import sys
import tempfile
from pathlib import Path

import anyio
from mcp import Client, StdioServerParameters

from bowerbird.core.text import count_tokens
from bowerbird.surfaces.mcp import catalogue
from bowerbird.surfaces.mcp.tool import OFFERS, Offer

SEEN = re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}\b")
SHORT = re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}\b")
MOMENT = re.compile(r"\b20\d\d-\d\d-\d\dT[\d:.]+Z")
DAY = re.compile(r"\b20\d\d-\d\d-\d\d\b")
RELEVANCE = re.compile(r"(?<=relevance)\W+\d\.\d+")
NONCE = re.compile(r"\b[0-9a-f]{16}\b")

KEPT = (("The auth tests hang when Redis is down: start it with `make redis` first.", "gotcha"),)
QUESTION = "why do the auth tests hang?"


def reference() -> str:
    """The tools and resources."""
    parts = [section(tool) for tool in OFFERS.values()]
    rows = [
        *(f"| `{one['uri']}` | {one['description']} |" for one in catalogue.RESOURCES),
        *(f"| `{one['uriTemplate']}` | {one['description']} |" for one in catalogue.TEMPLATES),
    ]
    parts += ["### Resources\n", "\n".join(["| | |", "|---|---|", *rows]) + "\n"]
    return "\n".join(parts)


def section(tool: Offer) -> str:
    """One tool: its description for the model, the names of its arguments and of what it gives."""
    marks = ["writes" if tool.writes else "reads"]
    if tool.writes:
        marks.append("undone by `memory_revert`" if tool.name != "memory_revert" else "undoes")
    if tool.about.repeatable and tool.writes:
        marks.append("again changes nothing more")
    lines = [
        f"### {tool.name}",
        "",
        f"> {tool.about.description}",
        "",
        f"{', '.join(marks).capitalize()}.",
    ]
    takes = tool.takes()
    needed = takes.get("required", ())
    names = [f"**`{one}`**" if one in needed else f"`{one}`" for one in takes["properties"]]
    if names:
        lines += ["", f"Takes {', '.join(names)}."]
    given = ", ".join(f"`{name}`" for name in tool.gives()["properties"])
    return "\n".join([*lines, "", f"Gives {given}.", ""])


async def talk() -> str:
    """A conversation that stores and searches, recorded by the SDK's client."""
    lines: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "shop" / ".git").mkdir(parents=True)
        server = StdioServerParameters(
            command=sys.executable,
            args=["-m", "bowerbird", "mcp"],
            env=alone(folder),
            cwd=Path(folder) / "shop",
        )
        async with Client(server) as client:
            info = client.server_info
            lines.append(f"protocol {client.protocol_version}, server {info and info.name}")

            async def call(name: str, **arguments: object) -> dict[str, object]:
                lines.append(f"\n→ {name} {json.dumps(arguments, ensure_ascii=False)}")
                answer = await client.call_tool(name, arguments)
                lines.append("← " + "".join(getattr(one, "text", "") for one in answer.content))
                return dict(answer.structured_content)

            for content, type in KEPT:
                await call("memory_store", content=content, type=type)
            found = await call("memory_search", query=QUESTION, limit=1)
            data = json.dumps(found, ensure_ascii=False, indent=1)
            lines.append(f"  structured: {data}")
            await call("memory_search", query="how tall is the Eiffel tower?")
    return steady("\n".join(lines))


def alone(folder: str) -> dict[str, str]:
    """The environment without the user's settings."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("BOWER_")}
    places = {f"XDG_{name}_HOME": folder for name in ("DATA", "CONFIG", "STATE")}
    return kept | places | {"HOME": folder}


def steady(text: str) -> str:
    """A text with constants in place of what differs each time."""
    known: dict[str, str] = {}
    for id in SEEN.findall(text):
        known.setdefault(id, f"019b0000-0000-700{len(known) + 1}-8000-{len(known) + 1:012}")
    for id, shown in known.items():
        text = text.replace(id, shown).replace(id[:18], shown[:18])
    text = DAY.sub(
        "2026-01-05", MOMENT.sub("2026-01-05T09:00:00Z", text).replace("2026-07-28", "@")
    )
    return NONCE.sub("5f2c9a3e81d04b67", text.replace("@", "2026-07-28"))


def conversation() -> str:
    """A conversation with a new store."""
    return "```text\n" + anyio.run(talk) + "\n```\n"


def cost() -> str:
    """The tokens that the tools cost in each session: their names, descriptions and arguments."""
    read = [
        {key: schema[key] for key in ("name", "description", "inputSchema")}
        for schema in (tool.as_tool() for tool in OFFERS.values())
    ]
    tokens = count_tokens(json.dumps(read)) + count_tokens(catalogue.INSTRUCTIONS)
    return f"Together with the server's instructions they cost a session about {tokens:,} tokens.\n"


def renewed(page: str) -> str:
    """The page with regenerated parts, each between its two markers."""
    for name, text in (("tools", cost() + "\n" + reference()), ("conversation", conversation())):
        begin, end = (
            f"<!-- {name}: written by scripts/reference.py -->\n",
            f"<!-- end of {name} -->",
        )
        before, _, rest = page.partition(begin)
        _, found, after = rest.partition(end)
        if not found:
            raise ValueError(f"the page has no marks for {name}")
        page = f"{before}{begin}\n{text}\n{end}{after}"
    return page


def same(one: str, other: str) -> bool:
    """Whether two pages differ only in the relevance of hits, which changes with the ranking."""
    return RELEVANCE.sub("", one) == RELEVANCE.sub("", other)
