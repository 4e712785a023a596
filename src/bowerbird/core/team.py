"""The people who share a store, their tokens, and what each role may.

Times are UTC milliseconds.
"""

from bowerbird.core.errors import BadInput, UnknownName
from bowerbird.core.text import clean
from bowerbird.core.types import TRUSTS
from bowerbird.core.value import Record
from bowerbird.core.who import ADMIN, AGENT, MEMBER, STEWARD, USER

# From the least to the most.
ROLES = (MEMBER, STEWARD, ADMIN)
# The most trust of what a member writes: a token does not show that a person reads, so never `full`.
GIVEN_TRUSTS = TRUSTS[: TRUSTS.index("normal") + 1]
# Ages of tokens, in days, unless another is given: long enough for a project's quarter.
TOKEN_DAYS = 90
_LONGEST = 40
_RESERVED = frozenset({USER, AGENT, "global", *ROLES})
_KEPT = frozenset("._-")
_LONGEST_LOGIN = 255


def member_name(given: str) -> str:
    """The name of a member, in lower case. Raises BadInput for what is none."""
    name = clean(given).strip().lower()
    plain = name.isascii() and all(one.isalnum() or one in _KEPT for one in name)
    if not plain or not 0 < len(name) <= _LONGEST or name in _RESERVED or not name[0].isalpha():
        raise BadInput(
            f"{given!r} is no name for a member",
            f"1 to {_LONGEST} of a-z, 0-9, dot, hyphen and underscore, beginning with a letter;"
            f" not {', '.join(sorted(_RESERVED))}",
        )
    return name


def known_role(given: str) -> str:
    """One of ROLES. Raises UnknownName."""
    if given not in ROLES:
        raise UnknownName.among("role", given, [*ROLES])
    return given


def known_login(given: str) -> str:
    """What a provider of single sign-on calls a member, in lower case; empty: they have no such sign-in.

    Raises BadInput.
    """
    login = clean(given).strip().lower()
    if len(login) > _LONGEST_LOGIN or any(one.isspace() for one in login):
        raise BadInput(
            f"{given!r:.60} is no login",
            f"give an e-mail address or an id of at most {_LONGEST_LOGIN} characters",
        )
    return login


class Member(Record):
    """A person of the team.

    Args:
        name, role: who they are here, and what they may.
        trust: the most trust of what they write.
        joined, gone: when they joined, and left.
        made_by: who added them.
        login: by what single sign-on knows them (the claim `sso.claim`); empty: they have a token alone.
    """

    name: str
    role: str
    trust: str
    joined: int
    gone: int | None = None
    made_by: str = USER
    login: str = ""
    TABLE = (("gone", "moment?"), ("joined", "moment"), "login", "made_by", "name", "role", "trust")


class MemberToken(Record):
    """A token of a member, by its label; its value is known to nobody but who was shown it."""

    hash: str
    member: str
    label: str
    created: int
    expires: int | None = None
    revoked: int | None = None
    made_by: str = USER
    TABLE = (
        ("created", "moment"),
        ("expires", "moment?"),
        ("label", "text"),
        ("made_by", "text"),
        ("member", "text"),
        ("revoked", "moment?"),
    )


class Team(Record):
    """Everybody who shares the store, those who left included, and their tokens."""

    members: tuple[Member, ...] = ()
    tokens: tuple[MemberToken, ...] = ()
    TABLE = ("*",)


class Personal(Record):
    """What is one person's own, as JSON lines: how many memories, and the lines."""

    memories: int
    lines: str
    TABLE = (("lines", "text"), ("memories", "whole"))


class TeamChange(Record):
    """What changed of a member.

    Args:
        member: as they are now.
        done: added, changed, token, revoked or left.
        token: the value of a new token: shown only here.
        expires: until when it is accepted.
        revoked: how many tokens are no longer accepted.
        erased: how many personal memories are gone.
    """

    member: Member
    done: str
    token: str = ""
    expires: int | None = None
    revoked: int = 0
    erased: int = 0
    TABLE = (
        ("done", "text"),
        ("erased", "whole"),
        ("expires", "moment?"),
        ("member", Member),
        ("revoked", "whole"),
        ("token", "text-"),
    )
