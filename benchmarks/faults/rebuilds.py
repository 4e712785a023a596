"""SIGKILL during long operations: index, import, reindex, words, upgrade, backup.

Each runs once to the end, which counts its operations of the disk; then it is killed at operations
spread over its whole length. Afterwards each entry is in the old state or the new one, nothing of the old
store is lost, and running it again gives the result of an uninterrupted run.
"""

import os
import random
import shutil
from collections.abc import Callable
from typing import Any, NamedTuple

import apsw

from bowerbird import Bowerbird
from bowerbird.storage.sqlite.care import migrations
from bowerbird.storage.sqlite.file.connection import connect
from bowerbird.storage.sqlite.file.steps import MIGRATIONS
from bowerbird.storage.sqlite.nouns.seals import PARTS as TABLE_NUMBERS
from faults.found import Found
from faults.mixed import START, opened, sound
from faults.process import MOMENTS, Child, Dying

NOTES = 10
PARTS = 6
MEMORIES = 12
# The first table that the second step seals, by its number.
_SECOND = TABLE_NUMBERS.index("alias")
# After this many kills the product's own check reads every row.
LOOKED = 5
_COUNTED = ("entry", "vector", "word_index_docsize", "document_index_docsize", "word")
_TEXTS = "SELECT uid, text FROM entry ORDER BY uid"
_PASSAGES = (
    "SELECT d.path, e.text FROM facet f JOIN entry e ON e.id = f.id JOIN document d ON d.id = f.document"
    " ORDER BY d.path, e.text"
)
# Without the indices that SQLite makes for a table's own constraints.
_OBJECTS = "SELECT type, name FROM sqlite_schema WHERE sql IS NOT NULL"
_MEMORIES = "SELECT e.text FROM entry e JOIN memory m ON m.id = e.id"


class Work(NamedTuple):
    """A long operation: its initial store, its work, and how its result is read."""

    name: str
    begin: Callable[[str], None]
    run: Callable[[str], None]


