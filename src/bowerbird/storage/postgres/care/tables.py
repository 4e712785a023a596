"""The tables of a tenant row by row: facts about it are texts."""

from bowerbird.storage.postgres.file.schema import shapes
from bowerbird.storage.sqlite.care.tables import Tables

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.exchange import Row


class PostgresTables(Tables):
    """All rows of a tenant, by table, in the order of their keys."""

    def _shape(self, table: str) -> "tuple[tuple[str, ...], tuple[str, ...]]":
        """The columns of a table, and those of its key; the tenant is not among them."""
        shape = shapes()[table]
        return shape.columns, shape.key

    def _taken(self, table: str, row: "Row") -> "Row":  # noqa: ARG002 all tables alike
        return row
