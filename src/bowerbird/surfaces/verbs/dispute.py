"""``bower dispute``: say that a memory is wrong, and talk about it until a steward decides.

A disputed memory is still used, marked in every answer and four fifths as sure as before. Who sees
it may open a dispute and add to its thread; a steward or an admin closes it. Without a text the thread is
shown, without an id the open disputes.
"""

from bowerbird.core.dispute import VERDICTS, Dispute, Disputes
from bowerbird.core.errors import BadInput
from bowerbird.surfaces.fields import HTTP, ONE_ID, TEXT, TYPED, Bowerbird, Field, Given, Verb

EXAMPLES = (
    ("bower dispute", "the open disputes"),
    ('bower dispute 019a2f6c-81d4 "the port is 6380 by now"', "open one, or add to its thread"),
    ("bower dispute 019a2f6c-81d4", "its thread"),
    (
        'bower dispute 019a2f6c-81d4 "checked, it is 6379" --close kept',
        "it holds, as sure as before",
    ),
    ("bower dispute 019a2f6c-81d4 --close wrong", "retire the memory; revert brings it back"),
)
_TEXT = Field(
    "text", "text", "what is wrong about it, or a comment", default="", high=TEXT, option=("TEXT",),
    words="?",
)  # fmt: skip
VERB = Verb(
    "dispute",
    "Dispute a memory, comment, or close a dispute",
    (
        ONE_ID.replace(interfaces=(TYPED,), needed=False, words="?"),
        ONE_ID.replace(interfaces=(HTTP,)),
        _TEXT,
        Field(
            "close", "text", "a steward's decision: kept, or wrong, which retires it",
            choices=VERDICTS, metavar="VERDICT",
        ),
    ),
    Dispute,
    "write",
    group="Keep",
    order=5,
    route=("POST", "/dispute"),
    renderer="team:disputed",
    by_words="id",
)  # fmt: skip


def run(bird: Bowerbird, given: Given) -> "Dispute | Disputes":
    """Open, comment, close or show."""
    id, text, close = given.get("id"), given.get("text", ""), given.get("close")
    if id is None:
        if text or close:
            raise BadInput("which memory?", "give its id: bower dispute ID")
        return bird.disputes()
    if close is not None:
        return bird.close_dispute(id, close, text)
    return bird.dispute(id, text) if text else bird.thread(id)
