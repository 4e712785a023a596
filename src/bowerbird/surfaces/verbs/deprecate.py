"""``bower deprecate``: mark memories as out of date.

They leave every search but are kept for reference: `bower list --state deprecated` lists them, `bower
query --as-of` finds them as of their time, and `bower revert ID` brings one back. With `--since` a day to
come they still hold until it is over. What was never true is rather for `bower forget`.
"""

from bowerbird.core.history import Ended
from bowerbird.surfaces.fields import HTTP, ID, REASON, TYPED, Field, Verb

EXAMPLES = (
    ("bower deprecate 019a2f6c-81d4-7000", "out of date from now on"),
    ('bower deprecate "jenkins"', "choose from the memories that match"),
    ("bower deprecate 019a2f6c-81d4 --since 2026-03-01", "it was over by then"),
)
VERB = Verb(
    "deprecate",
    "Mark memories as out of date",
    (
        Field(
            "ids", "texts", "memories, by id or its first characters; or by words, to choose from",
            needed=True, interfaces=(TYPED,), option=("ID",), words="+",
        ),
        Field(
            "ids", "texts", "memories; all of them or none", pattern=ID, needed=True, interfaces=(HTTP,),
        ),
        Field(
            "since", "when", "it is over by then: 2024-03-15, 3mo, or a day to come; default: now",
            metavar="WHEN",
        ),
        REASON.replace(interfaces=(TYPED, HTTP)),
    ),
    Ended,
    "write",
    group="Keep",
    order=2,
    route=("POST", "/deprecate"),
    renderer="memory:ended",
    by_words="ids",
)  # fmt: skip
