"""Memories as notes, a file each. Pure.

A note has its fields in YAML before the text, readable by Obsidian; links to other notes stand behind it.
The version that it was written from tells what its owner changed since.
"""

import json
import re

from bowerbird.core.text import fold
from bowerbird.core.value import Record, iso

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bowerbird.core.exchange import Held, Row

# The field of a note that holds the id of its memory.
ID = "bower"
LINKED = "\n\n## Linked\n"
END = ".md"
_LONGEST_NAME = 50
_ID_TAIL = 8
_LINK = re.compile(r"- (?P<kind>\w+) \[\[(?P<name>[^\]|]+)\]\]")
_NO_NAME = re.compile(r"[^\w]+")


class Written(Record):
    """What of a note its owner may change."""

    text: str
    kind: str
    tags: tuple[str, ...]
    pinned: bool


def file_name(memory: "Held") -> str:
    """The name of a memory's note: what it is about, and the end of its id."""
    said = memory.current.fields.summary or memory.current.text
    words = _NO_NAME.sub("-", fold(said)).strip("-_")[:_LONGEST_NAME].rstrip("-_")
    return f"{words or 'memory'}-{memory.id[-_ID_TAIL:]}"


def note(memory: "Held", project: str, links: "Sequence[tuple[str, str]]") -> str:
    """A memory as a note; `links` are kinds of relation with the names of other notes."""
    head = memory.current
    fields = {
        ID: memory.id,
        "version": head.id,
        "project": project,
        "kind": head.fields.kind,
        "tags": list(head.fields.tags),
        "created": iso(memory.said)[:10],
        "trust": memory.trust,
        "confidence": head.fields.confidence,
        "pinned": head.fields.pinned,
    }
    lines = [f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in fields.items()]
    text = "\n".join(("---", *lines, "---", "", head.text))
    if links:
        text += LINKED + "\n".join(f"- {kind} [[{name}]]" for kind, name in links)
    return text + "\n"


def body_of(lines: "Sequence[str]") -> str:
    """The text of a note, from its lines behind the fields: without the links."""
    text = "\n\n" + "\n".join(lines)
    before, linked, _ = text.rpartition(LINKED)
    return (before if linked else text).strip()


def linked_in(lines: "Sequence[str]") -> "list[tuple[str, str]]":
    """The links of a note, from its lines behind the fields, as `links_of` gave them."""
    _, linked, links = ("\n\n" + "\n".join(lines)).rpartition(LINKED)
    found = (_LINK.fullmatch(line) for line in links.splitlines()) if linked else ()
    return [(one["kind"], one["name"]) for one in found if one is not None]


def without_link(text: str, ids: "Iterable[str]") -> str:
    """A note without its links to the notes of some memories, whose names say what those are about."""
    before, linked, links = text.rpartition(LINKED)
    ends = tuple(f"-{id[-_ID_TAIL:]}]]" for id in ids)
    lines = links.splitlines()
    left = [line for line in lines if not line.endswith(ends)]
    if not linked or left == lines:
        return text
    return before + (LINKED + "\n".join(left) if left else "") + "\n"


def changed(now: Written, then: Written) -> "dict[str, object]":
    """What of a note is not as it was written, by name."""
    return {
        name: getattr(now, name)
        for name in Written.__slots__
        if getattr(now, name) != getattr(then, name)
    }


def written(memory: "Held", version: str) -> "Written | None":
    """A note as it was written from a version; None if the memory has no such version."""
    for one in memory.versions:
        if one.id == version:
            its = one.fields
            return Written(one.text.strip(), its.kind, its.tags, its.pinned)
    return None


def taken_in(now: Written, memory: "Held", version: str) -> bool:
    """Whether a memory said what its note says now, after the version that the note was written from."""
    ids = [one.id for one in memory.versions]
    later = ids[ids.index(version) + 1 :] if version in ids else ids
    return any(written(memory, one) == now for one in later)


def links_of(
    relations: "Iterable[Row]", names: "Mapping[str, str]"
) -> "dict[str, list[tuple[str, str]]]":
    """The links of notes by the id of their memory, from rows of relations."""
    found: dict[str, list[tuple[str, str]]] = {}
    for source, target, kind, _, _, _, present, *_ in relations:
        if present and source in names and target in names:
            found.setdefault(source, []).append((kind, names[target]))
    return found
