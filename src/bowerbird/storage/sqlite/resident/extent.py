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
    " coalesce((SELECT value FROM meta WHERE key = 'logged'), 0),"
    " (SELECT user_version FROM pragma_user_version)"
)


class Extent(Record):
    """The last row, the number of rows, and counters of changes to existing ones, and of those named."""

    last: int
    rows: int
    altered: int
    logged: int
    version: int

    @classmethod
    def of(cls, connection: "apsw.Connection") -> "Extent":
        """The current extent of a store."""
        return cls(*next(connection.execute(_READ)))

    def holds_all_of(self, before: "Extent", connection: "apsw.Connection") -> bool:
        """Whether every row of `before` is still there."""
        newer = connection.execute("SELECT count(*) FROM facet WHERE id > ?", (before.last,))
        grew = before.rows + int(next(newer)[0]) == self.rows
        return grew and self.version == before.version

    def changed_from(self, before: "Extent", connection: "apsw.Connection") -> set[int] | None:
        """The rows of `before` that were changed in place since; None if any may be, or some are gone."""
        count = self.altered - before.altered
        if count < 0 or count != self.logged - before.logged:
            return None
        if not self.holds_all_of(before, connection):
            return None
        if not count:
            return set()
        ((text,),) = connection.execute("SELECT value FROM meta WHERE key = 'changed'")
        # Each follows a comma; what stands before the first one may be cut.
        named = text.split(",")[1:]
        if len(named) < count:
            return None
        return {row for one in named[-count:] if (row := int(one)) <= before.last}
