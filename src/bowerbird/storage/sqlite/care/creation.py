"""Creates a store under a temporary name, so that no process ever opens a partial one."""

import os
from contextlib import suppress

import apsw

from bowerbird.host.places import make_folder, private_file
from bowerbird.storage.sqlite.care.migrations import (
    UNFINISHED,
    remove_unfinished,
    sync_folder,
    take_steps,
)
from bowerbird.storage.sqlite.file import location
from bowerbird.storage.sqlite.file.connection import configure, our_errors
from bowerbird.storage.sqlite.file.journal_mode import set_journal
from bowerbird.storage.sqlite.file.writer_queue import file_lock


def create(path: str, now: int, replica: str) -> None:
    """Creates the store and its folder, readable by the owner only; does nothing if it exists by then.

    If a restore was killed after it moved the store aside, its copy becomes the store.

    A process killed while doing so leaves nothing at `path`, and the next one starts again. Raises
    StoreFull, StoreReadOnly, and StoreReplaced if the log of a deleted store is left there.
    """
    try:
        make_folder(os.path.dirname(path))
    except OSError as error:
        raise location.refused(path, error) from error
    with file_lock(path):
        if os.path.lexists(path):
            return
        location.require_no_log(path)
        if os.path.lexists(path + location.RESTORED):
            _finish_restore(path)
            return
        unfinished = path + UNFINISHED
        try:
            remove_unfinished(unfinished)
            _make(unfinished, now, replica)
            os.rename(unfinished, path)
        except OSError as error:
            raise location.refused(path, error) from error
        except BaseException:
            remove_unfinished(unfinished)  # it may have filled the disk
            raise
        sync_folder(os.path.dirname(path))


def _finish_restore(path: str) -> None:
    """Puts a restored copy in place of the store that a killed `restore` had just moved aside."""
    try:
        os.rename(path + location.RESTORED, path)
    except OSError as error:
        raise location.refused(path, error) from error
    sync_folder(os.path.dirname(path))


def remove_unused_copy(path: str) -> None:
    """Removes the copy of a `restore` that was killed before it moved the store aside."""
    with file_lock(path):
        if os.path.lexists(path):
            with suppress(FileNotFoundError):
                os.unlink(path + location.RESTORED)


def _make(path: str, now: int, replica: str) -> None:
    os.close(private_file(path, os.O_RDWR | os.O_EXCL))
    with our_errors(path):
        connection = apsw.Connection(path, flags=apsw.SQLITE_OPEN_READWRITE)
        try:
            configure(connection, path, write=True)
            connection.pragma("auto_vacuum", 2)
            set_journal(connection, path)
            take_steps(connection, path, 0, now, replica)
        finally:
            # Checkpoints the log: the file is complete by itself, and synchronised.
            connection.close()
