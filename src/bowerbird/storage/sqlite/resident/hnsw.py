"""An HNSW index as a file beside the store, by usearch: built, opened, asked; it can be rebuilt.

It selects candidate rows. Deleted and filtered rows are dropped, rows written after it was built are
searched by their sketches, and every cosine is computed from the store.
"""

import atexit
import json
import os
from contextlib import suppress
from importlib.util import find_spec
from struct import Struct
from threading import Event, Thread

from bowerbird.core.errors import BowerbirdError, MissingExtra
from bowerbird.core.value import Record
from bowerbird.host.installed import adding
from bowerbird.host.locks import lock, opened_to_lock
from bowerbird.storage.sqlite.file import connection as sqlite
from bowerbird.storage.sqlite.nouns.filters import where
from bowerbird.storage.sqlite.nouns.sketch import sketches
from bowerbird.storage.sqlite.search.candidates import RESCORED, CandidateSource

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, Self

    import apsw
    import numpy.typing as npt

    from bowerbird.core.ports.progress import Progress
    from bowerbird.core.query import Filter
    from bowerbird.core.types import Vector

SUFFIX = ".hnsw"
# Links a node and candidates while building and asking (Malkov and Yashunin, 2016). Of vectors of
# recombined text, many of them nearly alike, asked with 50 of them and 100 questions, this finds of
# the exact hundred .994 and .985 at 100,000, .981 and .967 at 500,000, .977 and .956 at a million, in
# 5 ms of CPU; with a search width of 400 there .954 and .933, in 1. A million take 463 s of CPU to
# build. A build width of 96 costs two thirds of that and finds .980 and .952 at 300,000, where 128
# finds .987 and .964; one of 64 two fifths, and .939 at a million.
CONNECTIVITY = 16
BUILD_WIDTH = 128
SEARCH_WIDTH = 1_600
# How many more are nominated than wanted, because some will be filtered out; when too few are left,
# four times as many, up to the most. A filter that lets through less is for the sketches.
_NOMINATED = 2
_MOST_NOMINATED = 6_400
# Rows per batch, about a second of work; no read transaction is held between batches.
_BATCH = 2_000
# Length of the stamp that ends the file, then what it is.
_TAIL = Struct("<I8s")
_MAGIC = b"BOWHNSW1"
_EXTENT = "SELECT coalesce(max(id), 0), (SELECT value FROM meta WHERE key = 'entries') FROM facet"


class Stamp(Record):
    """What an index was built from: the model, the store, its entries, and the last row that is complete.

    Rows after `last` may be in it, too.
    """

    identity: str
    replica: str
    entries: int
    last: int


def available() -> bool:
    """Whether the extra is installed."""
    return find_spec("usearch") is not None


def _loaded() -> "type[Any]":
    """usearch's class of an index. Raises ImportError.

    A process that loads onnxruntime 1.32 after usearch 2.26.3 or 2.26.6 dies of a segmentation fault; the
    other way round it lives, as it does after 2.25.3. So onnxruntime comes first where it is installed.
    """
    with suppress(ImportError):
        import onnxruntime  # noqa: F401 # start-up: an extra, see above
    from usearch.index import Index  # start-up: an extra, and only for processes that stay

    return Index


class Hnsw:
    """An opened index file, mapped rather than read."""

    def __init__(self, index: "Any", stamp: Stamp) -> None:
        self._index = index
        self.stamp = stamp

    @classmethod
    def opened(cls, index_file: str, identity: str, replica: str) -> "Self | None":
        """The index of this model and store, or None if there is no usable one."""
        stamp = _stamp(index_file)
        if stamp is None or (stamp.identity, stamp.replica) != (identity, replica):
            return None
        try:
            index: Any = _loaded().restore(index_file, view=True)
        except (ImportError, RuntimeError):
            return None
        index.expansion_search = SEARCH_WIDTH
        return cls(index, stamp)

    def nearest(self, values: bytes, count: int) -> list[int]:
        """The rows that were nearest when it was built."""
        import numpy as np  # start-up: usearch has loaded it

        found = self._index.search(np.frombuffer(values, np.int8), count)
        return [int(row) for row in found.keys]


