"""Questions that name a kind of memory and nothing else: which gotchas are there, what was decided.

They share no word with their answers, which are the memories of that kind, the newest first.
"""

import unicodedata
from functools import cache

from bowerbird.core.answers import Hit
from bowerbird.core.kinds import DEFAULT, KIND_OF
from bowerbird.core.language import COURTESIES, content_words
from bowerbird.core.text import words
from bowerbird.core.types import MEMORY
from bowerbird.core.value import Do, Note

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.core.ports.store import Store
    from bowerbird.core.query import Query
    from bowerbird.core.trace import Trace
    from bowerbird.retrieval.analyse import Question

# The share of relevance that each of what is asked for has of the one before it.
NEXT = 0.95
# With what one asks for a list, beside a language's stop words: in English, German and French, folded.
_ASKING = frozenset(
    "all any every exist give known list made make name see show take taken tell"
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
    store: "Store", query: "Query", question: "Question", trace: "Trace"
) -> "tuple[Hit, ...]":
    """The newest memories of the kinds that a question names, if it names nothing else."""
    intent, filter = question.intent, query.filter
    if intent.period is not None or intent.identifiers:
        return ()
    content = content_words(question.words, intent.language)
    kinds = _named([one for one in content if one not in _ASKING | COURTESIES])
    if not kinds or (filter.kinds and not {*kinds} <= {*filter.kinds}):
        return ()
    if filter.families and MEMORY not in filter.families:
        return ()
    asked = filter.replace(kinds=kinds, families=(MEMORY,))
    found = store.entries.list(asked, query.limit + 1)
    if len(found) > query.limit:
        every = Do("list", kind=kinds[0])
        trace.remark("kinds", Note("kinds", f"the newest {query.limit} are listed; all: ", every))
    if found:
        trace.ran("kinds", len(found), f"asks for {', '.join(kinds)} and nothing else")
    shown = enumerate(found[: query.limit], 1)
    return tuple(Hit(one, NEXT**at, NEXT**at, 0.0, 0.0, 0.0, ()) for at, one in shown)


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
