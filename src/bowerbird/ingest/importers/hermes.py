"""Reads Hermes' own memory: MEMORY.md and USER.md, entries between lines of a section sign."""

import os
import re

from bowerbird.ingest.importers.gathering import Gathering

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bowerbird.core.migrated import Found

_FILES = ("MEMORY.md", "USER.md")
_BETWEEN = re.compile(r"\n§\n")


def accepts(path: str) -> bool:
    """Whether a path is its home, the folder of its memories, or one of the two files there."""
    return any(True for _ in _files(path))


def places(home: str, _here: str, environment: "Mapping[str, str]") -> "Iterator[str]":
    """Its home."""
    yield environment.get("HERMES_HOME") or os.path.join(home, ".hermes")


def read(path: str, most: int) -> "Found":
    """Each entry; those about the user are preferences."""
    gathering = Gathering("hermes", path, most)
    for file in _files(path):
        name = os.path.basename(file)
        text = gathering.text(file)
        modified = os.stat(file).st_mtime_ns // 1_000_000
        for number, said in enumerate(_BETWEEN.split(text), 1):
            kind = "preference" if name == _FILES[1] else None
            gathering.add(f"{name} {number}", said, {"file": name}, kind=kind, occurred=modified)
    return gathering.found()


def _files(path: str) -> "Iterator[str]":
    folder = os.path.dirname(path) if os.path.basename(path) in _FILES else path
    if os.path.isdir(os.path.join(folder, "memories")):
        folder = os.path.join(folder, "memories")
    if os.path.basename(os.path.abspath(folder)) != "memories":
        return
    names = [os.path.basename(path)] if os.path.isfile(path) else _FILES
    for name in names:
        one = os.path.join(folder, name)
        if os.path.isfile(one):
            yield one
