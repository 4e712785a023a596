"""The places through which copies of a store synchronise, by how they are named."""

import os

from bowerbird.core.errors import BadInput, MissingExtra
from bowerbird.host.installed import adding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.ports.syncing import Hub


def hub_at(target: str) -> "Hub":
    """The place of that name. Raises BadInput for one that is none, BadConfig, MissingExtra."""
    scheme, named, _ = target.partition("://")
    if not named:
        from bowerbird.host.shared_folder import SharedFolder

        return SharedFolder(target)
    if scheme == "s3":
        from bowerbird.host.shared_bucket import SharedBucket

        return SharedBucket(target, os.environ)
    if scheme in ("postgresql", "postgres"):
        try:
            from bowerbird.storage.postgres.shared_table import SharedTable
        except ImportError as error:
            raise MissingExtra(
                "to synchronise through a server needs psycopg", adding("postgres")
            ) from error
        return SharedTable(target)
    raise BadInput(
        f"{target} cannot be used to synchronise",
        "name a folder, s3://BUCKET/FOLDER or postgresql://HOST/NAME",
    )
