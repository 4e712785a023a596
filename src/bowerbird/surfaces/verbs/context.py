"""``bower context``: what memory holds for a task, ready for a prompt.

Returns trusted memories that fit the task, cut and cited, within a token budget for the texts;
citations and the envelope come on top. --phase puts the kinds that matter in that phase first and
gives them the most room. Entries from outside, and passages of files that are not the user's own (see
bower help trust), are excluded unless --min-trust admits them. --for selects for a role: a limited
number of each kind, and first what others stored for the same --unit of work (remember --work-unit);
a coder also gets the files that other sessions needed. With --steps the answer contains a step limit
from experience with similar work, at most twice the planned number. With --session it also says what a
session was given, which memories it kept, and what its scratchpad notes: for an agent whose context was
cut.

The text is in an envelope that marks it as data. If nothing is relevant, the output is empty.
"""

from bowerbird.core.life import USE_FROM
from bowerbird.core.packs import Pack
from bowerbird.core.phases import PHASES
from bowerbird.core.recalled import nonce
from bowerbird.core.roles import ROLES
from bowerbird.core.trace import LEFT_OUT
from bowerbird.core.types import TRUSTS
from bowerbird.surfaces.fields import (
    EVERYWHERE,
    LONGEST_QUESTION,
    MCP,
    NAME,
    TEXT,
    TYPED,
    Bowerbird,
    Field,
    Given,
    Notes,
    Tool,
    Verb,
)
from bowerbird.surfaces.narrowing import AS_OF

EXAMPLES = (
    ('bower context "fix the login bug"', "at most 2,048 tokens"),
    ('bower context "fix the login bug" --phase implement', "traps and known errors first"),
    ('bower context "fix the login bug" --budget 500', "at most 500 tokens"),
    ('bower context "move the login" --for planner --steps 40', "estimates, dead ends, dependents"),
    ('bower context "move the login" --for coder --unit spec-42', "what was planned first"),
    ('bower context "login" --min-trust imported', "also notes and transcripts of others"),
    ('bower context "login" --session 0f8fad5b', "and what that session had and noted"),
    ('bower context "login" --format markdown', "each text between fences"),
)
VERB = Verb(
    "context",
    "Pack what is known for a task into a prompt",
    (
        Field(
            "task", "text", "what is to be done, in any words", low=1, high=LONGEST_QUESTION, needed=True,
            interfaces=EVERYWHERE, option=("TASK",), words="+", piped=True,
        ),
        Field(
            "phase", "text", "part of the work: decides which kinds come first:"
            f" {', '.join(PHASES)}, or one of agent.methodology", high=NAME,
            interfaces=EVERYWHERE, metavar="PHASE", apart="kinds",
        ),
        Field(
            "role", "text", "role it is for: decides which kinds are included, and how many of each",
            choices=tuple(ROLES), interfaces=EVERYWHERE, option=("--for",), metavar="ROLE", wire="for",
            tool="for", apart="kinds",
        ),
        Field(
            "steps", "whole", "planned number of steps: the answer contains a limit",
            low=1, high=1_000_000, interfaces=EVERYWHERE, metavar="N",
        ),
        Field(
            "unit", "text", "the ticket or task that the role continues: its memories come first",
            high=TEXT, interfaces=EVERYWHERE, metavar="NAME",
        ),
        Field(
            "budget", "whole", "tokens of text at most (default 2048, or the phase's)",
            low=0, high=1_000_000, interfaces=EVERYWHERE, metavar="N",
        ),
        Field(
            "min_trust", "text", "trust at least",
            default="normal", choices=TRUSTS, metavar="TRUST",
        ),
        *AS_OF,
        Field(
            "session", "text", "also what this session was given, kept and noted so far: its id, or this",
            low=1, high=NAME, interfaces=(TYPED, MCP), metavar="ID",
        ),
        Field("all_projects", "flag", "include every project", default=False, interfaces=(TYPED,)),
    ),
    Pack,
    "ask",
    group="Ask",
    order=2,
    route=("POST", "/context"),
    tool=Tool(
        "memory_context",
        "Pack memory for a task",
        "Gather what memory holds for a task, cut and cited to fit a budget of tokens, trusted entries"
        " only. Call it once when a task begins; for single questions use memory_search. Returns items"
        " with id and citation; empty means nothing relevant is known.",
        always=("notice", "items", "budget", "spent"),
    ),
    prose=True,
)  # fmt: skip


def run(bird: Bowerbird, given: Given) -> Pack:
    """Pack what is known for a task."""
    about = dict(given)
    return bird.context(about.pop("task"), **about).replace(nonce=nonce())


def used(pack: Pack) -> list[str]:
    """The entries in it that are probably relevant: what else was shown helped nobody."""
    return [item.id for item in pack if item.relevance >= USE_FROM]


def notes(pack: Pack, _: Given) -> Notes:
    """What did not go as usual, and where there is nothing."""
    for name, note in pack.trace.notes:
        if note.kind != "missing":
            yield f"{LEFT_OUT.get(name, name)}: {note}"
    if not pack.items and all(note.kind != "untrusted" for note in pack.notes):
        yield "nothing relevant is known: see bower query"