def build(
    connection: "apsw.Connection",
    index_file: str,
    model: int,
    about: tuple[str, str],
    stopped: "Callable[[], bool]",
    progress: "Progress | None" = None,
) -> int | None:
    """Builds the index of a model's vectors and replaces the old one; returns the number of vectors.

    `about` is the model as text and the replica. None if another process is building, or it was stopped.
    Raises MissingExtra.
    """
    try:
        kind = _loaded()
    except ImportError as error:
        raise MissingExtra("an HNSW index needs usearch", adding("hnsw")) from error
    new = index_file + ".new"
    handle = opened_to_lock(new)
    if not lock(handle, wait=False):
        os.close(handle)
        return None
    inserted = False
    try:
        last, entries = map(int, next(connection.execute(_EXTENT)))
        stamp = Stamp(*about, entries, _all_read(connection, model, last))
        if progress is not None:
            progress.start("vectors", entries)
        index: Any = None
        for rows, values in _batches(connection, model, last):
            if stopped():
                return None
            index = index if index is not None else _empty(kind, values.shape[1])
            # Several threads lose links in usearch 2: of 690 vectors up to 2 were found by no search
            # where two threads had added them, up to 25 with eight (60 builds each), none with one.
            index.add(rows, values, threads=1)
            if progress is not None:
                progress.advance(len(rows))
        if index is None or stopped():
            return None
        index.save(new)
        data = json.dumps(stamp.raw_dict()).encode()
        with open(new, "ab") as file:
            file.write(data + _TAIL.pack(len(data), _MAGIC))
            file.flush()
            os.fsync(file.fileno())
        if not _is_ours(handle, new):
            return None
        os.replace(new, index_file)
        inserted = True
        return len(index)
    finally:
        # Stopped, interrupted or failed: the old index is unchanged. If this one has replaced it, a file
        # of that name belongs to another process.
        if not inserted:
            with suppress(FileNotFoundError):
                os.unlink(new)
        os.close(handle)


def drop(store: str) -> tuple[str, ...]:
    """Deletes the index of a store; the paths. What another process is building is dropped by it."""
    gone = []
    for path in (store + SUFFIX + ".new", store + SUFFIX):
        with suppress(FileNotFoundError):
            os.unlink(path)
            gone.append(path)
    return tuple(gone)


def _is_ours(handle: int, path: str) -> bool:
    """Whether a file that is being built was not deleted meanwhile: it held what was erased."""
    return os.path.samestat(os.fstat(handle), os.stat(path))


def _empty(index: "type[Any]", dims: int) -> "Any":
    return index(
        ndim=dims,
        metric="cos",
        dtype="i8",
        connectivity=CONNECTIVITY,
        expansion_add=BUILD_WIDTH,
        expansion_search=SEARCH_WIDTH,
    )


def _batches(
    connection: "apsw.Connection", model: int, last: int
) -> "Iterator[tuple[npt.NDArray[Any], npt.NDArray[Any]]]":
    """Rows and vectors of a model up to a row, a batch at a time."""
    import numpy as np  # start-up: building alone needs it

    after = 0
    while True:
        found: list[Any] = connection.execute(
            "SELECT id, int8 FROM vector WHERE model = ? AND norm > 0 AND id > ? AND id <= ?"
            " ORDER BY id LIMIT ?",
            (model, after, last, _BATCH),
        ).fetchall()
        if not found:
            return
        values = np.frombuffer(b"".join(vector for _, vector in found), np.int8)
        yield np.array([row for row, _ in found], np.uint64), values.reshape(len(found), -1)
        after = found[-1][0]


def _all_read(connection: "apsw.Connection", model: int, last: int) -> int:
    """The last row before the first one without a vector of the model."""
    (first,) = next(
        connection.execute(
            "SELECT min(f.id) FROM facet f WHERE NOT EXISTS"
            " (SELECT 1 FROM vector v WHERE v.model = ? AND v.id = f.id)",
            (model,),
        )
    )
    return last if first is None else min(last, int(first) - 1)


def _stamp(index_file: str) -> Stamp | None:
    """The trailer of an index file."""
    try:
        with open(index_file, "rb") as file:
            file.seek(-_TAIL.size, os.SEEK_END)
            length, magic = _TAIL.unpack(file.read())
            file.seek(-_TAIL.size - length, os.SEEK_END)
            return Stamp(**json.loads(file.read(length))) if magic == _MAGIC else None
    except (OSError, ValueError, TypeError):
        return None


