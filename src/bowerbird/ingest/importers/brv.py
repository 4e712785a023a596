"""Reads ByteRover's store: the context tree of a project as notes for admission.

Files that ByteRover derives from notes (summaries, abstracts, overviews, stubs) are left out; of an
archived note, the full text is read. Links out of the tree are not followed: a tree comes with a
checkout, and must not expose other files.
"""

import os
import posixpath

from bowerbird.core.errors import BadInput
from bowerbird.core.migrated import Found, Note, Unmoved
from bowerbird.core.report import Skipped
from bowerbird.core.text import clean
from bowerbird.core.value import Advice, Do, Record
from bowerbird.ingest.contents import read
from bowerbird.ingest.importers.brv_log import TREE, Sidecars, json_object
from bowerbird.ingest.importers.brv_note import (
    ARCHIVE,
    FULL,
    STUB,
    fields_of,
    is_derived,
    note_of,
    targets,
)
from bowerbird.ingest.walk import Found as File
from bowerbird.ingest.walk import is_name, reason

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

STORE = ".brv"
_DERIVED = frozenset({"_index.md", "README.md"})
_DERIVED_ENDS = (".abstract.md", ".overview.md")
_KEPT_OUT = frozenset({"review-backups"})
_NO_STORE = Advice("name the project's folder: ", Do("migrate", "from-brv", path="~/shop"))


class Store(Record):
    """The location of one store: its tree, and the project that it belongs to."""

    tree: str
    project: str


def read_brv(
    path: str, data: str, *, actor: str = "", most: int, with_sources: bool = False
) -> Found:
    """The notes of the store at a path: a project, its `.brv`, or a context tree.

    Args:
        path: the folder to read; a `.brv` that is a file points to another project's.
        data: ByteRover's data folder, with signals and logs.
        actor: who imports the notes.
        most: the maximum size of a file in bytes; larger ones are skipped.
        with_sources: whether to read the stores of other projects that this one refers to.

    Raises BadInput if there is no store.
    """
    store = _find(path)
    errors: list[Unmoved] = []
    notes = _notes(store, data, actor, most, "", errors)
    left = []
    for alias, root in _sources(store, errors):
        if not with_sources:
            left.append(root)
            continue
        try:
            theirs = _find(root)
        except BadInput as error:
            errors.append(Unmoved(clean(root), f"the source {alias}: {error.message}"))
            continue
        notes += _notes(theirs, data, actor, most, alias, errors)
    return Found(clean(store.tree), tuple(_linked(notes)), tuple(errors), tuple(left))


def accepts(path: str) -> bool:
    """Whether a path is a project with a store of ByteRover's, or such a store."""
    try:
        _find(path)
    except BadInput:
        return False
    return True


def places(_home: str, here: str, _environment: "Mapping[str, str]") -> "Iterator[str]":
    """Where a project may keep one."""
    yield here


def _find(path: str) -> Store:
    """The store at a path. Raises BadInput."""
    if not path.strip() or "\0" in path or not is_name(path):
        raise BadInput(f"{path!r} is not a path", _NO_STORE)
    folder = os.path.realpath(os.path.expanduser(path))
    if not is_name(folder):
        raise BadInput(f"{clean(folder)} is no path in UTF-8", _NO_STORE)
    if not os.path.exists(folder):
        raise BadInput(f"there is no file or folder {path}", _NO_STORE)
    inside = os.path.join(folder, STORE)
    if os.path.basename(folder) == TREE and os.path.isdir(folder):
        return Store(folder, os.path.dirname(os.path.dirname(folder)))
    if os.path.lexists(inside):
        folder = os.path.realpath(inside)
    if os.path.isfile(folder):
        folder = _pointed(folder)
    tree = os.path.join(folder, TREE)
    if not os.path.isdir(tree):
        raise BadInput(f"there is no ByteRover store in {path}: no {STORE}/{TREE}", _NO_STORE)
    if os.path.realpath(tree) != tree:
        remedy = f"to take it all the same, name it: --path {os.path.realpath(tree)}"
        raise BadInput(f"{tree} is a link that leads out of the store", remedy)
    return Store(tree, os.path.dirname(folder))


def _pointed(file: str) -> str:
    """The `.brv` folder that a pointer file names. Raises BadInput; pointers are not chained."""
    try:
        root = json_object(file).get("projectRoot")
    except OSError as error:
        raise BadInput(f"{file}: {reason(error)}", "make it readable") from error
    except ValueError as error:
        raise BadInput(f"{file}: {error}", _NO_STORE) from error
    if not isinstance(root, str) or not root:
        raise BadInput(f"{file} points to no project", _NO_STORE)
    root = os.path.join(os.path.dirname(file), os.path.expanduser(root))
    target = os.path.realpath(os.path.join(root, STORE))
    if not os.path.isdir(target):
        raise BadInput(f"{file} points to {root}, where there is no folder {STORE}", _NO_STORE)
    return target


