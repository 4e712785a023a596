"""Questions about earlier sessions: what did we do yesterday, where did we leave off.

Such a question shares no word with its answer, the digests of those sessions. The contextual model
recognises it by its nearness to reference sentences; the digests then follow from their dates, and from
what else the question names.
"""

from bowerbird.core.answers import Hit
from bowerbird.core.clock import day
from bowerbird.core.errors import ModelError
from bowerbird.core.excerpt import stem
from bowerbird.core.language import COURTESIES, content_words
from bowerbird.core.past import asks_of_the_past, names_the_session_before
from bowerbird.core.pattern import late
from bowerbird.core.text import words
from bowerbird.core.types import DIGEST, MEMORY
from bowerbird.retrieval.listing import NEXT, listed, nothing_then
from bowerbird.retrieval.present import present
from bowerbird.retrieval.undamaged import SnapshotChanged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bowerbird.core.details import Details
    from bowerbird.core.period import Period
    from bowerbird.core.ports.store import Store
    from bowerbird.core.query import Filter, Query
    from bowerbird.core.trace import Trace
    from bowerbird.core.types import Entry
    from bowerbird.retrieval.analyse import Question
    from bowerbird.retrieval.candidates.second_look import QueryVectors
    from bowerbird.retrieval.present import Ranked

# The reference sentences. Their vectors are in a file of the model, which
# `scripts/build_contextual.py --sayings` writes.
ASKING = (
    "what did we do yesterday?",
    "what did we work on last week?",
    "where did we leave off?",
    "continue where we left off",
    "pick up where we stopped",
    "what happened in our last session?",
    "what is left to do from last time?",
    "summarise what we worked on recently",
    "catch me up on what we did",
    "let's get back to what we were doing",
    "resume the previous work",
    "was haben wir gestern gemacht?",
    "wo sind wir stehen geblieben?",
    "wo haben wir aufgehört?",
    "womit waren wir beschäftigt?",
    "woran haben wir zuletzt gearbeitet?",
    "was war noch offen?",
    "qu'est-ce qu'on a fait hier ?",
    "où en étions-nous ?",
    "où est-ce qu'on s'était arrêtés ?",
    "que reste-t-il à faire ?",
    "¿qué hicimos ayer?",
    "¿dónde nos quedamos?",
    "¿dónde lo dejamos?",
    "¿en qué estábamos trabajando?",
    "¿qué quedó pendiente?",
    "cosa abbiamo fatto ieri?",
    "dove siamo rimasti?",
    "su cosa stavamo lavorando?",
    "cosa resta da fare?",
    "wat hebben we gisteren gedaan?",
    "waar waren we gebleven?",
    "waar waren we mee bezig?",
    "o que fizemos ontem?",
    "onde paramos?",
    "em que estávamos trabalhando?",
    "o que ficou por fazer?",
)
# The least cosine with one of them, for a question that names a time and for any other. Of 25 such
# questions in other words, in three languages, 20 reach it; of 860 prompts from the development of a
# program that manages sessions 3 (with .45 for all 20), of 1,620 everyday prompts the 2 that ask for it.
ASKS = 0.45
ASKS_TIMELESS = 0.53
# With which somebody begins, and asks for nothing before it: "hello, let us begin working here".
_BEGINS = frozenset(
    "begin start beginnen anfangen starten commencer commencons empezar empecemos cominciare iniziamo"
    " comecar comecemos".split()
)
# How a question begins that names nothing but a time and, in a word, what was done then ("what did we
# ship in May?"): the name of a month takes it away from the sentences (.37 for "decide in May 2019"), and
# the model knows little Spanish.
_DONE = (
    "what did we ", "what did i ", "what have we ", "what have i ",
    "was haben wir ", "was habe ich ", "qu avons nous ", "qu ai je ", "qu est ce qu on a ",
    "que hicimos ", "que hemos ", "que he ", "cosa abbiamo ", "cosa ho ", "o que fizemos ",
    "wat hebben we ", "wat heb ik ", "wat deden we ",
    "what changed ", "what has changed ", "what happened ", "was hat sich ", "was ist passiert ",
    "qu est ce qui a ", "que cambio ", "que paso ", "cosa e cambiato ", "cosa e successo ",
    "o que mudou ", "o que aconteceu ", "wat is er ",
)  # fmt: skip
# A question with more words, or more words of content and no time, asks for something else: it is not
# given to the model.
_MOST_WORDS = 20
_MOST_CONTENT = 5
_CLAUSE = late(r"[,.!;:–—-]+\s+")
# Digests of one answer, of one that is about a time, and the newest ones among which they are searched.
MOST = 3
MOST_THEN = 8
LATEST = 100


