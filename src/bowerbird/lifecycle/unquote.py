"""Takes quotations of erased memories out of what another copy of a store gives. Pure.

Why something was done may quote the memories that it was about: “another number: “5” and “7””. This
store took that out when they were erased; a copy that was made before brings it again.
"""

from bowerbird.core.erased import reason_unquoted, unquoted
from bowerbird.core.types import SHORT_ID

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from bowerbird.core.exchange import Contents, Held, Row
    from bowerbird.core.history import Version
    from bowerbird.lifecycle.remnants import Remnants

# Columns of an event (`core.exchange.SORTS`).
_OPERATION, _ENTRY, _REASON, _AFTER = 1, 3, 5, 7


def quoting(given: "Contents", erased: "Collection[str]") -> set[str]:
    """Which of the erased memories what is given names beside a quotation."""
    if not erased:
        return set()
    said = " ".join(
        held
        for one in given.memories
        for version in one.versions
        for held in version.fields.raw_dict().values()
        if isinstance(held, str) and "“" in held
    )
    return {id for id in erased if id[:SHORT_ID] in said} if said else set()


def without_quotations(
    given: "Contents", erased: "Collection[str]", remnants: "Remnants"
) -> "Contents":
    """Contents whose reasons and reviews quote none of the memories with these ids.

    `remnants` are the wording of those whose texts are known.
    """
    events = given.rows.get("event", ())
    operations = {row[_OPERATION] for row in events if row[_ENTRY] in erased}
    became = {row[_AFTER] for row in events if row[_OPERATION] in operations}
    named = tuple(id[:SHORT_ID] for id in erased)

    def told(row: "Row") -> "Row":
        reason = row[_REASON]
        if row[_OPERATION] in operations:
            reason = unquoted(reason)
        if remnants.quoted(reason):
            reason = ""
        return row if reason == row[_REASON] else (*row[:_REASON], reason, *row[_REASON + 1 :])

    def version(one: "Version") -> "Version":
        fields = {
            name: unquoted(said)
            for name, said in one.fields.raw_dict().items()
            if isinstance(said, str) and "“" in said and any(id in said for id in named)
        }
        reason = unquoted(one.reason) if one.id in became else one.reason
        reason = reason_unquoted(reason, fields.values())
        if not fields and reason == one.reason:
            return one
        return one.replace(fields=one.fields.replace(**fields), reason=reason)

    def memory(one: "Held") -> "Held":
        versions = tuple(map(version, one.versions))
        return one if versions == one.versions else one.replace(versions=versions)

    rows = {**given.rows, "event": [told(row) for row in events]}
    return given.replace(memories=[memory(one) for one in given.memories], rows=rows)
