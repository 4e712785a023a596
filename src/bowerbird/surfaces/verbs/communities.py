"""``bower communities``: groups of memories that hang together.

Memories are grouped by the relations between them, and by files and symbols that several are about;
each belongs to the group to which most of its links lead. Modularity measures how much denser the
links within groups are than by chance: above .3 the groups are meaningful.
"""

from bowerbird.core.ways import Communities
from bowerbird.surfaces.cli.table import load
from bowerbird.surfaces.fields import BOTH, TYPED, Bowerbird, Field, Given, Verb

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.surfaces.cli.call import Call, Outcome

EXAMPLES = (
    ("bower communities", "the topics of this project's memories"),
    ("bower communities --picture html > groups.html", "as a picture that needs no network"),
)
VERB = Verb(
    "communities",
    "Show groups of related memories",
    (
        Field(
            "limit", "whole", "maximum number of groups (default 20)", default=20, low=1, high=200,
            interfaces=BOTH, metavar="N",
        ),
        Field(
            "picture", "text", "as a picture instead: for Mermaid, Graphviz, or a self-contained page",
            choices=("mermaid", "dot", "html"), interfaces=(TYPED,),
        ),
    ),
    Communities,
    group="Ask",
    order=7,
    route=("GET", "/communities"),
    renderer="path:groups",
)  # fmt: skip


def run(bird: Bowerbird, given: Given) -> Communities:
    """Find them."""
    return bird.communities(**given)


def command(call: "Call") -> "Outcome":
    """Find them, and draw them if a picture is requested."""
    outcome: Outcome = load("pictures").drawn(call, VERB, run)
    return outcome
