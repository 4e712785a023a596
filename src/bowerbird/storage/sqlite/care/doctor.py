"""Diagnoses an SQLite store file and its surroundings without changing anything.

The file is read through the store alone; its folder and its sidecars through the filesystem.
"""

import os
import shlex
import shutil
import stat

import apsw

from bowerbird.core.health import PROBLEM, WARNING, Finding
from bowerbird.core.types import FORGOTTEN, STATES
from bowerbird.core.value import Advice, Do
from bowerbird.host import places
from bowerbird.storage.sqlite.care.ddl import differences
from bowerbird.storage.sqlite.care.integrity import integrity
from bowerbird.storage.sqlite.care.verify import sealed_wrongly
from bowerbird.storage.sqlite.file.journal_mode import network_filesystem
from bowerbird.storage.sqlite.file.location import SIDECARS
from bowerbird.storage.sqlite.file.steps import MIGRATIONS
from bowerbird.storage.sqlite.file.vectors import WITHOUT_SQLITE_VEC
from bowerbird.storage.sqlite.nouns.registry import TABLES
from bowerbird.storage.sqlite.nouns.words import Words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


# Below this free space a write may fail at any moment; below twice the store's size no backup fits.
_LEAST_ROOM = 50_000_000
# Lines of a damage report that are read, and those that are shown; a broken file has thousands.
_MOST_DAMAGE = 20
_FEW = 5
# Entries compared with their seals: .1 s.
_SAMPLE = 500
_KEPT = f"state <> {STATES.index(FORGOTTEN)}"
_REWORD = Advice("rebuild them from the text: ", Do("reindex", words=True))
# Derived from the texts, so they can be rebuilt.
_WORD_INDEXES = {"word_index", "document_index"}
_REBUILD = Advice("copy what it holds into a new store: ", Do("recover", into="NEW"))
_REPORT = "keep a copy of the store with its sidecars and report this"


def about() -> "Iterator[Finding]":
    """The SQLite version in use, and what it lacks."""
    source = "inside apsw" if apsw.using_amalgamation else "the system's"
    version = f"SQLite {apsw.sqlite_lib_version()}, {source} {apsw.apsw_version()}"
    if "ENABLE_FTS5" not in apsw.compile_options:
        yield Finding("sqlite", f"{version}, without FTS5", PROBLEM, "pip install --upgrade apsw")
    elif not apsw.using_amalgamation:
        remedy = "pip install --force-reinstall --only-binary apsw apsw"
        yield Finding("sqlite", f"{version}: it may lack fixes that we rely on", WARNING, remedy)
    else:
        yield Finding("sqlite", version)


def surroundings(path: str) -> "Iterator[Finding]":
    """The disk, its free space, and the permissions of the store's files."""
    folder = os.path.dirname(path) or "."
    there = folder
    while not os.path.isdir(there) and os.path.dirname(there) != there:
        there = os.path.dirname(there)
    network = network_filesystem(os.path.join(there, "store"))
    if network:
        detail = f"{network}, a network: a rollback journal instead of a write-ahead log"
        yield Finding("filesystem", detail, WARNING, "keep the store on a local disk: --store PATH")
    else:
        yield Finding("filesystem", "local")
    yield _room(path, there)
    yield from _permissions(path, folder, there)


def _room(path: str, folder: str) -> Finding:
    free = shutil.disk_usage(folder).free
    size = sum(found.st_size for _, found in _sidecars(path))
    detail = f"{free / 1e9:.1f} GB free, the store takes {size / 1e6:.1f} MB"
    if free < _LEAST_ROOM:
        return Finding("disk", detail, PROBLEM, "free some space: the next write may fail")
    if free < 2 * size:
        return Finding("disk", detail, WARNING, "free some space: a backup would not fit")
    return Finding("disk", detail)


def _permissions(path: str, folder: str, there: str) -> "Iterator[Finding]":
    if not os.path.exists(path):
        remedy = "name another place with --store or BOWER_STORE"
        next_down = os.path.join(there, os.path.relpath(folder, there).split(os.sep)[0])
        if folder != there and os.path.lexists(next_down):
            yield Finding("permissions", f"{next_down} is no folder", PROBLEM, remedy)
        elif not os.access(there, os.W_OK):
            yield Finding("permissions", f"{there} cannot be written", PROBLEM, remedy)
        return
    if not os.access(path, os.R_OK):
        yield Finding(
            "permissions", f"{path} cannot be read", PROBLEM, shlex.join(["chmod", "u+r", path])
        )
        return
    if not (os.access(path, os.W_OK) and os.access(folder, os.W_OK)):
        detail = "the store can be read but not written"
        remedy = f"to keep more: {shlex.join(['chmod', 'u+w', path, folder])}"
        yield Finding("permissions", detail, WARNING, remedy)
    open_to_others = [name for name, found in _sidecars(path) if _others(found, 0o077)]
    if open_to_others:
        detail = f"others may open {', '.join(os.path.basename(name) for name in open_to_others)}"
        yield Finding("permissions", detail, WARNING, shlex.join(["chmod", "600", *open_to_others]))
    its = os.stat(folder)
    if _others(its, 0o022) and not its.st_mode & stat.S_ISVTX:
        detail = f"others may put files into {folder}"
        yield Finding("permissions", detail, WARNING, shlex.join(["chmod", "go-w", folder]))
    elif not open_to_others:
        yield Finding("permissions", "the owner's alone")


