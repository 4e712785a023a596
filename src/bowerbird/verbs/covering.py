"""What memory knows of each module of a project."""

import os

from bowerbird.core.overview import Covered
from bowerbird.sessions.learn.ledger import read_digests

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from bowerbird.core.anchors import Strayed
    from bowerbird.core.ports.store import Store
    from bowerbird.wiring.reach import Reach

# A module is this many folders of a path deep.
_DEEP = 2
# Files without a memory that are listed of a module.
_MOST_WITHOUT = 12
# Memories whose files are compared with the disk.
MOST_STRAYED = 1_000


def covered(store: "Store", reach: "Reach", stray: "Strayed") -> "list[Covered]":
    """The modules of a project, the ones worked on in most sessions first; `stray` are its memories."""
    uids = reach.seen
    found: dict[str, Covered] = {}
    paths: dict[str, str] = {}
    for path, name, tied in store.overview.files(uids):
        module = module_of(name)
        paths[path] = paths[name] = module
        one = _at(found, module)
        one.files += 1
        one.covered += tied
        if not tied and len(one.without) < _MOST_WITHOUT:
            one.without += (name,)
    folders = called(found)
    for names, files, kind, count, waiting, seen in store.overview.by_module(uids):
        modules = {folders.get(named) or named for named in names}
        modules |= {paths.get(file) or module_of(file) for file in files}
        for module in modules:
            one = _at(found, module)
            one.kinds[kind] = one.kinds.get(kind, 0) + count
            one.waiting += waiting
            one.reviewed += seen
    _worked(store, uids, found, paths)
    for path, count in store.overview.tied(uids):
        if path in paths:
            found[paths[path]].tied += count
    for memory in stray.memories:
        for module in {paths[one.path] for one in memory.anchors if one.path in paths}:
            found[module].stale += 1
    order = sorted(
        found.values(), key=lambda one: (-one.sessions, -sum(one.kinds.values()), one.name)
    )
    return [one for one in order if one.files > 1 or one.kinds or one.sessions]


def _worked(
    store: "Store", uids: "Iterable[str]", found: "dict[str, Covered]", paths: "dict[str, str]"
) -> None:
    """Adds the sessions that touched files of each module."""
    mine = {*uids}
    for digest in read_digests(store).values():
        if digest.project not in mine:
            continue
        for module in {paths[path] for path in digest.touched if path in paths}:
            found[module].sessions += 1
            found[module].worked = max(found[module].worked, digest.began)


def called(modules: "Iterable[str]") -> "dict[str, str]":
    """The module of each name that a memory may give: that of the only folder which is called so."""
    found: dict[str, str] = {}
    for name in modules:
        last = os.path.basename(name)
        found[last] = "" if last in found else name
    return found


def module_names(store: "Store", reach: "Reach") -> "dict[str, str]":
    """What the modules of a project are called, by the names that memories may give them."""
    modules = {module_of(name) for _, name, _ in store.overview.files(reach.seen)}
    return {short: name for short, name in called(modules).items() if name}


def module_of(name: str) -> str:
    """The module of a file, by its path in the project."""
    return "/".join(name.strip("/").split("/")[:-1][:_DEEP]) or "."


def _at(found: "dict[str, Covered]", name: str) -> Covered:
    if name not in found:
        found[name] = Covered(name, {})
    return found[name]
