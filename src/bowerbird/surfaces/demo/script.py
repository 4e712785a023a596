"""What the demo shows: the files, what is remembered, what is asked and why it is worth asking."""

import os

from bowerbird.core.value import Record

DATA = os.path.join(os.path.dirname(__file__), "data")
PROJECT = "shop"


class Belief(Record):
    """Something the demo remembers."""

    text: str
    kind: str
    tags: tuple[str, ...]


class Asked(Record):
    """A question, and what to watch for in its answer."""

    text: str
    watch: str
    # Hits to show: the demo is to be read, not scrolled.
    shown: int = 2
    min_score: float | None = None


BELIEFS = (
    Belief("Redis must be up before the auth tests start.", "gotcha", ("auth", "tests")),
    Belief("Never put a sleep into CI; wait for a condition.", "preference", ("ci",)),
    Belief("The trade discount is 12 % and ends on 31 December 2024.", "fact", ("prices",)),
)

QUESTIONS = (
    Asked("why do the auth tests hang?", "a conversation, and a memory", shown=3),
    Asked("customers paid two times, what happened?", "the incident says charged twice"),
    Asked("when do abandoned baskets disappear?", "the note says carts and deleted"),
    Asked("when does the trade discount end?", "stored a moment ago"),
    Asked("what are the rules for voucher codes?", "said in passing, in a conversation"),
    Asked(
        "what is the boiling point of mercury?",
        "nobody ever said, and the answer says so",
        min_score=0.3,
    ),
)

NEXT = (
    ("bower index ~/notes", "index your own notes, or a folder of transcripts"),
    ('bower query "what did we decide about …?"', "ask: this project, or all if you are in none"),
    ('bower remember "…"', "keep what you just learned"),
    ('bower query "…" --explain', "why these hits, in this order"),
    ("bower install", "connect your agents"),
)
