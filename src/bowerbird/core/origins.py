"""The origins of entries, and the trust that each starts with."""

from bowerbird.core.errors import UnknownName

# Trust by origin, one of core.types.TRUSTS; lineage and taint can only lower it.
TRUST_OF = {
    "user": "full",
    "agent": "normal",
    "member": "normal",
    "tool_internal": "normal",
    "import": "imported",
    "tool_external": "low",
    "peer": "low",
}
# Origins whose memories wait for review.
UNSEEN = frozenset({"tool_external"})

# The source of a memory and its origin. Results of third-party tools are external, whatever the agent
# made of them.
ORIGIN_OF = {
    "user_taught": "user",
    "agent_explicit": "agent",
    "observer_inferred": "agent",
    "qa_auto": "tool_internal",
    "commit_auto": "tool_internal",
    "mcp_auto": "tool_external",
}
# What a person stated themselves, and what was inferred from what happened: only the latter has to reach
# the confidence that a project's level requires.
TAUGHT = "user_taught"
# The source of what an agent stored of its own.
NOTED = "agent_explicit"
# The mark, in what is noted of its learning, of a statement that may have been meant for the moment
# alone; and why it waits.
TENTATIVE = "tentative"
# The mark of what the agent proposed and a person accepted, and what is said of its author.
ACCEPTED = "accepted"
ACCEPTED_BY_USER = "the agent, accepted by you"
ON_ASKING = "said by you, perhaps for once: told where a prompt asks for it, not at starts"
INFERRED = frozenset({"observer_inferred", "qa_auto", "commit_auto", "mcp_auto"})
# How a memory, or a change of one, came from another copy of the store: what the audit says of it. Such a
# line names no version; it is this copy's own, and is neither given on nor reverted.
IMPORTED = "imported"
SYNCED = "synced"
ARRIVALS = (IMPORTED, SYNCED)
# The confidence that a memory starts with, by source, unless another is given; for other sources it is 1.
# Where an import has it from, nobody knows.
START_CONFIDENCE = {
    TAUGHT: 1.0,
    "agent_explicit": 0.8,
    "member": 0.8,
    "mcp_auto": 0.75,
    "import": 0.75,
    "tool_external": 0.75,
}
# The source that an origin implies.
_USUAL_SOURCE = {"user": "user_taught", "agent": "agent_explicit"}


def trust_of(origin: str) -> str:
    """The trust that an origin starts with. Raises UnknownName."""
    if origin not in TRUST_OF:
        raise UnknownName.among("origin", origin, list(TRUST_OF))
    return TRUST_OF[origin]


def origin_of(source: str) -> str:
    """The origin that corresponds to a source. Raises UnknownName."""
    if source not in ORIGIN_OF:
        raise UnknownName.among("source", source, list(ORIGIN_OF))
    return ORIGIN_OF[source]


def source_of(origin: str) -> str:
    """The source that an origin implies; else the origin's own name."""
    return _USUAL_SOURCE.get(origin, origin)
