"""Memories as notes, a file each, and as a kept block of a rules file. Pure.

A note has its fields in YAML before the text, readable by Obsidian; links to other notes stand behind it.
The version that it was written from tells what its owner changed since.
"""

import json
import re

from bowerbird.core.text import fold
from bowerbird.core.types import DIGEST, TRUSTS
from bowerbird.core.value import Record, iso

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bowerbird.core.exchange import Held, Row
    from bowerbird.core.memories import Fields

# The field of a note that holds the id of its memory.
ID = "bower"
LINKED = "\n\n## Linked\n"
END = ".md"
_LONGEST_NAME = 50
_ID_TAIL = 8
_NO_NAME = re.compile(r"[^\w]+")
# What stands between these lines is ours.
BEGINS = "<!-- bowerbird: kept by `bower export`; what stands between these lines is replaced -->"
ENDS = "<!-- /bowerbird -->"
_BLOCK = re.compile(re.escape(BEGINS) + r".*?" + re.escape(ENDS) + r"\n?", re.DOTALL)
# Tokens that a kept block takes at most unless more are wanted: an agent reads it in every session.
BUDGET = 1_500
_BYTES_OF_A_TOKEN = 4


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


def links_of(
    relations: "Iterable[Row]", names: "Mapping[str, str]"
) -> "dict[str, list[tuple[str, str]]]":
    """The links of notes by the id of their memory, from rows of relations."""
    found: dict[str, list[tuple[str, str]]] = {}
    for source, target, kind, _, _, _, present, *_ in relations:
        if present and source in names and target in names:
            found.setdefault(source, []).append((kind, names[target]))
    return found


def told(memories: "Iterable[Held]", budget: int, now: int) -> "list[Held]":
    """The memories that a rules file may tell `now`, the weightiest first, within a budget of tokens."""
    found = [
        one
        for one in memories
        if one.current.fields.state == "active"
        and _holds(one.current.fields, now)
        and not one.current.fields.needs_review
        and one.current.fields.kind != DIGEST
        and TRUSTS.index(one.trust) >= TRUSTS.index("normal")
    ]
    found.sort(key=lambda one: (-one.current.fields.pinned, -one.importance, one.id))
    left = budget * _BYTES_OF_A_TOKEN
    fitting = []
    for one in found:
        size = len(one.current.text.encode()) + 3
        if size <= left:
            left -= size
            fitting.append(one)
    return fitting


def _holds(fields: "Fields", now: int) -> bool:
    """Whether a memory has begun to hold, and has not ended."""
    ends = (at for at in (fields.valid_to, fields.expires) if at is not None)
    return (fields.valid_from is None or fields.valid_from <= now) and all(at > now for at in ends)


def with_block(
    text: str, memories: "Sequence[Held]", opposed: "Mapping[str, str] | None" = None
) -> str:
    """The text of a rules file with these memories in its kept block; without any the block goes.

    `opposed` are those that another one opposes, by id with the words of that one.
    """
    kinds: dict[str, list[str]] = {}
    for one in memories:
        said = _one_line(one.current.text)
        if opposed and one.id in opposed:
            said += f" (undecided: another memory says “{_one_line(opposed[one.id])}”)"
        kinds.setdefault(one.current.fields.kind, []).append(f"- {said}\n")
    parts = [f"\n### {kind.replace('_', ' ')}\n\n{''.join(kinds[kind])}" for kind in sorted(kinds)]
    block = f"{BEGINS}\n## What is remembered\n{''.join(parts)}{ENDS}\n" if parts else ""
    if _BLOCK.search(text):
        return _BLOCK.sub(lambda _: block, text, count=1)
    return text.rstrip("\n") + "\n\n" + block if text.strip() and block else text or block


def _one_line(text: str) -> str:
    """A text as a line of the block, which it cannot end."""
    return " ".join(text.split()).replace("<!--", "<!").replace("-->", ">")


def without_block(text: str) -> str:
    """The text of a rules file without what is ours."""
    return _BLOCK.sub("", text)
