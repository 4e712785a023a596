"""Records which entries were of use, reported by a program that keeps its own answers."""

from bowerbird.core.history import Noted
from bowerbird.surfaces import ID, Bowerbird, Field, Given, Verb

VERB = Verb(
    "used",
    "Say which entries were of use",
    (Field("ids", "texts", "those that an agent made use of", pattern=ID, needed=True),),
    Noted,
    "write",
    route=("POST", "/used"),
)


def run(bird: Bowerbird, given: Given) -> Noted:
    """Note it. Raises NotFound for one that there is not."""
    return Noted(bird.used([bird.get(id).id for id in given["ids"]]))
