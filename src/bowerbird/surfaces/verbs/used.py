"""Which entries were of use, told by a program that keeps its own answers."""

from bowerbird.core.history import Noted
from bowerbird.surfaces import HTTP, ID, Field, Verb

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.bird import Bowerbird

VERB = Verb(
    "used",
    "Say which entries were of use",
    (
        Field(
            "ids",
            "texts",
            "those that an agent made use of",
            pattern=ID,
            needed=True,
            doors=(HTTP,),
        ),
    ),
    Noted,
    "write",
    route=("POST", "/used"),
)


def run(bird: "Bowerbird", given: "dict[str, Any]") -> Noted:
    """Note it. Raises NotFound for one that there is not."""
    return Noted(bird.used([bird.get(id).id for id in given["ids"]]))
