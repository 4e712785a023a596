"""Readers of other packages, those that the setting `index.sources` names."""

from bowerbird.core.errors import PluginFailed
from bowerbird.core.plugins import SOURCES
from bowerbird.core.report import Skipped
from bowerbird.host.plugins import made, told
from bowerbird.ingest.sources.reading import Reading
from bowerbird.ingest.sources.registry import NAMES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bowerbird.ingest.chunk import Size
    from bowerbird.ingest.sources.reading import Material, Part, Source

_HAS = ("accepts", "read")


class Plugged:
    """A package's reader. It is left out for the rest of a run if it cannot tell its files."""

    def __init__(self, name: str, source: "Source") -> None:
        self.name, self._source = name, source
        # That it is left out, and why.
        self.left_out: tuple[Skipped, ...] = ()

    def accepts(self, material: "Material") -> bool:
        """Whether this is a file of its type."""
        if self.left_out:
            return False
        try:
            return bool(self._source.accepts(material))
        except Exception as error:  # noqa: BLE001 it is somebody else's code
            self.left_out = (_left(self.name, self._failed(told(error))),)
            return False

    def read(self, material: "Material", size: "Size") -> Reading:
        """The pieces of the file, in order. Raises PluginFailed."""
        try:
            found = self._source.read(material, size)
        except Exception as error:  # it is somebody else's code
            raise self._failed(told(error)) from error
        if not isinstance(found, Reading):
            raise self._failed(f"it returned a {type(found).__name__} instead of a Reading")
        return found.replace(parts=self._parts(found.parts))

    def _parts(self, parts: "Iterable[Part]") -> "Iterator[Part]":
        try:
            yield from parts
        except Exception as error:  # it is somebody else's code
            raise self._failed(told(error)) from error

    def _failed(self, why: str) -> PluginFailed:
        remedy = "update its package, or take it out of index.sources"
        return PluginFailed(f"the source {self.name!r} failed: {why}", remedy)


def plugged(setting: str) -> tuple[list[Plugged], list[Skipped]]:
    """The readers that a setting names, and those of them that cannot be used, with the reasons."""
    found: list[Plugged] = []
    left: list[Skipped] = []
    for name in dict.fromkeys(filter(None, map(str.strip, setting.split(",")))):
        try:
            source = None if name in NAMES else made(SOURCES, name, has=_HAS)
        except PluginFailed as error:
            left.append(_left(name, error))
            continue
        if source is None:
            why = "is built in and needs no setting" if name in NAMES else "is not installed"
            remedy = "take it out of index.sources" if name in NAMES else "install its package"
            left.append(_left(name, PluginFailed(f"the source {name!r} {why}", remedy)))
        else:
            found.append(Plugged(name, source))
    return found, left


def _left(name: str, error: PluginFailed) -> Skipped:
    return Skipped(f"index.sources: {name}", f"{error.message}; {error.remedy}")
