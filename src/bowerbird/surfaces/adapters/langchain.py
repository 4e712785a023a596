"""LangChain: a middleware that brings and keeps memories, and a retriever over all that is indexed.

    agent = create_agent(model, tools=[], middleware=[BowerbirdMiddleware(bird)])

Before a run the trusted memories for the user's message are read once; each call of the model gets them
as a message of their own before it, as data, and the agent gets the tools memory_search and memory_store.
"""

import asyncio
from typing import Any

from bowerbird.surfaces.adapters.shared import as_agent, missing, recall, tools

try:
    from langchain.agents.middleware import AgentMiddleware, AgentState
    from langchain_core.documents import Document
    from langchain_core.messages import HumanMessage
    from langchain_core.retrievers import BaseRetriever
    from langchain_core.tools import StructuredTool
except ImportError as error:
    raise missing("langchain", "langchain") from error

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from bowerbird.core.answers import Hit
    from bowerbird.core.memory import Memory


class RecallState(AgentState[Any]):
    """The state of an agent with what was recalled for its run."""

    bowerbird_recall: str


class BowerbirdMiddleware(AgentMiddleware[RecallState, Any, Any]):
    """Recall before each run, and the tools of a memory. `budget`: tokens of what is recalled."""

    state_schema = RecallState

    def __init__(self, memory: "Memory", *, budget: int | None = None) -> None:
        super().__init__()
        self._memory = as_agent(memory, "langchain")
        self._budget = budget
        self.tools = [StructuredTool.from_function(one) for one in tools(self._memory)]

    def before_agent(self, state: "Any", runtime: "Any") -> "dict[str, Any] | None":  # noqa: ARG002
        """Read what bears on the latest message of the user."""
        said = next((one.text for one in state["messages"][::-1] if _by_user(one)), "")
        return {"bowerbird_recall": recall(self._memory, said, self._budget)}

    async def abefore_agent(self, state: "Any", runtime: "Any") -> "dict[str, Any] | None":
        """The same, on a thread."""
        return await asyncio.to_thread(self.before_agent, state, runtime)

    def wrap_model_call(self, request: "Any", handler: "Callable[[Any], Any]") -> "Any":
        """Call the model with it."""
        return handler(_with_recall(request))

    async def awrap_model_call(
        self, request: "Any", handler: "Callable[[Any], Awaitable[Any]]"
    ) -> "Any":
        """The same."""
        return await handler(_with_recall(request))


class BowerbirdRetriever(BaseRetriever):
    """The entries that answer a question as documents: memories, notes, code and conversations.

    `narrowing` holds filters of `Bowerbird.query`, such as {"kinds": ["decision"], "path": "docs/"}.
    """

    memory: Any
    k: int = 10
    narrowing: dict[str, Any] = {}  # noqa: RUF012 a field of a pydantic model, copied for each

    def _get_relevant_documents(self, query: str, *, run_manager: "Any") -> list[Document]:  # noqa: ARG002
        hits = self.memory.query(query, limit=self.k, **self.narrowing) if query.strip() else ()
        return [_document(hit) for hit in hits]


def _by_user(message: "Any") -> bool:
    return isinstance(message, HumanMessage)


def _with_recall(request: "Any") -> "Any":
    """A request with the recalled texts before the user's latest message."""
    found = request.state.get("bowerbird_recall")
    if not found:
        return request
    messages: Sequence[Any] = request.messages
    last = max((at for at, one in enumerate(messages) if _by_user(one)), default=0)
    shown = HumanMessage(found, name="memory")
    return request.override(messages=[*messages[:last], shown, *messages[last:]])


def _document(hit: "Hit") -> Document:
    entry = hit.entry
    place = {"path": entry.path, "start_line": entry.start_line, "end_line": entry.end_line}
    about = {"kind": entry.kind, "trust": entry.trust, "relevance": hit.relevance}
    return Document(hit.text, id=hit.id, metadata=about | ({} if entry.path is None else place))
