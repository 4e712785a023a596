"""Reading the store anew with another model, a batch at a time, while search keeps answering.

Until a batch is written its entries are found by their words; vectors of two models are never
compared. Stopped half-way, the next run goes on where this one ended.
"""

from bowerbird.core.errors import StoreBusy
from bowerbird.core.value import Advice, Do
from bowerbird.ingest.embedded import embedded_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from bowerbird.core.ports.models import Embedder
    from bowerbird.core.ports.progress import Progress
    from bowerbird.core.ports.store import Store

# Entries that one transaction writes: some tenths of a second.
_BATCH = 2_000
# Of a model that takes its time: what goes to a server at once, ten requests of a hundred, or ten
# seconds of one on this machine at 10 ms a text. A run that is stopped reads at most one batch again.
_SLOW_BATCH = 1_000
# Memories that the contextual model reads between two transactions: 12 ms each.
_MEMORIES = 256
# Passages read in one run, some .06 s each: a server that reads that many every five minutes
# spends a few hundredths of its time on it.
_PASSAGES = 128
# Batches in a row of which nothing could be written, because others had changed every entry.
_MOST_IN_VAIN = 3


def reindex(
    store: "Store",
    embedder: "Embedder",
    progress: "Progress | None" = None,
    newest: int | None = None,
) -> int:
    """Give every entry a vector of this model and drop all others; how many were read.

    `newest` limits it to that number of entries, the last written, with the rest of their
    documents; the vectors of other models go when nothing is left to read. Raises StoreBusy when others
    change the entries faster than they can be read.
    """
    with store.reading():
        model = store.model_row(embedder.identity)
        start = 0 if newest is None else store.vectors.before_newest(newest)
        total = 0 if model is None else store.vectors.unread(model, start)
    if model is None:
        with store.transaction():
            model = store.ensure_model(embedder.identity)
            total = store.vectors.unread(model, start)
    if not total:
        _drop_others(store, model)  # a run that was stopped may have left them
        return 0
    if progress is not None:
        progress.start("read anew", total)
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
                    f"{store.path} changes faster than it can be read anew",
                    Advice(
                        "run ", Do("reindex"), " when the others are done: it goes on from here"
                    ),
                )
            if progress is not None:
                progress.advance(len(entries))
        _drop_others(store, model)
    finally:
        if progress is not None:
            progress.finish()
    return read


def forget(store: "Store", embedder: "Embedder") -> None:
    """Drop every vector of this model, so that `reindex` reads all anew: stopped, it goes on so too."""
    with store.reading():
        model = store.model_row(embedder.identity)
    more = model is not None
    while more and model is not None:
        with store.transaction():
            more = not store.vectors.forget(model, _BATCH)


def _unread(store: "Store", model: int, start: int, batch: int) -> "Iterator[Sequence[Any]]":
    """Batch after batch, and once more from the beginning as long as others leave some behind."""
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


def _drop_others(store: "Store", model: int) -> None:
    """Forget what other models read, once this one has read all. Writes nothing where nothing is."""
    with store.reading():
        others = store.vectors.others(model) and not store.vectors.unread(model)
    while others:
        with store.transaction():
            others = not store.vectors.drop_others(model, _BATCH)


def read_memories(store: "Store", reader: "Embedder", progress: "Progress | None" = None) -> int:
    """Let the contextual model read the memories that it has not read; how many those were."""
    with store.reading():
        known, total, by = store.contextual.state()
    if known and by != str(reader.identity):
        with store.transaction():
            store.contextual.write({}, reader.identity)  # what another one read is not compared
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


def read_passages(store: "Store", reader: "Embedder") -> int:
    """Let the contextual model read some passages, the newest first, for questions that find none sure.

    At most a number of them, once all memories were read; returns how many it read.
    """
    identity = str(reader.identity)
    with store.reading():
        _, waiting, by = store.contextual.state()
        texts = store.contextual.unread_passages(_PASSAGES) if not waiting else []
    if not texts:
        return 0
    if by != identity:
        with store.transaction():
            store.contextual.write({}, reader.identity)
    vectors = reader.embed([text for _, text in texts])
    read = {row: (text, one) for (row, text), one in zip(texts, vectors, strict=True)}
    with store.transaction():
        store.contextual.write_passages(read, identity)
    return len(read)
