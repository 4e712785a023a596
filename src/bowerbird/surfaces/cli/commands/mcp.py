"""``bower mcp``: the tools of an agent.

Serves the Model Context Protocol over standard input and output, for an agent that starts it and
talks to it; docs/MCP.md says where each agent wants that written down. Standard output carries the
protocol alone. It ends when the agent closes its end. Over HTTP the same tools are served at /mcp by
`bower serve`, to whoever shows a token.
"""

from importlib.util import find_spec

from bowerbird.core.errors import MissingExtra, UsageError
from bowerbird.surfaces.birds import Birds
from bowerbird.surfaces.cli.call import Outcome
from bowerbird.surfaces.cli.table import load

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from bowerbird.surfaces.cli.call import Call

EXAMPLES = (
    ("bower mcp", "memory of the folder's project"),
    ("bower mcp --project shop", "of that one, wherever it is started"),
    ("bower mcp --read-only", "to look things up, not to change them"),
)


def arguments(parser: "argparse.ArgumentParser") -> None:
    """What the agent may see and do."""
    parser.add_argument("--all-projects", action="store_true", help="see every project's memory")
    parser.add_argument("--read-only", action="store_true", help="offer no tool that writes")


def run(call: "Call") -> Outcome:
    """Serve one client."""
    options = call.options
    if find_spec("mcp") is None:
        raise MissingExtra("bower mcp needs the MCP SDK", "pip install 'bowerbird[mcp]'")
    if options.store == "":
        raise UsageError("--store is empty", "give the path of the store file, or leave it out")
    birds = Birds(options.store)
    try:
        load("mcp.stdio").serve(
            birds,
            project=options.project,
            all_projects=options.all_projects,
            may_write=not options.read_only,
        )
    finally:
        birds.close()
    return Outcome({})
