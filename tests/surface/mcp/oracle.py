"""The same tools and resources behind the server of the official SDK: what its replies would be."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import mcp_types as types
from mcp.server.caching import CacheHint
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from bowerbird.core.errors import BowerbirdError, NotFound, UsageError
from bowerbird.core.version import VERSION
from bowerbird.surfaces.mcp import catalogue
from bowerbird.surfaces.mcp.caller import Caller, named
from bowerbird.surfaces.mcp.calls import Calls
from bowerbird.surfaces.mcp.tool import OFFERS

if TYPE_CHECKING:
    from collections.abc import Callable

    from bowerbird.daemon.birds import Birds

FIXED = CacheHint(ttl_ms=3_600_000, scope="public")


def build(birds: Birds, caller: Caller) -> Server[Any]:
    """The SDK's server over some Bowerbirds."""
    calls = Calls(birds)

    def whose(context: Any) -> Caller:
        client = context.session.client_params
        return named(caller, client.client_info.name if client else "")

    async def tools(_: Any, params: Any) -> types.ListToolsResult:
        message = catalogue.tools_for(may_write=caller.who.may_write, kinds=birds.kinds)
        return types.ListToolsResult.model_validate({"tools": message})

    async def resources(_: Any, params: Any) -> types.ListResourcesResult:
        return types.ListResourcesResult.model_validate({"resources": catalogue.RESOURCES})

    async def templates(_: Any, params: Any) -> types.ListResourceTemplatesResult:
        message = {"resourceTemplates": catalogue.TEMPLATES}
        return types.ListResourceTemplatesResult.model_validate(message)

    async def call(context: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        if params.name not in OFFERS:
            message = f"Unknown tool: {params.name}; known: {', '.join(OFFERS)}"
            raise MCPError(types.INVALID_PARAMS, message)
        done = calls.call(OFFERS[params.name], whose(context), params.arguments or {})
        return types.CallToolResult(
            content=[types.TextContent(text=done.text)],
            structured_content=done.data,
            is_error=done.failed,
        )

    async def read(
        context: Any, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        uri, who = str(params.uri), whose(context)
        try:
            text = calls.read(uri, who).text
        except BowerbirdError as error:
            wrong = isinstance(error, NotFound | UsageError)
            code = types.INVALID_PARAMS if wrong else types.INTERNAL_ERROR
            raise MCPError(code, calls.error_text(error, who), {"uri": uri}) from error
        held = types.TextResourceContents(uri=uri, text=text, mime_type=catalogue.MARKDOWN)
        return types.ReadResourceResult(contents=[held])

    prompts, prompt = _prompts(calls, whose)
    lists = (
        "server/discover",
        "tools/list",
        "resources/list",
        "resources/templates/list",
        "prompts/list",
    )
    return Server(
        catalogue.NAME,
        title=catalogue.TITLE,
        version=VERSION,
        instructions=catalogue.INSTRUCTIONS,
        cache_hints=dict.fromkeys(lists, FIXED),  # type: ignore[arg-type]
        on_list_tools=tools,
        on_call_tool=call,
        on_list_resources=resources,
        on_list_prompts=prompts,
        on_get_prompt=prompt,
        on_list_resource_templates=templates,
        on_read_resource=read,
    )


def _prompts(calls: Calls, whose: Callable[[Any], Caller]) -> tuple[Any, Any]:
    """The SDK's handlers of prompts: the list, and one."""

    async def listed(_: Any, params: Any) -> types.ListPromptsResult:
        return types.ListPromptsResult.model_validate({"prompts": catalogue.PROMPTS})

    async def one(context: Any, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        (known,) = catalogue.PROMPTS
        if params.name != known["name"]:
            message = f"Unknown prompt: {params.name}; known: {known['name']}"
            raise MCPError(types.INVALID_PARAMS, message)
        who = whose(context)
        try:
            text = calls.prompt(who)
        except BowerbirdError as error:
            raise MCPError(types.INTERNAL_ERROR, calls.error_text(error, who)) from error
        said = types.PromptMessage(role="user", content=types.TextContent(text=text))
        return types.GetPromptResult(description=known["description"], messages=[said])

    return listed, one
