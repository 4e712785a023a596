"""Backups of a store, and restoring one.

SQLite's backup copies one snapshot of the store while others write; the copy is then opened and checked.
Restoring never overwrites: the present file is moved aside first.
"""

import os
import shlex
from contextlib import suppress
from datetime import UTC, datetime

import apsw

from bowerbird.core.damage import BackedUp, Restored
from bowerbird.core.errors import (
    BadInput,
    NotAStore,
    StoreBusy,
    StoreDamaged,
    StoreError,
    StoreOutdated,
)
from bowerbird.core.ids import new_id
from bowerbird.core.value import Advice, Do
from bowerbird.host.places import make_folder
from bowerbird.storage.sqlite.care.copies import END, note_copy, series
from bowerbird.storage.sqlite.care.migrations import backup, sync_folder
from bowerbird.storage.sqlite.care.verify import verify
from bowerbird.storage.sqlite.file import connection as sqlite
from bowerbird.storage.sqlite.file.location import FOLDED_COPIES, RESTORED, SIDECARS
from bowerbird.storage.sqlite.file.schema import VERSION, check
from bowerbird.storage.sqlite.file.writer_queue import file_lock
from bowerbird.storage.sqlite.nouns.outcomes import write_outcomes
from bowerbird.storage.sqlite.nouns.outside import Outside
from bowerbird.storage.sqlite.resident.hnsw import SUFFIX as INDEX_SUFFIX

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bowerbird.core.ports.progress import Progress

# Files that belong to a store and are moved with it.
_JOURNALS = ("-wal", "-shm", "-journal")
_LOCK = ".lock"
# Where Linux lists processes.
_PROCESSES = "/proc"
# Milliseconds that other processes have to finish before a store is moved aside.
_PATIENCE_MS = 2_000


def back_up(
    path: str, target: str | None, now: int, keep: int | None, progress: "Progress | None"
) -> BackedUp:
    """Copies a snapshot of a store, and checks the copy.

    The default target is in `backups` beside the store, named by the time; `keep` of those are kept.
    Raises BadInput if the target exists, StoreDamaged if the copy fails its check.
    """
    named = target is not None
    goal = os.path.abspath(target) if target else _by_time(path, now)
    if os.path.lexists(goal):
        raise BadInput(f"{goal} is there already", "name a file that is not, or none")
    make_folder(os.path.dirname(goal))
    if named:
        with suppress(OSError):  # a store may be readable only
            note_copy(path, goal)
    connection = sqlite.connect(path, write=False)
    try:
        check(connection, path)
        # One snapshot: otherwise SQLite would start again after each write by another process.
        with sqlite.reading(connection, path):
            connection.pragma("schema_version")
            backup(connection, goal)
    finally:
        connection.close()
    found = _sound(goal, progress)
    removed = [] if named or keep is None else list(_surplus(path, keep, goal))
    return BackedUp(goal, os.stat(goal).st_size, found, tuple(removed))


def restore(
    path: str,
    source: str,
    now: int,
    progress: "Progress | None",
    agreed: "Callable[[], None] | None",
    prepare: "Callable[[str], None] | None",
) -> Restored:
    """Moves the store aside and puts a backup in its place; no store is overwritten.

    `agreed` is called once the backup has passed its check, and `prepare` with the path of the copy that
    is to take the store's place; if one of them raises, nothing is changed.

    Raises BadInput if there is no such backup, NotAStore, StoreDamaged if it fails its check, and
    StoreBusy if another process has the store open.
    """
    remedy = Advice("name a backup, or create one with: ", Do("backup"))
    if not os.path.isfile(source):
        raise BadInput(f"there is no file {source}", remedy)
    if os.path.realpath(source) == os.path.realpath(path):
        raise BadInput(f"{source} is the store itself", remedy)
    try:
        entries = _sound(source, progress)
    except NotAStore as error:
        raise NotAStore(str(error), remedy) from error
    except StoreDamaged as error:
        saved = Advice("save what can be read of it: ", Do("recover", store=shlex.quote(source)))
        raise StoreDamaged(str(error), saved) from error
    if agreed is not None:
        agreed()
    make_folder(os.path.dirname(path) or ".")
    with file_lock(path):
        aside = _replace(path, source, now, prepare)
        for beside in (INDEX_SUFFIX, *FOLDED_COPIES):  # they belonged to the previous file
            with suppress(OSError):
                os.unlink(path + beside)
        _tell_hooks(path)
    return Restored(path, source, entries, aside)


def _tell_hooks(path: str) -> None:
    """Writes what hooks ask without opening the store; an older schema has it after its upgrade."""
    connection = sqlite.connect(path, write=False)
    try:
        with sqlite.our_errors(path):
            if check(connection, path) == VERSION:
                Outside(connection, path).write_copy()
                write_outcomes(connection, path)
    finally:
        connection.close()


def _replace(path: str, source: str, now: int, prepare: "Callable[[str], None] | None") -> str:
    """Puts a copy of `source` in the place of a store, and returns where the store was moved to.

    The copy is complete before the store is moved: a full disk changes nothing, and a restore that is
    killed between the two renames is finished by the next process that opens the store.
    """
    beside = path + RESTORED
    try:
        copy = sqlite.connect(source, write=False)
        try:
            # Other copies of the store have what this one had written later under the old name.
            backup(copy, beside, new_id(now))
        finally:
            copy.close()
        if prepare is not None:
            try:
                prepare(beside)
            finally:
                # All files beside it; the backup before an upgrade has a number at the end.
                for one in (entry.path for entry in os.scandir(os.path.dirname(beside) or ".")):
                    if one.startswith(beside + "."):
                        os.unlink(one)
        aside = _put_aside(path, now)
    except BaseException:
        with suppress(OSError):
            os.unlink(beside)
        raise
    os.rename(beside, path)
    sync_folder(os.path.dirname(path))
    return aside


