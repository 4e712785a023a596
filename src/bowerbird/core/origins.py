"""Who wrote something, and how far that is believed (design, section 8)."""

from bowerbird.core.errors import UnknownName

# Trust by origin, as a position in core.types.TRUSTS; lineage and taint can only lower it.
TRUST_OF = {
    "user": "full",
    "agent": "normal",
    "tool_internal": "normal",
    "import": "imported",
    "tool_external": "low",
    "peer": "low",
}


def trust_of(origin: str) -> str:
    """The trust that an origin starts with. Raises UnknownName."""
    if origin not in TRUST_OF:
        raise UnknownName.among("origin", origin, list(TRUST_OF))
    return TRUST_OF[origin]
