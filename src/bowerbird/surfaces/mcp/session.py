"""One conversation over a wire, held by the SDK's server."""

import anyio
from mcp.server.stdio import stdio_server
from mcp_types import jsonrpc_message_adapter

from bowerbird.surfaces.mcp.server import build

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.surfaces.mcp.caller import Caller
    from bowerbird.surfaces.mcp.wire import Wire
    from bowerbird.surfaces.pool import Pool


def run(birds: "Pool", caller: "Caller", wire: "Wire") -> None:
    """Talk until the client closes its end."""
    wire.readable = _readable
    anyio.run(_talk, birds, caller, wire)


def _readable(line: bytes) -> object:
    """Raises ValueError for a line that the transport would drop."""
    return jsonrpc_message_adapter.validate_json(line, by_name=False)


async def _talk(birds: "Pool", caller: "Caller", wire: "Wire") -> None:
    server = build(birds, caller)
    # The transport reads, writes and flushes lines; that is all of a file that a wire is.
    file: Any = wire
    async with stdio_server(anyio.wrap_file(file), anyio.wrap_file(file)) as (read, write):
        await server.run(read, write, server.create_initialization_options())
