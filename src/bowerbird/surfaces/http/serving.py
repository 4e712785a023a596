"""The options of a server, and the combinations that are refused."""

import os

from bowerbird.core.errors import BadInput
from bowerbird.core.value import Record

PORT = 8787
# A check for waiting entries takes 52 ms of CPU at 200,000 entries.
WARM_S = 300.0


class Serving(Record):
    """Options of a server.

    Args:
        store: path of the store file; None means the default one.
        host, port: address to listen on; port 0 means any free one.
        certfile, keyfile: certificate and key for TLS.
        behind_proxy: another program in front of this server terminates TLS.
        allowed: further accepted host names, each with its port if it has one.
        folders: folders to index, at the start and every `interval` seconds.
        prune_interval: seconds between prunings of every project, by whichever process; None means never.
        consolidate_interval: seconds between consolidations of every project; None means never.
        warm_interval: seconds between attempts to embed waiting entries after the model was unavailable;
            None means never.
        workers: processes that answer questions; with 1 the server's own process does.
        quiet: log errors only.
        project: project of what is indexed; with `only_mcp` also of requests that name none. None means
            that of the working directory.
        only_mcp: serve only /mcp and the health check.
        all_projects: with `only_mcp`, requests that name no project are for all of them.
        read_only: with `only_mcp`, refuse writes with any token.
    """

    store: str | None = None
    host: str = "127.0.0.1"
    port: int = PORT
    certfile: str | None = None
    keyfile: str | None = None
    behind_proxy: bool = False
    allowed: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    interval: float | None = None
    project: str | None = None
    workers: int = 1
    quiet: bool = False
    prune_interval: float | None = None
    consolidate_interval: float | None = None
    warm_interval: float | None = WARM_S
    only_mcp: bool = False
    all_projects: bool = False
    read_only: bool = False


def require_servable(serving: Serving) -> None:
    """Raises BadInput for missing folders, and for an address that others can reach without TLS."""
    for folder in serving.folders:
        if not os.path.exists(os.path.expanduser(folder)):
            raise BadInput(
                f"there is no {folder}, so it cannot be indexed", "name an existing file or folder"
            )
    if (serving.certfile is None) != (serving.keyfile is None):
        raise BadInput("--certfile and --keyfile belong together", "give both")
    loopback = serving.host in {"localhost", "::1"} or serving.host.startswith("127.")
    if not (loopback or serving.certfile or serving.behind_proxy):
        raise BadInput(
            f"{serving.host} is reached by others, who could read the token on its way",
            "give --certfile and --keyfile, or --behind-proxy if a proxy in front of it terminates TLS",
        )
