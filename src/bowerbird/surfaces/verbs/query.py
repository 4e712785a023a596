"""``bower query``: ask.

Searches this folder's project and global entries; in a folder that belongs to no project, it searches
all projects if you ask yourself, not an agent. If nothing is relevant the answer is empty and the exit
code 0; on a terminal it then says how many hits other projects have. In a pipe the answer is JSON, one
envelope on one line.

`--path src/` selects files whose path within their project contains that text; a folder above the
project selects all its files. `/home/me/notes`, `./notes` and `~/notes` name a file or folder, and
`*`, `?` and `[` form a pattern.
"""

from bowerbird.core.answers import NOTHING_THEN, UNDIGESTED
from bowerbird.core.config import setting
from bowerbird.core.life import USE_FROM
from bowerbird.core.phases import PHASES
from bowerbird.core.query import ORDERS
from bowerbird.core.shaped import SHAPES, Answer
from bowerbird.core.trace import LEFT_OUT
from bowerbird.surfaces.fields import (
    EVERYWHERE,
    HTTP,
    LONGEST_QUESTION,
    NAME,
    TYPED,
    Bowerbird,
    Field,
    Given,
    Notes,
    Tool,
    Verb,
)
from bowerbird.surfaces.narrowing import FILTERS, with_real_path

EXAMPLES = (
    ('bower query "why do the auth tests hang?"', "the ten best locations"),
    ("bower query redis timeout --since 2w", "from the last two weeks"),
    ('bower query "login bug" --budget 1500', "at most 1,500 tokens of text"),
    ('bower query "login bug" --digest', "locations only; read on with: bower get"),
    ('bower query "login bug" --format markdown', "for a prompt: cited, fenced as data"),
    ('bower query "login NOT staging" --operators', "entries with the one and not the other"),
    ('bower query "login bug" --explain', "why these, in this order"),
    ('bower query "which port?" --as-of 2026-03-15', "what held that day"),
)
_SEARCH = "how to search"
_SHAPE = "shape of the answer"
_OPERATORS = frozenset(("AND", "OR", "NOT"))


VERB = Verb(
    "query",
    "Find the notes, turns and memories that answer a question",
    (
        Field(
            "text", "text", "the question, in any words", low=1, high=LONGEST_QUESTION, needed=True,
            interfaces=EVERYWHERE, option=("TEXT",), words="+", piped=True, wire="query", tool="query",
        ),
        *FILTERS,
        Field(
            "limit", "whole", "maximum number of hits; default ten, or as configured",
            low=1, high=50, interfaces=EVERYWHERE, metavar="N", group=_SHAPE, option=("-n", "--limit"),
        ),
        Field(
            "budget", "whole", "maximum tokens of text; 0: no limit",
            low=0, high=1_000_000, metavar="N", group=_SHAPE,
        ),
        Field(
            "min_score", "number", "only hits of at least this relevance, 0 to 1",
            low=0.0, high=1.0, interfaces=EVERYWHERE, metavar="X", group=_SEARCH,
        ),
        Field("fast", "flag", "use words only, without the model", default=False, group=_SEARCH),
        Field(
            "fuzzy", "flag", "also read words that are spelt right as the nearest known ones, or no word;"
            " default: misspelt ones", group=_SEARCH,
        ),
        Field(
            "expand", "flag", "also ask in other words, by the language model of llm.provider",
            default=False, group=_SEARCH,
        ),
        Field(
            "operators", "flag", 'interpret AND, OR, NOT, brackets, "a phrase" and prefixes*',
            default=False, group=_SEARCH,
        ),
        Field(
            "sort", "text", "order of the hits: most relevant or newest first",
            default=ORDERS[0], choices=ORDERS, group=_SHAPE, metavar="BY",
        ),
        Field(
            "weak", "flag", "also show hits of low relevance beside better ones",
            default=False, group=_SEARCH,
        ),
        Field(
            "digest", "flag", "about ten tokens per hit: the location",
            default=False, interfaces=(TYPED,), group=_SHAPE, apart="short",
        ),
        Field(
            "compact", "flag", "about thirty: the matching line and the cost",
            default=False, interfaces=(TYPED,), group=_SHAPE, apart="short",
        ),
        Field(
            "full", "flag", "the whole text of every hit, and the parts of its score",
            default=False, interfaces=(TYPED,), group=_SHAPE, apart="short",
        ),
        Field(
            "shape", "text", "what matched, whole hits, a line each, places alone, or what to quote",
            default="brief", choices=SHAPES, interfaces=(HTTP,),
        ),
        Field(
            "phase", "text", f"weigh memories for that part of the work: {', '.join(PHASES)}, or one of"
            " agent.methodology", high=NAME, metavar="PHASE", group=_SHAPE,
        ),
        Field("explain", "flag", "show what each stage contributed", default=False, group=_SHAPE),
    ),
    Answer,
    "ask",
    group="Ask",
    order=1,
    route=("POST", "/query"),
    tool=Tool(
        "memory_search",
        "Search memory",
        "Find what memory holds on a question: decisions, traps, preferences, earlier conversations,"
        " indexed notes and code. Use it before asking the user something they may have said before,"
        " and when something looks familiar or odd. Plain words or a whole question; no operators."
        " Returns excerpts, best first, with id, relevance and trust; memory_get has the whole text."
        " No hit means nothing relevant is known.",
        always=("notice", "hits"),
    ),
)  # fmt: skip