class Building:
    """Builds the index of one store, one build at a time."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._stop = Event()
        self._thread: Thread | None = None
        # After a failure this process does not try again.
        self._failed = False

    @staticmethod
    def facts(connection: "apsw.Connection", model: int) -> tuple[str, str]:
        """The identity of a store in its index file: the model as text, and the replica."""
        found = connection.execute(
            "SELECT (SELECT provider || '/' || name || '@' || revision || ' ' || dims"
            " FROM model WHERE id = ?), (SELECT value FROM meta WHERE key = 'replica')",
            (model,),
        )
        identity, replica = next(found)
        return str(identity), str(replica)

    def now(self, model: int, progress: "Progress | None" = None) -> int | None:
        """Builds it. Returns the number of vectors, or None if another process is building."""
        connection = sqlite.connect(self.path, write=False)
        try:
            with sqlite.our_errors(self.path):
                return build(
                    connection,
                    self.path + SUFFIX,
                    model,
                    self.facts(connection, model),
                    self._stop.is_set,
                    progress=progress,
                )
        finally:
            connection.close()

    def start(self, model: int) -> None:
        """Builds it in the background, unless that is in progress or failed before."""
        if self._failed or (self._thread is not None and self._thread.is_alive()):
            return
        # A process that exits while usearch builds would be aborted before its output is written.
        atexit.register(self.close)
        self._thread = Thread(target=self._try, args=(model,), name="bower-hnsw", daemon=True)
        self._thread.start()

    def _try(self, model: int) -> None:
        try:
            self._failed = self.now(model) is None
        except (BowerbirdError, OSError, RuntimeError):
            # The next lower tier answers; requesting the index by name reports the error.
            self._failed = True

    def wait(self) -> None:
        """Waits until the background build is done."""
        if self._thread is not None:
            self._thread.join()

    def close(self) -> None:
        """Aborts an unfinished build."""
        atexit.unregister(self.close)
        self._stop.set()
        self.wait()


class IndexedSource(CandidateSource):
    """The same candidates; the nearest vectors come from the index, if there is one."""

    def __init__(
        self,
        connection: "apsw.Connection",
        damaged: set[int],
        index: "Callable[[int, int], Hnsw | None]",
    ) -> None:
        """`index` gives the index of a model, by the store's number of entries, or None."""
        super().__init__(connection, damaged)
        self._index = index

    def dense(
        self, vector: "Vector", model: int, filter: "Filter", limit: int, entries: int
    ) -> list[tuple[int, float]]:
        """The rows whose vectors lie nearest, with their cosines."""
        near = self._by_index(vector, model, filter, limit, entries)
        return near or super().dense(vector, model, filter, limit, entries)

    def tier(self, entries: int, model: int | None) -> str:
        """How nearest vectors are found in a store of that size."""
        if model is not None and self._index(model, entries) is not None:
            return "hnsw"
        return super().tier(entries, model)

    def _by_index(
        self, vector: "Vector", model: int, filter: "Filter", limit: int, entries: int
    ) -> list[tuple[int, float]]:
        """By the index and, for what is newer, by sketches; nothing where too few pass the filter."""
        index = self._index(model, entries)
        if index is None:
            return []
        condition, values = where(filter)
        wanted = _NOMINATED * limit
        while True:
            passing = self._connection.execute(
                "SELECT f.id FROM json_each(?) j CROSS JOIN facet f ON f.id = j.value"
                f" WHERE {condition}",
                (json.dumps(index.nearest(vector.values, wanted)), *values),
            )
            rows = [row for (row,) in passing]
            if len(rows) >= limit:
                break
            wanted *= 4
            if wanted > _MOST_NOMINATED:
                return []
        newer = self._connection.execute(
            f"SELECT f.id FROM facet f WHERE f.id > ? AND f.sketch IS NOT NULL AND {condition}"
            " ORDER BY vec_distance_hamming(vec_bit(f.sketch), vec_bit(?)) LIMIT ?",
            (index.stamp.last, *values, sketches([vector.values])[0], RESCORED),
        )
        rows += [row for (row,) in newer]
        return sorted(self.cosines(vector, model, rows).items(), key=lambda item: -item[1])[:limit]
