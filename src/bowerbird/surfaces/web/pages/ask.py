"""Ask: the sentences of memory that answer, quoted, each with where it is from. No model writes any."""

import re
from shlex import quote

from bowerbird.core.answers import CERTAIN, UNDIGESTED
from bowerbird.core.period import period
from bowerbird.core.text import words
from bowerbird.surfaces.web.pages.sessions import against, decisions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from bowerbird.bird import Bowerbird
    from bowerbird.core.period import Period
    from bowerbird.core.types import Entry
    from bowerbird.surfaces.web.desk import Call

# How a recorded session writes a call, and what it gave.
_CALL = re.compile(r"\[(?:tool|result)\b")
# Sources that are shown at once; more collapse.
_SHOWN = 5


async def page(call: "Call") -> "dict[str, Any]":
    """The answer, if something was asked."""
    question = call.query.get("q", "").strip()
    answer = None
    if question:
        answer = await call.verb("query", text=question, shape="cited")
    sources = answer.results if answer else ()
    # A recorded call of a tool is no sentence that answers, unless nothing else was found.
    sources = [one for one in sources if not _is_call(one)] or sources
    # Who asks for sessions gets all of them, and at first nothing else.
    asked = sum(one.hit.recalled for one in sources)
    # What is likely an answer is shown at once, and where nothing is, the nearest.
    likely = sum(one.hit.relevance >= CERTAIN for one in sources)
    when = period(question, tuple(words(question)), call.now) if asked else None
    opposed, related = await call.work(
        lambda bird: _against(bird, [one.hit.id for one in sources if one.details])
    )
    spoken = {
        one.hit.id: one.hit.entry.session
        for one in sources
        if not one.details and one.hit.entry.session
    }
    said_in = await call.work(lambda bird: _said_in(bird, spoken)) if spoken else {}
    recalled = [one.hit.entry.session or "" for one in sources if one.hit.recalled]
    undigested = [one for one in answer.hits.notes if one.kind == UNDIGESTED] if answer else []
    return {
        "undigested": undigested[0].parts[-1] if undigested else "",
        "decided": await call.work(lambda bird: decisions(bird, recalled)) if recalled else {},
        "said_in": said_in,
        "question": question,
        "command": f"query {quote(question)}" if question else 'query "…"',
        "answer": answer,
        "sources": sources,
        "when": when.words if when is not None else "",
        "nothing_then": (when.start, when.end)
        if answer
        and when
        and not undigested
        and (answer.hits.nothing_then or not _any_of_then(sources, when))
        else None,
        "against": opposed,
        "related": related,
        # The kind that was asked for and nothing else, if it has more than are listed.
        "more_of": next((one.hit.kind for one in sources), "")
        if answer and any(note.kind == "kinds" for note in answer.hits.notes)
        else "",
        "SHOWN": asked or min(likely or _SHOWN, _SHOWN),
    }


def _is_call(source: "Any") -> bool:
    """Whether all that is quoted of a passage is a call of a tool, or its result."""
    quoted = [source.hit.text[begin:end].lstrip(" “") for begin, end in source.spans]
    return not source.details and bool(quoted) and all(map(_CALL.match, quoted))


def _any_of_then(sources: "Sequence[Any]", when: "Period") -> bool:
    """Whether a session among the sources was at work in a time."""
    digests = (
        one.details.fields.payload or {} for one in sources if one.hit.recalled and one.details
    )
    spans = [(one.get("began") or 0, one.get("ended") or 0) for one in digests]
    return any(began <= when.end and ended >= when.start for began, ended in spans)


def _said_in(bird: "Bowerbird", spoken: "dict[str, str]") -> "dict[str, str]":
    """What the sessions were about in which passages were said, by the ids of those."""
    digests = {session: bird.admin.digest(session) for session in {*spoken.values()}}
    return {
        id: digest.summary or digest.text
        for id, session in spoken.items()
        if (digest := digests[session]) is not None
    }


def _against(
    bird: "Bowerbird", ids: "list[str]"
) -> "tuple[dict[str, Entry], set[tuple[str, str]]]":
    """Which other answer contradicts one, by the id of that one, and which are related, by both ids."""
    found: dict[str, Entry] = {}
    related: set[tuple[str, str]] = set()
    named = {one.id: one for one in bird.named(*ids)} if len(ids) > 1 else {}
    for one in named.values():
        for how, other in against(bird, one, named):
            if how == "contradicts":
                found.setdefault(one.id, other)
            elif how == "related_to":
                related |= {(one.id, other.id), (other.id, one.id)}
    return found, related