def run(bird: Bowerbird, given: Given) -> Answer:
    """Ask, in any words."""
    about = dict(given)
    shape = about.pop("shape", "brief")
    shape = next((one for one in SHAPES[1:] if about.pop(one, False)), shape)
    # An explanation is one of the whole ranking, and a floor that was given is the floor.
    about["weak"] = about.get("weak") or about.get("explain") or about.get("min_score") is not None
    hits = bird.query(about.pop("text"), **about)
    wide, budget = about.get("all_projects", False), about.get("budget") or 0
    answer = Answer(hits, shape, about.get("explain", False), wide, budget)
    if shape == "cited":
        ids = [hit.id for hit in hits if hit.path is None]
        return answer.replace(details={one.id: one.details for one in bird.named(*ids)})
    return answer


def beyond(bird: Bowerbird, answer: Answer, given: Given) -> Answer:
    """Count the hits that wait for review if none is certain, those of other projects if none is here."""
    if any(note.kind == "missing" for note in answer.hits.notes):
        return answer
    if (answer.hits.unsure or not answer.hits) and "states" not in given:
        held = run(bird, given | {"states": ("quarantined",), "explain": False}).hits
        answer = answer.replace(waiting=0 if held.unsure else len(held))
    if answer.hits or answer.wide:
        return answer
    found = run(bird, given | {"all_projects": True, "explain": False})
    return answer.replace(beyond=len(found.hits))


def used(answer: Answer) -> list[str]:
    """The entries of the hits that are probably relevant: what else was shown helped nobody."""
    return [hit.id for hit in answer.hits if hit.relevance >= USE_FROM]


def typed(given: Given) -> Given:
    """What was typed, checked here to be told by the name that was typed."""
    for key in ("limit", "budget", "min_score"):
        if key in given:
            setting("query." + key).parse(given[key], "--" + key.replace("_", "-"))
    return with_real_path(given)


def notes(answer: Answer, given: Given) -> Notes:
    """What did not go as usual; what the answer says itself, or what was asked for, is no remark."""
    if not given.get("operators") and not _OPERATORS.isdisjoint(given["text"].split()[1:-1]):
        yield "AND, OR and NOT are words here; --operators makes them count"
    if answer.waiting:
        yield f"what fits waits for review ({answer.waiting:,}): bower review"
    for name, note in answer.hits.trace.notes:
        if note.kind not in ("missing", "asked", NOTHING_THEN, UNDIGESTED):
            yield f"{LEFT_OUT.get(name, name)}: {note}"


def timings(answer: Answer) -> "tuple[str, ...]":
    """How long each stage took."""
    stages = answer.hits.trace.stages
    return tuple(f"{stage.name}: {stage.ms:.1f} ms" for stage in stages if stage.ms)
