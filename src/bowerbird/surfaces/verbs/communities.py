"""``bower communities``: groups of memories that hang together.

By the relations between them, and by the files and symbols that several are about; each belongs to the
group that most of what it hangs on belongs to. The modularity says how much more hangs together within
the groups than chance would have it: above .3 they are groups indeed.
"""

from bowerbird.core.ways import Communities
from bowerbird.surfaces import BOTH, TYPED, Field, Verb
from bowerbird.surfaces.cli.table import load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.bird import Bowerbird
    from bowerbird.surfaces.cli.call import Call, Outcome

EXAMPLES = (
    ("bower communities", "what this project's memories are about, as groups"),
    ("bower communities --picture html > groups.html", "as a picture that needs no network"),
)
VERB = Verb(
    "communities",
    "Show which memories hang together",
    (
        Field(
            "limit", "whole", "tell so many groups at most (default 20)", default=20, low=1, high=200,
            doors=BOTH, metavar="N",
        ),
        Field(
            "picture", "text", "as a picture instead: for Mermaid, Graphviz, or a page by itself",
            choices=("mermaid", "dot", "html"), doors=(TYPED,),
        ),
    ),
    Communities,
    group="Ask",
    order=7,
    route=("GET", "/communities"),
    renderer="path:groups",
)  # fmt: skip


def run(bird: "Bowerbird", given: "dict[str, Any]") -> Communities:
    """Find them."""
    return bird.communities(**given)


def command(call: "Call") -> "Outcome":
    """Find them, and draw them where a picture is asked for."""
    outcome: Outcome = load("pictures").drawn(call, VERB, run)
    return outcome
