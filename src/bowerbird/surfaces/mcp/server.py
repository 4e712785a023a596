"""The server: the protocol of the official SDK around the tools and resources.

The low-level server speaks both eras, the stateless one and the one that begins with `initialize`;
the first message decides.
"""

import anyio.to_thread
import mcp_types as types
from mcp.server.caching import CacheHint
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import (
    StreamableHTTPASGIApp,
    StreamableHTTPSessionManager,
)
from mcp.shared.exceptions import MCPError

from bowerbird.core.errors import BowerbirdError, NotFound, UsageError
from bowerbird.core.version import VERSION
from bowerbird.surfaces.mcp import catalogue
from bowerbird.surfaces.mcp.caller import Caller, named
from bowerbird.surfaces.mcp.calls import Calls
from bowerbird.surfaces.mcp.tool import OFFERS
from bowerbird.surfaces.pool import LANES, READ

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractAsyncContextManager
    from typing import Any, TypeVar

    from mcp.server.context import ServerRequestContext

    from bowerbird.surfaces.pool import Lane, Pool

    Context = ServerRequestContext[Any]
    Params = types.PaginatedRequestParams | None
    Worked = TypeVar("Worked")

# What is told of the server is fixed while it runs, and holds nothing of anybody.
_FIXED = CacheHint(ttl_ms=3_600_000, scope="public")
# A memory has 10,000 characters at most; nothing that is longer than this is meant for us.
LONGEST_BODY = 1_000_000
# Where the server that serves HTTP says who calls.
CALLER_KEY = "bowerbird.caller"


def build(birds: "Pool", caller: Caller | None = None) -> "Server[Any]":
    """The server over some Bowerbirds.

    Args:
        birds: who works.
        caller: who calls; None where every request says so itself, as over HTTP.
    """
    return Service(birds, caller).server()


def http_app(
    birds: "Pool",
) -> "tuple[StreamableHTTPASGIApp, Callable[[], AbstractAsyncContextManager[None]]]":
    """For an ASGI server: the application for the one path, and what must be open meanwhile.

    Token, Host and Origin are for whoever mounts it to check; `scope[CALLER_KEY]` has to hold the
    Caller of a request. Of a conversation nothing is kept between requests in either era, so that a
    server that was started again is the same one.
    """
    manager = StreamableHTTPSessionManager(
        build(birds), json_response=True, stateless=True, max_request_body_size=LONGEST_BODY
    )
    return StreamableHTTPASGIApp(manager), manager.run


class Service:
    """What the methods of the protocol do."""

    def __init__(self, birds: "Pool", caller: Caller | None) -> None:
        self._calls = Calls(birds)
        self._kinds = birds.kinds
        self._caller = caller
        self._turns = {lane: anyio.CapacityLimiter(lane.width) for lane in LANES}

    def server(self) -> "Server[Any]":
        """The SDK's server with our handlers."""
        return Server(
            catalogue.NAME,
            title=catalogue.TITLE,
            version=VERSION,
            instructions=catalogue.INSTRUCTIONS,
            cache_hints={
                "server/discover": _FIXED,
                "tools/list": _FIXED,
                "resources/list": _FIXED,
                "resources/templates/list": _FIXED,
            },
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_list_resources=self._list_resources,
            on_list_resource_templates=self._list_templates,
            on_read_resource=self._read_resource,
        )

    async def _list_tools(self, context: "Context", params: "Params") -> types.ListToolsResult:
        who = self._caller_of(context).who
        tools = catalogue.tools_for(may_write=who.may_write, kinds=self._kinds)
        return types.ListToolsResult.model_validate({"tools": tools})

    async def _list_resources(
        self, context: "Context", params: "Params"
    ) -> types.ListResourcesResult:
        return types.ListResourcesResult.model_validate({"resources": catalogue.RESOURCES})

    async def _list_templates(
        self, context: "Context", params: "Params"
    ) -> types.ListResourceTemplatesResult:
        told = {"resourceTemplates": catalogue.TEMPLATES}
        return types.ListResourceTemplatesResult.model_validate(told)

    async def _call_tool(
        self, context: "Context", params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        offer = OFFERS.get(params.name)
        if offer is None:
            known = ", ".join(OFFERS)
            raise MCPError(types.INVALID_PARAMS, f"Unknown tool: {params.name}; known: {known}")
        caller, given = self._caller_of(context), params.arguments or {}
        done = await self._turn(offer.lane, lambda: self._calls.call(offer, caller, given))
        return types.CallToolResult(
            content=[types.TextContent(text=done.text)],
            structured_content=done.data,
            is_error=done.failed,
        )

    async def _turn(self, lane: "Lane", work: "Callable[[], Worked]") -> "Worked":
        """Do it in a thread, since Bowerbirds wait for disks and locks; who waits does so without."""
        return await anyio.to_thread.run_sync(work, limiter=self._turns[lane])

    async def _read_resource(
        self, context: "Context", params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        uri, caller = str(params.uri), self._caller_of(context)
        try:
            answer = await self._turn(READ, lambda: self._calls.read(uri, caller))
        except BowerbirdError as error:
            wrong = isinstance(error, (NotFound, UsageError))
            code = types.INVALID_PARAMS if wrong else types.INTERNAL_ERROR
            raise MCPError(code, self._calls.told(error, caller), {"uri": uri}) from error
        return types.ReadResourceResult(
            contents=[
                types.TextResourceContents(uri=uri, text=answer.text, mime_type=catalogue.MARKDOWN)
            ]
        )

    def _caller_of(self, context: "Context") -> Caller:
        """The caller of a request, with the name that the client gives itself."""
        caller = self._caller
        if context.request is not None:
            caller = context.request.scope.get(CALLER_KEY, caller)
        if caller is None:
            raise MCPError(types.INVALID_REQUEST, "nobody said who calls")
        client = context.session.client_params
        return named(caller, client.client_info.name if client else "")
