"""LlamaIndex: a block of its Memory.

    memory = Memory.from_defaults(
        session_id="user-42", memory_blocks=[BowerbirdBlock(memory=bird)], insert_method="user"
    )

What bears on the latest message comes back from all that the project knows; messages that leave
LlamaIndex's short-term memory are kept here and found later. `insert_method="user"` puts recalled texts
into the user's message: they are data, and do not belong into a system prompt.
"""

import asyncio
from typing import Any

from bowerbird.surfaces.adapters.conversation import Conversation, Turn
from bowerbird.surfaces.adapters.shared import as_agent, key_of, missing, recall

try:
    from llama_index.core.llms import ChatMessage, MessageRole
    from llama_index.core.memory import BaseMemoryBlock
except ImportError as error:
    raise missing("llama-index-core", "llama-index") from error

_ROLES = {MessageRole.USER: "user", MessageRole.TOOL: "tool", MessageRole.FUNCTION: "tool"}


class BowerbirdBlock(BaseMemoryBlock[str]):
    """A block over a `Bowerbird`, or over a `Client`. `budget`: tokens of what is recalled."""

    name: str = "bowerbird"
    memory: Any
    budget: int | None = None
    priority: int = 1

    async def _aget(self, messages: "list[ChatMessage] | None" = None, **_: "Any") -> str:
        said = next((one.content for one in (messages or ())[::-1] if one.role == "user"), None)
        reading = as_agent(self.memory, "llama-index")
        return await asyncio.to_thread(recall, reading, said or "", self.budget)

    async def _aput(self, messages: "list[ChatMessage]") -> None:
        for one in messages:
            session = str(one.additional_kwargs.get("session_id", "default"))
            own = as_agent(self.memory, "llama-index", reads=False)
            kept = Conversation(own, f"{key_of('llama-index', session)}/", session)
            turn = Turn(
                _ROLES.get(one.role, "assistant"), one.content or "", one.model_dump(mode="json")
            )
            await asyncio.to_thread(kept.add, turn)

    async def atruncate(self, content: str, tokens_to_truncate: int) -> str | None:  # noqa: ARG002
        """Recalled texts stay whole in their envelope, or are left out."""
        return None