def remove(path: str) -> list[str]:
    """Deletes a store with the files beside it, and returns those; its copies stay.

    Raises StoreBusy if another process has it open.
    """
    with file_lock(path):
        if os.path.lexists(path):
            _require_alone(path)
        # The store itself last: what is left after a kill is deleted when it is said again.
        ends = [end for end in (*SIDECARS, "") if end not in (_LOCK, ".bak")]
        removed = [path + end for end in ends if os.path.isfile(path + end)]
        for one in removed:
            with suppress(FileNotFoundError):
                os.unlink(one)
    with suppress(FileNotFoundError):
        os.unlink(path + _LOCK)
    return list(dict.fromkeys(removed))


def _by_time(path: str, now: int) -> str:
    folder, stem = series(path)
    moment = datetime.fromtimestamp(now / 1000, UTC).strftime("%Y%m%d-%H%M%S")
    number = 1
    while True:
        name = f"{stem}-{moment}{f'_{number}' if number > 1 else ''}{END}"
        if not os.path.lexists(os.path.join(folder, name)):
            return os.path.join(folder, name)
        number += 1


def _surplus(path: str, keep: int, newest: str) -> "Iterator[str]":
    """Remove the oldest backups of a series, and return them; the names sort by time."""
    folder, stem = series(path)
    names = sorted(
        name
        for name in os.listdir(folder)
        if name.startswith(f"{stem}-") and name.endswith(END) and _is_moment(name[len(stem) + 1 :])
    )
    for name in names[:-keep]:
        old = os.path.join(folder, name)
        if old != newest:
            os.unlink(old)
            yield old


def _is_moment(name: str) -> bool:
    """Whether this is the name of a backup, rather than of a store moved aside."""
    return name.removesuffix(END).replace("-", "").replace("_", "").isdecimal()


def _sound(copy: str, progress: "Progress | None") -> int:
    """The number of entries in a copy. Raises StoreDamaged if it fails its check."""
    try:
        found = verify(copy, progress=progress, words=False)
    except StoreOutdated:
        return _sound_of_before(copy)
    if found.damages:
        worst = found.damages[0]
        # SQLite tells several findings at once, a line each below a heading.
        told = (worst.told.partition("***\n")[2] or worst.told).partition("\n")[0]
        where = f"{worst.entry} " if worst.entry else ""
        raise StoreDamaged(
            f"{copy} is damaged: {where}{told}; {len(found.damages):,} damages",
            Advice("what the store holds is copied as it is; see what is damaged: ", Do("verify")),
        )
    return found.entries


def _sound_of_before(copy: str) -> int:
    """The same for a store of an older schema, whose rows have no seals."""
    connection = sqlite.connect(copy, write=False)
    try:
        with sqlite.our_errors(copy):
            message = next(connection.execute("PRAGMA integrity_check(1)"))[0]
            if message != "ok":
                raise StoreDamaged(f"{copy} is damaged: {message}", "take another backup")
            return int(next(connection.execute("SELECT count(*) FROM facet"))[0])
    finally:
        connection.close()


def _put_aside(path: str, now: int) -> str:
    """Moves a store with its journals to its backups.

    Returns the path, or an empty string if there was none.
    """
    ends = [end for end in ("", *_JOURNALS) if os.path.lexists(path + end)]
    if not ends:
        return ""
    _require_alone(path)
    aside = _by_time(path, now).removesuffix(END) + "-before-restore" + END
    make_folder(os.path.dirname(aside))
    for end in ("", *_JOURNALS):
        if os.path.lexists(path + end):
            os.rename(path + end, aside + end)
    return aside


def _holders(path: str) -> str:
    """The processes that have a file open, as far as Linux tells this user: their numbers and names.

    Not their arguments, which may hold a token.
    """
    try:
        wanted = os.stat(path)
        numbers = sorted(int(one) for one in os.listdir(_PROCESSES) if one.isdecimal())
    except OSError:
        return ""  # another system
    found = []
    for number in numbers:
        folder = os.path.join(_PROCESSES, str(number), "fd")
        # Another user's, or one that ended in the meantime.
        with suppress(OSError):
            if any(_is_file(os.path.join(folder, one), wanted) for one in os.listdir(folder)):
                with open(os.path.join(_PROCESSES, str(number), "comm"), encoding="utf-8") as file:
                    found.append(f"process {number} ({file.read().strip()})")
    return ", ".join(found)


def _is_file(handle: str, wanted: os.stat_result) -> bool:
    with suppress(OSError):  # closed in the meantime
        return os.path.samestat(os.stat(handle), wanted)
    return False


def _require_alone(path: str) -> None:
    """Checkpoints the log. Raises StoreBusy if another process has the store open."""
    try:
        with sqlite.our_errors(path):
            connection = apsw.Connection(path, flags=apsw.SQLITE_OPEN_READWRITE)
            try:
                connection.set_busy_timeout(_PATIENCE_MS)
                connection.pragma("locking_mode", "exclusive")
                connection.execute("BEGIN EXCLUSIVE")
                connection.execute("COMMIT")
            finally:
                connection.close()
    except StoreBusy as busy:
        by = _holders(path)
        raise StoreBusy(
            f"another process has {path} open{f': {by}' if by else ''}",
            "end servers, agents and their hooks, then again",
        ) from busy
    except StoreError:
        return  # a damaged store is moved as it is, with its log
