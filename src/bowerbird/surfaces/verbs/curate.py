"""``bower curate``: keep one to three sentences.

`curate` is the same command, by the name that it has over HTTP.

Text that a person types on a terminal gets full trust; text from a pipe or from an agent's shell gets
an agent's trust. A memory that is already known is not stored twice; one that says more than a known
memory, or that something changed ("is 6380 now"), replaces it, and `bower revert` undoes that. What
only may contradict a memory is kept beside it for `bower review`. Secrets are removed first. The answer
says what was decided and why; with --dry-run what would be, and nothing is stored.

A pinned memory does not fade and is never replaced automatically. A memory that a person verifies
needs no review; storing the same text again with --verified settles an open one.

A batch is a file of JSON lines: a text, or an object with content (or text, its synonym) and
optionally kind, tags, importance, priority, expires, confidence, payload, metadata, files, modules,
scope, audience, session, summary, keywords, citation, commit, work_unit, pinned, verified, global, and
review, which says why a person should look at it. Options on the command line apply to every line that
does not override them. If a line is invalid, the others are stored and the exit code is 1.
"""

from time import perf_counter

from bowerbird.core.errors import BadInput
from bowerbird.core.life import AUDIENCES
from bowerbird.core.memories import Decision
from bowerbird.core.origins import TRUST_OF
from bowerbird.surfaces import about
from bowerbird.surfaces.cli.call import INTERRUPTED, Call, Outcome
from bowerbird.surfaces.cli.table import load
from bowerbird.surfaces.fields import (
    EVERYWHERE,
    HTTP,
    KINDS,
    LONGEST_MEMORY,
    MCP,
    TYPED,
    Bowerbird,
    Field,
    Given,
    Tool,
    Verb,
)

EXAMPLES = (
    ('bower remember "Redis must be up before auth tests"', "store a fact for this project"),
    ('bower remember "We chose SQLite" --kind decision', "name the kind"),
    ('bower remember "No tabs" --global --tags style', "for every project"),
    ('bower remember "Freeze until May" --expires 2w --priority high', "expires in two weeks"),
    ("git log -1 --format=%B | bower remember -", "from a pipe"),
    ("bower remember --batch facts.jsonl --tags import", "many at once"),
    ('bower remember "Redis is at 6380" --dry-run', "what would be decided"),
)
VERB = Verb(
    "curate",
    "Remember one to three sentences",
    (
        Field(
            "text", "text", "the memory, in one to three sentences", low=1, high=LONGEST_MEMORY,
            needed=True, interfaces=EVERYWHERE, option=("TEXT",), words="*", piped=True,
            wire="content", tool="content",
        ),
        Field(
            "source", "text", "read the text from a file", interfaces=(TYPED,), option=("--from",),
            metavar="FILE",
        ),
        Field(
            "batch", "text", "many, as JSON lines; - reads stdin", interfaces=(TYPED,), metavar="FILE",
        ),
        *about.ABOUT,
        Field("dry_run", "flag", "only say what would be decided", default=False),
        Field(
            "origin", "text", "where it came from, if that is trusted less than the caller",
            choices=tuple(TRUST_OF), interfaces=(HTTP,),
        ),
        Field(
            "tainted", "flag", "external text was read before: the memory is quarantined",
            default=False, interfaces=(HTTP,),
        ),
        Field(
            "everywhere", "flag", "store it for every project; not with a token for some",
            default=False, option=("--global",), wire="global", group="about it",
        ),
        Field(
            "kind", "text", "derived from the wording if omitted", choices=KINDS, interfaces=(MCP,),
            tool="type",
        ),
        Field("tags", "texts", "a few words to find it by", default=(), most=20, interfaces=(MCP,)),
        Field(
            "audience", "text", "team: for all who share this memory; default personal: the user's own",
            choices=AUDIENCES, interfaces=(MCP,),
        ),
        Field(
            "everywhere", "flag",
            "true of the user or machine, not of this project; needs the user's permission (--may-share)",
            default=False, interfaces=(MCP,),
        ),
    ),
    Decision,
    "write",
    group="Keep",
    order=1,
    route=("POST", "/curate"),
    tool=Tool(
        "memory_store",
        "Remember",
        "Keep one belief for later sessions: a decision with its reason, a trap, a preference of the"
        " user, a fix that worked, an approach that failed. One to three sentences that can be understood"
        " alone; name files, versions, the why. Not what the code or its history says, nor progress of"
        " the current task. What is known is not kept twice; what says more, or that something changed,"
        " replaces the older. Secrets are removed. Returns the id and what was decided.",
        always=("id", "decision", "type"),
    ),
    reach="project",
)  # fmt: skip
details = about.details


def run(bird: Bowerbird, given: Given) -> Decision:
    """Submit it to admission."""
    begin = perf_counter()
    decision = bird.remember(**given)
    return decision.replace(took_ms=(perf_counter() - begin) * 1000)


def command(call: Call) -> Outcome:
    """Submit the text, or every line of a batch, to admission."""
    given = call.given(VERB)
    text, source, batch = (given.pop(name, None) for name in ("text", "source", "batch"))
    if sum(one is not None for one in (text, source, batch)) != 1:
        some = any(one is not None for one in (text, source, batch))
        raise BadInput(
            "give a text, --from FILE or --batch FILE" + (", one of them" if some else ""),
            'bower remember "Redis must be up before auth tests"',
        )
    from_stdin = "-" in (text, batch)
    known = about.structured(given)
    if batch is not None:
        return _batch(call, batch, known, from_stdin)
    if text in {"-", None}:
        read = load("cli.given")
        text = read.from_stdin() if source is None else read.from_file(source)
    with call.open(writes=True, from_stdin=from_stdin) as bird:
        new = not bird.exists
        decision = run(bird, known | {"text": text})
    # Who has said the kind need not be told why it is that.
    shown = decision.replace(kind_reason="") if "kind" in known else decision
    notes = call.note(decision.new_project)
    new = new and not decision.dry_run
    return Outcome(decision, shown, (*call.first_steps(new=new), *notes))


def _batch(call: Call, path: str, known: Given, from_stdin: bool) -> Outcome:
    begin = perf_counter()
    with call.open(writes=True, from_stdin=from_stdin) as bird:
        data: Given = load("cli.batch").remember_all(bird, path, known, call.progress())
    data["took_ms"] = round((perf_counter() - begin) * 1000, 3)
    failed = INTERRUPTED if data.pop("stopped", False) else 1
    notes = call.note(data.get("new_project", ""))
    return Outcome(data, notes=notes, exit_code=failed if data["errors"] else 0)
