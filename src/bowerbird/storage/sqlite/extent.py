"""How far a store reaches: tells whether it only grew since it was read, so that nothing is read twice.

Rows are numbered upwards and none is given twice, passages are replaced and never changed. What is
changed in place all the same, a memory's words or the vectors of a model, is noted by `entries.altered`.
"""

from bowerbird.core.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    import apsw

_READ = (
    "SELECT coalesce((SELECT max(id) FROM facet), 0), (SELECT coalesce(sum(entries), 0) FROM tally),"
    " coalesce((SELECT value FROM meta WHERE key = 'altered'), 0),"
    " (SELECT user_version FROM pragma_user_version)"
)


class Extent(Value):
    """The last row, how many rows there are, and what moves when those that stand are changed."""

    __slots__ = ("altered", "last", "rows", "version")

    def __init__(self, last: int, rows: int, altered: int, version: int) -> None:
        self.last = last
        self.rows = rows
        self.altered = altered
        self.version = version

    @classmethod
    def of(cls, connection: "apsw.Connection") -> "Extent":
        """The extent of a store as it stands."""
        return cls(*next(connection.execute(_READ)))

    def grew_from(self, before: "Extent", connection: "apsw.Connection") -> bool:
        """Whether every row of `before` stands as it stood."""
        if (self.altered, self.version) != (before.altered, before.version):
            return False
        newer = connection.execute("SELECT count(*) FROM facet WHERE id > ?", (before.last,))
        return before.rows + int(next(newer)[0]) == self.rows
