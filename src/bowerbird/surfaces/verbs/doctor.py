"""``bower doctor``: look for what is wrong, and say what to do about it.

Checks SQLite, the filesystem and its permissions, the indexes, dangling references, the model, the
disk, which agents are connected and when their hooks last fired or failed, transcripts that an agent
is about to delete, and every setting with the source of its value. It changes nothing. Exits with 1
if something is broken; warnings do not count.
"""

from bowerbird.core.errors import BadConfig, UnknownName, UsageError
from bowerbird.core.health import HOOKS, PROBLEM, Examined, Finding
from bowerbird.surfaces.cli.call import Call, Outcome
from bowerbird.surfaces.cli.table import load
from bowerbird.surfaces.fields import Bowerbird, Field, Given, Verb

EXAMPLES = (
    ("bower doctor", "all checks"),
    ("bower doctor --secrets", "also scan stored texts for secrets"),
    ("bower doctor --quiet", "only what needs attention"),
)
VERB = Verb(
    "doctor",
    "Find problems, and say what to do",
    (Field("secrets", "flag", "scan every stored text for secrets", default=False),),
    Examined,
    "whole",
    group="Look after",
    order=2,
    route=("GET", "/doctor"),
    reach="",
    owners=True,
)


def run(bird: Bowerbird, given: Given) -> Examined:
    """Examine the store, and which agents are connected with it."""
    found = tuple(bird.admin.doctor(secrets=given.get("secrets", False)))
    heard = frozenset(one.origin for one in found if one.check == HOOKS)
    return Examined((*found, *load("installer.state").findings(heard)))


def command(call: Call) -> Outcome:
    """Examine it, even where a setting stops everything else."""
    faults: list[UsageError] = []
    try:
        with call.open(faults=faults) as bird:
            checked = tuple(run(bird, call.given(VERB)).findings)
    except (BadConfig, UnknownName) as error:
        faults.append(error)
        checked = ()
    wrong = [Finding("configuration", one.message, PROBLEM, one.remedy) for one in faults]
    found = Examined((*wrong, *checked))
    return Outcome(found, exit_code=0 if found.healthy else 1)
