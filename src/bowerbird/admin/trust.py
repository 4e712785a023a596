"""Maintenance: which folders hold the user's own files."""

import os

from bowerbird.wiring.verb_lock import in_turn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.core.grounds import Answers, Grounds, TrustChange
    from bowerbird.verbs.root import Wiring


class Trust:
    """Which folders the user trusts."""

    _wiring: "Wiring"

    @in_turn
    def trust(self, path: "str | os.PathLike[str]" = ".") -> "TrustChange":
        """Say that the files of a folder, or of the repository that holds it, are the user's own.

        They are `normal` from now on instead of `imported`, those already indexed in this store
        too, as long as the repository has the remote that it has now. Raises Denied for an agent,
        BadInput for no folder, the home folder or another user's, BadConfig, and StoreError.
        """
        self._wiring.acting.who.require_owner("trust")
        return self._wiring.trusting().answer(os.fspath(path), trusted=True)

    @in_turn
    def distrust(self, path: "str | os.PathLike[str]" = ".") -> "TrustChange":
        """Say that they are not, or take back that they are. Raises as `trust` does."""
        self._wiring.acting.who.require_owner("trust")
        return self._wiring.trusting().answer(os.fspath(path), trusted=False)

    @in_turn
    def trusted(self) -> "Answers":
        """Every folder about which the user said something, as it is now. Raises BadConfig."""
        return self._wiring.trusting().answers()

    @in_turn
    def foreign(self) -> "Sequence[str]":
        """The files that sessions brought in or wrote after reading text of others, with how and when.

        `trust` of one makes it the user's own. Raises StoreError.
        """
        self._wiring.acting.who.require_local("trust")
        return self._wiring.trusting().foreign()

    @in_turn
    def unanswered(self, *paths: "str | os.PathLike[str]") -> "Sequence[Grounds]":
        """The folders of these paths (none: the working directory) without a declaration of trust.

        Repositories with a remote, and folders of your own outside any repository.
        """
        return self._wiring.trusting().whose.unanswered(
            [os.fspath(path) for path in paths] or ["."]
        )
