"""The server: the protocol of the official SDK around the tools and resources.

The low-level server speaks both eras, the stateless one and the one that begins with `initialize`;
the first message decides.
"""

import sys

import anyio.to_thread
import mcp_types as types
from mcp.server.caching import CacheHint
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import (
    StreamableHTTPASGIApp,
    StreamableHTTPSessionManager,
)
from mcp.shared.exceptions import MCPError

from bowerbird.core.errors import BadInput, BowerbirdError, NotFound, StoreMissing
from bowerbird.core.version import VERSION
from bowerbird.surfaces.birds import LANES, READ
from bowerbird.surfaces.mcp import catalogue
from bowerbird.surfaces.mcp.answer import Answer, lean
from bowerbird.surfaces.mcp.caller import Caller, named
from bowerbird.surfaces.mcp.resources import read
from bowerbird.surfaces.mcp.tools import WORK
from bowerbird.surfaces.sessions import Sessions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractAsyncContextManager
    from typing import Any

    from mcp.server.context import ServerRequestContext

    from bowerbird.bird import Bowerbird
    from bowerbird.surfaces.birds import Birds, Lane
    from bowerbird.surfaces.mcp.tool import Tool

    Context = ServerRequestContext[Any]
    Params = types.PaginatedRequestParams | None

# What is told of the server is fixed while it runs, and holds nothing of anybody.
_FIXED = CacheHint(ttl_ms=3_600_000, scope="public")
# A memory has 10,000 characters at most; nothing that is longer than this is meant for us.
LONGEST_BODY = 1_000_000
# Characters of what was given wrongly that are told back.
_GIVEN_BACK = 60
# Where the server that serves HTTP says who calls.
CALLER_KEY = "bowerbird.caller"


def build(birds: "Birds", caller: Caller | None = None) -> "Server[Any]":
    """The server over some Bowerbirds.

    Args:
        birds: who works.
        caller: who calls; None where every request says so itself, as over HTTP.
    """
    return Service(birds, caller).server()


def http_app(
    birds: "Birds",
) -> "tuple[StreamableHTTPASGIApp, Callable[[], AbstractAsyncContextManager[None]]]":
    """For an ASGI server: the application for the one path, and what must be open meanwhile.

    Token, Host and Origin are for whoever mounts it to check; `scope[CALLER_KEY]` has to hold the
    Caller of a request. Of a conversation nothing is kept between requests in either era, so that a
    server that was started again is the same one; only who has read what came from outside is.
    """
    manager = StreamableHTTPSessionManager(
        build(birds), json_response=True, stateless=True, max_request_body_size=LONGEST_BODY
    )
    return StreamableHTTPASGIApp(manager), manager.run


