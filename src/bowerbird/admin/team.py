"""Maintenance: the people who share a store."""

import os

from bowerbird.wiring.verb_lock import in_turn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.team import Member, Personal, Team, TeamChange
    from bowerbird.verbs.root import Wiring


class Sharing:
    """The team of a store: `docs/teams.md`."""

    _wiring: "Wiring"

    @in_turn
    def team(self) -> "Team":
        """The members with their roles, those who left included, and their tokens without values."""
        return self._wiring.teaming.team()

    @in_turn
    def add_member(
        self,
        name: str,
        *,
        role: str | None = None,
        trust: str | None = None,
        login: str | None = None,
    ) -> "TeamChange":
        """Add a person to the team, or change the role, the trust or the login of one.

        Args:
            name: letters, digits, dot, hyphen, underscore; it is the author of what they write.
            role: member, steward or admin (`core.team.ROLES`).
            trust: the most trust of what they write: low, imported or normal.
            login: by what single sign-on knows them, as the claim `sso.claim` has it; empty: nothing.

        Raises Denied for a caller with a lesser role than admin, BadInput and UnknownName.
        """
        return self._wiring.teaming.add(name, role, trust, login)

    @in_turn
    def new_member_token(
        self, name: str, *, label: str = "main", expires: int | str | None = None
    ) -> "TeamChange":
        """Make a token of a member; its value is returned only this once, and kept as a hash.

        `expires`: a date, an age such as 30d, or UTC milliseconds; default: in 90 days. Members who
        signed in by single sign-on make their own. Raises Denied, NotFound for no member, and BadInput if
        there is a valid one of that label.
        """
        return self._wiring.teaming.new_token(name, label, expires)

    @in_turn
    def revoke_member_token(self, name: str, *, label: str = "") -> "TeamChange":
        """Revoke a member's tokens of a label, or all; running servers refuse them at once.

        Raises Denied and NotFound.
        """
        return self._wiring.teaming.revoke(name, label)

    @in_turn
    def leave_team(
        self, name: str, *, export: "str | os.PathLike[str] | None" = None
    ) -> "TeamChange":
        """A member leaves: their tokens are refused, and what is personal of them is erased for good.

        `export` is a file to which that is written first, as JSON lines. What they shared stays under
        their name. Members may leave by themselves. Raises Denied, NotFound, and BadInput for a file that
        cannot be written.
        """
        return self._wiring.teaming.leave(name, None if export is None else os.fspath(export))

    @in_turn
    def personal(self) -> "Personal":
        """The caller's own memories, in every project, as JSON lines that an import takes."""
        return self._wiring.teaming.personal()

    @in_turn
    def member(self, name: str) -> "Member | None":
        """The member of that name, or None if there is none or they left."""
        return self._wiring.teaming.present(name)

    @in_turn
    def signed_in(self, login: str) -> "Member | None":
        """The member whom single sign-on knows by that login, or None."""
        return self._wiring.teaming.signed_in(login)

    @in_turn
    def token_holder(self, token: str) -> "Member | None":
        """The member whose valid token that is, or None."""
        return self._wiring.teaming.holder(token)
