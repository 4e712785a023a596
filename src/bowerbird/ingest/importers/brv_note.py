"""Converts one note of ByteRover's context tree to a draft."""

import os
import posixpath
import re

from bowerbird.core.draft import LONGEST, Draft
from bowerbird.core.errors import BadInput
from bowerbird.core.migrated import Note
from bowerbird.core.text import clean
from bowerbird.ingest.dates import moment
from bowerbird.ingest.frontmatter import block

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from bowerbird.ingest.importers.brv_log import Operation

ARCHIVE = "_archived/"
FULL = ".full.md"
STUB = ".stub.md"
# Types of notes that are derived from others.
_DERIVED = frozenset({"summary", "archive_stub"})
_FOLDER_NOTE = "context.md"
# Usage fields in notes that are older than the sidecar files.
_USES = ("maturity", "recency", "accessCount", "updateCount")
# ByteRover's importance ranges to a hundred.
_WHOLE = 100.0
# Confidences that are words instead of numbers.
_SURE = {"high": 1.0, "medium": 0.75, "low": 0.5}
# States of a completed review.
_REVIEWED = frozenset({"approved", "rejected"})
# Maximum operations that are kept with a note, the newest: all except those of a program in an endless
# loop.
_MOST_HISTORY = 100
_MENTION = re.compile(r"(?<![\w@.])@([\w.-]+(?:/[\w.-]+)+)")
_LABEL = re.compile(r"\*\*(\w[\w ]*):\*\*(.*)")
_ITEM = re.compile(r"[-*]\s+`?([^\s`,]+)")


def is_derived(fields: "Mapping[str, list[str]]") -> bool:
    """Whether the frontmatter says that the note is derived from others."""
    return not _DERIVED.isdisjoint(fields.get("type", ()))


def fields_of(text: str) -> "tuple[dict[str, list[str]], str]":
    """The frontmatter of a note, and the text below it."""
    lines = text.replace("\r\n", "\n").split("\n")
    fields, size = block(lines)
    return fields, "\n".join(lines[size:]).strip()


def note_of(
    path: str,
    text: str,
    actor: str,
    signals: "Mapping[str, Any] | None" = None,
    operations: "tuple[Operation, ...]" = (),
    stub: "Mapping[str, list[str]] | None" = None,
    alias: str = "",
) -> Note:
    """Creates a note from its path in the tree, its text and its sidecar data.

    Raises BadInput for an empty one, or one that is too long for a memory.
    """
    fields, body = fields_of(text)
    signals, stub = signals or {}, stub or {}
    title = " ".join(_first(fields, "title").split()) or _title(path, body)
    summary = " ".join(_first(fields, "summary").split())
    body_text = _text(title, summary, body)
    if not body_text:
        raise BadInput("there is nothing in it", "")
    if len(body_text) > LONGEST:
        raise BadInput(f"it has {len(body_text):,} characters; a memory holds {LONGEST:,}", "")
    last = operations[-1] if operations else None
    related = [*fields.get("related", ()), *_MENTION.findall(body)]
    draft = Draft(
        body_text,
        tags=tuple(tag for tag in fields.get("tags", ()) if any(map(str.isalnum, tag))),
        keywords=fields.get("keywords", ()),
        files=tuple(_files(body)),
        summary=summary or title,
        importance=_importance(signals, fields, stub),
        confidence=None if last is None else _share(last.get("confidence")),
        review="" if last is None else _review(last),
        occurred=next((moment(one) for one in fields.get("createdAt", ())), None),
        origin="import",
        actor=actor,
        metadata={"brv": _kept(path, title, fields, signals, operations, stub, alias)},
    )
    return Note(path, draft, tuple(dict.fromkeys(related)), alias)


def targets(link: str) -> "Iterator[str]":
    """The paths that a link may mean, the most likely first."""
    path = posixpath.normpath(link.strip().lstrip("@").replace("\\", "/").strip("/.,;"))
    yield path
    yield path + ".md"
    yield posixpath.join(path, _FOLDER_NOTE)


