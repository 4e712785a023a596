"""The thread of a memory's disputes over HTTP; typed it is `dispute`."""

from bowerbird.core.dispute import Dispute
from bowerbird.surfaces.fields import ONE_ID, TYPED, Verb

VERB = Verb(
    "thread",
    "Show a memory with the thread of its disputes",
    (ONE_ID.replace(interfaces=(TYPED,)),),
    Dispute,
    route=("GET", "/dispute/{id}"),
)
