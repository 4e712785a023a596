"""Who asks, what they may, and how the audit names them: the user, or an agent by its door's name for it.

A door (command line, MCP, HTTP) makes a `Who` of what it knows; `Bowerbird.acting` holds to it. An
agent's name always begins with `agent`, so that no name a client gives itself reads as a person's.
"""

from unicodedata import normalize

from bowerbird.core.errors import Denied
from bowerbird.core.text import clean
from bowerbird.core.value import Advice, Do, Value

# The owner of the store, in the audit and as an origin.
USER = "user"
# An agent without a name of its own.
AGENT = "agent"
_NAMED = AGENT + ":"
# Characters of an agent's name that are kept.
_LONGEST = 60


def agent(name: str) -> str:
    """The actor of an agent that is called so; a name that looks like the user's counts as none."""
    shown = " ".join(clean(name).split())[:_LONGEST]
    letters = "".join(filter(str.isalnum, normalize("NFKC", shown))).casefold()
    return AGENT if letters in ("", USER, AGENT) else _NAMED + shown


def name_of(actor: str) -> str:
    """What an actor is called, without the mark of an agent."""
    return actor.removeprefix(_NAMED)


def is_user(actor: str) -> bool:
    """Whether an actor of the audit is the owner of the store, and nobody else."""
    return actor == USER


class Who(Value):
    """Whoever calls, as the door knows them; what they say of themselves is not in here.

    Without arguments it is a program that the owner of the store runs: it may do everything, and says
    itself in whose name.

    Args:
        actor: the name for the audit; empty takes what the program says, else the user.
        origin: the origin of what is kept, one of core.origins; empty takes what the program says.
        session: counts uses once, and is written down with what is kept; empty: each call by itself.
        reader: whose reading lowers how far that is believed which it keeps afterwards; empty: nobody's.
        roaming: `reader` is no single session but everybody who goes by that name and tells no session,
            so it counts by project and day.
        holder: what the door knows by itself, a token: what any session of it was shown lowers what all
            of them keep for two days, in every project; empty: the door knows the session itself.
        may_write: without it nothing is changed, and use leaves no trace.
        may_share: may keep, and change, what belongs to every project.
        projects: the uids of the only projects that are open; none: every project, one at a time.
        wide: sees every project at once, by search and by id, and may change what belongs to all.
        local: runs on this machine for its owner: may be told where things are.
    """

    __slots__ = (
        "actor",
        "holder",
        "local",
        "may_share",
        "may_write",
        "origin",
        "projects",
        "reader",
        "roaming",
        "session",
        "wide",
    )

    def __init__(
        self,
        actor: str = "",
        origin: str = "",
        *,
        session: str = "",
        reader: str = "",
        roaming: bool = False,
        holder: str = "",
        may_write: bool = True,
        may_share: bool = True,
        projects: tuple[str, ...] = (),
        wide: bool = True,
        local: bool = True,
    ) -> None:
        self.actor = actor
        self.origin = origin
        self.session = session
        self.reader = reader
        self.roaming = roaming
        self.holder = holder
        self.may_write = may_write
        self.may_share = may_share
        self.projects = projects
        self.wide = wide
        self.local = local

    @property
    def owner(self) -> bool:
        """Whether it is the owner of the store, or a program of theirs."""
        return self.origin in ("", USER)

    def confined(self) -> "Who":
        """The same, for whom the rest of the store is none of their business."""
        return self.replace(wide=False, may_share=False)

    def require_write(self) -> None:
        """Raise Denied for whoever may only read."""
        if not self.may_write:
            raise Denied("this caller may only read", "ask with one that may write")

    def require_owner(self, what: str) -> None:
        """Raise Denied for whoever is not the owner."""
        if not self.owner:
            raise Denied(f"{what} is for the owner of this machine", "ask for the status")

    def require_local(self, what: str) -> None:
        """Raise Denied for whoever comes from elsewhere: what it tells or costs is its owner's alone."""
        if not self.local:
            raise Denied(f"{what} is for the owner of this machine", "ask for the status")

    def require_shared(self, asked: bool, what: str) -> None:
        """Raise Denied where something is asked for every project by whoever may not."""
        if asked and not self.may_share:
            raise Denied(
                f"{what}: this caller may not write for every project",
                Advice(
                    f"leave {what} out; whoever set this up can allow it: ",
                    Do("mcp", may_share=True),
                ),
            )

    def require_project(self, uid: str) -> None:
        """Raise Denied for a project that is not open; whoever is bound to some sees no others."""
        if self.projects and (self.wide or uid not in self.projects):
            raise Denied("this caller is not for that project", "name one of its own")


# What a program of the owner's is, that says itself in whose name it acts.
PROGRAM = Who()
