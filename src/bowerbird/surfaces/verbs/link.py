"""``bower link``: say what one memory is to another, or to a file.

The source comes first: it causes, contradicts or supersedes the target.
"""

from bowerbird.core.history import Relation
from bowerbird.core.relations import RELATIONS
from bowerbird.surfaces.fields import HTTP, ID, TYPED, Field, Verb

EXAMPLES = (
    ("bower link 019a2f6c-81d4 019a2f6a-07c1", "the two belong together"),
    ("bower link 019a2f6c-81d4 019a2f6a-07c1 --as causes", "the first causes the second"),
    ("bower link 019a2f6c-81d4 file:src/auth.py --as informs", "what to know about a file"),
)
VERB = Verb(
    "link",
    "Link a memory to another, or to a file",
    (
        Field(
            "source", "text", "a memory, by id or its first characters", needed=True,
            interfaces=(TYPED,), option=("ID",),
        ),
        Field(
            "target", "text", "another memory, or file:PATH", needed=True, interfaces=(TYPED,),
            option=("TARGET",),
        ),
        Field("source", "text", "a memory", pattern=ID, needed=True, interfaces=(HTTP,)),
        Field(
            "target", "text", "a memory's id, or file:PATH",
            pattern=r"^([0-9a-f-]{6,36}|file:.{1,1000})$", needed=True, interfaces=(HTTP,),
        ),
        Field(
            "kind", "text", "the relation of the first to the second",
            default="related_to", choices=tuple(RELATIONS), option=("--as",), wire="relation",
            metavar="RELATION",
        ),
        Field("strength", "number", "0 to 1", default=1.0, low=0.0, high=1.0, metavar="X"),
        Field(
            "confidence", "number", "confidence, 0 to 1", default=1.0, low=0.0, high=1.0,
            metavar="X",
        ),
    ),
    Relation,
    "write",
    group="Keep",
    order=5,
    route=("POST", "/link"),
    renderer="memory:linked",
)  # fmt: skip
