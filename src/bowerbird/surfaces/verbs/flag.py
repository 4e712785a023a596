"""``bower flag``: say that a memory is wrong.

It is kept and waits for review, and agents do not get it unasked until somebody has decided. With
--session it counts for the session that got it: from three on a more cautious level is offered.
"""

from bowerbird.core.overview import Flagged
from bowerbird.surfaces.fields import BOTH, ONE_ID, TEXT, TYPED, Bowerbird, Field, Given, Verb

EXAMPLES = (
    ('bower flag 019a2f6c-81d4 "the port is 6380 by now"', "it is no longer true"),
    ("bower flag 019a2f6c-81d4 --session 0f8fad5b", "in the session that got it"),
)
VERB = Verb(
    "flag",
    "Say that a memory is wrong: it waits for review",
    (
        ONE_ID.replace(interfaces=BOTH),
        Field(
            "wrong", "text", "what is wrong about it", default="", high=TEXT, option=("WRONG",),
            words="?",
        ),
        Field(
            "session", "text", "the session that got it", default="", high=TEXT,
            interfaces=(TYPED,), metavar="ID",
        ),
    ),
    Flagged,
    "write",
    group="Keep",
    order=5,
    route=("POST", "/flag"),
    renderer="overview:flagged",
    by_words="id",
)  # fmt: skip


def run(bird: Bowerbird, given: Given) -> Flagged:
    """Flag it."""
    return bird.flag(given["id"], given.get("wrong", ""), session=given.get("session", ""))
