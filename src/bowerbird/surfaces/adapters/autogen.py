"""AutoGen: a Memory of its agents.

    agent = AssistantAgent("shop", model_client=client, memory=[BowerbirdMemory(bird)])

Before each answer the trusted memories for the latest message are added to the model's context, as a
message of their own, once each. What is added with `add` goes through admission like any memory.
"""

import asyncio
import json
from typing import Any

from bowerbird.surfaces.adapters.shared import as_agent, fitting, missing, recall

try:
    from autogen_core.memory import (
        Memory,
        MemoryContent,
        MemoryMimeType,
        MemoryQueryResult,
        UpdateContextResult,
    )
    from autogen_core.models import UserMessage
except ImportError as error:
    raise missing("autogen-core", "autogen") from error

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.answers import Hit
    from bowerbird.core.memory import Memory as Store

_TAG = "autogen"
_LISTED = 200


class BowerbirdMemory(Memory):
    """The memory over a `Bowerbird`, or over a `Client`. `budget`: tokens of what is recalled."""

    component_type = "memory"

    def __init__(
        self, memory: "Store", *, name: str = "bowerbird", budget: int | None = None
    ) -> None:
        self.name = name
        self._memory = as_agent(memory, "autogen")
        self._budget = budget

    async def update_context(self, model_context: "Any") -> UpdateContextResult:
        """Add what bears on the latest message."""
        messages = await model_context.get_messages()
        said = next((one.content for one in messages[::-1] if isinstance(one, UserMessage)), "")
        found = await asyncio.to_thread(recall, self._memory, _text(said), self._budget)
        if found:
            await model_context.add_message(UserMessage(content=found, source="memory"))
        shown = [MemoryContent(content=found, mime_type=MemoryMimeType.TEXT)] if found else []
        return UpdateContextResult(memories=MemoryQueryResult(results=shown))

    async def query(
        self,
        query: str | MemoryContent,
        cancellation_token: "Any" = None,  # noqa: ARG002
        **narrowing: "Any",
    ) -> MemoryQueryResult:
        """The entries that answer a question; `narrowing` are filters of `Bowerbird.query`."""
        asked = _text(query if isinstance(query, str) else query.content)
        narrowing.setdefault("min_trust", "imported")
        hits = await asyncio.to_thread(self._memory.query, asked, **narrowing)
        return MemoryQueryResult(results=[_content(hit) for hit in hits])

    async def add(self, content: MemoryContent, cancellation_token: "Any" = None) -> None:  # noqa: ARG002
        """Keep a text, or an object as JSON."""
        text = fitting(_text(content.content), "an empty memory")
        about: Any = {"metadata": content.metadata, "tags": [_TAG]}
        await asyncio.to_thread(self._memory.remember, text, **about)

    async def clear(self) -> None:
        """Forget what was added through this interface."""
        while found := self._memory.list(tags=[_TAG], memories_only=True, limit=_LISTED):
            self._memory.forget_all([one.id for one in found], "cleared")

    async def close(self) -> None:
        """Nothing is held open that is not the caller's."""


def _text(content: "Any") -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, dict):
        return json.dumps(content, ensure_ascii=False)
    texts = [one for one in content if isinstance(one, str)] if isinstance(content, list) else []
    return "\n".join(texts)


def _content(hit: "Hit") -> MemoryContent:
    about = {"id": hit.id, "score": hit.relevance, "kind": hit.kind, "trust": hit.entry.trust}
    return MemoryContent(content=hit.text, mime_type=MemoryMimeType.TEXT, metadata=about)
