"""``bower context``: what memory holds for a task, ready for a prompt.

Memories that fit the task, cut and cited, inside a budget of tokens that is never exceeded; it is that
of the texts, their citations and the envelope come on top. With
--phase the kinds that matter in that part of the work come first and get the most room. What came
from outside, and passages of indexed files, are left out unless --min-trust lets them in. The text
stands in an envelope that marks it as data. Where nothing is relevant, nothing is written.
"""

from bowerbird.core.phases import PHASES
from bowerbird.core.types import TRUSTS
from bowerbird.surfaces.cli.call import Outcome
from bowerbird.surfaces.flat import flat_pack
from bowerbird.surfaces.recalled import nonce

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from bowerbird.surfaces.cli.call import Call

EXAMPLES = (
    ('bower context "fix the login bug"', "at most 2,048 tokens"),
    ('bower context "fix the login bug" --phase implement', "traps and known errors first"),
    ('bower context "fix the login bug" --budget 500', "no more than that"),
    ('bower context "login" --min-trust imported', "indexed notes and talks too"),
    ('bower context "login" --format markdown', "each text between fences"),
)


def arguments(parser: "argparse.ArgumentParser") -> None:
    """The task, the part of the work, and the room there is."""
    parser.add_argument("task", nargs="+", metavar="TASK", help="what is to be done, in any words")
    parser.add_argument(
        "--phase", choices=tuple(PHASES), metavar="PHASE", help=f"one of: {', '.join(PHASES)}"
    )
    parser.add_argument("--budget", type=int, metavar="N", help="tokens of text at most")
    parser.add_argument(
        "--min-trust",
        choices=TRUSTS,
        default="normal",
        metavar="TRUST",
        help="low, imported, normal (default) or full",
    )
    parser.add_argument("--all-projects", action="store_true", help="look in every project")


def run(call: "Call") -> Outcome:
    """Pack what is known."""
    options = call.options
    with call.open() as bird:
        pack = bird.context(
            " ".join(options.task),
            phase=options.phase,
            budget=options.budget,
            min_trust=options.min_trust,
            all_projects=options.all_projects,
        )
    mark = nonce()
    degraded = pack.trace.degraded
    # A store that is not there yet says so by being empty.
    told = [f"{name}: {note}" for name, note in pack.trace.notes if note.kind != "missing"]
    notes = tuple(told)
    if not pack.items:
        notes += (
            "nothing relevant is known, or nothing that is trusted enough: see bower help trust",
        )
    return Outcome(
        flat_pack(pack, mark, degraded),
        (pack, mark),
        notes,
        after=lambda: bird.used([item.id for item in pack]),
    )
