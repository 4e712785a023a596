"""``bower help``: explain a command, or list them all.

The same as the command with --help.
"""

from bowerbird.surfaces.cli.call import Call, Outcome
from bowerbird.surfaces.cli.manual import manual
from bowerbird.surfaces.cli.overview import text
from bowerbird.surfaces.cli.table import find
from bowerbird.surfaces.fields import Field, Verb

EXAMPLES = (("bower help", "every command"), ("bower help query", "one of them"))

VERB = Verb(
    "help",
    "Explain a command",
    (Field("verb", "text", "the command to explain", option=("COMMAND",), words="?"),),
    group="About",
    order=1,
    prose=True,
)


def command(call: Call) -> Outcome:
    """Put the help text together."""
    verb = call.options.verb
    page = manual(find(verb)) if verb else text()
    return Outcome({"help": page}, page)