class Service:
    """What the methods of the protocol do."""

    def __init__(self, birds: "Birds", caller: Caller | None) -> None:
        self._birds = birds
        self._caller = caller
        self._sessions = Sessions()
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
        may_write = self._who(context).may_write
        told = [tool.told() for tool in catalogue.tools_for(may_write=may_write)]
        return types.ListToolsResult.model_validate({"tools": told})

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
        tool = catalogue.TOOLS.get(params.name)
        if tool is None:
            known = ", ".join(catalogue.TOOLS)
            raise MCPError(types.INVALID_PARAMS, f"Unknown tool: {params.name}; known: {known}")
        caller = self._who(context)
        try:
            return await self._answer(tool, caller, params.arguments or {})
        except BowerbirdError as error:
            return _failed(self._told(error, caller))
        except Exception as error:  # noqa: BLE001 one call fails, the server lives on
            sys.stderr.write(f"{tool.name}: {type(error).__name__}: {error}\n")
            what = f": {error}" if caller.local else ""
            return _failed(f"{type(error).__name__}{what}: a fault of ours")

    async def _answer(
        self, tool: "Tool", caller: Caller, given: "dict[str, Any]"
    ) -> types.CallToolResult:
        if tool.writes and not caller.may_write:
            raise BadInput(f"{tool.name} writes, and this caller may only read", "ask the user")
        self._check(tool, given)
        answer = await self._turn(tool.lane, lambda: self._work(tool, caller, given))
        return types.CallToolResult(
            content=[types.TextContent(text=answer.text)],
            structured_content=lean(answer.data, tool.always),
        )

    async def _turn(self, lane: "Lane", work: "Callable[[], Answer]") -> Answer:
        """Do it in a thread, since Bowerbirds wait for disks and locks; who waits does so without."""
        return await anyio.to_thread.run_sync(work, limiter=self._turns[lane])

    def _work(self, tool: "Tool", caller: Caller, given: "dict[str, Any]") -> Answer:
        """Runs in a thread."""
        confined = not (caller.all_projects or (tool.writes and caller.may_share))
        caller = caller.replace(tainted=self._sessions.tainted(caller.reader))
        with self._birds.lent(tool.lane, caller.project, confined=confined) as bird:
            return self._noted(bird, caller, WORK[tool.name](bird, caller, given))

    def _noted(self, bird: "Bowerbird", caller: Caller, answer: Answer) -> Answer:
        """Note what was handed over, as use and as what the session has met."""
        self._sessions.met(caller.reader, answer.trusts)
        if caller.may_write:
            bird.used(answer.used, caller.session)
        return answer

    @staticmethod
    def _check(tool: "Tool", given: "dict[str, Any]") -> None:
        """Raises BadInput for arguments that the tool does not take."""
        from jsonschema import Draft202012Validator  # start-up: 90 ms of CPU, for calls alone
        from jsonschema.exceptions import best_match  # start-up: as above

        wrong = best_match(Draft202012Validator(tool.told()["inputSchema"]).iter_errors(given))
        if wrong is None:
            return
        where = ".".join(str(step) for step in wrong.absolute_path)
        takes = ", ".join(
            name if name in tool.required else f"{name} (optional)" for name in tool.takes
        )
        # What was given comes back in an agent's own tokens: its beginning is enough.
        given_back = repr(wrong.instance)
        told = wrong.message.replace(given_back, given_back[:_GIVEN_BACK])
        if wrong.validator == "maxLength":
            told = f"{len(wrong.instance):,} characters is too long; {wrong.validator_value:,} fit"
        message = f"{where}: {told}" if where else told
        raise BadInput(f"{tool.name}: {message}", f"it takes: {takes or 'nothing'}")

    async def _read_resource(
        self, context: "Context", params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        uri, caller = str(params.uri), self._who(context)
        try:
            answer = await self._turn(READ, lambda: self._read(uri, caller))
        except BowerbirdError as error:
            code = types.INVALID_PARAMS if isinstance(error, NotFound) else types.INTERNAL_ERROR
            raise MCPError(code, self._told(error, caller), {"uri": uri}) from error
        return types.ReadResourceResult(
            contents=[
                types.TextResourceContents(uri=uri, text=answer.text, mime_type=catalogue.MARKDOWN)
            ]
        )

    def _read(self, uri: str, caller: Caller) -> Answer:
        with self._birds.lent(READ, caller.project, confined=not caller.all_projects) as bird:
            return self._noted(bird, caller, read(bird, caller, uri))

    def _told(self, error: BowerbirdError, caller: Caller) -> str:
        """An error with what to do about it; where the store is, is told on this machine alone."""
        if isinstance(error, StoreMissing):
            return "nothing has been stored yet: memory_store keeps the first memory"
        told = ": ".join(filter(None, (error.message, error.remedy)))
        for command, tool in _IN_TOOLS.items():
            told = told.replace(command, tool)
        return told if caller.local else told.replace(self._birds.path, "the store")

    def _who(self, context: "Context") -> Caller:
        """The caller of a request, with the name that the client gives itself."""
        caller = self._caller
        if context.request is not None:
            caller = context.request.scope.get(CALLER_KEY, caller)
        if caller is None:
            raise MCPError(types.INVALID_REQUEST, "nobody said who calls")
        client = context.session.client_params
        return named(caller, client.client_info.name if client else "")


def _failed(told: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(text=told)], is_error=True)


# Remedies speak of the command line; whoever reads them here has these.
_IN_TOOLS = {
    "bower query, bower list": "memory_search",
    "bower query": "memory_search",
    "bower curate": "memory_store",
    "bower get": "memory_get",
    "bower context": "memory_context",
    "bower forget": "memory_forget",
    "bower revert": "memory_revert",
    "bower status": "memory_status",
    "bower prune": "memory_prune",
}
