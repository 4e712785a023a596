"""Checks the rows of a tenant: texts against their hashes, the word index against the texts.

The server checks its own pages, if it was made with data checksums.
"""

from time import perf_counter

from bowerbird.core.damage import Damage, Verified
from bowerbird.core.ids import text_hash
from bowerbird.storage.postgres.nouns.index import tokens
from bowerbird.storage.postgres.nouns.written import words_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from bowerbird.core.ports.progress import Progress
    from bowerbird.storage.sqlite.store import Store

_BATCH = 1_000
_ROWS = (
    "e.id > ?1 AND (?2 = 0 OR e.id % ?2 = 0) AND e.id IN (SELECT id FROM word_index)"
    " ORDER BY e.id LIMIT ?3"
)


def verify(store: "Store", sample: int | None, progress: "Progress | None") -> Verified:
    """Check every entry, or about `sample` of them. Raises the store errors of `core.errors`."""
    began = perf_counter()
    try:
        with store.reading():
            entries = store.words.totals()[0]
            every = max(entries // sample, 1) if sample else 0
            if progress is not None:
                progress.start("verified", entries)
            damages: list[Damage] = []
            rows = 0
            for number, found in _checked(store, every):
                rows += number
                damages += found
                if progress is not None:
                    progress.advance(number)
            if not store.healthy():
                damages.append(_damage("words", "", "entries and word index differ"))
        return Verified(
            entries, rows, tuple(damages), bool(sample), round((perf_counter() - began) * 1000, 1)
        )
    finally:
        if progress is not None:
            progress.finish()


def _checked(store: "Store", every: int) -> "Iterator[tuple[int, list[Damage]]]":
    after = -1
    while rows := words_of(store.connection, _ROWS, (after, every, _BATCH)):
        after = rows[-1][0]
        numbers: Any = [row[0] for row in rows]
        found: Any = store.connection.execute(
            "SELECT e.id, e.uid, e.hash, e.text, w.size, tsvector_to_array(w.tsv),"
            " (SELECT count(*) FROM posting p WHERE p.part = 0 AND p.id = e.id"
            " AND p.term = ANY (tsvector_to_array(w.tsv)))"
            " FROM entry e JOIN word_index w ON w.id = e.id WHERE e.id = ANY (?)",
            (numbers,),
        )
        said = {row: [word for text in texts for word in tokens(text)] for row, *texts in rows}
        damages = []
        for row, uid, hash, text, size, words, posted in found:
            if bytes(hash) != text_hash(text):
                damages.append(_damage("text", uid, "its text is not what was written"))
            if size != len(said[row]) or {*words} != {*said[row]} or posted != len(words):
                damages.append(_damage("words", uid, "its words are not those of its text"))
        yield len(rows), damages


def _damage(hurt: str, entry: str, told: str) -> Damage:
    remedy = "bower reindex --words" if hurt == "words" else "restore a backup of the server"
    return Damage(hurt, entry, told, remedy)
