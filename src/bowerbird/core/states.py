"""The states of an entry: one table says what each is good for and where it may go from there."""

from bowerbird.core.errors import BadInput, UnknownName
from bowerbird.core.value import Value


class State(Value):
    """A state: what it means, what entries in it are used for, and where they may go.

    `uses` holds some of searched (by default), injected (into an agent's context, unasked), exported
    and synced (sent to peers).
    """

    __slots__ = ("meaning", "moves", "name", "uses")

    def __init__(self, name: str, meaning: str, uses: str, moves: str) -> None:
        self.name = name
        self.meaning = meaning
        self.uses = tuple(uses.split())
        self.moves = tuple(moves.split())


_ENDED = "active quarantined deleted"
_ANY = "superseded merged compressed deprecated expired"
# Every way there is has a way back, so that whatever was done can be undone. What has ended goes
# through `active` before it ends otherwise. The order is what the stores write down: append only.
STATE_TABLE = {
    state.name: state
    for state in (
        State(
            "active",
            "believed",
            "searched injected exported synced",
            f"{_ANY} quarantined deleted",
        ),
        State("superseded", "replaced by a newer one", "exported synced", _ENDED),
        State("merged", "told by another one as well", "exported synced", _ENDED),
        State("compressed", "summed up in a pattern", "exported synced", _ENDED),
        State(
            "quarantined",
            "waits until somebody has looked at it",
            "exported",
            f"active {_ANY} deleted",
        ),
        State("deprecated", "out of date, kept for reference", "exported synced", _ENDED),
        State("expired", "past its day", "exported synced", _ENDED),
        State("deleted", "forgotten, until it is pruned", "synced", f"active {_ANY} quarantined"),
    )
}


def require_move(old: str, new: str) -> None:
    """Raise BadInput where no way leads from one state to another."""
    if new not in STATE_TABLE:
        raise UnknownName.among("state", new, list(STATE_TABLE))
    if old != new and new not in STATE_TABLE[old].moves:
        raise BadInput(
            f"what is {old} cannot become {new}",
            f"from {old} it goes to: {', '.join(STATE_TABLE[old].moves)}",
        )
