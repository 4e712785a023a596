"""The states of an entry, and the transitions between them."""

from bowerbird.core.errors import BadInput, UnknownName
from bowerbird.core.value import Value


class State(Value):
    """A state: its meaning, its uses, and the transitions from it.

    `uses` holds some of searched (by default), injected (into an agent's context, unasked), exported and
    synced (sent to peers).
    """

    __slots__ = ("meaning", "moves", "name", "uses")

    def __init__(self, name: str, meaning: str, uses: str, moves: str) -> None:
        self.name = name
        self.meaning = meaning
        self.uses = tuple(uses.split())
        self.moves = tuple(moves.split())


_ENDED = "active quarantined deleted"
_ANY = "superseded merged compressed deprecated expired"
# Every transition has an inverse, so that every change can be reverted. A state that ends a memory is
# left through `active`. Stores hold the position in this table: append only.
STATE_TABLE = {
    state.name: state
    for state in (
        State(
            "active",
            "valid",
            "searched injected exported synced",
            f"{_ANY} quarantined deleted",
        ),
        State("superseded", "replaced by a newer one", "exported synced", _ENDED),
        State("merged", "merged into another one", "exported synced", _ENDED),
        State("compressed", "summed up in a pattern", "exported synced", _ENDED),
        State(
            "quarantined",
            "awaits review",
            "exported",
            f"active {_ANY} deleted",
        ),
        State("deprecated", "out of date, kept for reference", "exported synced", _ENDED),
        State("expired", "past its day", "exported synced", _ENDED),
        State("deleted", "forgotten, until it is pruned", "synced", f"active {_ANY} quarantined"),
    )
}


def require_move(old: str, new: str) -> None:
    """Raises BadInput if there is no transition from one state to the other."""
    if new not in STATE_TABLE:
        raise UnknownName.among("state", new, list(STATE_TABLE))
    if old != new and new not in STATE_TABLE[old].moves:
        raise BadInput(
            f"what is {old} cannot become {new}",
            f"from {old} it goes to: {', '.join(STATE_TABLE[old].moves)}",
        )
