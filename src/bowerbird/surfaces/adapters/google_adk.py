"""Google's Agent Development Kit: its memory service.

    runner = Runner(agent=agent, session_service=…, memory_service=BowerbirdService(bird))

What people and agents said in a session that is added, and what is added by itself, is found for the
same application and user, by words and by meaning; the same event is kept once.
"""

import asyncio
from datetime import UTC, datetime
from typing import Any

from bowerbird.core.errors import NotFound
from bowerbird.surfaces.adapters.conversation import Conversation, Turn
from bowerbird.surfaces.adapters.shared import as_agent, at, fitting, key_in, key_of, missing

try:
    from google.adk.memory.base_memory_service import BaseMemoryService, SearchMemoryResponse
    from google.adk.memory.memory_entry import MemoryEntry
    from google.genai.types import Content, Part
except ImportError as error:
    raise missing("google-adk", "google-adk") from error

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.core.answers import Hit
    from bowerbird.core.memory import Memory

_OWN = "memories"
_HITS = 10


class BowerbirdService(BaseMemoryService):
    """The service over a `Bowerbird`, or over a `Client` of a server."""

    def __init__(self, memory: "Memory") -> None:
        self._memory = as_agent(memory, "google-adk", reads=False)

    async def add_session_to_memory(self, session: "Any") -> None:
        """Keep the events of a session; those that are kept already stay as they are."""
        about = {"app_name": session.app_name, "user_id": session.user_id}
        await self.add_events_to_memory(**about, events=session.events, session_id=session.id)

    async def add_events_to_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        events: "Sequence[Any]",
        session_id: str | None = None,
        custom_metadata: "Any" = None,  # noqa: ARG002
    ) -> None:
        """Keep some events."""
        session = session_id or "unknown"
        start = f"{_start(app_name, user_id)}{key_of(session)}/"
        kept = Conversation(self._memory, start, session)
        for event in events:
            if event.content is not None and event.content.parts:
                await asyncio.to_thread(kept.add, _turn(event), event.id)

    async def add_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        memories: "Sequence[MemoryEntry]",
        custom_metadata: "Any" = None,
    ) -> None:
        """Keep texts of their own; an entry's id is its key."""
        for one in memories:
            text = _text(one.content)
            about = {**one.custom_metadata, **(custom_metadata or {})}
            key = f"{_start(app_name, user_id)}{key_of(_OWN, one.id or text[:80])}"
            put = self._memory.remember
            await asyncio.to_thread(put, fitting(text, "an empty memory"), key=key, metadata=about)

    async def search_memory(
        self, *, app_name: str, user_id: str, query: str
    ) -> SearchMemoryResponse:
        """What was kept for this application and user that answers a question."""
        if not query.strip():
            return SearchMemoryResponse(memories=[])
        mine = [f"key={_start(app_name, user_id)}*"]
        hits = await asyncio.to_thread(self._memory.query, query, fields=mine, limit=_HITS)
        return SearchMemoryResponse(memories=[_entry(hit) for hit in hits])

    async def delete_memory(
        self, *, app_name: str, user_id: str, memory_id: str | None = None
    ) -> None:
        """Forget a memory by the id that a search gave, or by the one that it was added with."""
        if memory_id is None:
            return
        mine = _start(app_name, user_id)
        found = await asyncio.to_thread(at, self._memory, mine + key_of(_OWN, memory_id))
        if found is None:
            found = await asyncio.to_thread(self._memory.get, memory_id)
        if not key_in(found).startswith(mine):
            raise NotFound(f"{user_id} has no memory {memory_id}", "search_memory gives the ids")
        await asyncio.to_thread(self._memory.forget, found.id, "deleted by its user")


def _start(app: str, user: str) -> str:
    return f"{key_of('google-adk', app, user)}/"


def _turn(event: "Any") -> Turn:
    role = "user" if event.author == "user" else "assistant"
    if any(part.function_response is not None for part in event.content.parts):
        role = "tool"
    return Turn(role, _text(event.content), {"author": event.author, "timestamp": event.timestamp})


def _text(content: "Any") -> str:
    return "\n".join(part.text for part in content.parts or () if part.text)


def _entry(hit: "Hit") -> MemoryEntry:
    speaker, sign, said = hit.text.partition(": ")
    known = sign and speaker in {"user", "assistant"}
    role = "user" if speaker == "user" else "model"
    return MemoryEntry(
        id=hit.id,
        content=Content(role=role, parts=[Part(text=said if known else hit.text)]),
        author=speaker if known else None,
        timestamp=datetime.fromtimestamp(hit.entry.created / 1000, UTC).isoformat(),
    )
