"""Pydantic AI: a capability that brings and keeps memories.

    agent = Agent(model, capabilities=[BowerbirdMemory(bird)])

Once a run the trusted memories for the user's prompt are read; each request of the run gets them as a
message of their own before the prompt, as data. The agent gets the tools memory_search and memory_store.
"""

import asyncio
from dataclasses import replace
from typing import Any

from bowerbird.surfaces.adapters.shared import GUIDE, as_agent, missing, recall, tools

try:
    from pydantic_ai.capabilities import AbstractCapability
    from pydantic_ai.messages import ModelRequest, UserPromptPart
    from pydantic_ai.toolsets import FunctionToolset
except ImportError as error:
    raise missing("pydantic-ai", "pydantic-ai") from error

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.memory import Memory


class BowerbirdMemory(AbstractCapability[Any]):
    """The capability over a `Bowerbird`, or over a `Client`. `budget`: tokens of what is recalled."""

    def __init__(self, memory: "Memory", *, budget: int | None = None) -> None:
        self._memory = as_agent(memory, "pydantic-ai")
        self._given = memory
        self._budget = budget
        # Of one run; None: not read yet.
        self._recalled: str | None = None

    async def for_run(self, ctx: "Any") -> "BowerbirdMemory":  # noqa: ARG002
        """One for each run, which remembers what was recalled for it."""
        return BowerbirdMemory(self._given, budget=self._budget)

    def get_instructions(self) -> str:
        """How to use the tools."""
        return GUIDE

    def get_toolset(self) -> "Any":
        """The tools."""
        return FunctionToolset([*tools(self._memory)])

    async def before_model_request(self, ctx: "Any", request_context: "Any") -> "Any":  # noqa: ARG002
        """Put what was recalled before the user's latest prompt, for this request only."""
        messages: list[Any] = request_context.messages
        at, said = _latest_prompt(messages)
        if self._recalled is None:
            self._recalled = await asyncio.to_thread(recall, self._memory, said, self._budget)
        if not self._recalled:
            return request_context
        shown = ModelRequest(parts=[UserPromptPart(self._recalled)])
        return replace(request_context, messages=[*messages[:at], shown, *messages[at:]])


def _latest_prompt(messages: "list[Any]") -> tuple[int, str]:
    """The position of the message with the user's latest prompt, and its text."""
    for at in range(len(messages) - 1, -1, -1):
        for part in getattr(messages[at], "parts", ()):
            if isinstance(part, UserPromptPart):
                said = part.content
                texts = (
                    [said] if isinstance(said, str) else [one for one in said if type(one) is str]
                )
                return at, "\n".join(texts)
    return 0, ""
