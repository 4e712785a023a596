"""``bower session``: what was recorded of an agent's sessions, and what was put before the agent.

Without an id the last sessions, a line each. With one, or its first characters, all that its hooks told,
and each injection: when, at which event, why, and which entries. With --injection one of them alone,
each entry with the reason why it was chosen and what it says now.

With --summary what memory was to a session, the last one without an id: what it was given and its agent
cited, what it left and what of that waits, and how many tokens of looking that saved, with the formula.

With --compare the arms of your own experiment (the setting agent.experiment): of a hundred sessions five
are told nothing and ten nothing between their steps. Each figure stands beside that of the others, with
how often chance alone parts sessions so far; below ten sessions of an arm nothing is said. Below stands
which kinds of memory were used in which phase, beside all others there: used is what an agent cited or a
person confirmed. From 30 sessions on other weights are proposed where that is more than chance for all
rows together, a quarter more or less than in the beginning; they count once you set
agent.phase_weights.
"""

from bowerbird.core.sessions import Sessions
from bowerbird.surfaces import TYPED, Bowerbird, Field, Given, Verb

EXAMPLES = (
    ("bower session", "the last sessions"),
    ("bower session 0f8fad5b", "all of one: what happened, and what was given when and why"),
    ("bower session 0f8fad5b --injection a31c", "one injection, entry by entry"),
    ("bower session --summary", "what memory was to the last one"),
    ("bower session --compare", "what memory is good for, by an experiment"),
)
VERB = Verb(
    "session",
    "Show what was recorded of an agent's session, and what it was given",
    (
        Field(
            "id", "text", "the session's id or its first characters, at least four",
            doors=(TYPED,), option=("ID",), words="?",
        ),
        Field(
            "injection", "text", "the injection that its envelope's sign begins with",
            doors=(TYPED,), metavar="SIGN", apart="part",
        ),
        Field(
            "summary", "flag", "what memory was to it: given, cited, learned, saved",
            default=False, doors=(TYPED,), apart="part",
        ),
        Field(
            "compare", "flag", "the arms of the experiment, figure by figure",
            default=False, doors=(TYPED,), apart="part",
        ),
        Field(
            "limit", "whole", "at most so many sessions (default 20)",
            default=20, low=1, high=1_000, doors=(TYPED,), metavar="N", option=("-n", "--limit"),
        ),
    ),
    Sessions,
    group="Look after",
    order=9,
    owners=True,
)  # fmt: skip


def run(bird: Bowerbird, given: Given) -> Sessions:
    """Read the journal."""
    return bird.admin.sessions(
        given.get("id"),
        injection=given.get("injection"),
        summary=given.get("summary", False),
        compare=given.get("compare", False),
        limit=given.get("limit", 20),
    )
