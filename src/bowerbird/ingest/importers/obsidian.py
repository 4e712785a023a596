"""Reads folders of notes: an Obsidian vault, or what basic-memory wrote.

A note is a memory. Of basic-memory's notes each observation is one too, and its relations are links.
"""

import os
import re

from bowerbird.core.exchange_notes import ID
from bowerbird.ingest.dates import moment, of_name
from bowerbird.ingest.frontmatter import block
from bowerbird.ingest.importers.gathering import Gathering, tags_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bowerbird.core.migrated import Found

_END = ".md"
_VAULT = ".obsidian"
# What basic-memory writes into each note.
_PERMALINK = "permalink"
_LINK = re.compile(r"\[\[([^\]|#^]+)[^\]]*\]\]")
_TAG = re.compile(r"(?<![\w&/#])#([\w/-]*[^\W\d_][\w/-]*)")
_OBSERVATION = re.compile(r"[-*] \[(?![ xX-]\])([^\]\[]+)\] (.*?)(?: \(([^()]*)\))?$")
_RELATION = re.compile(r"""[-*] (?:"[^"]+"|[\w -]+) \[\[""")
_COMMENT = re.compile(r"%%.*?%%", re.DOTALL)
_SECTIONS = re.compile(r"^## (?:Observations|Relations)\s*$", re.MULTILINE)
# With the field that the plug-in Linter writes.
_DATES = ("created", "date", "created_at", "date created")
# Bytes of the notes that are looked at to recognise basic-memory's.
_LOOKED_AT = 50


def accepts(path: str) -> bool:
    """Whether a path is a vault, or a folder with notes of basic-memory."""
    if not os.path.isdir(path):
        return False
    if os.path.isdir(os.path.join(path, _VAULT)):
        return True
    gathering = Gathering("notes", path, 1 << 20)
    for _, file in zip(range(_LOOKED_AT), _files(path), strict=False):
        if _PERMALINK in block(gathering.text(file).split("\n"))[0]:
            return True
    return False


def places(home: str, here: str, _environment: "Mapping[str, str]") -> "Iterator[str]":
    """Where basic-memory keeps its notes, and vaults of Obsidian in the usual folders."""
    yield os.path.join(home, "basic-memory")
    for folder in (here, os.path.join(home, "Documents"), home):
        if os.path.isdir(folder):
            names = sorted(os.listdir(folder))
            yield from (
                os.path.join(folder, name)
                for name in names
                if os.path.isdir(os.path.join(folder, name, _VAULT))
            )


def read(path: str, most: int) -> "Found":
    """Each note, and each observation in it; notes that we exported are left out."""
    notes = _Notes(path, most)
    for file in _files(path):
        notes.take(file)
    return notes.found()


class _Notes:
    """The notes of one folder, by the names under which others link to them."""

    def __init__(self, path: str, most: int) -> None:
        self._gathering = Gathering("notes", path, most)
        self._root = path if os.path.isdir(path) else os.path.dirname(path)
        self._names: dict[str, str] = {}
        self._links: list[tuple[str, str]] = []

    def take(self, file: str) -> None:
        """Takes one note."""
        lines = self._gathering.text(file).split("\n")
        fields, size = block(lines)
        if fields.get(ID):
            return
        place = os.path.relpath(file, self._root).replace(os.sep, "/")
        stem = place.removesuffix(_END)
        title = " ".join(" ".join(fields.get("title", ())).split()) or os.path.basename(stem)
        named = (stem, os.path.basename(stem), title)
        for name in (*named, *fields.get("aliases", ()), *fields.get(_PERMALINK, ())):
            self._names.setdefault(name.lower(), place)
        dates = (moment(one) for name in _DATES for one in fields.get(name, ()))
        said = next((one for one in dates if one), None)
        occurred = said or of_name(os.path.basename(file)) or os.stat(file).st_mtime_ns // 1_000_000
        kept = {name: ", ".join(fields[name]) for name in ("type", _PERMALINK) if fields.get(name)}
        kept["file"] = place
        body = _COMMENT.sub("", "\n".join(lines[size:])).strip()
        self._links += [(place, target.strip()) for target in _LINK.findall(body)]
        if _PERMALINK in fields:
            body = self._observed(body, place, title, kept, occurred)
        heading, _, below = body.partition("\n")
        text = below.strip() if heading.strip("# ") == title else body
        tags = [tag.strip() for one in fields.get("tags", ()) for tag in one.split(",")]
        self._gathering.add(
            place,
            f"{title}\n\n{text}" if text else "",
            kept,
            tags=tags_of([*tags, *_TAG.findall(text)]),
            summary=title,
            occurred=occurred,
        )

    def _observed(
        self, body: str, place: str, title: str, kept: dict[str, str], occurred: int
    ) -> str:
        """Takes the observations of a note of basic-memory; what is left of it without relations."""
        rest = []
        for number, line in enumerate(body.split("\n"), 1):
            observed = _OBSERVATION.match(line.strip())
            if observed is None:
                rest += [] if _RELATION.match(line.strip()) else [line]
                continue
            category, content, context = observed.groups()
            self._gathering.add(
                f"{place} {number}",
                f"{title}: {_TAG.sub('', content).strip()}",
                kept | ({"context": context} if context else {}),
                tags=tags_of([category, *_TAG.findall(content)]),
                occurred=occurred,
            )
            self._gathering.link(f"{place} {number}", place)
        return _SECTIONS.sub("", "\n".join(rest)).strip()

    def found(self) -> "Found":
        """All notes, with the links whose targets are among them."""
        for place, target in self._links:
            last = target.rsplit("/", 1)[-1].lower()
            found = self._names.get(target.lower()) or self._names.get(last)
            if found:
                self._gathering.link(place, found)
        return self._gathering.found()


def _files(path: str) -> "Iterator[str]":
    if os.path.isfile(path):
        yield path
        return
    for here, below, names in os.walk(path):
        below[:] = sorted(one for one in below if not one.startswith("."))
        yield from (os.path.join(here, one) for one in sorted(names) if one.endswith(_END))
