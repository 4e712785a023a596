"""The states of an entry: one table says what each is good for and where it may go from there."""

from bowerbird.core.errors import BadInput, UnknownName
from bowerbird.core.value import Value


class State(Value):
    """A state. `searched`: by default; `injected`: into an agent's context unasked; `moves`: to where.

    `exported` and `synced` say whether it leaves with an export, and reaches peers.
    """

    __slots__ = ("exported", "injected", "meaning", "moves", "name", "searched", "synced")

    def __init__(
        self,
        name: str,
        meaning: str,
        searched: bool,
        injected: bool,
        exported: bool,
        synced: bool,
        moves: tuple[str, ...],
    ) -> None:
        self.name = name
        self.meaning = meaning
        self.searched = searched
        self.injected = injected
        self.exported = exported
        self.synced = synced
        self.moves = moves


_ENDED = ("active", "quarantined", "deleted")
# Every way there is has a way back, so that whatever was done can be undone. What has ended goes
# through `active` before it ends otherwise. The order is what the stores write down: append only.
STATES = {
    state.name: state
    for state in (
        State(
            "active",
            "believed",
            True,
            True,
            True,
            True,
            (
                "superseded",
                "merged",
                "compressed",
                "quarantined",
                "deprecated",
                "expired",
                "deleted",
            ),
        ),
        State("superseded", "replaced by a newer one", False, False, True, True, _ENDED),
        State("merged", "told by another one as well", False, False, True, True, _ENDED),
        State("compressed", "summed up in a pattern", False, False, True, True, _ENDED),
        State(
            "quarantined",
            "waits until somebody has looked at it",
            False,
            False,
            True,
            False,
            ("active", "superseded", "merged", "compressed", "deprecated", "expired", "deleted"),
        ),
        State("deprecated", "out of date, kept for reference", False, False, True, True, _ENDED),
        State("expired", "past its day", False, False, True, True, _ENDED),
        State(
            "deleted",
            "forgotten, until it is pruned",
            False,
            False,
            False,
            True,
            (
                "active",
                "superseded",
                "merged",
                "compressed",
                "quarantined",
                "deprecated",
                "expired",
            ),
        ),
    )
}


def require_move(old: str, new: str) -> None:
    """Raise BadInput where no way leads from one state to another."""
    if new not in STATES:
        raise UnknownName.among("state", new, list(STATES))
    if old != new and new not in STATES[old].moves:
        raise BadInput(
            f"what is {old} cannot become {new}",
            f"from {old} it goes to: {', '.join(STATES[old].moves)}",
        )
