"""The caller, their permissions, and their name in the audit: the user, or an agent.

An interface (command line, MCP, HTTP) constructs a `Who` from what it knows; `Bowerbird.acting` enforces
it. An agent's name always begins with `agent`, so that no name a client chooses reads as a person's.
"""

from unicodedata import normalize

from bowerbird.core.errors import Denied
from bowerbird.core.text import clean
from bowerbird.core.value import Advice, Do, Record

# The owner of the store, in the audit and as an origin.
USER = "user"
# An agent without a name.
AGENT = "agent"
_NAMED = AGENT + ":"
# The roles of the people who share a store, and how the audit names one of them.
MEMBER, STEWARD, ADMIN = "member", "steward", "admin"
_RANKS = (MEMBER, STEWARD, ADMIN)
_OF_TEAM = MEMBER + ":"
# Characters of an agent's name that are kept.
_LONGEST = 60


def agent(name: str) -> str:
    """The actor of an agent with that name; a name that resembles the user's counts as none."""
    shown = " ".join(clean(name).split())[:_LONGEST]
    letters = "".join(filter(str.isalnum, normalize("NFKC", shown))).casefold()
    return AGENT if letters in ("", USER, AGENT) else _NAMED + shown


def member(name: str) -> str:
    """The actor of a member of the team."""
    return _OF_TEAM + name


def name_of(actor: str) -> str:
    """The name of an actor, without the prefix of agents and members."""
    return actor.removeprefix(_NAMED).removeprefix(_OF_TEAM)


def is_user(actor: str) -> bool:
    """Whether an actor of the audit is the owner of the store, and nobody else."""
    return actor == USER


def is_agent(actor: str) -> bool:
    """Whether an actor of the audit is an agent."""
    return actor == AGENT or actor.startswith(_NAMED)


class Who(Record):
    """The caller, as the interface knows them; claims of the caller are not included.

    Without arguments it is a program that the owner of the store runs: it has every permission, and
    states itself in whose name it acts.

    Args:
        actor: the name for the audit; empty: the one that the program states, else the user.
        origin: the origin of new memories, one of core.origins; empty: the one that the program states.
        session: its uses count once, and new memories record it; empty: each call is a session.
        reader: the session whose reading lowers the trust of what it writes later; empty: none.
        roaming: `reader` is not one session but all callers of that name without a session, so it
            counts by project and day.
        holder: a token, if the interface knows only that: text shown to any session of it lowers the
            trust of what all of them write for two days, in every project; empty: the session is known.
        may_write: without it nothing is changed, and uses are not counted.
        may_share: may store and change global memories.
        projects: the uids of the only projects that are visible; empty: every project, one at a time.
        wide: sees all projects at once, by search and by id, and may change global memories.
        local: runs on this machine for its owner: may see where files are.
        person: the member of the team in whose name it acts; empty: the owner of the store.
        role: the role of that person.
        most: the most trust of what a member writes.
        attended: that person signed in by single sign-on; a token shows only whose words come.
    """

    actor: str = ""
    origin: str = ""
    session: str = ""
    reader: str = ""
    roaming: bool = False
    holder: str = ""
    may_write: bool = True
    may_share: bool = True
    projects: tuple[str, ...] = ()
    wide: bool = True
    local: bool = True
    person: str = ""
    role: str = ADMIN
    most: str = ""
    attended: bool = False

    @property
    def owner(self) -> bool:
        """Whether it is the owner of the store, or a program of theirs."""
        return self.origin in ("", USER)

    def confined(self) -> "Who":
        """The same caller, restricted to one project."""
        return self.replace(wide=False, may_share=False)

    def require_write(self) -> None:
        """Raise Denied for a caller that may only read."""
        if not self.may_write:
            raise Denied("this caller may only read", "use a token or setup that may write")

    def require_owner(self, what: str) -> None:
        """Raise Denied for a caller other than the owner."""
        if not self.owner:
            raise Denied(
                f"{what} needs the owner of this machine",
                Advice("run it in an interactive terminal: ", Do(what)),
            )

    def require_no_agent(self, what: str) -> None:
        """Raise Denied for a caller known as an agent by its name; a script of the owner's has none."""
        self.require_local(what)
        if self.actor.startswith(_NAMED):
            raise Denied(
                f"{what} is not for agents", "ask the person to run it in their own terminal"
            )

    def has_role(self, least: str) -> bool:
        """Whether the caller has at least that role."""
        return _RANKS.index(self.role) >= _RANKS.index(least)

    def require_role(self, least: str, what: str) -> None:
        """Raise Denied for a caller with a lesser role."""
        if not self.has_role(least):
            raise Denied(
                f"{what} needs the role {least}; {self.person} has the role {self.role}",
                f"ask somebody with the role {least}",
            )

    def require_local(self, what: str) -> None:
        """Raise Denied for a caller that is not on this machine: results and costs concern its owner."""
        if not self.local:
            raise Denied(f"{what} needs the owner of this machine", "ask for the status")

    def require_shared(self, asked: bool, what: str) -> None:
        """Raise Denied if a caller without the permission asks for a global change."""
        if asked and not self.may_share:
            raise Denied(
                f"{what}: this caller may not write for every project",
                Advice(
                    f"leave {what} out; it can be allowed in the setup: ", Do("mcp", may_share=True)
                ),
            )

    def require_project(self, uid: str) -> None:
        """Raise Denied for a project that the caller may not see."""
        if self.projects and (self.wide or uid not in self.projects):
            what = "all projects" if self.wide else "that project"
            raise Denied(f"this caller has no access to {what}", "name a project that it may use")


# A program of the owner's, which states itself in whose name it acts.
PROGRAM = Who()
