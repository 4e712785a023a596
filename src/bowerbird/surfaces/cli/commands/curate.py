"""``bower curate``: keep one to three sentences.

What a person types on a terminal is believed fully; what arrives without one, or from an agent's
shell, is kept as the agent's. The same text is not stored twice.
"""

import argparse
import os
import sys
from time import perf_counter

from bowerbird.core.errors import BadInput
from bowerbird.surfaces.cli.call import Outcome
from bowerbird.surfaces.cli.commands.query import several

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.surfaces.cli.call import Call

EXAMPLES = (
    ('bower remember "Redis must be up before auth tests"', "keep a fact for this project"),
    ('bower curate "We chose SQLite" --kind decision', "say what it is"),
    ('bower curate "No tabs" --global --tags style', "for every project"),
    ("git log -1 --format=%B | bower curate -", "from a pipe"),
)

# Set by coding agents in the shells they open; any of them means that no person is typing.
AGENT_VARIABLES = (
    "AI_AGENT",
    "AGENT",
    "AUGMENT_AGENT",
    "CLAUDECODE",
    "CODEX_SANDBOX",
    "CODEX_THREAD_ID",
    "CURSOR_AGENT",
    "GEMINI_CLI",
    "OPENCODE",
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """The text and what is known about it."""
    parser.add_argument(
        "text", nargs="+", metavar="TEXT", help="what to keep; - reads it from stdin"
    )
    about = parser.add_argument_group("about it")
    about.add_argument(
        "--kind", "--type", metavar="KIND", help="fact, decision, gotcha, preference, …"
    )
    about.add_argument(
        "--tags", "--tag", action="append", metavar="TAGS", help="words to find it by"
    )
    about.add_argument("--importance", type=float, metavar="X", help="0 to 1 (default: computed)")
    about.add_argument(
        "--metadata",
        action="append",
        metavar="K=V",
        help="anything else, kept as it is; repeatable",
    )
    about.add_argument("--global", dest="everywhere", action="store_true", help="for every project")


def run(call: "Call") -> Outcome:
    """Hand the text to admission."""
    options = call.options
    from_stdin = options.text == ["-"]
    text = sys.stdin.read() if from_stdin else " ".join(options.text)
    begin = perf_counter()
    with call.open() as bird:
        decision = bird.remember(
            text,
            kind=options.kind,
            tags=several(options.tags),
            importance=options.importance,
            metadata=metadata(options.metadata),
            origin=origin(from_stdin=from_stdin),
            everywhere=options.everywhere,
        )
    data = {
        "id": decision.id,
        "summary": decision.summary,
        "kind": decision.kind,
        "decision": decision.decision,
        "is_update": decision.decision != "created",
        "reason": decision.reason,
        "took_ms": round((perf_counter() - begin) * 1000, 3),
    }
    return Outcome(data, decision)


def origin(*, from_stdin: bool) -> str:
    """`user` where a person types on a terminal, else `agent`: the lower trust in any doubt."""
    if any(os.environ.get(name) for name in AGENT_VARIABLES):
        return "agent"
    person = sys.stdout.isatty() and (from_stdin or sys.stdin.isatty())
    return "user" if person else "agent"


def metadata(given: "list[str] | None") -> "dict[str, Any]":
    """``k=v`` pairs as a dictionary. Raises BadInput for anything else."""
    pairs: dict[str, Any] = {}
    for pair in given or ():
        key, sign, value = pair.partition("=")
        if not sign or not key:
            raise BadInput(f"metadata {pair!r} is no key=value", "write: --metadata ticket=SHOP-12")
        pairs[key] = value
    return pairs
