"""How a server is to serve, and what must not be served so."""

import os

from bowerbird.core.errors import BadInput
from bowerbird.core.value import Record

PORT = 8787
# A look at whether anything waits takes 52 ms of CPU at 200,000 entries.
WARM_S = 300.0


class Serving(Record):
    """How to serve.

    Args:
        store: path of the store file; None takes the default one.
        host, port: where to listen; port 0 takes any free one.
        certfile, keyfile: for TLS.
        behind_proxy: another program in front of us speaks TLS.
        allowed: names, with a port where there is one, by which requests may call us besides.
        folders: what to take in, at the start and every `interval` seconds.
        prune_interval: seconds after which every project is pruned again, by whichever process; None:
            never.
        warm_interval: seconds after which a model that was away is asked to read what waits for it; None:
            never.
        quiet: log faults alone.
        project: what is taken in belongs to it. With `only_mcp`, also whoever names none means it; None
            takes the working directory's.
        only_mcp: serve /mcp and the health alone.
        all_projects: with `only_mcp`, whoever names no project means all of them.
        read_only: with `only_mcp`, nobody may write, whatever the token.
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
    quiet: bool = False
    prune_interval: float | None = None
    warm_interval: float | None = WARM_S
    only_mcp: bool = False
    all_projects: bool = False
    read_only: bool = False


def require_servable(serving: Serving) -> None:
    """Raise BadInput for folders that are not there, and for an address that others reach without TLS."""
    for folder in serving.folders:
        if not os.path.exists(os.path.expanduser(folder)):
            raise BadInput(
                f"there is no {folder} to take in", "name a file or folder that is there"
            )
    if (serving.certfile is None) != (serving.keyfile is None):
        raise BadInput("--certfile and --keyfile belong together", "give both")
    loopback = serving.host in {"localhost", "::1"} or serving.host.startswith("127.")
    if not (loopback or serving.certfile or serving.behind_proxy):
        raise BadInput(
            f"{serving.host} is reached by others, who could read the token on its way",
            "give --certfile and --keyfile, or --behind-proxy where one speaks TLS in front of it",
        )
