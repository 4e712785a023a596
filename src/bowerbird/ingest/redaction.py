"""Reads a file without its secrets: they are removed before a piece is cut, stored or embedded.

This happens twice: on the raw text, before a reader can cut a secret in half; then on the pieces, because
readers decode escapes, strip invisible characters and read other files. Decoded text can contain
anything, such as lone surrogates, which no store accepts: each text is cleaned.
"""

import os
from collections import Counter

from bowerbird.core.text import clean, normal_tag, words
from bowerbird.guard.redact import redact
from bowerbird.ingest.bounds import MOST_PASSAGES
from bowerbird.ingest.dates import of_name
from bowerbird.ingest.sources.reading import Material
from bowerbird.ingest.sources.registry import source_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from bowerbird.core.document import Piece
    from bowerbird.guard.redact import Allow
    from bowerbird.ingest.chunk import Size
    from bowerbird.ingest.sources.reading import Reading, Source
    from bowerbird.ingest.trail import Trail


# Characters from where one piece of a line begins to where the next does: a piece has at most 2,000.
_NEAR = 8_000

# Minimum letters of a word in a file's name for the name to describe the file: initials and numbers do
# not.
_SHORTEST = 3

# Maximum tags of a document and length of one; each is a row for every passage.
_MOST_TAGS = 30
_LONGEST_TAG = 80


class Redaction:
    """Redacts secrets in texts; `found` counts them by kind."""

    def __init__(self, allow: "Allow") -> None:
        self._allow = allow
        self.found: Counter[str] = Counter()

    def holds(self, part: str) -> bool:
        """Whether a text contains secrets."""
        return bool(redact(part, self._allow).counts)

    def __call__(self, part: str) -> str:
        """The text with its secrets replaced."""
        redacted = redact(part, self._allow)
        self.found.update(redacted.counts)
        return redacted.text


def read_safely(
    path: str,
    name: str,
    text: str,
    size: "Size",
    cleaned: Redaction,
    trail: "Trail | None" = None,
    sources: "Iterable[Source]" = (),
) -> "tuple[str, Reading]":
    """Returns the name of a file's reader and its result; `name` is the title derived from the path.

    The readers of packages in `sources` come before the built-in ones. Raises PluginFailed.
    """
    material = Material(path, cleaned(text), cleaned, name, trail=trail)
    source = source_for(material, sources)
    return source.name, _Clean(cleaned).reading(source.read(material, size), material)


class _Clean:
    """Cleans the reading of one file.

    Names and contexts are repeated for each piece of a section or each turn of a day; each is checked
    once.
    """

    def __init__(self, cleaned: Redaction) -> None:
        self._cleaned = cleaned
        self._contexts: dict[str, str] = {}
        self._names: dict[str, str] = {}

    def _named(self, part: str) -> str:
        known = self._names.get(part)
        if known is None:
            known = self._names[part] = " ".join(self._cleaned(clean(part)).split())
        return known

    def _context(self, part: str) -> str:
        known = self._contexts.get(part)
        if known is None:
            known = self._contexts[part] = self._cleaned(clean(part))
        return known

    def _plain(self, contexts: "Iterable[str]") -> None:
        """Checks many contexts at once; if nothing is found, each of them is clean."""
        new = [one for one in dict.fromkeys(contexts) if one and one not in self._contexts]
        text = "\n".join(map(clean, new))
        if self._cleaned.holds(text):
            return
        self._contexts |= {one: clean(one) for one in new}

    def reading(self, reading: "Reading", material: Material) -> "Reading":
        """The reading without secrets; its parts are cleaned when they are requested."""
        if reading.pieces and not reading.session:
            reading.pieces[0].context = called(reading.pieces[0], reading.title, material)
        if not reading.session and (dated := of_name(os.path.basename(material.path))):
            for piece in reading.pieces[:MOST_PASSAGES]:
                piece.occurred = dated if piece.occurred is None else piece.occurred
        self._plain(piece.context for piece in reading.pieces[:MOST_PASSAGES])
        checked = _Checked(material.text)
        for piece in reading.pieces[:MOST_PASSAGES]:
            # In place, because a copy would double the memory. What stands in the raw text as it is was
            # checked there.
            if not checked.holds(piece):
                piece.text = self._cleaned(piece.text)
            piece.context = self._context(piece.context)
            piece.speaker = self._named(piece.speaker)
        return reading.replace(
            pieces=reading.pieces[:MOST_PASSAGES],
            title=self._named(reading.title),
            session=self._named(reading.session),
            aliases=tuple(self._named(alias) for alias in reading.aliases),
            tags=_normal(self._named(tag) for tag in reading.tags),
            links=tuple(
                link.replace(target=self._named(link.target), heading=self._named(link.heading))
                for link in reading.links
            ),
            # Readers count a line of invalid JSON among the unknown records.
            unknown=max(0, reading.unknown - len(material.malformed)),
            malformed=_described(material.malformed),
            cut=reading.cut or len(reading.pieces) > MOST_PASSAGES,
            parts=(
                part.replace(
                    key=self._named(part.key), reading=self.reading(part.reading, material)
                )
                for part in reading.parts
            ),
        )


class _Checked:
    """A redacted text, of which pieces are asked in order."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._line, self._at = 1, 0
        # The last line of which a piece was found, and where.
        self._cut = 0, 0

    def holds(self, piece: "Piece") -> bool:
        """Whether a piece stands in the text as it is, at its line number."""
        if piece.start_line is None or not piece.text:
            return False
        if piece.start_line < self._line:
            self._line, self._at = 1, 0
        while self._line < piece.start_line:
            end = self._text.find("\n", self._at)
            if end < 0:
                return False
            self._line, self._at = self._line + 1, end + 1
        if self._text.startswith(piece.text, self._at):
            self._cut = self._line, self._at
            return True
        # The pieces of one long line follow each other closely. One that does not begin with its line is
        # quoted there, as in JSON, and may say more than the line did.
        line, at = self._cut
        if line == self._line:
            at = self._text.find(piece.text, at, at + len(piece.text) + _NEAR)
            self._cut = (line, at) if at >= 0 else (0, 0)
        return line == self._line and at >= 0


def _normal(tags: "Iterable[str]") -> tuple[str, ...]:
    """Tags in normal form; one without a letter or digit is dropped."""
    found: dict[str, None] = {}
    for tag in tags:
        if len(found) < _MOST_TAGS and any(char.isalnum() for char in tag[:_LONGEST_TAG]):
            found[normal_tag(tag[:_LONGEST_TAG])] = None
    return tuple(found)


def called(piece: "Piece", title: str, material: Material) -> str:
    """The context of a document's first piece, with the file's name if nothing else contains it.

    It makes a file findable by its name.
    """
    said = {*words(f"{title} {piece.context} {piece.text}")}
    new = any(
        len(word) >= _SHORTEST and not word.isdigit() and word not in said
        for word in words(material.stem)
    )
    if not new:
        return piece.context
    return " > ".join(filter(None, (material.stem, piece.context)))


def _described(lines: "set[int]") -> str:
    """Describes the lines of a JSON Lines file that are not JSON objects."""
    if not lines:
        return ""
    first = min(lines)
    if len(lines) == 1:
        return f"line {first} holds no JSON object"
    return f"{len(lines):,} lines hold no JSON object, the first is line {first}"
