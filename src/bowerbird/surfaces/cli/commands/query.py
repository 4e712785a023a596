"""``bower query``: ask.

Searches this folder's project and what is global. Finding nothing relevant is an answer, and
exits with 0. In a pipe the answer is JSON, one envelope on one line.

``--path src/`` takes files whose path holds that from the project's own folder on: what stands above
it leads to all of them. ``/home/me/notes``, ``./notes`` and ``~/notes`` are that file or folder, and
``*``, ``?`` and ``[`` make a pattern.
"""

import os

from bowerbird.core.config import setting
from bowerbird.core.errors import BadInput
from bowerbird.core.places import as_text
from bowerbird.core.types import AUDIENCES, SCOPES, STATES, TRUSTS
from bowerbird.surfaces.answer import Answer
from bowerbird.surfaces.cli.call import Outcome
from bowerbird.surfaces.cli.table import load
from bowerbird.surfaces.flat import flat_answer

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from bowerbird.core.narrow import Narrowing
    from bowerbird.surfaces.cli.call import Call

EXAMPLES = (
    ('bower query "why do the auth tests hang?"', "the ten best places"),
    ("bower query redis timeout --since 2w", "said or written in the last two weeks"),
    ('bower query "login bug" --budget 1500', "no more text than 1,500 tokens"),
    ('bower query "login bug" --digest', "places alone; read on with: bower get"),
    ('bower query "login bug" --format markdown', "for a prompt: cited, fenced as data"),
    ('bower query "login NOT staging" --operators', "what holds the one and not the other"),
    ('bower query "login bug" --explain', "why these, in this order"),
)


def arguments(parser: "argparse.ArgumentParser") -> None:
    """The question, what narrows it, and how the answer is shaped."""
    parser.add_argument(
        "text", nargs="+", metavar="TEXT", help="the question, in any words; - reads it from stdin"
    )
    add_filters(parser)
    search = parser.add_argument_group("how to search")
    search.add_argument(
        "--min-score", type=float, metavar="X", help="only hits of at least this relevance, 0 to 1"
    )
    search.add_argument("--fast", action="store_true", help="by words alone, without the model")
    search.add_argument("--no-fuzzy", action="store_true", help="take every word as it is spelt")
    search.add_argument(
        "--operators",
        action="store_true",
        help='let AND, OR, NOT, brackets, "a phrase" and beginnings* count',
    )
    shape = parser.add_argument_group("shape of the answer")
    shape.add_argument("--limit", type=int, metavar="N", help="hits at most, 1 to 50 (default 10)")
    shape.add_argument("--budget", type=int, metavar="N", help="tokens of text at most")
    short = shape.add_mutually_exclusive_group()
    short.add_argument("--digest", action="store_true", help="about ten tokens a hit: the place")
    short.add_argument("--compact", action="store_true", help="about thirty: a line and the cost")
    shape.add_argument(
        "--phase",
        metavar="PHASE",
        help="weigh memories for: define, implement, validate, refine, explore, reflect",
    )
    shape.add_argument("--explain", action="store_true", help="show what each stage contributed")


def add_filters(parser: "argparse.ArgumentParser") -> None:
    """The filters that `query` and `list` share."""
    narrow = parser.add_argument_group("which entries")
    narrow.add_argument("--memories", action="store_true", help="memories only, no passages")
    narrow.add_argument("--all-projects", action="store_true", help="of every project")
    narrow.add_argument("--kind", action="append", metavar="KIND", help="of this kind; repeatable")
    narrow.add_argument("--tag", action="append", metavar="TAG", help="with this tag; repeatable")
    narrow.add_argument(
        "--path",
        metavar="TEXT",
        help="of files whose path in their project holds it; or /x, ./x, ~/x",
    )
    narrow.add_argument("--since", metavar="WHEN", help="not older: 2024-03-15, 7d, 2w, 12h, 3mo")
    narrow.add_argument("--until", metavar="WHEN", help="not newer; the same forms")
    narrow.add_argument("--session", action="append", metavar="ID", help="of this session")
    narrow.add_argument(
        "--min-trust", choices=TRUSTS, metavar="TRUST", help=f"at least: {', '.join(TRUSTS)}"
    )
    narrow.add_argument(
        "--exclude", action="append", metavar="ID", help="leave this one out; repeatable"
    )
    mine = parser.add_argument_group("which memories")
    for name, metavar, known in (
        ("--state", "STATE", STATES),
        ("--scope", "SCOPE", SCOPES),
        ("--audience", "WHO", AUDIENCES),
    ):
        mine.add_argument(
            name, action="append", choices=known, metavar=metavar, help=", ".join(known)
        )
    mine.add_argument("--module", action="append", metavar="NAME", help="about this module")
    mine.add_argument("--agent", action="append", metavar="NAME", help="written by this agent")
    mine.add_argument(
        "--source", action="append", metavar="HOW", help="come to be so: user_taught, qa_auto, …"
    )
    mine.add_argument("--min-confidence", type=float, metavar="X", help="at least so sure, 0 to 1")
    mine.add_argument("--needs-review", action="store_true", help="only what waits to be looked at")


