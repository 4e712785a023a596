"""Distinguishes a store from other files, and gives its schema version. `steps` holds the tables."""

import apsw

from bowerbird.core.errors import NotAStore, StoreNewer, StoreOutdated
from bowerbird.core.value import Advice, Do
from bowerbird.storage.sqlite.file.connection import our_errors
from bowerbird.storage.sqlite.file.location import none_yet

# "BWRD": distinguishes a store from any other SQLite file.
APPLICATION_ID = 0x42575244
# "BOWR": stores of the versions before the first release, whose schemas are numbered apart.
_UNRELEASED = 0x424F5752
# The number of steps there are, apart from them: only who writes reads the steps themselves.
VERSION = 13
# Begins keys of facts: the names a copy had until it was moved or restored, each with its last stamp.
FORMER = "former_"


def check(connection: apsw.Connection, path: str) -> int:
    """The schema version of an open file: the number of migrations it has had.

    Raises NotAStore for another program's database and for a store from before the first release, and
    StoreNewer for a schema of tomorrow.
    """
    with our_errors(path):
        version, application = next(
            connection.execute(
                "SELECT user_version, application_id FROM pragma_user_version, pragma_application_id"
            )
        )
        if application == _UNRELEASED:
            raise _unreleased(path)
        if (
            application != APPLICATION_ID
            and connection.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchone()
        ):
            raise NotAStore(
                f"{path} is a database of another program",
                "name another file with --store, or set BOWER_STORE",
            )
    if version > VERSION:
        raise StoreNewer(
            f"{path} was written by a newer Bowerbird (schema {version}, this one reads {VERSION})",
            "upgrade with: pip install --upgrade bowerbird",
        )
    return int(version)


def _unreleased(path: str) -> NotAStore:
    import shlex  # start-up: rare

    return NotAStore(
        f"{path} was written by a version before the first release, and stays as it is",
        Advice(
            "copy its memories into a new store, and move that to its place: ",
            Do("recover", store=shlex.quote(path)),
            "; then index files again",
        ),
    )


def require_current(connection: apsw.Connection, path: str) -> None:
    """For readers, which never migrate: raise StoreOutdated unless the schema is current.

    A file without any schema was never written to: StoreMissing.
    """
    version = check(connection, path)
    if version == 0:
        raise none_yet(path)
    if version < VERSION:
        raise StoreOutdated(
            f"{path} has an older schema",
            Advice(
                "upgrade it by any writing command, such as: ",
                Do("index"),
                "; a backup is made first",
            ),
        )
