"""Ask: the sentences of memory that answer, quoted, each with where it is from. No model writes any."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.surfaces.web.desk import Call

_HITS = 12
# Sources that are shown at once; more collapse.
_SHOWN = 5


async def page(call: "Call") -> "dict[str, Any]":
    """The answer, if something was asked."""
    question = call.query.get("q", "").strip()
    answer = None
    if question:
        about = {"text": question, "shape": "cited", "limit": _HITS, "explain": True}
        answer = await call.verb("query", **about)
    return {"question": question, "answer": answer, "SHOWN": _SHOWN}
