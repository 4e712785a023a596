"""What imports bind and modules export, followed from file to file.

Values are those of `graph.resolve`.
"""

from bowerbird.code.modules import (
    PACKAGED,
    TOGETHER,
    linked,
    module_of,
    package_of,
    siblings,
    submodule,
)
from bowerbird.core.lookups import EVERYTHING
from bowerbird.core.outline import MODULE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Protocol

    from bowerbird.code.files import File, World
    from bowerbird.core.outline import Import

    Value = tuple[Any, ...]

    class Scopes(Protocol):
        """Resolves names within one file."""

        def look(self, file: File, scope: int, name: str, steps: int = 0) -> Value | None:
            """The value of a name in a scope or beyond it."""
            ...

        def in_scope(
            self, file: File, scope: int, name: str, steps: int
        ) -> tuple[Value | None, bool]:
            """The value of a name in one scope, and whether it is defined there."""
            ...


# Maximum steps from name to name: a longer chain is circular.
MOST_STEPS = 24


class Imports:
    """The imports and exports of one project's files."""

    def __init__(self, world: "World", scopes: "Scopes") -> None:
        self._world = world
        self._scopes = scopes
        # The exports that are being followed: a circle ends at the first.
        self._open: set[tuple[int, str]] = set()

    def brought(self, file: "File", one: "Import", steps: int = 0) -> "Value | None":
        """The value that an import binds."""
        if steps > MOST_STEPS:
            return None
        if not one.module:  # a name of this file that is exported under another one
            return self._scopes.look(file, MODULE, one.name, steps + 1)
        outside = ("outside", f"{one.module}.{one.name}" if one.name else one.module)
        packages = package_of(self._world, file, one.module)
        for other in packages:
            if not one.name or one.name == "*":
                return ("package", tuple(packages))
            found = self.handed(other, one.name, steps + 1)
            if found is not None:
                return found
        document = module_of(self._world, file, one.module)
        if document is None:
            # `from a import b` where a is a folder without an `__init__.py`.
            way = f"{one.module}.{one.name}" if one.module.strip(".") else one.module + one.name
            whole = module_of(self._world, file, way) if one.name else None
            return ("module", whole) if whole is not None else outside
        if not one.name or one.name == "*":
            return ("module", document)
        return self.handed(document, one.name, steps + 1)

    def beyond(self, file: "File", name: str, steps: int) -> "Value | None":
        """A name from a star import or from a file of the same package."""
        self._world.ask(file.path, EVERYTHING)
        for star in file.stars:
            document = module_of(self._world, file, star.module)
            found = self.handed(document, name, steps + 1) if document is not None else None
            if found is not None:
                return found
            for other in package_of(self._world, file, star.module):
                found = self.handed(other, name, steps + 1)
                if found is not None:
                    return found
        if file.outline.language in PACKAGED or file.outline.language in TOGETHER:
            self._world.ask(file.outline.module or file.folder, name)
            self._world.ask(file.folder, name)
        for other in siblings(self._world, file):
            sibling = self._world.file(other)
            places = sibling.definitions.get(MODULE, {}).get(name) if sibling is not None else None
            if places:
                return ("def", other, places[0], None)
        function = linked(self._world, file, name)
        return ("def", *function, None) if function is not None else None

    def handed(self, document: int, name: str, steps: int) -> "Value | None":
        """The value that a module exports under a name."""
        key = (document, name)
        file = self._world.file(document)
        if file is None or key in self._open or steps > MOST_STEPS:
            return None
        self._open.add(key)
        try:
            return self._handed(file, name, steps)
        finally:
            self._open.discard(key)

    def _handed(self, file: "File", name: str, steps: int) -> "Value | None":
        if name == "default":
            self._world.ask(file.path, name)
            for index in file.definitions.get(MODULE, {}).values():
                if "default" in file.outline.definitions[index[0]].traits.split():
                    self._world.ask(file.path, file.outline.definitions[index[0]].name)
                    return ("def", file.document, index[0], None)
        handed = file.exports.get(name)
        found, known = self._scopes.in_scope(file, MODULE, name, steps + 1)
        if known and found is not None:
            return found
        if handed is not None:
            value = self.brought(file, handed, steps + 1)
            if value is not None:
                return value
        inner = submodule(self._world, file, name)
        if inner is not None:
            return ("module", inner)
        self._world.ask(file.path, EVERYTHING)
        stars = file.stars if file.outline.language == "python" else file.exported_stars
        for star in stars:
            document = module_of(self._world, file, star.module)
            value = self.handed(document, name, steps + 1) if document is not None else None
            if value is not None:
                return value
        return None