def _sidecars(path: str) -> "Iterator[tuple[str, os.stat_result]]":
    """The store and its side files; some disappear when a process closes the store."""
    for end in ("", *SIDECARS, *places.SIDECARS):
        try:
            yield path + end, os.stat(path + end)
        except OSError:
            # Missing or unreachable: a parent is a file, or denies access.
            continue


def _others(found: os.stat_result, mask: int) -> bool:
    """Whether users other than the owner have one of these permissions. Windows has a different model."""
    return os.name == "posix" and bool(found.st_mode & mask)


def examine(connection: "apsw.Connection", journal: str) -> "Iterator[Finding]":
    """The content of the store; if the file is damaged, the checks stop there."""
    yield _schema(connection, journal)
    version = str(_one(connection, "SELECT vec_version()"))
    missing = version == WITHOUT_SQLITE_VEC
    yield Finding("sqlite-vec", version, *((WARNING, "pip install sqlite-vec") if missing else ()))
    damage = [*integrity(connection, _MOST_DAMAGE)]
    if damage != ["ok"]:
        detail = "; ".join(damage[:_FEW])
        yield Finding("integrity", detail, PROBLEM, "restore a backup; keep this file to look into")
        return  # the content of a damaged file is not examined further
    yield Finding("integrity", "the file and its word indexes pass SQLite's checks")
    yield _sample(connection)
    yield from _counts(connection)
    yield from _orphans(connection)


def _schema(connection: "apsw.Connection", journal: str) -> Finding:
    journal = journal or "not seen: read at rest"
    names = [row[0] for row in connection.execute("SELECT name FROM migration")]
    wanted = [step.__name__ for step in MIGRATIONS]
    detail = f"version {len(names)}, journal {journal}"
    if sorted(names) != sorted(wanted):
        steps = f"({', '.join(sorted(names))}); expected {', '.join(wanted)}"
        return Finding("schema", f"{detail} {steps}", PROBLEM, _REPORT)
    if found := differences(connection):
        more = f" and {len(found) - _FEW} more" if len(found) > _FEW else ""
        return Finding("schema", f"{detail}; {', '.join(found[:_FEW])}{more}", PROBLEM, _REBUILD)
    return Finding("schema", detail)


def _sample(connection: "apsw.Connection") -> Finding:
    """Checks some entries against their seals: `verify` checks all, and their word indexes."""
    rows, damages = sealed_wrongly(connection, _SAMPLE)
    detail = f"{rows:,} rows of {_SAMPLE:,} entries at most agree with their seals"
    if damages:
        named = ", ".join(sorted({one.entry for one in damages})[:_FEW])
        detail = f"{len(damages):,} of {rows:,} rows are not what was written: {named}"
        remedy = Advice("see what is damaged, and what repairs it: ", Do("verify"))
        return Finding("seals", detail, PROBLEM, remedy)
    return Finding("seals", detail)


def _counts(connection: "apsw.Connection") -> "Iterator[Finding]":
    """Compares the number of entries with rows of the word index and with the counters of words."""
    searched = _number(connection, f"facet WHERE {_KEPT}")
    indexed = _number(connection, "word_index")
    counted = Words(connection).totals()[0]
    detail = f"{searched:,} entries, {indexed:,} in the word index, {counted:,} counted"
    if searched == indexed == counted:
        yield Finding("index", detail)
    else:
        yield Finding("index", detail, PROBLEM, _REWORD)
    wrong = _number(
        connection,
        "(SELECT project, family, kind, state, entries FROM tally WHERE entries <> 0 EXCEPT"
        " SELECT project, family, kind, state, count(*) FROM facet GROUP BY 1, 2, 3, 4)",
    )
    if wrong or _one(connection, "SELECT coalesce(sum(entries), 0) FROM tally") != _number(
        connection, "facet"
    ):
        yield Finding("index", "the stored counts differ from the rows", PROBLEM, _REWORD)
    wholes = _number(connection, "document_index")
    several = _number(
        connection,
        "(SELECT 1 FROM facet WHERE document IS NOT NULL GROUP BY document HAVING count(*) > 1)",
    )
    if wholes != several:
        detail = f"{several:,} documents of several passages, {wholes:,} indexed as wholes"
        yield Finding("index", detail, PROBLEM, _REWORD)


def _orphans(connection: "apsw.Connection") -> "Iterator[Finding]":
    checks = [(table, *one) for table in TABLES for one in table.orphans.items()]
    found: dict[str, int] = {}
    tables: set[str] = set()
    for table, name, orphaned in checks:
        if count := _number(connection, f"{table.name} t WHERE {orphaned}"):
            found[name] = count
            tables.add(table.name)
    broken = sum(1 for _ in connection.execute("PRAGMA foreign_key_check"))
    if broken:
        found["broken references"] = broken
        tables.add("")
    if found:
        detail = ", ".join(f"{count:,} {name}" for name, count in found.items())
        remedy = _REWORD if tables <= _WORD_INDEXES else _REPORT
        yield Finding("orphans", detail, PROBLEM, remedy)
    else:
        yield Finding("orphans", f"none in any of {len(checks)} relations between tables")


def _number(connection: "apsw.Connection", rest: str) -> int:
    """The number of rows of a table that match a condition."""
    return int(_one(connection, "SELECT count(*) FROM " + rest))


def _one(connection: "apsw.Connection", sql: str) -> "int | str":
    found: int | str = next(connection.execute(sql))[0]
    return found
