"""Versions as they are read: each by itself, and the head with how its memory's rows stand."""

import json

from bowerbird.core.history import Version
from bowerbird.core.memories import Fields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import apsw

    from bowerbird.storage.sqlite.stamps import Stamps

VERSION = "SELECT v.uid, v.memory, v.parents, v.text, v.fields, v.actor, v.reason, v.created, v.hlc"
_HEAD = (
    f"{VERSION}, e.id, e.context, e.summary, f.kind, f.state"
    " FROM entry e JOIN memory m ON m.id = e.id JOIN version v ON v.uid = m.head"
    " JOIN facet f ON f.id = e.id WHERE e.uid = ?"
)


def standing(
    connection: "apsw.Connection", stamps: "Stamps", of: "str | Version"
) -> "tuple[Version, tuple[Any, ...]]":
    """The head of a memory with its row, context, summary, kind and state.

    The one read last in this transaction is not read again.
    """
    known = stamps.standing
    if known is not None and known[0] is of:
        return known
    id = of if isinstance(of, str) else of.memory
    *made, row, context, summary, kind, state = next(connection.execute(_HEAD, (id,)))
    stamps.standing = found = (version_of(made), (row, context, summary, kind, state))
    return found


def version_of(row: "Sequence[Any]") -> Version:
    """A version out of its row."""
    uid, memory, parents, text, fields, *more = row
    return Version(uid, memory, tuple(json.loads(parents)), text, fields_of(fields), *more)


def fields_of(text: str) -> Fields:
    """The fields of a memory out of their JSON."""
    return Fields(**json.loads(text))
