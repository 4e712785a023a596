"""``bower edit``: give a memory another text, or other fields.

It stays the same memory, with its id, its uses and its links; what it said before stands in its history,
and `bower revert` brings that back. What is given takes the place of what was there: --tags of all tags.
Secrets are taken out. The text is believed as far as the least trusted of those who wrote it, and nobody
edits what is believed more than they are: an agent keeps what it knows beside it.
"""

from bowerbird.core.errors import BadInput
from bowerbird.core.history import Edited
from bowerbird.surfaces import (
    EVERYWHERE,
    LONGEST_MEMORY,
    MCP,
    ONE_ID,
    REASON,
    Field,
    Given,
    Tool,
    Verb,
    about,
)

EXAMPLES = (
    ('bower edit 019a2f6c-81d4 "Redis runs on port 6380"', "another text"),
    ("bower edit 019a2f6c-81d4 --kind decision --tags db,disk", "other fields, the same text"),
    ('bower edit 019a2f6c-81d4 --expires 2w --reason "until the move"', "and why"),
)
VERB = Verb(
    "edit",
    "Give a memory another text, or other fields",
    (
        ONE_ID,
        Field(
            "text", "text", "what it says from now on", low=1, high=LONGEST_MEMORY, doors=EVERYWHERE,
            option=("TEXT",), words="*", piped=True, wire="content", tool="content",
        ),
        *(one.replace(default=None) for one in about.ABOUT if one.name != "importance"),
        Field("tags", "texts", "in place of those it has", most=20, doors=(MCP,)),
        REASON,
    ),
    Edited,
    "write",
    group="Keep",
    order=2,
    renderer="memory:edited",
    route=("POST", "/edit"),
    tool=Tool(
        "memory_edit",
        "Correct",
        "Give a memory another text or other tags where it is nearly right: it keeps its id and history."
        " For what has changed since, memory_store the new fact instead. What the user said is not"
        " yours to edit. memory_revert takes it back.",
        always=("id", "changed"),
    ),
)  # fmt: skip
details = about.details


def typed(given: Given) -> Given:
    """What was typed. Raises BadInput where that is nothing."""
    if not given.keys() - {"id", "reason"}:
        raise BadInput("nothing to change", 'give a text, or a field: bower edit ID "new text"')
    return about.structured(given)
