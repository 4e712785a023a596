"""What somebody new should know, over HTTP; typed it is `team onboarding`."""

from bowerbird.core.answers import Listed
from bowerbird.surfaces.fields import Bowerbird, Given, Verb

VERB = Verb(
    "onboarding",
    "Show the five memories that somebody new should know",
    (),
    Listed,
    route=("GET", "/onboarding"),
)


def run(bird: Bowerbird, _: Given) -> Listed:
    """Show them."""
    return Listed(bird.onboarding())
