"""Records which entries were of use, reported by a program that keeps its own answers."""

from bowerbird.core.history import Noted
from bowerbird.surfaces.fields import ID, Bowerbird, Field, Given, Verb

VERB = Verb(
    "used",
    "Record which entries were used",
    (Field("ids", "texts", "the entries that an agent used", pattern=ID, needed=True),),
    Noted,
    "write",
    route=("POST", "/used"),
)


def run(bird: Bowerbird, given: Given) -> Noted:
    """Note it. Raises NotFound for one that there is not."""
    return Noted(bird.used([bird.get(id).id for id in given["ids"]]))
