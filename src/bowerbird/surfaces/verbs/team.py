"""``bower team``: the people who share the store that a server serves, what they may, and their tokens.

Each member has a name, a role and tokens, by which a server knows whose requests come. WHAT is one of:

  list             everybody, and their tokens (default)
  add NAME         add a person; again, with --role or --trust: change them
  token NAME       make a token for them: it is shown once, and kept as a hash
  revoke NAME      revoke their tokens, or that of --label
  leave NAME       they leave: what is personal goes with them (--export) or is erased (--erase); what
                   they shared stays, under their name
  onboarding       the five memories that somebody new should know

A member reads and writes as themselves, changes what they wrote, and may dispute the rest. A steward may
change what others wrote, and closes disputes. An admin may also change the team. Whoever uses the command
line on the store's machine is its owner, and an admin. See docs/teams.md.
"""

from bowerbird.core.answers import Listed
from bowerbird.core.errors import BadInput
from bowerbird.core.team import GIVEN_TRUSTS, ROLES, Team, TeamChange
from bowerbird.surfaces.fields import NAME, TYPED, Bowerbird, Field, Given, Verb

EXAMPLES = (
    ("bower team add mia --role steward", "add a person"),
    ("bower team add mia --login mia@example.org", "she signs in by single sign-on"),
    ("bower team token mia --label laptop --expires 30d", "a token for their laptop"),
    ("bower team revoke mia --label laptop", "it was lost"),
    ("bower team", "everybody, and their tokens"),
)
WHAT = ("list", "add", "token", "revoke", "leave", "onboarding")
# Those over HTTP.
CHANGES = ("add", "token", "revoke", "leave")
# Of a member; what a token needs beside.
OF_MEMBER = (
    Field(
        "role", "text", "add: member (default), steward or admin", choices=ROLES, metavar="ROLE",
    ),
    Field(
        "trust", "text", "add: the most trust of what they write (default normal)",
        choices=GIVEN_TRUSTS, metavar="TRUST",
    ),
    Field(
        "login", "text", "add: by what single sign-on knows them: an e-mail address; empty: no more",
        high=255, metavar="LOGIN",
    ),
    Field(
        "label", "text", "token, revoke: which of their tokens (default: main; revoke: all)",
        low=1, high=60, metavar="LABEL",
    ),
    Field(
        "erase", "flag", "leave: what is personal of them is erased for good", default=False,
    ),
    Field(
        "expires", "when", "token: until when it is accepted: a date, or 30d (default: 90 days)",
        metavar="WHEN",
    ),
)  # fmt: skip
VERB = Verb(
    "team",
    "Show the team and its tokens",
    (
        Field("what", "text", "", choices=WHAT, interfaces=(TYPED,), option=("WHAT",), words="?"),
        Field(
            "name", "text", "the person", high=NAME, interfaces=(TYPED,), option=("NAME",), words="?",
        ),
        *(one.replace(interfaces=(TYPED,)) for one in OF_MEMBER),
        Field(
            "export", "text", "leave: write what is personal of them there first, as JSON lines",
            interfaces=(TYPED,), metavar="PATH",
        ),
    ),
    Team,
    group="Look after",
    order=11,
    route=("GET", "/team"),
    reach="",
)  # fmt: skip
# What an action takes beside the name.
_TAKES = {
    "add": {"login", "role", "trust"},
    "token": {"label", "expires"},
    "revoke": {"label"},
    "leave": {"erase", "export"},
}


def run(bird: Bowerbird, given: Given) -> "Team | TeamChange | Listed":
    """List it, or change it."""
    what, name = given.get("what", "list"), given.get("name")
    more = {key: value for key, value in given.items() if key not in {"what", "name"}}
    if what == "list":
        if name is not None or more:
            raise BadInput("list takes no argument", "bower team add NAME; bower team token NAME")
        return bird.admin.team()
    if what == "onboarding":
        return Listed(bird.onboarding())
    if name is None:
        raise BadInput(f"{what} whom?", f"name a person: bower team {what} NAME")
    if unused := sorted(more.keys() - _TAKES[what]):
        raise BadInput(
            f"{what} takes no {unused[0]}", f"it takes {', '.join(sorted(_TAKES[what]))}"
        )
    if what == "add":
        return bird.admin.add_member(name, **more)
    if what == "token":
        return bird.admin.new_member_token(name, **more)
    if what == "leave":
        if not (more.get("erase") or more.get("export")):
            raise BadInput(
                f"{name} would lose what is personal",
                "write it to a file with --export PATH, or say --erase",
            )
        return bird.admin.leave_team(name, export=more.get("export"))
    return bird.admin.revoke_member_token(name, **more)
