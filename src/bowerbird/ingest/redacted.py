"""Reading a file without its secrets: they are gone before a piece is cut, stored or embedded.

Twice: the raw text, before a reader shortens it and cuts a secret in half; then the pieces, because
readers decode escapes, strip invisible characters and read what lies beside the file. What a reader
decoded can hold anything, lone surrogates among them, which no store takes: each text is cleaned.
"""

from collections import Counter

from bowerbird.core.text import clean
from bowerbird.guard.redact import redact
from bowerbird.ingest.bounds import MOST_PASSAGES
from bowerbird.ingest.sources.reading import Material
from bowerbird.ingest.sources.registry import source_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.guard.redact import Allow
    from bowerbird.ingest.chunk import Size
    from bowerbird.ingest.sources.reading import Reading


class Redaction:
    """Takes secrets out of texts; `found` counts them by kind."""

    def __init__(self, allow: "Allow") -> None:
        self._allow = allow
        self.found: Counter[str] = Counter()

    def __call__(self, part: str) -> str:
        """The text with what stands there instead of its secrets."""
        redacted = redact(part, self._allow)
        self.found.update(redacted.counts)
        return redacted.text


def read_safely(
    path: str, name: str, text: str, size: "Size", cleaned: Redaction
) -> "tuple[str, Reading]":
    """The name of a file's reader and what it read; `name` is what its path says of it."""

    def named(part: str) -> str:
        # Names come again with each piece, and a short one is looked at once.
        known = names.get(part)
        if known is None:
            known = names[part] = " ".join(cleaned(clean(part)).split())
        return known

    def context(part: str) -> str:
        known = contexts.get(part)
        if known is None:
            known = contexts[part] = cleaned(clean(part))
        return known

    # They come again with each piece of a section, or each turn of a day.
    contexts: dict[str, str] = {}
    names: dict[str, str] = {}
    material = Material(path, cleaned(text), cleaned, name)
    source = source_for(material)
    reading = source.read(material, size)
    for piece in reading.pieces[:MOST_PASSAGES]:
        # In place: a copy would hold as much again.
        piece.text = cleaned(piece.text)
        piece.context = context(piece.context)
        piece.speaker = named(piece.speaker)
    return source.name, reading.replace(
        pieces=reading.pieces[:MOST_PASSAGES],
        title=named(reading.title),
        session=named(reading.session),
        # Readers pass over a line of no JSON as over a record that they do not know.
        unknown=max(0, reading.unknown - len(material.malformed)),
        malformed=_told(material.malformed),
        cut=reading.cut or len(reading.pieces) > MOST_PASSAGES,
    )


def _told(lines: "set[int]") -> str:
    """Which lines of a file of JSON lines hold no JSON object, in words."""
    if not lines:
        return ""
    first = min(lines)
    if len(lines) == 1:
        return f"line {first} holds no JSON object"
    return f"{len(lines):,} lines hold no JSON object, the first is line {first}"
