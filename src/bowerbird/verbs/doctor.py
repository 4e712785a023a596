"""Diagnoses a store and its surroundings without changing anything.

The backend adds what only it knows (`storage/*/doctor.py`).
"""

import os
import sys
from importlib.util import cache_from_source
from itertools import chain

from bowerbird.core.errors import (
    BadConfig,
    BowerbirdError,
    ModelError,
    StoreMissing,
    StoreOutdated,
    UnknownName,
)
from bowerbird.core.health import OK, PROBLEM, WARNING, Finding
from bowerbird.core.memories import UNCOMPARED
from bowerbird.core.value import Advice, Do

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from bowerbird.core.ports.models import Embedder
    from bowerbird.core.ports.store import Backend, Store

    Find = Callable[[str], Iterable[str]]

# Maximum ids that a finding names.
_NAMED = 20
_FOREIGN = "the files from outside"
_REPLACE = (
    "replace them where they are valid; then forget the memory, clean and index the file, or remove the"
    " file beside the store"
)


def examine(
    backend: "Backend",
    path: str,
    store: "Callable[[], Store]",
    embedder: "Callable[[], Embedder]",
    secrets: "Find | None" = None,
    beside: "Callable[[], Iterable[tuple[str, str]]]" = tuple,
) -> "Iterator[Finding]":
    """All findings about a store; `secrets` finds kinds of secrets in a text.

    `beside` yields the lines of the files that hooks write without opening it, each with its file.
    """
    yield from backend.about()
    yield _bytecode()
    yield from backend.surroundings(path)
    try:
        opened = store()
    except StoreMissing as missing:
        yield Finding("store", missing.message, OK, missing.remedy)
        return
    except StoreOutdated as old:
        yield Finding("store", old.message, WARNING, old.remedy)
        return
    except BowerbirdError as broken:
        yield Finding("store", broken.message, PROBLEM, broken.remedy)
        return
    try:
        # In one snapshot: otherwise concurrent writes could make consistent counts look inconsistent.
        with opened.reading():
            yield from _contents(opened, embedder)
            if secrets is not None:
                yield _secrets(opened, secrets, beside())
    except BowerbirdError as broken:
        yield Finding("integrity", broken.message, PROBLEM, broken.remedy)


def _bytecode() -> Finding:
    """Without compiled modules every command compiles its modules again: five times as slow."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    ours = [
        os.path.join(folder, name)
        for folder, _, files in os.walk(package)
        for name in files
        if name.endswith(".py")
    ]
    compiled = sum(os.path.exists(cache_from_source(name)) for name in ours)
    if compiled == 0:
        remedy = f"{sys.executable} -m compileall -q {package}"
        return Finding("bytecode", "none: every command compiles itself", WARNING, remedy)
    if sys.dont_write_bytecode:
        detail = f"{compiled} of {len(ours)} modules; PYTHONDONTWRITEBYTECODE keeps it from growing"
        return Finding("bytecode", detail)
    return Finding("bytecode", f"{compiled} of {len(ours)} modules compiled")


def _contents(store: "Store", embedder: "Callable[[], Embedder]") -> "Iterator[Finding]":
    for finding in store.upkeep.examine():
        yield finding
        if finding.check == "integrity" and finding.level == PROBLEM:
            return  # the content of a damaged store is not examined further
    yield from _uncompared(store)
    yield from _model(store, embedder)


def _uncompared(store: "Store") -> "Iterator[Finding]":
    """Memories that were stored although a comparison with another one raised an error."""
    failed = store.tallies(UNCOMPARED)
    if failed:
        detail = ", ".join(f"{name} {count:,}" for name, count in sorted(failed.items()))
        found = f"{sum(failed.values()):,} comparisons of memories failed: {detail}"
        yield Finding("comparisons", found, WARNING, "an internal error: report it with the texts")


def _model(store: "Store", embedder: "Callable[[], Embedder]") -> "Iterator[Finding]":
    try:
        identity = embedder().identity
    except (ModelError, BadConfig, UnknownName) as error:
        yield Finding("model", error.message, PROBLEM, error.remedy)
        return
    own, missing, others = store.vectors.counts(store.model_row(identity))
    detail = f"{identity}, {own:,} vectors"
    if missing:
        remedy = Advice("those are found by words alone until it reads them: ", Do("reindex"))
        yield Finding("model", f"{detail}; {missing:,} entries have none", WARNING, remedy)
    else:
        yield Finding("model", detail)
    if others:
        detail = f"{others:,} vectors of other models, which are not searched"
        remedy = Advice("they are dropped when everything is read: ", Do("reindex"))
        yield Finding("model", detail, WARNING, remedy)


def _secrets(store: "Store", find: "Find", beside: "Iterable[tuple[str, str]]") -> Finding:
    """Texts of entries and of older versions, paths of files from outside, and the lines of side files.

    A finding names ids, files and kinds, never the secret.
    """
    kinds: dict[str, int] = {}
    places: dict[str, None] = {}
    looked = 0
    foreign = ((_FOREIGN, one.path) for one in store.outside.files())
    for place, text in chain(store.entries.texts(), foreign, beside):
        looked += 1
        for kind in find(text):
            kinds[kind] = kinds.get(kind, 0) + 1
            places[place] = None
    if not kinds:
        return Finding("secrets", f"none in {looked:,} texts")
    detail = ", ".join(f"{count:,} {kind}" for kind, count in sorted(kinds.items()))
    named = ", ".join(list(places)[:_NAMED]) + (", …" if len(places) > _NAMED else "")
    return Finding("secrets", f"{detail} in {named}", PROBLEM, _REPLACE)
