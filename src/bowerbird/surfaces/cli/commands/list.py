"""``bower list``: entries, newest first.

Without a filter: what was remembered and what was indexed for this folder's project and globally.
Options that only memories have leave passages out.
"""

import os

from bowerbird.core.errors import BadInput
from bowerbird.core.kinds import AUDIENCES, SCOPES
from bowerbird.core.types import STATES
from bowerbird.surfaces.cli.call import Outcome
from bowerbird.surfaces.cli.commands.query import add_filters, filters, several, unknown_kinds
from bowerbird.surfaces.flat import flat_entries

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from bowerbird.surfaces.cli.call import Call

EXAMPLES = (
    ("bower list --memories", "what was remembered, without passages of files"),
    ("bower list --kind decision --since 3mo", "this quarter's decisions"),
    ("bower list --state quarantined", "what waits until somebody has looked at it"),
    ("bower list --path incidents --limit 50", "passages of some files"),
)
DEFAULT_LIMIT = 20


def arguments(parser: "argparse.ArgumentParser") -> None:
    """The filters and how many."""
    narrow = parser.add_argument_group("which entries")
    narrow.add_argument("--memories", action="store_true", help="memories only, no passages")
    narrow.add_argument("--all-projects", action="store_true", help="of every project")
    add_filters(narrow)
    mine = parser.add_argument_group("which memories")
    mine.add_argument(
        "--state", action="append", choices=STATES, metavar="STATE", help=_any(STATES)
    )
    mine.add_argument(
        "--scope", action="append", choices=SCOPES, metavar="SCOPE", help=_any(SCOPES)
    )
    mine.add_argument(
        "--audience", action="append", choices=AUDIENCES, metavar="WHO", help=_any(AUDIENCES)
    )
    mine.add_argument("--module", action="append", metavar="NAME", help="about this module")
    mine.add_argument("--agent", action="append", metavar="NAME", help="written by this agent")
    mine.add_argument("--session", action="append", metavar="ID", help="from this session")
    mine.add_argument(
        "--source", action="append", metavar="HOW", help="come to be so: user_taught, qa_auto, …"
    )
    mine.add_argument(
        "--min-confidence", type=float, default=0.0, metavar="X", help="at least so sure, 0 to 1"
    )
    mine.add_argument(
        "--needs-review",
        action="store_const",
        const=True,
        default=None,
        help="only what waits to be looked at",
    )
    mine.add_argument(
        "--exclude", action="append", metavar="ID", help="leave this one out; repeatable"
    )
    shape = parser.add_argument_group("shape of the answer")
    shape.add_argument(
        "--limit", type=int, default=DEFAULT_LIMIT, metavar="N", help="at most so many (default 20)"
    )
    shape.add_argument("--offset", type=int, default=0, metavar="N", help="leave out the first N")


def _any(names: tuple[str, ...]) -> str:
    return ", ".join(names)


def run(call: "Call") -> Outcome:
    """Load the entries."""
    options = call.options
    if options.limit < 1 or options.offset < 0:
        raise BadInput("--limit and --offset count entries", "give --limit 1 or more")
    if not 0.0 <= options.min_confidence <= 1.0:
        raise BadInput(
            f"--min-confidence cannot be {options.min_confidence}", "give it a number from 0 to 1"
        )
    with call.open() as bird:
        entries = bird.list(
            memories_only=options.memories,
            limit=options.limit,
            offset=options.offset,
            states=tuple(options.state or ("active",)),
            scopes=several(options.scope),
            audiences=several(options.audience),
            modules=several(options.module),
            agents=several(options.agent),
            sessions=several(options.session),
            sources=several(options.source),
            min_confidence=options.min_confidence,
            needs_review=options.needs_review,
            exclude=several(options.exclude),
            **filters(options),
        )
        missing = not os.path.exists(bird.path)
        unknown = "" if options.all_projects else bird.project_told[0]
    told = unknown_kinds(options, {entry.kind for entry in entries})
    told += [unknown] if unknown else []
    if missing:
        told.append(f"there is no store at {call.store} yet")
    if not entries and (missing or not _narrowed(options)):
        told.append("bower index and bower curate make some")
    return Outcome(flat_entries(entries, unknown), entries, tuple(told))


def _narrowed(options: "argparse.Namespace") -> bool:
    """Whether entries may be there that were not asked for."""
    usual = ("store", "project", "format", "quiet", "verbose", "version", "help", "limit")
    return any(value for name, value in vars(options).items() if name not in usual)
