"""Migration from other memory tools: where they keep their data, and what a migration would do."""

import os
import sys

from bowerbird.core.errors import BowerbirdError, PluginFailed, StoreMissing, UnknownName
from bowerbird.core.origins import START_CONFIDENCE
from bowerbird.ingest.importers.brv import read_brv
from bowerbird.ingest.importers.registry import IMPORTERS as OURS
from bowerbird.ingest.importers.registry import importer
from bowerbird.lifecycle.migrate import Known, foresee, migrate

__all__ = ["Known", "foreseen", "imported", "migrate", "owned", "read"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bowerbird.core.clock import Clock
    from bowerbird.core.config import Config
    from bowerbird.core.draft import Draft
    from bowerbird.core.kinds import Kinds
    from bowerbird.core.migrated import Found, Migrated
    from bowerbird.core.ports.importing import Importer
    from bowerbird.core.ports.store import Store
    from bowerbird.core.types import Project
    from bowerbird.guard.redact import Allow


def read(what: str, config: "Config", path: str, actor: str, *, with_sources: bool) -> "Found":
    """Reads the notes of another memory tool for a project; `actor` will be named as their author."""
    most = config["index.max_megabytes"] * 1_000_000
    if what in READERS:
        return READERS[what](path, actor, most, with_sources)
    own = importer(what)
    if own is not None:
        found: Found = own.read(path, most)
        return imported(found, actor)
    return _plugged(what, path, actor, most)


def _plugged(what: str, path: str, actor: str, most: int) -> "Found":
    """The notes that an installed package's importer reads. Raises UnknownName and PluginFailed.

    They are imports, whatever the package says of them.
    """
    from bowerbird.core.plugins import IMPORTERS
    from bowerbird.host.plugins import made, names, told

    plugged: Importer | None = made(IMPORTERS, what, has=("read",))
    if plugged is None:
        raise UnknownName.among("importer", what, [*OURS, *names(IMPORTERS)])
    try:
        return imported(plugged.read(path, most), actor)
    except BowerbirdError:
        raise
    except Exception as error:  # it is somebody else's code
        raise PluginFailed(
            f"the importer {what!r} failed: {told(error)}", "update its package"
        ) from error


def imported(found: "Found", actor: str) -> "Found":
    """Notes as imports, whatever they say of themselves; `actor` is named as their author."""
    most = START_CONFIDENCE["import"]

    def bare(draft: "Draft") -> "Draft":
        sure = None if draft.confidence is None else min(draft.confidence, most)
        return draft.replace(
            origin="import", actor=actor, verified=None, pinned=None, confidence=sure
        )

    notes = tuple(note.replace(draft=bare(note.draft)) for note in found.notes)
    return found.replace(notes=notes)


def owned(found: "Found") -> "Found":
    """Imports that a person says are their own notes: trusted as their own files are."""
    notes = tuple(
        note.replace(
            draft=note.draft.replace(
                origin="tool_internal",
                source="import",
                confidence=1.0 if note.draft.confidence is None else note.draft.confidence,
            )
        )
        for note in found.notes
    )
    return found.replace(notes=notes)


def _brv(path: str, actor: str, most: int, with_sources: bool) -> "Found":
    data = brv_data(os.environ)
    return read_brv(path, data, actor=actor, most=most, with_sources=with_sources)


# Readers by the name on the command line. Arguments: path, actor, maximum bytes of a file, and whether
# the stores of other projects that it references are read as well.
READERS: "dict[str, Callable[[str, str, int, bool], Found]]" = {"from-brv": _brv}


def foreseen(
    found: "Found", store: "Callable[[], Store]", here: "tuple[Project, Allow, Kinds, Clock]"
) -> "Migrated":
    """What migrating the notes would do; without a store none of them is known yet."""
    try:
        opened = store()
    except StoreMissing:
        return foresee(found, Known(None, *here))
    with opened.reading():
        return foresee(found, Known(opened, *here))


def brv_data(environment: "Mapping[str, str]") -> str:
    """ByteRover's data folder, which may not exist."""
    home = os.path.expanduser("~")
    named, base = environment.get("BRV_DATA_DIR"), environment.get("XDG_DATA_HOME")
    if named:
        return named
    if sys.platform == "win32":
        local = environment.get("LOCALAPPDATA") or os.path.join(home, "AppData", "Local")
        return os.path.join(local, "brv")
    if sys.platform == "darwin" and not base:
        return os.path.join(home, "Library", "Application Support", "brv")
    return os.path.join(base or os.path.join(home, ".local", "share"), "brv")