def _sources(store: Store, errors: list[Unmoved]) -> "Iterator[tuple[str, str]]":
    """The stores that this one includes: alias and location of each."""
    file = os.path.join(os.path.dirname(store.tree), "sources.json")
    try:
        listed = json_object(file).get("sources")
    except FileNotFoundError:
        return
    except OSError as error:
        errors.append(Unmoved(clean(file), reason(error)))
        return
    except ValueError as error:
        errors.append(Unmoved(clean(file), str(error)))
        return
    for one in listed if isinstance(listed, list) else ():
        root = one.get("projectRoot") if isinstance(one, dict) else None
        if isinstance(root, str) and root:
            alias = one.get("alias")
            named = alias if isinstance(alias, str) and alias else os.path.basename(root)
            yield clean(named), root


def _notes(
    store: Store, data: str, actor: str, most: int, alias: str, errors: list[Unmoved]
) -> list[Note]:
    sidecars = Sidecars(data, store.project)
    texts = dict(_texts(store.tree, most, errors))
    stubs = {
        path.removesuffix(STUB) + FULL: fields_of(texts.pop(path))[0]
        for path in [*texts]
        if path.startswith(ARCHIVE) and path.endswith(STUB)
    }
    for path in stubs.keys() - texts.keys():
        file = os.path.join(store.tree, path.removesuffix(FULL) + STUB)
        errors.append(Unmoved(file, "the full text that it refers to is missing"))
    notes = []
    for path, text in texts.items():
        if is_derived(fields_of(text)[0]):
            continue
        stub = stubs.get(path)
        before = _original(path, stub)
        known, done = sidecars.signals(before), sidecars.operations(before)
        try:
            notes.append(note_of(path, text, actor, known, done, stub, alias))
        except BadInput as error:
            file = os.path.join(store.tree, path)
            long = Advice("take it in as a document: ", Do("index", file)) if text.strip() else ""
            errors.append(Unmoved(file, error.message, long))
    errors += sidecars.errors
    return notes


def _texts(tree: str, most: int, errors: list[Unmoved]) -> "Iterator[tuple[str, str]]":
    """Path in the tree and text of every note and stub, sorted by path."""
    for path in sorted(_files(tree, errors)):
        source = os.path.join(tree, *path.split("/"))
        try:
            contents = read(File(source, 0, 0), most)
        except OSError as error:
            errors.append(Unmoved(source, reason(error)))
            continue
        if isinstance(contents, Skipped):
            errors.append(Unmoved(source, contents.reason))
        else:
            yield path, contents.text


def _files(tree: str, errors: list[Unmoved]) -> "Iterator[str]":
    """The files that may be notes, by their paths in the tree."""
    waiting = [""]
    while waiting:
        folder = waiting.pop()
        try:
            with os.scandir(os.path.join(tree, folder)) as listing:
                entries = list(listing)
        except OSError as error:
            errors.append(Unmoved(clean(os.path.join(tree, folder)), reason(error)))
            continue
        for entry in entries:
            if entry.name.startswith(".") or entry.name in _KEPT_OUT:
                continue
            path = posixpath.join(folder, entry.name)
            is_note = entry.name.endswith(".md") and not _is_derived_name(entry.name)
            if entry.is_symlink():
                # A link inside of the tree is skipped: its target is read at its own path.
                inside = os.path.realpath(entry.path).startswith(tree + os.sep)
                if not inside and (is_note or os.path.isdir(entry.path)):
                    errors.append(Unmoved(clean(entry.path), "a link that leads out of the tree"))
            elif not is_name(entry.name):
                errors.append(Unmoved(clean(entry.path), "its name is not UTF-8"))
            elif entry.is_dir():
                waiting.append(path)
            elif is_note:
                yield path


def _is_derived_name(name: str) -> bool:
    return name in _DERIVED or name.endswith(_DERIVED_ENDS)


def _original(path: str, stub: "Mapping[str, list[str]] | None") -> str:
    """The path of a note before it was archived, else its current path."""
    if not path.startswith(ARCHIVE):
        return path
    original = next(iter((stub or {}).get("original_path", ())), "")
    before = posixpath.normpath(original.replace("\\", "/")) if original else ""
    if not before or before.startswith(("/", "..")):
        before = path.removeprefix(ARCHIVE).removesuffix(FULL) + ".md"
    return before


def _linked(notes: list[Note]) -> "Iterator[Note]":
    """The notes, with links resolved to paths of existing notes."""
    there: dict[tuple[str, str], str] = {}
    for note in notes:
        kept = (note.draft.metadata or {})["brv"]
        before = _original(note.path, {"original_path": [kept.get("original_path", "")]})
        # A current note takes precedence over one that was archived from its path.
        if before == note.path or (note.alias, before) not in there:
            there[note.alias, before] = note.path
        there.setdefault((note.alias, note.path), note.path)
    for note in notes:
        found = [
            next(
                (there[note.alias, one] for one in targets(link) if (note.alias, one) in there), ""
            )
            for link in note.links
        ]
        links = tuple(dict.fromkeys(one for one in found if one and one != note.path))
        yield note.replace(links=links)
