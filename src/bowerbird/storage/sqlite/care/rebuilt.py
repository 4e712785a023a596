"""Data derived from existing rows, rebuilt when a step of the schema requested it.

A step cannot do so itself: it is frozen, and the data must match what today's code reads.
"""

from bowerbird.storage.sqlite.nouns.seals import reseal

TYPE_CHECKING = False
if TYPE_CHECKING:
    import apsw

# The facts about the file by which `steps` asks, each with what builds it from the fact's value.
_ASKED = {"seals_anew": reseal}


def build_what_was_asked(connection: "apsw.Connection") -> None:
    """Rebuild it, in the transaction of the last step: no reader sees the current schema without it."""
    for key, build in _ASKED.items():
        asked = connection.execute(
            "DELETE FROM meta WHERE key = ? RETURNING value", (key,)
        ).fetchone()
        if asked is not None:
            build(connection, str(asked[0]))
