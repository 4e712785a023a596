"""CrewAI: the tools of a memory for its agents.

    agent = Agent(role="…", goal="…", backstory="…", tools=memory_tools(bird))

CrewAI's own memory hands its storage vectors and no texts, so that it cannot be asked by words; its
agents use Bowerbird by tools, beside or instead of it.
"""

from bowerbird.surfaces.adapters.shared import as_agent, missing, tools

try:
    from crewai.tools import BaseTool, tool
except ImportError as error:
    raise missing("crewai", "crewai") from error

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.memory import Memory


def memory_tools(memory: "Memory") -> list[BaseTool]:
    """The tools memory_search and memory_store for an Agent."""
    return [tool(one.__name__)(one) for one in tools(as_agent(memory, "crewai"))]
