"""What the tools of the server do in place of ours."""

from bowerbird.core.errors import BadInput
from bowerbird.storage.postgres.file.dialect import FUNCTIONS, SCHEMA
from bowerbird.storage.postgres.file.location import address, parts, shown

_SCHEMAS = f"--schema={SCHEMA} --schema={FUNCTIONS}"


def by_the_server(location: str, done: str, file: str | None) -> BadInput:
    """The error of a verb that the server's own tools take the place of, with their command."""
    url = shown(address(location))
    name = parts(url)[0]
    into = file or "bowerbird.dump"
    dump = f"pg_dump --format=custom {_SCHEMAS} --extension=vector --file={into} '{name}'"
    remedy = {
        "backed up": f"of all tenants: {dump}; continuously: pg_basebackup with WAL archiving",
        "restored": f"into an empty database: pg_restore --dbname='{name}' {into}",
        "recovered": "restore a backup of the server",
    }[done]
    return BadInput(f"{url} is {done} by the tools of its server", remedy)
