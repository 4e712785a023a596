"""A cluster of servers, if the extension Citus is there: every table is spread over its nodes by tenant.

The rows of a tenant lie together, and as every statement names its tenant, each is one task on one node.
Nothing here decides where a tenant is: that, and moving it, is the extension's.
"""

from bowerbird.storage.postgres.file.dialect import SCHEMA

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from psycopg import Connection

# Whether a database is the coordinator of a cluster, as SQL.
IS_ONE = "EXISTS (SELECT FROM pg_extension WHERE extname = 'citus')"
# The bytes of all tables, with their indexes, on all nodes.
SIZE = (
    "SELECT coalesce(sum(citus_total_relation_size(logicalrelid)), 0)::bigint FROM pg_dist_partition p"
    " JOIN pg_class c ON c.oid = p.logicalrelid JOIN pg_namespace n ON n.oid = c.relnamespace"
    " WHERE n.nspname = $1"
)
# Its version, and how many nodes hold rows.
ABOUT = (
    "SELECT (SELECT extversion FROM pg_extension WHERE extname = 'citus'),"
    " (SELECT count(*) FROM pg_dist_node WHERE shouldhaveshards AND isactive)"
)
_IS_SPREAD = "SELECT FROM pg_dist_partition WHERE logicalrelid = $1::regclass"
_SPREAD = "SELECT create_distributed_table($1, 'tenant', colocate_with => $2)"
_EMPTY_HERE = "SELECT truncate_local_data_after_distributing_table($1::regclass)"


def set_on_nodes(settings: "Mapping[str, str]") -> tuple[str, ...]:
    """Statements that begin a transaction: they set it on the node that the others run on, too."""
    return (
        "SET LOCAL citus.propagate_set_commands = 'local'",
        *(f"SET LOCAL {name} = {value}" for name, value in settings.items()),
    )


def spread(connection: "Connection[tuple[object, ...]]", tables: "Iterable[str]") -> None:
    """Spread tables that are not yet, with the rows that they have. Inside a transaction."""
    connection.execute("SET LOCAL citus.multi_shard_modify_mode = 'sequential'")
    places = [f"{SCHEMA}.{name}" for name in tables]
    new = [one for one in places if connection.execute(_IS_SPREAD, (one,)).fetchone() is None]
    for place in new:
        connection.execute(_SPREAD, (place, "none" if place == places[0] else places[0]))
    # What others point to last.
    for place in reversed(new):
        connection.execute(_EMPTY_HERE, (place,))
