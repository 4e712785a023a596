"""Exports of all conversations as one JSON list: each conversation becomes a document."""

import re

from bowerbird.core.ids import content_hash
from bowerbird.ingest.json_positions import LocatedText, items
from bowerbird.ingest.sources.reading import Part, Reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from bowerbird.ingest.sources.reading import Material

    Read = Callable[[dict[str, Any], Material], Reading | None]

# Maximum characters of a conversation's id: exports use UUIDs.
_KEY_CHARS = 80
_NO_KEY = re.compile(r"[^\w.-]+", re.ASCII)
# Characters that are searched to detect the format; a conversation's own fields come early, except those
# after its messages.
_HEAD = 200_000


def first_has(material: "Material", *fields: str) -> bool:
    """Whether a JSON list begins with an object whose text contains all of these fields."""
    if material.suffix != ".json" or not material.text.lstrip("\ufeff \t\r\n").startswith("["):
        return False
    head = material.text[:_HEAD]
    return all(f'"{field}"' in head for field in fields)


def conversations(material: "Material", id_fields: tuple[str, ...], read: "Read") -> Reading:
    """The conversations of an export, each read on request; `read` returns None for anything else.

    What is no conversation counts as unknown, in the file. Duplicate ids are told apart by a number.
    """
    whole = Reading([], title=material.stem)
    return whole.replace(parts=_parts(material, id_fields, read))


def _parts(material: "Material", id_fields: tuple[str, ...], read: "Read") -> "Iterator[Part]":
    seen: set[str] = set()
    for number, item in enumerate(items(material.text), 1):
        record = item.value()
        reading = read(record, material) if isinstance(record, dict) else None
        if reading is None:
            rest = "it holds too many values" if item.too_much else ""
            reading = Reading([], unknown=1, rest=f"conversation {number}: {rest}" if rest else "")
            record = {}
        id = next((str(id) for name in id_fields if isinstance(id := record.get(name), str)), "")
        key = _NO_KEY.sub("-", id)[:_KEY_CHARS].strip(".-") or str(number)
        key = f"{key}-{number}" if key in seen else key
        seen.add(key)
        if reading.pieces:
            # The title makes a conversation findable if no message says what it is about.
            first = reading.pieces[0]
            first.context = " · ".join(filter(None, (reading.title, first.context)))
        data = item.text.strip().encode("utf-8", "surrogatepass")
        yield Part(key, content_hash(data), len(data), reading.replace(session=key))


def closed(messages: int) -> str:
    """The remark in a report about messages on branches that were not open last."""
    count = "1 message" if messages == 1 else f"{messages:,} messages"
    return f"{count} of branches that are not the open one" if messages else ""


def line_of(*values: "Any", before: int = 1) -> int:
    """The line of the first value that is a text of the file; else `before`."""
    return next((value.line for value in values if isinstance(value, LocatedText)), before)
