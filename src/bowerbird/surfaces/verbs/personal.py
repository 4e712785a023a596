"""What is personal of a member of the team, to take along when they leave, over HTTP."""

from bowerbird.core.team import Personal
from bowerbird.surfaces.fields import Verb

VERB = Verb(
    "personal",
    "Export what is your own, in every project, as JSON lines that bower import takes",
    (),
    Personal,
    "whole",
    route=("GET", "/personal"),
    reach="",
)
