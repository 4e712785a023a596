"""``bower doctor``: look for what is wrong, and say what to do about it.

Looks at SQLite, the filesystem and its rights, the indexes, what points at nothing, the model, the
disk, and every setting with the place its value came from. Nothing is changed. Exits with 1 when
something is broken; a warning is none.
"""

from bowerbird.core.errors import BadConfig
from bowerbird.core.health import PROBLEM, Finding
from bowerbird.surfaces.cli.call import Outcome
from bowerbird.surfaces.flat_health import flat_findings

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from bowerbird.surfaces.cli.call import Call

EXAMPLES = (
    ("bower doctor", "the whole examination"),
    ("bower doctor --secrets", "also look for secrets in what is stored"),
    ("bower doctor --quiet", "only what needs attention"),
)


def arguments(parser: "argparse.ArgumentParser") -> None:
    """What to look at beside the usual."""
    parser.add_argument(
        "--secrets", action="store_true", help="look for secrets in every stored text"
    )


def run(call: "Call") -> Outcome:
    """Examine the store, even where the configuration already stops everything else."""
    try:
        with call.open() as bird:
            findings = bird.admin.doctor(secrets=call.options.secrets)
    except BadConfig as error:
        findings = (Finding("configuration", error.message, PROBLEM, error.remedy),)
    data = flat_findings(findings)
    return Outcome(data, findings, exit_code=0 if data["healthy"] else 1)
