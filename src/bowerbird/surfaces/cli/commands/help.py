"""``bower help``: explain a command, or list them all.

The same as the command with --help.
"""

from bowerbird.surfaces.cli.call import Call, Outcome
from bowerbird.surfaces.cli.overview import text
from bowerbird.surfaces.cli.parsers import parser_for
from bowerbird.surfaces.cli.table import find

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

EXAMPLES = (("bower help", "every command"), ("bower help query", "one of them"))


def arguments(parser: "argparse.ArgumentParser") -> None:
    """The command to explain."""
    parser.add_argument("verb", nargs="?", metavar="COMMAND", help="the command to explain")


def run(call: Call) -> Outcome:
    """Put the help text together."""
    verb = call.options.verb
    told = parser_for(find(verb)).format_help() if verb else text()
    return Outcome({"help": told}, told)
