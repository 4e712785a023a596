"""The port to the people who share a store."""

from typing import Protocol

from bowerbird.core.team import Member, MemberToken


class Members(Protocol):
    """Members and hashes of their tokens. Knows nothing of what a role may."""

    def all(self) -> list[Member]:
        """Everybody, those who left included, by name."""
        ...

    def get(self, name: str) -> Member | None:
        """One of them, or None."""
        ...

    def by_login(self, login: str) -> Member | None:
        """The one with that login who did not leave, or None."""
        ...

    def put(self, member: Member) -> None:
        """Write a member in place of the one of that name. Inside a transaction."""
        ...

    def tokens(self) -> list[MemberToken]:
        """All tokens, by member, the oldest first."""
        ...

    def add_token(self, token: MemberToken) -> None:
        """Keep a new token. Inside a transaction."""
        ...

    def revoke(self, member: str, label: str, at: int) -> int:
        """Revoke a member's tokens of that label, or all for an empty one; how many were valid.

        Inside a transaction.
        """
        ...

    def holder(self, hash: str, now: int) -> Member | None:
        """The member with that token, if it is neither revoked nor expired and they did not leave."""
        ...
