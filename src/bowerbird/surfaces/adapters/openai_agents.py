"""The OpenAI Agents SDK: a Session whose conversation outlives the process and is found later.

    session = BowerbirdSession("user-42", bird)
    result = await Runner.run(agent, "I moved to Lyon", session=session)

Items come back exactly as they were added, in order. What people and agents said in them is found by any
search of the project; what tools returned is not.
"""

import asyncio
from typing import Any

from bowerbird.surfaces.adapters.conversation import Conversation, Turn
from bowerbird.surfaces.adapters.shared import as_agent, key_of, missing, tools

try:
    from agents.memory import SessionABC, SessionSettings
    from agents.memory.session_settings import resolve_session_limit
    from agents.tool import FunctionTool, function_tool
except ImportError as error:
    raise missing("openai-agents", "openai-agents") from error

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.memory import Memory

# Items that the model itself makes; others are what a tool returned.
_OWN = frozenset(("message", "reasoning", "function_call", "custom_tool_call"))


class BowerbirdSession(SessionABC):
    """A conversation of the SDK, kept under its id in the memory's project."""

    def __init__(
        self, session_id: str, memory: "Memory", settings: "SessionSettings | None" = None
    ) -> None:
        self.session_id = session_id
        self.session_settings = settings
        own = as_agent(memory, "openai-agents", reads=False)
        start = f"{key_of('openai-agents', session_id)}/"
        self._kept = Conversation(own, start, session_id)

    async def get_items(self, limit: "int | None" = None) -> "list[Any]":
        """The items in order, or only the latest ones."""
        most = resolve_session_limit(limit, self.session_settings)
        return await asyncio.to_thread(self._kept.items, most)

    async def add_items(self, items: "list[Any]") -> None:
        """Keep items after the others."""
        for item in items:
            await asyncio.to_thread(self._kept.add, _turn(dict(item)))

    async def pop_item(self) -> "Any":
        """Take the latest item away and return it."""
        return await asyncio.to_thread(self._kept.pop)

    async def clear_session(self) -> None:
        """Forget the conversation."""
        await asyncio.to_thread(self._kept.clear)


def memory_tools(memory: "Memory") -> list[FunctionTool]:
    """The tools memory_search and memory_store for an Agent."""
    return [function_tool(one) for one in tools(as_agent(memory, "openai-agents"))]


def _turn(item: "dict[str, Any]") -> Turn:
    kind = item.get("type", "message")
    role = str(item.get("role", "assistant")) if kind in _OWN else "tool"
    return Turn(role, _said(item), item)


def _said(item: "dict[str, Any]") -> str:
    content = item.get("content") or item.get("summary") or ""
    if isinstance(content, str):
        return content or f"calls {item.get('name', 'a tool')}"
    return "\n".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