def may_ask(question: "Question") -> bool:
    """Whether a question is short and general enough to ask for earlier sessions."""
    intent = question.intent
    if intent.identifiers or len(question.words) > _MOST_WORDS:
        return False
    if not (intent.period or _BEGINS.isdisjoint(question.words)):
        return False
    content = {*content_words(question.words, intent.language)} - COURTESIES
    return bool(intent.period) or len(content) <= _MOST_CONTENT


def of_digests(filter: "Filter") -> "Filter | None":
    """The filter of digests; None if the query's own filter excludes them."""
    if filter.kinds and DIGEST not in filter.kinds:
        return None
    if filter.families and MEMORY not in filter.families:
        return None
    # Dates of the question are compared with those of the session, below.
    return filter.replace(kinds=(DIGEST,), families=(MEMORY,))


def recollected(
    store: "Store", vectors: "QueryVectors", query: "Query", question: "Question", trace: "Trace"
) -> "tuple[Hit, ...]":
    """The digests of earlier sessions, if a query asks for those, and the notes of its day.

    Else the memories of a kind or of a time, if it names that alone.
    """
    notes = _notes_of_the_day(store, query, question)
    if notes:
        trace.ran("notes", len(notes), "of the day that is asked about")
    period = question.intent.period
    cosine, least = _nearness(store, vectors, query, question)
    found = _sessions(store, query, question, trace, cosine, least)
    met = bool(found) and (period is None or _met(_span_of(store, found[0].entry), period))
    if met:
        return (*found, *notes)
    kept = notes or listed(store, query, question, trace, done=cosine >= least)
    if not kept and period is not None and cosine >= least:
        what = "No session is on record" if found else "Nothing was kept"
        trace.remark("sessions", nothing_then(what, period))
    return kept or found


def _nearness(
    store: "Store", vectors: "QueryVectors", query: "Query", question: "Question"
) -> tuple[float, float]:
    """The cosine of a question with the reference sentences, and from which on it asks what they ask."""
    period = question.intent.period
    least = ASKS if period else ASKS_TIMELESS
    if query.fast or "second look" in query.without or not store.may_look():
        return 0.0, least
    # Without a digest only a time can be answered, by the memories of then.
    if not (store.has_digests() or period):
        return 0.0, least
    named = names_the_session_before(query.text)
    if not (named or may_ask(question)):
        return 0.0, least
    try:
        read = vectors(_without_greeting(query.text))
        if not store.unchanged():
            raise SnapshotChanged
        cosine = 0.0 if read is None else read[1].recalls(read[0])
    except ModelError:
        return 0.0, least  # a model that cannot be read recognises nothing
    if named or _asks_for_done(query.text, period):
        cosine = max(cosine, least)
    return cosine, least


def _sessions(
    store: "Store",
    query: "Query",
    question: "Question",
    trace: "Trace",
    cosine: float,
    least: float,
) -> "tuple[Hit, ...]":
    """The digests of earlier sessions; those of other times where none is of the time asked about."""
    filter = of_digests(query.filter)
    if filter is None or not cosine or not store.has_digests():
        return ()
    period = question.intent.period
    # "What did the vendor say on Sunday" is no question about a session that says nothing of it.
    of_a_subject = cosine < least and period is not None and asks_of_the_past(query.text)
    digests = store.entries.list(filter, LATEST) if cosine >= least or of_a_subject else []
    if not digests:
        return ()
    cosine = max(cosine, least)
    details = store.details([one.row for one in digests])
    found = recalled(question, cosine, digests, details)
    if of_a_subject:
        found = tuple(hit for hit in found if hit.matched)
    trace.ran("sessions", len(found), f"asks for earlier sessions ({cosine:.2f})")
    return found


