"""``bower upgrade``: how to bring this installation to the newest version.

It prints the command that fits how Bowerbird was installed, and runs nothing: no command of Bowerbird
reaches the network unasked. The first command of a new version upgrades a store of your own, and backs
it up before; agents that were connected go on with the new one.
"""

from bowerbird.core.version import VERSION
from bowerbird.host.installed import upgrading
from bowerbird.surfaces.cli.call import Call, Outcome
from bowerbird.surfaces.fields import Verb

EXAMPLES = (("bower upgrade", "the command to run"),)

VERB = Verb("upgrade", "Say how to upgrade this installation", group="About", order=4)


def command(call: Call) -> Outcome:
    """Print the command."""
    line = upgrading()
    text = (
        f"This is {VERSION}. The newest one:\n  {line}\nThen, if agents are connected: bower doctor"
    )
    return Outcome({"version": VERSION, "command": line}, text)
