"""Ask: the sentences of memory that answer, quoted, each with where it is from. No model writes any."""

from bowerbird.core.period import period
from bowerbird.core.text import words
from bowerbird.core.types import DIGEST

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.surfaces.web.desk import Call

_HITS = 12
# The least relevance of a quotation: below it, an answer is noise (`retrieval.pack.WEAK`).
_LEAST = 0.05
# Sources that are shown at once; more collapse.
_SHOWN = 5


async def page(call: "Call") -> "dict[str, Any]":
    """The answer, if something was asked."""
    question = call.query.get("q", "").strip()
    answer = None
    if question:
        about = {
            "text": question,
            "shape": "cited",
            "limit": _HITS,
            "explain": True,
            "min_score": _LEAST,
        }
        answer = await call.verb("query", **about)
    # Memories first: a digest or a line of a transcript repeats the words of a question, and says less,
    # unless the question is for sessions.
    sources = sorted(
        answer.results if answer else (),
        key=lambda one: (not one.hit.recalled, one.details is None, one.hit.kind == DIGEST),
    )
    # Who asks for sessions gets all of them.
    shown = max(_SHOWN, sum(one.hit.recalled for one in sources))
    when = period(question, tuple(words(question)), call.now)
    return {
        "question": question,
        "answer": answer,
        "sources": sources,
        "when": when.words if when is not None else "",
        "SHOWN": shown,
    }
