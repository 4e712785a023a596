"""``bower curate``: keep one to three sentences.

What a person types on a terminal is believed fully; what arrives without one, or from an agent's
shell, is kept as the agent's. What is known already is not stored twice; what says more than a known
memory takes its place, and `bower revert` takes that back. Secrets are taken out before anything is
written. The answer says what was decided and why.

What is pinned does not fade, and nothing takes its place by itself. What a person verifies waits for
no review; telling a memory again with --verified settles one.

A batch is a file of JSON lines: a text, or an object with text and, as they apply, kind, tags,
importance, priority, expires, confidence, payload, metadata, files, modules, scope, audience,
session, summary, keywords, citation, commit, work_unit, pinned, verified, review, global. Options
given beside it hold for every line that does not say otherwise. When a line cannot be taken, the
others are kept and the exit code is 1.
"""

import os
from time import perf_counter

from bowerbird.core.draft import PRIORITIES
from bowerbird.core.errors import BadInput
from bowerbird.core.kinds import KINDS
from bowerbird.core.payloads import described
from bowerbird.core.types import AUDIENCES, SCOPES
from bowerbird.surfaces.cli.call import INTERRUPTED, Outcome
from bowerbird.surfaces.cli.commands.query import several
from bowerbird.surfaces.cli.table import load
from bowerbird.surfaces.flat_memory import flat_decision

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Any

    from bowerbird.surfaces.cli.call import Call

EXAMPLES = (
    ('bower remember "Redis must be up before auth tests"', "keep a fact for this project"),
    ('bower curate "We chose SQLite" --kind decision', "say what it is"),
    ('bower curate "No tabs" --global --tags style', "for every project"),
    ('bower curate "Freeze until May" --expires 2w --priority high', "not believed after that"),
    ("git log -1 --format=%B | bower curate -", "from a pipe"),
    ("bower curate --batch facts.jsonl --tags import", "many at once"),
)


def arguments(parser: "argparse.ArgumentParser") -> None:
    """The text and what is known about it."""
    parser.add_argument(
        "text", nargs="*", metavar="TEXT", help="what to keep; - reads it from stdin"
    )
    parser.add_argument("--from", dest="source", metavar="FILE", help="read the text from a file")
    parser.add_argument("--batch", metavar="FILE", help="many, as JSON lines; - reads stdin")
    about = parser.add_argument_group("about it")
    about.add_argument(
        "--kind",
        "--type",
        metavar="KIND",
        help="see below (default: told by the wording)",
    )
    about.add_argument(
        "--tags", "--tag", action="append", metavar="TAGS", help="words to find it by"
    )
    about.add_argument(
        "--keywords", action="append", metavar="WORDS", help="words it dwells on, said or not"
    )
    about.add_argument("--summary", metavar="TEXT", help="for lists (default: the first sentence)")
    about.add_argument("--citation", metavar="TEXT", help="to cite it by, 40 characters at most")
    about.add_argument("--priority", choices=PRIORITIES, metavar="P", help=", ".join(PRIORITIES))
    about.add_argument("--importance", type=float, metavar="X", help="0 to 1 (default: computed)")
    about.add_argument("--confidence", type=float, metavar="X", help="how sure it is, 0 to 1")
    about.add_argument(
        "--expires", metavar="WHEN", help="not believed from then on: 2027-01-31, 12h, 30d, 2w, 3mo"
    )
    about.add_argument(
        "--file", action="append", metavar="PATH", help="a file it is about; repeatable"
    )
    about.add_argument(
        "--module", action="append", metavar="NAME", help="a module it is about; repeatable"
    )
    about.add_argument("--commit", default="", metavar="HASH", help="the commit it comes from")
    about.add_argument(
        "--work-unit", default="", metavar="NAME", help="the ticket or task it comes from"
    )
    about.add_argument("--scope", choices=SCOPES, metavar="SCOPE", help=", ".join(SCOPES))
    about.add_argument("--audience", choices=AUDIENCES, metavar="WHO", help=", ".join(AUDIENCES))
    about.add_argument(
        "--payload",
        action="append",
        metavar="K=V|JSON",
        help="the structure that some kinds carry, see below; repeatable",
    )
    about.add_argument(
        "--metadata",
        action="append",
        metavar="K=V",
        help="anything else, kept as it is; repeatable",
    )
    about.add_argument(
        "--pinned",
        action="yes_no",
        help="never fades, and nothing takes its place by itself",
    )
    about.add_argument(
        "--verified",
        action="yes_no",
        help="you vouch for it: no review is needed (on a terminal only)",
    )
    about.add_argument("--global", dest="everywhere", action="store_true", help="for every project")


