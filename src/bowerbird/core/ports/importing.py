"""The port to an importer of another package."""

from typing import Protocol

from bowerbird.core.migrated import Found


class Importer(Protocol):
    """Reads what another memory tool keeps. Knows nothing of stores or admission."""

    def read(self, path: str, most: int, /) -> Found:
        """The notes at a path; files of more than `most` bytes are left out.

        Raises BadInput where there is nothing of that tool.
        """
        ...
