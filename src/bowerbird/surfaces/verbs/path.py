"""``bower path``: how one memory leads to another, or to code.

The path may use relations between memories, the files and symbols that memories are about, and
imports, calls and inheritance in the indexed code. The shortest path is shown, of several the
strongest. An end is the id of a memory, a file, file:symbol or a symbol. With one end only, the
causes and effects of that memory are shown. Files that changed since they were indexed are listed,
and not used for paths.
"""

from bowerbird.core.ways import Way
from bowerbird.surfaces.cli.table import load
from bowerbird.surfaces.fields import EVERYWHERE, TYPED, Bowerbird, Field, Given, Tool, Verb

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.surfaces.cli.call import Call, Outcome

EXAMPLES = (
    ("bower path 019a2f6c-81d4 019a2f6a-07c1", "how two memories are related"),
    ("bower path 019a2f6c-81d4 src/auth.py:verify", "how a memory leads to a function"),
    ("bower path open verify --directed", "by which calls one function reaches another"),
    ("bower path 019a2f6c-81d4", "its causes and effects"),
    ("bower path 019a2f6c-81d4 --picture mermaid", "as a picture"),
)
VERB = Verb(
    "path",
    "Show how a memory leads to another, or to code",
    (
        Field(
            "start", "text", "the id of a memory, a file, file:symbol or a symbol", low=1, high=1_000,
            needed=True, interfaces=EVERYWHERE, option=("START",),
        ),
        Field(
            "end", "text", "the same; without it, causes and effects of the start", default="",
            high=1_000, interfaces=EVERYWHERE, option=("END",), words="?",
        ),
        Field(
            "depth", "whole", "maximum number of steps (default 6)", default=6, low=1, high=10,
            interfaces=EVERYWHERE, metavar="N", tool="max_depth",
        ),
        Field(
            "directed", "flag", "only along the arrows: what the start uses or leads to", default=False,
            interfaces=EVERYWHERE,
        ),
        Field(
            "picture", "text", "as a picture instead: for Mermaid, Graphviz, or a self-contained page",
            choices=("mermaid", "dot", "html"), interfaces=(TYPED,),
        ),
    ),
    Way,
    group="Ask",
    order=6,
    route=("GET", "/path"),
    tool=Tool(
        "memory_path",
        "See how memories hang together",
        "How one memory leads to another or to code: relations, shared files and symbols, calls. With one"
        " id alone, what causes it and what follows from it.",
        always=("points", "legs"),
    ),
)  # fmt: skip


def run(bird: Bowerbird, given: Given) -> Way:
    """Look for it."""
    return bird.way(**given)


def command(call: "Call") -> "Outcome":
    """Find it, and draw it if a picture is requested."""
    outcome: Outcome = load("pictures").drawn(call, VERB, run)
    return outcome
