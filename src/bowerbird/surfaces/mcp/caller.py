"""Who calls over MCP, and what they may."""

from bowerbird.core.text import clean
from bowerbird.core.value import Value


class Caller(Value):
    """One caller.

    Args:
        project: the project to work in, by name or uid; None takes the working directory's.
        all_projects: no project is left out of search, and ids of every project lead somewhere.
        may_write: without it only the tools that read are there, and use leaves no trace.
        may_share: what belongs to every project may be changed, and more of it stored.
        actor: the name for the audit; empty takes what the client calls itself.
        session: counts uses once; empty: each call by itself.
        reader: whose reading taints what it stores: a session, or all calls that name none; empty:
            nobody's.
        tainted: something from outside was read before: what is stored waits.
        local: it runs on this machine, for its user: errors may say which file is meant.
    """

    __slots__ = (
        "actor",
        "all_projects",
        "local",
        "may_share",
        "may_write",
        "project",
        "reader",
        "session",
        "tainted",
    )

    def __init__(
        self,
        project: str | None = None,
        all_projects: bool = False,
        may_write: bool = True,
        may_share: bool = False,
        actor: str = "",
        session: str = "",
        local: bool = False,
        tainted: bool = False,
        reader: str = "",
    ) -> None:
        self.project = project
        self.all_projects = all_projects
        self.may_write = may_write
        self.may_share = may_share
        self.actor = actor
        self.session = session
        self.local = local
        self.tainted = tainted
        self.reader = reader


# Characters of a client's name that are kept.
_LONGEST = 60
_USER = "user"


def named(caller: Caller, client: str) -> Caller:
    """The caller, under the name of its client where it has none of its own."""
    if caller.actor or not client:
        return caller
    name = " ".join(clean(client).split())[:_LONGEST]
    # In the audit the user is the user alone.
    return caller.replace(actor="agent" if name == _USER else name)