def _text(title: str, summary: str, body: str) -> str:
    """The text of the memory: the note's title, then its text."""
    body = clean(body).strip()
    if not body:
        return f"{title}\n\n{summary}" if summary else ""
    first = body.split("\n", 1)[0].strip("# ")
    return body if not title or first == title else f"{title}\n\n{body}"


def _title(path: str, body: str) -> str:
    """The title of a note without one: its heading, else its file, else its folder."""
    if body.startswith("# "):
        return body.split("\n", 1)[0].strip("# ")
    folder, name = posixpath.split(path.removeprefix(ARCHIVE))
    stem = folder if name == _FOLDER_NOTE and folder else os.path.splitext(name)[0]
    return " ".join(stem.removesuffix(".full").replace("_", " ").replace("-", " ").split())


def _files(body: str) -> "Iterator[str]":
    """The files that the note lists under the label Files."""
    inside = False
    for line in body.split("\n"):
        line = line.strip()  # noqa: PLW2901 only its words count
        label = _LABEL.fullmatch(line)
        if label:
            inside = label[1].lower() == "files"
        elif line.startswith(("#", "---")):
            inside = False
        item = _ITEM.match(line) if inside else None
        if item and ("/" in item[1] or "." in item[1]):
            yield item[1]


def _importance(
    signals: "Mapping[str, Any]", fields: "Mapping[str, list[str]]", stub: "Mapping[str, list[str]]"
) -> float | None:
    """Importance from 0 to 1, by ByteRover's latest value; None without one."""
    for value in (
        signals.get("importance"),
        _first(stub, "evicted_importance"),
        _first(fields, "importance"),
    ):
        number = _number(value)
        if number is not None:
            return round(min(max(number / _WHOLE, 0.0), 1.0), 4)
    return None


def _share(value: "Any") -> float | None:
    """A confidence from 0 to 1, from a word or a number."""
    if isinstance(value, str) and value.lower() in _SURE:
        return _SURE[value.lower()]
    number = _number(value)
    return number if number is None or 0.0 <= number <= 1.0 else None


def _number(value: "Any") -> float | None:
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if number - number == 0.0 else None


def _review(last: "Operation") -> str:
    """Why a person should review the note: ByteRover's last change is still under review."""
    if last.get("needsReview") is not True or last.get("reviewStatus") in _REVIEWED:
        return ""
    why = last.get("reason")
    reason = "it waited for a review in ByteRover"
    return f"{reason}: {why}" if isinstance(why, str) and why.strip() else reason


def _kept(
    path: str,
    title: str,
    fields: "Mapping[str, list[str]]",
    signals: "Mapping[str, Any]",
    operations: "tuple[Operation, ...]",
    stub: "Mapping[str, list[str]]",
    alias: str,
) -> "dict[str, Any]":
    """Fields without a counterpart in a memory, by ByteRover's own names."""
    kept: dict[str, Any] = {"path": path, "source": alias, "title": title}
    kept |= {name: _first(fields, name) for name in ("createdAt", "updatedAt")}
    kept["related"] = fields.get("related")
    for name in _USES:
        kept[name] = signals.get(name, _first(fields, name))
    if operations:
        reasons = [one["reason"] for one in operations if one.get("reason")]
        kept["reason"] = reasons[-1] if reasons else ""
        kept["history"] = [dict(one) for one in operations[-_MOST_HISTORY:]]
    if path.startswith(ARCHIVE):
        kept["archived"] = _first(stub, "evicted_at") or True
        kept["original_path"] = _first(stub, "original_path")
    return {name: value for name, value in kept.items() if value not in (None, "", [])}


def _first(fields: "Mapping[str, list[str]]", name: str) -> str:
    return next(iter(fields.get(name, ())), "")