def details() -> str:
    """The kinds there are, and the structures that some of them carry."""
    width = max(len(name) for name in KINDS)
    lines = ["kinds:", *(f"  {one.name:<{width}}  {one.meaning}" for one in KINDS.values())]
    lines += ["  and those that your config.toml declares, see docs/operations.md"]
    lines += ["", "structures, for --payload:"]
    for one in KINDS.values():
        lines += [f"  {one.name}"] if one.payload else []
        lines += [f"    {field}" for field in described(one)]
    return "\n".join(lines)


def run(call: "Call") -> Outcome:
    """Hand the text, or every line of a batch, to admission."""
    options = call.options
    given = [bool(options.text), options.source is not None, options.batch is not None]
    if sum(given) != 1:
        raise BadInput(
            "give a text, --from FILE or --batch FILE" + (", one of them" if sum(given) else ""),
            'bower curate "Redis must be up before auth tests"',
        )
    from_stdin = options.text == ["-"] or options.batch == "-"
    known = _known(options)
    begin = perf_counter()
    if options.batch is not None:
        return _batch(call, known, begin, from_stdin)
    text = _text(options)
    with call.open(writes=True, from_stdin=from_stdin) as bird:
        new = not os.path.exists(bird.path)
        decision = bird.remember(text, **known)
    data = flat_decision(decision) | {"took_ms": round((perf_counter() - begin) * 1000, 3)}
    # Who has said the kind need not be told why it is that.
    shown = decision.replace(kind_reason="") if options.kind else decision
    made = call.made(decision.new_project)
    return Outcome(data, shown, (*call.first_steps(new=new), *made))


def _batch(call: "Call", known: "dict[str, Any]", begin: float, from_stdin: bool) -> Outcome:
    with call.open(writes=True, from_stdin=from_stdin) as bird:
        data: dict[str, Any] = load("cli.batch").remember_all(
            bird, call.options.batch, known, call.progress()
        )
    data["took_ms"] = round((perf_counter() - begin) * 1000, 3)
    made = data.get("new_project", "")
    failed = INTERRUPTED if data.pop("stopped", False) else 1
    return Outcome(data, data, call.made(made), exit_code=failed if data["errors"] else 0)


def _text(options: "argparse.Namespace") -> str:
    if options.source is None and options.text != ["-"]:
        return " ".join(options.text)
    given = load("cli.given")
    text: str = given.from_stdin() if options.source is None else given.from_file(options.source)
    return text


def _known(options: "argparse.Namespace") -> "dict[str, Any]":
    """The arguments of `Bowerbird.remember` beside the text."""
    return {
        "kind": options.kind,
        "tags": several(options.tags),
        "priority": options.priority,
        "importance": options.importance,
        "confidence": options.confidence,
        "expires": options.expires,
        "files": tuple(options.file or ()),
        "modules": several(options.module),
        "summary": options.summary,
        "keywords": several(options.keywords),
        "citation": options.citation,
        "commit": options.commit,
        "work_unit": options.work_unit,
        "pinned": options.pinned,
        "verified": options.verified,
        "scope": options.scope,
        "audience": options.audience,
        "payload": load("cli.structure").payload(options.payload) if options.payload else None,
        "metadata": metadata(options.metadata),
        "everywhere": options.everywhere,
    }


def metadata(given: "list[str] | None") -> "dict[str, Any]":
    """``k=v`` pairs as a dictionary. Raises BadInput for anything else."""
    if not given:
        return {}
    pair = load("cli.structure").pair
    return dict(pair(one, "--metadata") for one in given)