_OPERATORS = frozenset(("AND", "OR", "NOT"))
# The options that are filters, with their names in `core.narrow.Narrowing`.
_FILTERS = (
    ("memories", "memories_only"),
    ("kind", "kinds"),
    ("tag", "tags"),
    ("path", "path"),
    ("since", "since"),
    ("until", "until"),
    ("min_trust", "min_trust"),
    ("exclude", "exclude"),
    ("state", "states"),
    ("scope", "scopes"),
    ("audience", "audiences"),
    ("module", "modules"),
    ("agent", "agents"),
    ("session", "sessions"),
    ("source", "sources"),
    ("min_confidence", "min_confidence"),
    ("needs_review", "needs_review"),
)


def filters(options: "argparse.Namespace") -> "Narrowing":
    """What was given of them, as `Bowerbird.query` and `.list` take it."""
    sure = options.min_confidence
    if sure is not None and not 0.0 <= sure <= 1.0:  # told by the name that was typed
        raise BadInput(f"--min-confidence cannot be {sure}", "give it a number from 0 to 1")
    if options.path:
        options.path = _placed(options.path)
    found: Narrowing = {}
    for option, name in _FILTERS:
        given = getattr(options, option)
        if given not in (None, False):
            found[name] = several(given) if isinstance(given, list) else given  # type: ignore[literal-required]
    return found


def _placed(text: str) -> str:
    """A path that begins where the command stands, or at home, as the absolute one that it is."""
    at_home = os.path.expanduser(text)  # ~draft.md is nobody's home
    if at_home != text or text in {".", ".."} or text.startswith(("./", "../")):
        return as_text(os.path.realpath(at_home))
    return text


def several(given: "list[str] | None") -> "tuple[str, ...]":
    """The values of a repeatable option, which may also be listed with commas."""
    parts = (part.strip() for value in given or () for part in value.split(","))
    return tuple(part for part in parts if part)


def run(call: "Call") -> Outcome:
    """Ask the store."""
    options = call.options
    shape = "digest" if options.digest else "compact" if options.compact else "full"
    text = load("cli.given").from_stdin() if options.text == ["-"] else " ".join(options.text)
    # Checked here to be told by the name that was typed.
    for key in ("limit", "budget", "min_score"):
        value = getattr(options, key)
        if value is not None:
            setting("query." + key).parse(value, "--" + key.replace("_", "-"))
    with call.open() as bird:
        hits = bird.query(
            text,
            limit=options.limit,
            budget=options.budget,
            min_score=options.min_score,
            fast=options.fast,
            explain=options.explain,
            fuzzy=not options.no_fuzzy,
            phase=options.phase,
            operators=options.operators,
            all_projects=options.all_projects,
            **filters(options),
        )
    told: list[str] = []
    answer = Answer(hits, shape, options.explain, options.all_projects, options.budget or 0)
    degraded = hits.trace.degraded
    if not options.operators and not _OPERATORS.isdisjoint(text.split()[1:-1]):
        told.append("AND, OR and NOT are words here; --operators makes them count")
    # What the answer says itself, or what was asked for, is no remark.
    silent = ("missing", "asked")
    told += [f"{name}: {note}" for name, note in hits.trace.notes if note.kind not in silent]
    return Outcome(
        flat_answer(answer, degraded),
        answer,
        tuple(told),
        timings=tuple(
            f"{stage.name}: {stage.ms:.1f} ms" for stage in hits.trace.stages if stage.ms
        ),
        after=lambda: bird.used([hit.id for hit in hits]),
    )
