"""What waits for review, with the reasons as data: for programs that show it to a person.

`bower review` shows the same to people.
"""

from bowerbird.core.reviewed import Waiting
from bowerbird.surfaces.fields import HTTP, ID, Bowerbird, Field, Given, Verb

EXAMPLES = ()
VERB = Verb(
    "waiting",
    "Tell what waits for review, and why",
    (
        Field(
            "ids", "texts", "these memories alone, whether they wait or not",
            default=(), pattern=ID, interfaces=(HTTP,),
        ),
        Field("limit", "whole", "maximum number", default=20, low=1, high=200, interfaces=(HTTP,)),
        Field(
            "offset", "whole", "skip the first ones", default=0, low=0, high=1_000_000,
            interfaces=(HTTP,),
        ),
    ),
    Waiting,
    route=("GET", "/review"),
)  # fmt: skip


def run(bird: Bowerbird, given: Given) -> Waiting:
    """Look for it."""
    about = dict(given)
    return bird.waiting(*about.pop("ids", ()), **about)
