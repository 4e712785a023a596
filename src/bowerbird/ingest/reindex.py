"""Embeds the stored texts with another model, in batches, while searches go on.

Until a batch is written its entries are found by their words; vectors of two models are never compared.
After an interruption, the next run continues where this one ended.
"""

from bowerbird.core.errors import StoreBusy
from bowerbird.core.value import Advice, Do
from bowerbird.ingest.batch import embedded_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from bowerbird.core.ports.models import Embedder
    from bowerbird.core.ports.progress import Progress
    from bowerbird.core.ports.store import Store

# Entries in one transaction, which takes some tenths of a second.
_BATCH = 2_000
# For slow models: one batch to a server, ten requests of a hundred, or ten seconds of a local model at 10
# ms a text. A stopped run embeds at most one batch again.
_SLOW_BATCH = 1_000
# Memories that the contextual model encodes between two transactions: 12 ms each.
_MEMORIES = 256
# Passages encoded in one run, some .06 s each: a server that does this every five minutes spends a few
# hundredths of its time on it.
_PASSAGES = 128
_PART = 16
# Consecutive batches of which nothing could be written, because others had changed every entry.
_MOST_IN_VAIN = 3


def reindex(
    store: "Store",
    embedder: "Embedder",
    progress: "Progress | None" = None,
    newest: int | None = None,
    *,
    beside: bool = False,
    outdated: "Callable[[], bool]" = bool,
) -> int:
    """Embeds every entry with this model and drops all other vectors; returns how many it embedded.

    With `beside` the other vectors stay in use, and these are protected: `Vectors.expect`. `outdated`:
    whether another model was chosen meanwhile, whose vectors then stay.

    `newest` limits it to that many of the newest entries and the rest of their documents; vectors of
    other models are dropped when nothing is left to embed. Raises StoreBusy if others change the entries
    faster than they can be embedded.
    """
    model = _row(store, embedder, beside=beside)
    with store.reading():
        start = 0 if newest is None else store.vectors.before_newest(newest)
        total = store.vectors.unread(model, start)
    if not total:
        _drop_others(store, model, outdated, beside=beside)  # an interrupted run may have left them
        return 0
    if progress is not None:
        progress.start("reading again", total)
    read = in_vain = 0
    try:
        for entries in _unread(store, model, start, _SLOW_BATCH if embedder.sentences else _BATCH):
            vectors = embedder.embed(
                [
                    embedded_text(entry.text, entry.context, entry.speaker, entry.tags)
                    for entry in entries
                ]
            )
            with store.transaction():
                written = store.vectors.write(entries, vectors, model)
            read += written
            in_vain = 0 if written else in_vain + 1
            if in_vain >= _MOST_IN_VAIN:
                raise StoreBusy(
                    f"{store.path} changes faster than it can be read again",
                    Advice(
                        "run ", Do("reindex"), " when the others are done: it goes on from here"
                    ),
                )
            if progress is not None:
                progress.advance(len(entries))
        _drop_others(store, model, outdated, beside=beside)
    finally:
        if progress is not None:
            progress.finish()
    return read


def forget(store: "Store", embedder: "Embedder") -> None:
    """Drops every vector of this model, so that `reindex` embeds all again, even if interrupted."""
    with store.reading():
        model = store.model_row(embedder.identity)
    more = model is not None
    while more and model is not None:
        with store.transaction():
            more = not store.vectors.forget(model, _BATCH)


def _unread(store: "Store", model: int, start: int, batch: int) -> "Iterator[Sequence[Any]]":
    """Batches of entries to embed; starts over as long as other processes leave some behind."""
    after = start
    while True:
        with store.reading():
            entries, end = store.vectors.next_unread(model, batch, after)
        if entries:
            yield entries
            after = end
        elif after == start:
            return
        else:
            after = start


def _row(store: "Store", embedder: "Embedder", *, beside: bool) -> int:
    """The number of the model in the store. Writes nothing if it is known, and not new beside another."""
    with store.reading():
        model = store.model_row(embedder.identity)
    if model is None or beside:
        with store.transaction():
            model = store.ensure_model(embedder.identity)
            if beside:
                store.vectors.expect(model)
    return model


def _drop_others(
    store: "Store", model: int, outdated: "Callable[[], bool]", *, beside: bool
) -> None:
    """Drops the vectors of other models once this one is complete. Writes nothing if there are none."""
    if beside:
        return
    with store.reading():
        others = store.vectors.others(model) and not store.vectors.unread(model)
    while others:
        with store.transaction():
            if outdated():
                return
            others = not store.vectors.drop_others(model, _BATCH)


def read_memories(store: "Store", reader: "Embedder", progress: "Progress | None" = None) -> int:
    """Encodes the missing memories with the contextual model; returns how many."""
    with store.reading():
        known, total, by = store.contextual.state()
    if known and by != str(reader.identity):
        with store.transaction():
            store.contextual.write({}, reader.identity)  # vectors of another model are not compared
            _, total, _ = store.contextual.state()
    if not total:
        return 0
    if progress is not None:
        progress.start("memories read", total)
    read = after = 0
    try:
        while True:
            with store.reading():
                texts = store.contextual.next_unread(_MEMORIES, after)
            if not texts:
                return read
            vectors = reader.embed([text for _, text in texts])
            by_row = {row: (text, one) for (row, text), one in zip(texts, vectors, strict=True)}
            with store.transaction():
                store.contextual.write(by_row, reader.identity)
            read += len(texts)
            after = texts[-1][0]
            if progress is not None:
                progress.advance(len(texts))
    finally:
        if progress is not None:
            progress.finish()


def read_passages(
    store: "Store",
    reader: "Embedder",
    most: int = _PASSAGES,
    *,
    notes: bool = False,
    progress: "Progress | None" = None,
) -> int:
    """Encodes passages with the contextual model, the newest first, for unsure queries.

    At most so many, after all memories, with `notes` those of notes alone; returns how many.
    """
    identity = str(reader.identity)
    with store.reading():
        _, waiting, by = store.contextual.state()
        texts = store.contextual.unread_passages(most, notes=notes) if not waiting else []
    if not texts:
        return 0
    if by != identity:
        with store.transaction():
            store.contextual.write({}, reader.identity)
    if progress is not None:
        progress.start("passages read", len(texts))
    try:
        # In parts: a process with a time limit keeps what it has read.
        for start in range(0, len(texts), _PART):
            part = texts[start : start + _PART]
            vectors = reader.embed([text for _, text in part])
            read = {row: (text, one) for (row, text), one in zip(part, vectors, strict=True)}
            with store.transaction():
                store.contextual.write_passages(read, identity)
            if progress is not None:
                progress.advance(len(part))
    finally:
        if progress is not None:
            progress.finish()
    return len(texts)
