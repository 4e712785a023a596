"""The extent of a store: shows whether it only grew since it was read, so that nothing is read twice.

Row numbers ascend and are never reused; passages are replaced, never changed. The exceptions, a memory's
words and the vectors of a model, are recorded by `entries.altered`.
"""

from bowerbird.core.value import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    import apsw

_READ = (
    "SELECT coalesce((SELECT max(id) FROM facet), 0), (SELECT coalesce(sum(entries), 0) FROM tally),"
    " coalesce((SELECT value FROM meta WHERE key = 'altered'), 0),"
    " (SELECT user_version FROM pragma_user_version)"
)


class Extent(Record):
    """The last row, the number of rows, and a counter of changes to existing ones."""

    last: int
    rows: int
    altered: int
    version: int

    @classmethod
    def of(cls, connection: "apsw.Connection") -> "Extent":
        """The current extent of a store."""
        return cls(*next(connection.execute(_READ)))

    def grew_from(self, before: "Extent", connection: "apsw.Connection") -> bool:
        """Whether every row of `before` is unchanged."""
        if (self.altered, self.version) != (before.altered, before.version):
            return False
        newer = connection.execute("SELECT count(*) FROM facet WHERE id > ?", (before.last,))
        return before.rows + int(next(newer)[0]) == self.rows
