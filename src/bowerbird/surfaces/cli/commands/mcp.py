"""``bower mcp``: the tools of an agent.

Serves the Model Context Protocol over standard input and output, for an agent that starts it.
Standard output carries only the protocol. It ends when the agent closes its input.

--setup AGENT serves nothing: it prints the command to run, or the lines to add to a file, that
connect an agent with this installation, with the other options given. It changes no file.

--http serves the same tools at http://HOST:PORT/mcp, over streamable HTTP, to clients with a token of
`bower serve`, and nothing else; SIGTERM ends it. `bower serve` serves them together with the verbs.
"""

import os

from bowerbird.core.errors import BadInput
from bowerbird.daemon.birds import Birds
from bowerbird.host.installed import starting
from bowerbird.surfaces.cli.call import Call, Outcome
from bowerbird.surfaces.cli.commands.serve import SAFE, listen
from bowerbird.surfaces.cli.table import load
from bowerbird.surfaces.fields import Field, Verb
from bowerbird.surfaces.installer.by_hand import CHOICES, setup

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import SimpleNamespace
    from typing import Any


EXAMPLES = (
    ("bower mcp --setup claude-code", "the line that connects it"),
    ("bower mcp --setup cursor --read-only", "what to add to its settings, read-only"),
    ("bower mcp", "serve the folder's project"),
    ("bower mcp --project shop", "serve that project in any folder"),
    ("bower mcp --read-only", "without tools that write"),
    ("bower mcp --http 8788 --project shop", "at http://127.0.0.1:8788/mcp"),
)

_DIGITS = 5


VERB = Verb(
    "mcp",
    "Serve memory to an agent over MCP",
    (
        Field("all_projects", "flag", "include every project", default=False),
        Field("read_only", "flag", "offer no tool that writes", default=False),
        Field(
            "may_share", "flag",
            "allow memories for every project (over HTTP the token decides)", default=False,
        ),
        Field("setup", "text", "show how to connect", choices=CHOICES, metavar="AGENT"),
        Field(
            "http", "text", "listen there; port 0: any free port",
            metavar="[HOST:]PORT", group="over HTTP",
        ),
        *(one.replace(group="over HTTP") for one in SAFE),
    ),
    group="Connect",
    order=2,
    prose=True,
)  # fmt: skip


def command(call: Call) -> Outcome:
    """Serve one client."""
    options = call.options
    if options.setup is not None:
        data = _setup(options)
        text = f"Into {data['file']}:\n\n{data['text']}" if data["file"] else data["text"]
        return Outcome(data, text)
    if options.http is not None:
        if options.may_share:
            raise BadInput("--may-share is about standard input", "over HTTP a token says who may")
        host, port = _address(options.http)
        listen(
            call,
            host=host,
            port=port,
            only_mcp=True,
            all_projects=options.all_projects,
            read_only=options.read_only,
        )
        return Outcome({}, "")
    if any(getattr(options, one.name) for one in SAFE):
        raise BadInput("that is about HTTP", "give --http [HOST:]PORT with it")
    birds = Birds(options.store)
    try:
        load("mcp.stdio").serve(
            birds,
            project=options.project,
            all_projects=options.all_projects,
            may_write=not options.read_only,
            may_share=options.may_share,
        )
    finally:
        birds.close()
    return Outcome({}, "")


def _setup(options: "SimpleNamespace") -> "dict[str, Any]":
    """How an agent starts what these options say. Raises BadInput for those of HTTP."""
    if options.http is not None:
        raise BadInput(
            "--setup is about standard input", "docs/MCP.md describes the setup over HTTP"
        )
    command = [*starting(), "mcp"]
    if options.store:
        command += ["--store", os.path.abspath(options.store)]
    if options.project:
        command += ["--project", options.project]
    given = vars(options)
    flags = ("all_projects", "read_only", "may_share")
    command += [f"--{flag.replace('_', '-')}" for flag in flags if given[flag]]
    return setup(options.setup, command)


def _address(given: str) -> tuple[str, int]:
    """Host and port of a text such as 8788, localhost:8788 or [::1]:0. Raises BadInput."""
    host, colon, port = given.strip().rpartition(":")
    if not (port.isdecimal() and port.isascii() and len(port) <= _DIGITS and (host or not colon)):
        raise BadInput(f"--http cannot be {given!r}", "give it as 8788, or localhost:8788")
    return host.removeprefix("[").removesuffix("]") or "127.0.0.1", int(port)
