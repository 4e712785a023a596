"""Drawing anew what source code says of itself, where the store has no drawing of today."""

import os

from bowerbird.core.answers import Skipped
from bowerbird.core.text import clean
from bowerbird.guard.redact import redact
from bowerbird.ingest.contents import read
from bowerbird.ingest.linking import noted
from bowerbird.ingest.sources.markdown import leads
from bowerbird.ingest.syntax.grammar import grammar_of
from bowerbird.ingest.syntax.outlining import outlined
from bowerbird.ingest.walk import Found

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.outline import Outline
    from bowerbird.core.ports.store import Store
    from bowerbird.guard.redact import Allow

# Documents that one transaction writes: some tenths of a second.
_BATCH = 100


def redraw(store: "Store", most_bytes: int, allow: "Allow") -> int:
    """Draw code and notes that have no outline of today, from their files; how many documents.

    A file that is gone, or is not what was indexed, stays as it is: the next index run reads it.
    """
    with store.reading():
        undrawn = store.documents.graph.undrawn()
    undrawn = [one for one in undrawn if one[3] != "code" or grammar_of(_ending(one[1]))]
    done = 0
    for at in range(0, len(undrawn), _BATCH):
        drawn = []
        for document, path, hash, source in undrawn[at : at + _BATCH]:
            if source in {"code", "markdown"}:
                outline = _outline(path, hash, source, most_bytes, allow)
            else:
                outline = noted(())  # it may be led to
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
    text = clean(redact(contents.text, allow).text)
    if source == "markdown":
        return noted(*leads(text))
    found = outlined(text, _ending(path))
    return found[0] if found is not None else None
