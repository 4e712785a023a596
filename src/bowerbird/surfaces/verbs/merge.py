"""``bower merge``: merge a memory into another one that says the same.

The other one gains its tags, keywords, files, modules and metadata, and keeps its text. The merged one
leaves every search; `bower revert` of the one that gained takes all of it back.
"""

from bowerbird.core.history import Ended
from bowerbird.surfaces.fields import ID, ONE_ID, REASON, TYPED, Field, Verb

EXAMPLES = (
    ("bower merge 019a2f6c-81d4 --into 019a2f6a-07c1", "the second stays"),
    ("bower revert 019a2f6a-07c1", "take it back"),
)
VERB = Verb(
    "merge",
    "Merge a memory into another",
    (
        ONE_ID.replace(interfaces=(TYPED, "http")),
        Field("into", "text", "the memory that stays", pattern=ID, needed=True, metavar="ID"),
        REASON.replace(interfaces=(TYPED, "http")),
    ),
    Ended,
    "write",
    group="Keep",
    order=5,
    route=("POST", "/merge"),
    renderer="memory:ended",
)  # fmt: skip
