"""``bower edit``: give a memory another text, or other fields.

The memory keeps its id, its uses and its links; its previous text stays in its history, and `bower
revert` restores it. A given field replaces the whole old value: --tags replaces all tags. Secrets are
removed. The new text gets the trust of the least trusted of its authors, and nobody can edit a memory
with more trust than they have: an agent stores a separate memory instead. `bower move` puts it into
another project. Of a memory that was superseded, deprecated or has expired --valid-from alone can be put
right: since when it held.
"""

from bowerbird.core.errors import BadInput
from bowerbird.core.history import Edited
from bowerbird.surfaces import about
from bowerbird.surfaces.fields import (
    EVERYWHERE,
    HTTP,
    KINDS,
    LONGEST_MEMORY,
    MCP,
    ONE_ID,
    REASON,
    TYPED,
    Field,
    Given,
    Tool,
    Verb,
)

EXAMPLES = (
    ('bower edit 019a2f6c-81d4 "Redis runs on port 6380"', "a new text"),
    ('bower edit "redis port" "Redis runs on port 6380"', "choose the memory by words"),
    ("bower edit 019a2f6c-81d4 --kind decision --tags db,disk", "new fields, the same text"),
    ("bower edit 019a2f6c-81d4 --stale", "it may not hold any more"),
    ('bower edit 019a2f6c-81d4 --expires 2w --reason "until the move"', "and why"),
)
# Fields that a memory gets when it is stored, and keeps.
_FIRST_ONLY = frozenset(("importance", "key"))
# What an agent corrects beside the text; how long it lasts and who sees it is for its person to say.
_BY_AGENTS = frozenset(("summary", "confidence", "expires", "valid_from", "files", "modules"))
VERB = Verb(
    "edit",
    "Change a memory's text or fields",
    (
        ONE_ID,
        Field(
            "text", "text", "the new text", low=1, high=LONGEST_MEMORY, interfaces=EVERYWHERE,
            option=("TEXT",), words="*", piped=True, wire="content", tool="content",
        ),
        Field(
            "new_text", "text", "the new text, as an option", interfaces=(TYPED,), option=("--text",),
            metavar="TEXT",
        ),
        *(one.replace(default=None) for one in about.ABOUT if one.name not in _FIRST_ONLY),
        Field(
            "stale", "flag", "mark it as doubtful by now: its confidence falls, and bower stale lists it",
            interfaces=(TYPED, HTTP),
        ),
        Field("tags", "texts", "replace the present tags", most=20, interfaces=(MCP,)),
        Field("kind", "text", "the type", choices=KINDS, interfaces=(MCP,), tool="type"),
        *(
            Field(one.name, "text" if one.shape == "when" else one.shape, one.meaning, interfaces=(MCP,))
            for one in about.ABOUT
            if one.name in _BY_AGENTS
        ),
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
        "Give a memory another text or other fields where it is nearly right: it keeps id and history."
        " For what has changed since, memory_store the new fact instead. What the user said is not"
        " yours to edit. memory_revert takes it back.",
        always=("id", "changed"),
    ),
    by_words="id",
)  # fmt: skip
details = about.details


def typed(given: Given) -> Given:
    """What was typed. Raises BadInput where that is nothing, or two texts."""
    if (text := given.pop("new_text", None)) is not None:
        if "text" in given:
            raise BadInput("two new texts", 'give one: bower edit ID "new text"')
        given["text"] = text
    if not given.keys() - {"id", "reason"}:
        raise BadInput(
            "nothing to change",
            'give a text, or a field: bower edit ID "new text"; another project: bower move ID --to NAME',
        )
    return about.structured(given)