def _notes_of_the_day(store: "Store", query: "Query", question: "Question") -> "tuple[Hit, ...]":
    """The notes of the one day about which a question asks, if it names nothing else.

    What has a day and no hour was given it by its name or its header, and not by when it was stored.
    """
    period = question.intent.period
    if period is None or query.fast or day(period.start) != day(period.end):
        return ()
    if _named_besides(question):
        return ()
    dated = query.filter.replace(since=period.start, until=period.start)
    return tuple(
        Hit(one, NEXT**at, NEXT**at, 0.0, 0.0, 0.0, (), recalled=True)
        for at, one in enumerate(store.entries.list(dated, MOST_THEN), 1)
    )


def _named_besides(question: "Question") -> set[str]:
    """The stems of what a question names beside a time and the words of such questions."""
    known, period = {*words(" ".join(ASKING))}, question.intent.period
    if period is not None:
        known |= {*words(period.words)}
    named = {*content_words(question.words, question.intent.language)} - known
    return {stem(one) for one in named}


def _without_greeting(text: str) -> str:
    """A question without the clauses before it that only greet: they take it away from the sentences.

    "Guten Morgen, wo waren wir stehengeblieben?" has a cosine of .49, without the first clause .68.
    """
    start = 0
    for end in _CLAUSE.finditer(text):
        if not COURTESIES.issuperset(words(text[start : end.start()])):
            break
        start = end.end()
    return text[start:] or text


def _asks_for_done(text: str, period: "Period | None") -> bool:
    """Whether a question names a time, and of what was done then at most a word."""
    said = " ".join(words(_without_greeting(text))) + " "
    begins = next((one for one in _DONE if said.startswith(one)), "")
    if period is None or not begins:
        return False
    return len({*said[len(begins) :].split()} - {*words(period.words), "in", "on"}) <= 1


def digests_first(ranked: "Ranked") -> "Iterator[Hit]":
    """Yield the hits of a ranking in order, the digests that it recalled before the others.

    Beside a digest that is asked for, nothing else is more relevant.
    """
    yield from ranked.recalled
    most = min((hit.relevance for hit in ranked.recalled), default=1.0)
    known = {hit.id for hit in ranked.recalled}
    joined = "join" not in ranked.query.without
    found = present(ranked.ranking, ranked.question, joined=joined, reordered=ranked.reordered)
    for hit in found:
        if hit.id not in known:
            yield hit if hit.relevance <= most else hit.replace(relevance=most)


def recalled(
    question: "Question",
    cosine: float,
    digests: "Sequence[Entry]",
    details: "Mapping[int, Details]",
) -> "tuple[Hit, ...]":
    """The digests that a question asks for, best first; the last ones if it names no time."""
    period = question.intent.period
    spans = {one.row: _span(one, details) for one in digests}
    newest = sorted(digests, key=lambda one: spans[one.row][1], reverse=True)
    chosen = [one for one in newest if period is None or _met(spans[one.row], period)]
    # Where nothing happened then, the last session shows when something did.
    found, named = chosen or newest[:1], _named_besides(question)
    found.sort(key=lambda one: -len(named & _stems(one)))
    relevance = cosine if chosen else cosine * NEXT
    hits = []
    for one in found[: MOST if period is None else MOST_THEN]:
        matched = tuple(sorted(named & _stems(one)))
        hits.append(Hit(one, relevance, relevance, 0.0, cosine, 0.0, matched, recalled=True))
        relevance *= NEXT
    return tuple(hits)


def _stems(entry: "Entry") -> set[str]:
    return {stem(one) for one in words(entry.text)}


def _met(span: tuple[int, int], period: "Period") -> bool:
    """Whether a session was at work in a period."""
    return span[1] >= period.start and span[0] <= period.end


def _span_of(store: "Store", entry: "Entry") -> tuple[int, int]:
    return _span(entry, store.details([entry.row]))


def _span(entry: "Entry", details: "Mapping[int, Details]") -> tuple[int, int]:
    """When a session began and ended, in UTC milliseconds."""
    known = details.get(entry.row)
    payload = (known.fields.payload if known is not None else None) or {}
    ended = payload.get("ended", entry.created)
    return payload.get("began", ended), ended
