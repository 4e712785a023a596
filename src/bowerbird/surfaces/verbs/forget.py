"""``bower forget``: take memories out of every search.

Forgotten memories stay in the store until they are pruned, and `bower revert ID` restores one. Searches
still find indexed turns of a transcript that say the same; `bower erase ID` takes those out, too, for
good. To remove other indexed text, delete the file and index its folder again.
"""

from bowerbird.core.history import Forgotten
from bowerbird.surfaces.fields import (
    HTTP,
    ID,
    MCP,
    ONE_ID,
    REASON,
    TYPED,
    Bowerbird,
    Field,
    Given,
    Tool,
    Verb,
)

EXAMPLES = (
    ("bower forget 019a2f6c-81d4-7000", "one memory"),
    ('bower forget "redis"', "choose from the memories that match"),
    ('bower forget 019a2f6c-81d4 019a2f6a-07c1 --reason "moved to Postgres"', "two, and why"),
)
VERB = Verb(
    "forget",
    "Remove memories from every search",
    (
        Field(
            "ids", "texts", "memories, by id or its first characters; or by words, to choose from",
            needed=True, interfaces=(TYPED,), option=("ID",), words="+",
        ),
        Field(
            "ids", "texts", "memories; all of them or none", pattern=ID, needed=True, interfaces=(HTTP,),
        ),
        ONE_ID.replace(interfaces=(MCP,)),
        REASON,
    ),
    Forgotten,
    "write",
    group="Keep",
    order=2,
    route=("POST", "/forget"),
    tool=Tool(
        "memory_forget",
        "Forget",
        "Take a memory out of every search because it is wrong or no longer true. When a fact has"
        " changed, also store the new one. memory_revert takes it back. Indexed files are not memories:"
        " they change when the file does.",
        always=("id", "state"),
        destroys=True,
    ),
    renderer="memory:forgotten",
    by_words="ids",
)  # fmt: skip


def run(bird: Bowerbird, given: Given) -> Forgotten:
    """Forget them; when one of them cannot be, none is forgotten."""
    reason = given.get("reason", "")
    gone = bird.forget_all(given.get("ids") or [given["id"]], reason)
    return Forgotten(tuple(gone), reason)
