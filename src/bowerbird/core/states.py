"""The states of an entry, the transitions between them, and the verbs that make them."""

from bowerbird.core.errors import BadInput, UnknownName
from bowerbird.core.types import ALIVE, FORGOTTEN
from bowerbird.core.value import Advice, Do, Record, Value


class Move(Record):
    """A transition: the state that it leads to, and the verbs that make it."""

    to: str
    by: str
    TABLE = ("*",)


class State(Value):
    """A state: its meaning, its uses, and the transitions from it.

    `uses` holds some of searched (by default), injected (into an agent's context, unasked), exported and
    synced (with other stores).
    """

    __slots__ = ("meaning", "moves", "name", "uses")
    TABLE = (("name", "text"), ("meaning", "text"), ("uses", "texts"), ("moves", [Move]))

    def __init__(self, name: str, meaning: str, uses: str, **moves: str) -> None:
        self.name = name
        self.meaning = meaning
        self.uses = tuple(uses.split())
        self.moves = tuple(Move(to, by) for to, by in moves.items())


class States(Record):
    """All states."""

    states: tuple[State, ...]
    TABLE = ("*",)


# The states that end a memory.
_OVER = ("superseded", "merged", "compressed", "deprecated", "expired")
# From a state that ended a memory. Only what was in force is replaced, merged or summed up; what awaited
# review does so again once its end is reverted.
_ENDED = {"active": "revert", "deleted": "forget, review --reject"}
_WAITED = {"quarantined": "revert", **_ENDED}
# Every transition has an inverse, so that every change can be reverted. A state that ends a memory is
# left through `active`. Stores hold the position in this table: append only.
STATE_TABLE = {
    state.name: state
    for state in (
        State(
            "active",
            "valid",
            "searched injected exported synced",
            superseded="curate, link --as supersedes, review --confirm of the other",
            merged="merge",
            compressed="consolidate",
            deprecated="deprecate, prune",
            expired="prune, after its --expires",
            quarantined="edit with text from outside",
            deleted="forget, review --reject",
        ),
        State("superseded", "replaced by a newer one", "exported synced", **_ENDED),
        State("merged", "merged into another one", "exported synced", **_ENDED),
        State("compressed", "summed up in a pattern", "exported synced", **_ENDED),
        State(
            "quarantined",
            "awaits review",
            "exported",
            active="review --confirm, revert",
            deleted="forget, review --reject",
            deprecated="deprecate",
            expired="prune, after its --expires",
        ),
        State("deprecated", "out of date, kept for reference", "exported synced", **_WAITED),
        State("expired", "past its day", "exported synced", **_WAITED),
        State(
            "deleted",
            "forgotten, until it is pruned",
            "synced",
            **dict.fromkeys(("active", "quarantined", *_OVER), "revert"),
        ),
    )
}  # fmt: skip


def require_move(old: str, new: str) -> None:
    """Raises BadInput if there is no transition from one state to the other."""
    if new not in STATE_TABLE:
        raise UnknownName.among("state", new, list(STATE_TABLE))
    if old != new and new not in (move.to for move in STATE_TABLE[old].moves):
        raise BadInput(f"what is {old} cannot become {new}", _moves(old))


def in_state(id: str, state: str, already: str = "") -> BadInput:
    """The error of a verb that a memory's state does not allow, with the moves that it does."""
    back = () if state in ALIVE else (". Bring it back with: ", Do("revert", id))
    said = "forgotten" if state == FORGOTTEN else state
    return BadInput(f"{id} is {said}{already}", Advice(_moves(state), *back))


def _moves(state: str) -> str:
    moves = "; ".join(f"{move.to} ({move.by})" for move in STATE_TABLE[state].moves)
    return f"from {state} it becomes: {moves}"
