"""Where a store on a server is: a small file holds its address; what stands beside stores is there.

So hooks, journals and locks have a place on this machine, as for any store. The file is its owner's
alone, since the address may hold a password; nothing prints it.
"""

import os
import re
from binascii import crc32

from bowerbird.core.errors import BadConfig
from bowerbird.host.places import write_own

SUFFIX = ".postgresql"
SCHEMES = ("postgresql://", "postgres://")
_DEFAULT = "default"
_TENANT = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,62}")
_ASKED = re.compile(r"([?&])tenant=([^&]*)(&|$)")
_PASSWORD = re.compile(r"(?<=://)([^:/@?]*):[^@/?]*@|([?&]password=)[^&]*")


def place(url: str, state: str) -> str:
    """The file that stands for a server's store, by its address. Raises BadConfig."""
    _, tenant = parts(url)
    host = re.sub(r"[^A-Za-z0-9.-]+", "-", shown(url).partition("://")[2].partition("?")[0])
    folder = f"{host.strip('-') or 'local'}-{tenant}-{crc32(shown(url).encode()):08x}"
    standing = os.path.join(state, "postgresql", folder, f"memory{SUFFIX}")
    try:
        with open(standing) as file:
            known = file.read()
    except OSError:
        known = ""
    if known != url:
        write_own(standing, url)
    return standing


def address(standing: str) -> str:
    """The address that such a file holds."""
    try:
        with open(standing) as file:
            return file.read().strip()
    except OSError as error:
        raise BadConfig(
            f"{standing} cannot be read: {error.strerror}",
            "name the server: --store postgresql://HOST/NAME",
        ) from error


def parts(url: str) -> tuple[str, str]:
    """What the server's own library is given, and the tenant. Raises BadConfig."""
    found = _ASKED.search(url)
    tenant = found[2] if found else _DEFAULT
    if not _TENANT.fullmatch(tenant):
        raise BadConfig(
            f"{tenant!r} cannot be the name of a tenant",
            "use letters, digits, dots, dashes and underscores: postgresql://HOST/NAME?tenant=TEAM",
        )
    if found:
        url = url[: found.start()] + (found[1] if found[3] else "") + url[found.end() :]
    return url, tenant


def shown(url: str) -> str:
    """The address without its password."""
    return _PASSWORD.sub(lambda at: f"{at[1]}@" if at[1] is not None else f"{at[2]}***", url)