def rebuilds(folder: str, count: int, seed: int) -> Found:
    """Kills, spread over all operations."""
    found = Found("rebuilds", seed)
    share = max(1, count // len(WORKS))
    for number, work in enumerate(WORKS):
        _kill(found, os.path.join(folder, f"rebuilds-{work.name}"), work, share, seed)
        found.progress(number + 1, len(WORKS))
    return found


def _kill(found: Found, folder: str, work: Work, count: int, seed: int) -> None:
    path = os.path.join(folder, "begin", "memory.db")
    os.makedirs(os.path.dirname(path))
    work.begin(path)
    old = _state(path)
    whole = Dying(0, "")
    total = _run(_copied(path), work, whole)
    new = _state(_copy_of(path))
    end = _end(_copy_of(path), new)
    if sound(_copy_of(path)):
        found.violate(work.name, "not sound without any kill")
    draw = random.Random(f"{seed} {work.name}")  # noqa: S311
    for number in range(count):
        at = 1 + (number * total // count + draw.randrange(max(1, total // count))) % total
        dying = Dying(at, draw.choice(MOMENTS))
        where = f"seed {seed} {work.name} {number} at operation {at} of {total}"
        copy = _copied(path)
        _run(copy, work, dying)
        found.count(f"killed_in_{work.name}")
        _look(found, where, copy, old, new)
        _run(copy, work, None)
        if _end(copy, new) != end:
            found.violate(where, "the next run does not end as one that nobody killed")
        if number % LOOKED == 0:
            for one in sound(copy):
                found.violate(where, one)


def _look(found: Found, where: str, path: str, old: "State", new: "State") -> None:
    """Whether each entry is in its old or its new state."""
    there = _state(path)
    lost = [key for key in old if key in new and key not in there]
    half = [key for key, value in there.items() if value not in (old.get(key), new.get(key))]
    if lost or half:
        found.violate(where, f"lost {lost[:3]}, neither old nor new {half[:3]}")


def _end(path: str, new: "State") -> tuple["State", list[Any]]:
    """The result of a whole run, with the numbers of entries that have vectors and words.

    An upgrade that continues after some steps leaves a backup of its own as well.
    """
    state = {
        key: value
        for key, value in _state(path).items()
        if key in new or not key.startswith("backup")
    }
    connection = connect(path, write=False)
    counts = [next(connection.execute(f"SELECT count(*) FROM {table}"))[0] for table in _COUNTED]  # noqa: S608
    connection.close()
    return state, counts


def _copy_of(path: str) -> str:
    return os.path.join(os.path.dirname(os.path.dirname(path)), "copy", "memory.db")


def _copied(path: str) -> str:
    """The initial store, restored with all its side files."""
    target = os.path.dirname(_copy_of(path))
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(os.path.dirname(path), target)
    return _copy_of(path)


def _run(path: str, work: Work, dying: Dying | None) -> int:
    """Run the work in a process of its own; returns the number of operations, 0 if it was killed."""
    operations = 0

    child = Child(lambda _report: work.run(path), dying)
    for line in child.lines():
        operations = int(line.split()[1])
    return operations


State = dict[str, Any]


def _state(path: str) -> State:
    """What is compared: passages by file, memories, the numbers with vectors and words, whole backups."""
    connection = connect(path, write=False)
    state: State = {}
    for name, text in connection.execute(_PASSAGES):
        state.setdefault(str(name), []).append(text)
    for (text,) in connection.execute(_MEMORIES):
        state[f"memory {text}"] = True
    connection.close()
    for name in os.listdir(os.path.dirname(path)):
        if name.endswith(".bak"):
            backup = apsw.Connection(
                os.path.join(os.path.dirname(path), name), flags=apsw.SQLITE_OPEN_READONLY
            )
            rows = [*backup.execute(_TEXTS)]
            state[f"backup {name}"] = (backup.pragma("integrity_check"), rows)
            backup.close()
    return state


def _bird(path: str) -> Bowerbird:
    return opened(path, lambda: START)


def _filled(path: str) -> None:
    """Write some memories, and index notes."""
    _write(path, "old")
    with _bird(path) as bird:
        for number in range(MEMORIES):
            bird.remember(f"The valve of heron {number} is kept in the attic")
        bird.index(os.path.join(os.path.dirname(path), "notes"))


def _write(path: str, word: str) -> None:
    folder = os.path.join(os.path.dirname(path), "notes")
    os.makedirs(folder, exist_ok=True)
    for number in range(NOTES):
        said = [
            f"# Part {n}\n\n{word} says {n} of {number}. {'It says so. ' * 40}"
            for n in range(PARTS)
        ]
        with open(os.path.join(folder, f"{number}.md"), "w", encoding="utf-8") as file:
            file.write("\n\n".join(said))


def _changed(path: str) -> None:
    _filled(path)
    _write(path, "new")


def _index(path: str) -> None:
    with _bird(path) as bird:
        bird.index(os.path.join(os.path.dirname(path), "notes"))


def _notes_of_another(path: str) -> None:
    _filled(path)
    tree = os.path.join(os.path.dirname(path), ".brv", "context-tree", "design")
    os.makedirs(tree)
    for number in range(NOTES):
        with open(os.path.join(tree, f"note{number}.md"), "w", encoding="utf-8") as file:
            file.write(f"# Note {number}\n\nThe anvil of marten {number} is kept in the foundry.\n")


def _import(path: str) -> None:
    with _bird(path) as bird:
        bird.admin.migrate(os.path.dirname(path))


def _reindex(path: str) -> None:
    with _bird(path) as bird:
        bird.admin.reindex(again=True)


def _words(path: str) -> None:
    with _bird(path) as bird:
        bird.admin.reindex_words()


def old_schema(path: str) -> None:
    """The same content in a store of the first release: what later steps make is taken out."""
    _filled(path)
    connection = apsw.Connection(path)
    with connection:
        for kind, name in _made_later():
            connection.execute(f'DROP {kind} "{name}"')
        connection.execute("DELETE FROM seal WHERE part >= ?", (_SECOND,))
        connection.execute("DELETE FROM migration WHERE name <> ?", (MIGRATIONS[0].__name__,))
        connection.pragma("user_version", 1)
    connection.close()


def _made_later() -> list[tuple[str, str]]:
    """What the steps after the first make: asked of the steps, so that a new one is taken out as well.

    Indices come first, since those of a table go with it.
    """
    connection = apsw.Connection(":memory:")
    made = []
    for step in MIGRATIONS:
        step(connection)
        made.append({(str(kind), str(name)) for kind, name in connection.execute(_OBJECTS)})
    connection.close()
    return sorted(made[-1] - made[0])


def _upgrade(path: str) -> None:
    with _bird(path) as bird:
        bird.prune(remove=False)


def _backup(path: str) -> None:
    connection = connect(path, write=True)
    migrations.backup(connection, path + ".by-hand.bak")
    connection.close()


def _written(path: str) -> None:
    with _bird(path) as bird:
        bird.remember("The valve of heron 1 is kept in the attic")
    _write(path, "new")


WORKS = (
    Work("first index", _written, _index),
    Work("index", _changed, _index),
    Work("import", _notes_of_another, _import),
    Work("reindex", _filled, _reindex),
    Work("words", _filled, _words),
    Work("upgrade", old_schema, _upgrade),
    Work("backup", _filled, _backup),
)
