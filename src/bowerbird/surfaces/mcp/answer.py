"""What a tool answers: a text for the model to read, and the same as data.

Texts from the store stand as data inside the envelope of `surfaces.recalled`; as data they are told
by `lean`. Neither form carries control, bidi or tag characters.
"""

from bowerbird.core.clock import iso
from bowerbird.core.types import MEMORY
from bowerbird.core.value import Value
from bowerbird.surfaces.recalled import NOTICE, envelope, enveloped, name, nonce, plain, quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from bowerbird.core.answers import Hit, Item
    from bowerbird.core.types import Entry

# A relevance is shown with two digits: more would promise more than was measured.
_DIGITS = 2


class Answer(Value):
    """`text` and `data` say the same; `used` are the ids of the entries that were handed over."""

    __slots__ = ("data", "text", "used")

    def __init__(
        self,
        text: str,
        data: "dict[str, Any]",
        used: "Sequence[str]" = (),
    ) -> None:
        self.text = text
        self.data = data
        self.used = used


def recall(
    items: "Sequence[Item]", about: str, data: "dict[str, Any]", *, ranked: bool = True
) -> Answer:
    """The answer that hands over texts from the store, or says that there are none."""
    text = enveloped(items, about, nonce(), ranked=ranked) or "Nothing relevant is known."
    notes = data.get("notes")
    if notes:
        text += "\n\nNote: " + "; ".join(map(name, notes))
    return Answer(text, {"notice": NOTICE} | data, [item.id for item in items])


def aside(lines: "Sequence[str]", about: str) -> "list[str]":
    """Lines that tell of other memories in their own words, inside an envelope; none for none."""
    return [envelope(["\n".join(map(quoted, lines))], about, nonce())] if lines else []


def lines(entry: "Entry") -> str:
    """First and last line of a passage; empty for a memory."""
    return "" if entry.start_line is None else f"{entry.start_line}-{entry.end_line}"


def hit_data(hit: "Hit") -> "dict[str, Any]":
    """A hit as data."""
    entry = hit.entry
    return {
        "id": entry.id,
        "type": entry.kind,
        "text": excerpt(hit),
        "cut": excerpt(hit) != entry.text,
        "relevance": round(hit.relevance, _DIGITS),
        "trust": entry.trust,
        "tags": list(entry.tags),
        **_place(entry),
    }


def excerpt(hit: "Hit") -> str:
    """A memory whole, a passage by what of it matched."""
    return hit.text if hit.entry.family == MEMORY else hit.snippet


def item_data(item: "Item") -> "dict[str, Any]":
    """An item of a pack as data."""
    return {
        "id": item.id,
        "type": item.kind,
        "text": item.text,
        "citation": item.citation,
        "relevance": round(item.relevance, _DIGITS),
        "trust": item.trust,
        "path": item.path,
        "speaker": item.speaker,
        "created": iso(item.created),
    }


def entry_data(entry: "Entry") -> "dict[str, Any]":
    """A whole entry as data; a memory has more to say."""
    data = {
        "id": entry.id,
        "type": entry.kind,
        "text": entry.text,
        "trust": entry.trust,
        "state": entry.state,
        "tags": list(entry.tags),
        "context": entry.context,
        **_place(entry),
    }
    if entry.details is not None:
        fields = entry.details.fields
        data |= {
            "importance": round(entry.importance or 0.0, 4),
            "confidence": fields.confidence,
            "needs_review": fields.needs_review,
            "expires": None if fields.expires is None else iso(fields.expires),
            "files": list(fields.files),
            "modules": list(fields.modules),
            "payload": fields.payload,
            "author": entry.details.agent,
            "reason": "" if entry.state == "active" else entry.details.reason,
        }
    return data


def _place(entry: "Entry") -> "dict[str, Any]":
    return {
        "path": entry.path,
        "lines": lines(entry),
        "speaker": entry.speaker,
        "created": iso(entry.created),
    }


def lean(value: "Any", always: tuple[str, ...] = ()) -> "Any":
    """A value without hidden characters, and without fields that say nothing but those of `always`."""
    if isinstance(value, dict):
        return {
            plain(key): lean(one)
            for key, one in value.items()
            if key in always or not _says_nothing(one)
        }
    if isinstance(value, list):
        return [lean(one) for one in value]
    return plain(value) if isinstance(value, str) else value


def _says_nothing(value: "Any") -> bool:
    return value is None or value is False or value in ("", [], {})
