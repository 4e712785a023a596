"""Questions that name a kind of memory or a time and nothing else: which gotchas are there?

They share no word with their answers, which are the memories of that kind and time, the newest first.
"""

import unicodedata
from functools import cache

from bowerbird.core.answers import NOTHING_THEN, Hit
from bowerbird.core.clock import day
from bowerbird.core.kinds import DEFAULT, KIND_OF
from bowerbird.core.language import COURTESIES, content_words
from bowerbird.core.text import words
from bowerbird.core.types import MEMORY
from bowerbird.core.value import Do, Note, iso

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.core.period import Period
    from bowerbird.core.ports.store import Store
    from bowerbird.core.query import Query
    from bowerbird.core.trace import Trace
    from bowerbird.retrieval.analyse import Question

# The share of relevance that each of what is asked for has of the one before it.
NEXT = 0.95
# With what one asks for a list, beside a language's stop words: in English, German and French, folded.
_ASKING = frozenset(
    "all any every exist found give kept known list made make name noted see show take taken tell"
    " alle auf bekannt gab gegeben gib gibt getroffen kennen kennt liste nenne sag zeig zeige"
    " a connait connaissons connu connus connues donne ete existe liste montre pris prise prises tous"
    " toutes y".split()
)

# By what was done, folded: labels of notes, which `KIND_OF` has, are not worded so.
_DONE = {
    "decision": "decided beschlossen entschieden decide",
    "dead_end": "failed tried gescheitert versucht echoue essaye",
}
# How the name of a kind ends where it stands for several.
_SEVERAL = ("", "s", "n", "en")


def listed(
    store: "Store", query: "Query", question: "Question", trace: "Trace", *, done: bool = False
) -> "tuple[Hit, ...]":
    """The newest memories of the kinds and the time that a question names, if it names nothing else.

    `done`: it asks what was done then, of whatever kind.
    """
    intent, filter = question.intent, query.filter
    period = intent.period
    if intent.identifiers:
        return ()
    said = {*words(period.words)} if period is not None else set()
    content = content_words(question.words, intent.language)
    sought = [one for one in content if one not in _ASKING | COURTESIES | said]
    kinds = _named(sought)
    if done and not kinds:
        kinds = tuple(dict.fromkeys(kind for one in sought for kind in _named([one])))
    if filter.kinds and not {*kinds} <= {*filter.kinds}:
        return ()
    if not (kinds or (done and period)) or (filter.families and MEMORY not in filter.families):
        return ()
    asked = filter.replace(kinds=kinds or filter.kinds, families=(MEMORY,))
    if period is not None:
        since, until = asked.since, asked.until
        asked = asked.replace(
            since=period.start if since is None else max(since, period.start),
            until=period.end if until is None else min(until, period.end),
        )
    found = store.entries.list(asked, query.limit + 1)
    if len(found) > query.limit:
        every = Do("list", **({"kind": kinds[0]} if kinds else {}), **_between(period))
        trace.remark("kinds", Note("kinds", f"the newest {query.limit} are listed; all: ", every))
    if found:
        named = ", ".join((*kinds, *([period.words] if period is not None else ())))
        trace.ran("kinds", len(found), f"asks for {named} and nothing else")
    elif period is not None and kinds:
        trace.remark("kinds", nothing_then(f"No {' or '.join(kinds)} was kept", period))
    shown = enumerate(found[: query.limit], 1)
    return tuple(Hit(one, NEXT**at, NEXT**at, 0.0, 0.0, 0.0, ()) for at, one in shown)


def nothing_then(what: str, period: "Period") -> Note:
    """That there is nothing of a time, before what is nearest."""
    begin, end = day(period.start), day(period.end)
    return Note(NOTHING_THEN, f"{what} from {begin} to {end}. What is nearest:")


def _between(period: "Period | None") -> dict[str, str]:
    """The options that list what was kept in a period."""
    if period is None:
        return {}
    return {"since": iso(period.start)[:10], "until": iso(period.end)[:10]}


def _named(content: "Sequence[str]") -> "tuple[str, ...]":
    """The kinds that some words name, one after the other or in pairs; none if one of them is no name."""
    names, found, at = _names("".join(content).isascii()), [], 0
    while at < len(content):
        for count in (2, 1):
            said = " ".join(content[at : at + count])
            called = [
                names[said.removesuffix(end)] for end in _SEVERAL if said.removesuffix(end) in names
            ]
            if called:
                found.append(called[0])
                at += count
                break
        else:
            return ()
    return (*dict.fromkeys(found),)


@cache
def _names(ascii: bool) -> "dict[str, str]":
    """What the kinds are called, as words; the default one says nothing of what is sought.

    Words in ASCII can only be names in Latin letters. To read the others would compile patterns that
    cost a cold command as much as another interpreter.
    """
    found: dict[str, str] = {}
    for name, kind in KIND_OF.items():
        read = (
            unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
            if ascii
            else name
        )
        if read and kind != DEFAULT:
            found[" ".join(words(read))] = kind
    return found | {done: kind for kind, several in _DONE.items() for done in several.split()}
