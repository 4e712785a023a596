"""A change of the team over HTTP; typed it is `team`."""

from bowerbird.core.team import Team, TeamChange
from bowerbird.surfaces.fields import HTTP, NAME, Bowerbird, Field, Given, Verb
from bowerbird.surfaces.verbs import team

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.answers import Listed

VERB = Verb(
    "change_team",
    "Add or change a member of the team, or make or revoke a token",
    (
        Field(
            "what", "text", "add (also to change one), token, revoke or leave", choices=team.CHANGES,
            needed=True, interfaces=(HTTP,),
        ),
        Field("name", "text", "the person", low=1, high=NAME, needed=True, interfaces=(HTTP,)),
        *(one.replace(interfaces=(HTTP,)) for one in team.OF_MEMBER),
    ),
    TeamChange,
    "write",
    route=("POST", "/team"),
    reach="",
)  # fmt: skip


def run(bird: Bowerbird, given: Given) -> "TeamChange | Team | Listed":
    """Change it."""
    stated = {key: value for key, value in given.items() if value not in (None, False)}
    return team.run(bird, stated)
