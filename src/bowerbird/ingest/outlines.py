"""Recreates the outlines of indexed files after the format of outlines has changed."""

import os

from bowerbird.code.syntax.grammar import grammar_of
from bowerbird.code.syntax.outlining import outlined
from bowerbird.core.outline import NOTE, Outline
from bowerbird.core.report import Skipped
from bowerbird.core.text import clean
from bowerbird.guard.redact import redact
from bowerbird.ingest.chunk import Size
from bowerbird.ingest.contents import read
from bowerbird.ingest.linking import outline_of
from bowerbird.ingest.mentions import OF_LINES
from bowerbird.ingest.redaction import Redaction, read_safely
from bowerbird.ingest.walk import Found

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.ports.store import Store
    from bowerbird.guard.redact import Allow

# Arbitrary: the links of a note do not depend on how it is cut.
_SIZE = Size(512, 0)
# Documents in one transaction, which takes some tenths of a second.
_BATCH = 100


def redraw(store: "Store", most_bytes: int, allow: "Allow") -> int:
    """Recreates outdated outlines of code and notes from their files; returns how many documents.

    A file that is deleted or differs from the indexed version is left to the next index run.
    """
    with store.reading():
        undrawn = store.documents.graph.undrawn()
    undrawn = [one for one in undrawn if one[3] != "code" or grammar_of(_ending(one[1]))]
    done = 0
    for at in range(0, len(undrawn), _BATCH):
        drawn = []
        for document, path, hash, source in undrawn[at : at + _BATCH]:
            if source == "code" or source in OF_LINES:
                outline = _outline(path, hash, source, most_bytes, allow)
            else:
                outline = Outline(NOTE)  # other notes may link to it
            if outline is not None:
                drawn.append((document, path, outline))
        with store.transaction():
            graph = store.documents.graph
            for document, path, outline in drawn:
                graph.forget(document)
                graph.put(document, path, outline, ())
        done += len(drawn)
    return done


def _ending(path: str) -> str:
    return os.path.splitext(path)[1].lower()


def _outline(
    path: str, hash: bytes, source: str, most_bytes: int, allow: "Allow"
) -> "Outline | None":
    try:
        contents = read(Found(path, 0, 0), most_bytes)
    except OSError:
        return None
    if isinstance(contents, Skipped) or contents.hash != hash:
        return None
    if source != "code":
        reading = read_safely(path, path, contents.text, _SIZE, Redaction(allow))[1]
        return outline_of(reading, source)
    text = clean(redact(contents.text, allow).text)
    found = outlined(text, _ending(path))
    return found[0] if found is not None else None
