"""``bower version``: which Bowerbird this is.

In a checkout it also shows the commit.
"""

from bowerbird.core.version import VERSION
from bowerbird.host.repository import own_commit
from bowerbird.surfaces.cli.call import Call, Outcome
from bowerbird.surfaces.fields import Verb

EXAMPLES = (("bower version", "the same as bower --version"),)

VERB = Verb("version", "Show the version", group="About", order=3)


def command(call: Call) -> Outcome:
    """Print version and commit."""
    commit = own_commit()
    text = f"bowerbird {VERSION}" + (f" ({commit[:10]})" if commit else "")
    return Outcome({"version": VERSION, "commit": commit}, text)
