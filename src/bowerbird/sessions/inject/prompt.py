"""What to inject at a prompt: the query for it, and the selection from the answer."""

from bowerbird.core.excerpt import stem
from bowerbird.core.injected import PROMPT, Injection
from bowerbird.core.language import content_words
from bowerbird.core.past import asks_of_the_past, goes_on_with_earlier_work
from bowerbird.core.pattern import late
from bowerbird.core.text import words
from bowerbird.core.types import DIGEST, MARKDOWN, MEMORY, RECORDS
from bowerbird.core.who import USER
from bowerbird.sessions.inject.selection import BUDGET, ENVELOPE, fitting, is_early, trusted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from bowerbird.core.answers import Hit
    from bowerbird.core.ports.recall import Recall
    from bowerbird.core.types import Entry
    from bowerbird.sessions.inject.selection import Sure

    # A digest in so many tokens; any other entry as it is.
    Recap = Callable[[Entry, int], Entry]

# Entries for a prompt, the relevance that the best of them must have, the share of the best one's that
# the others must have, and the least that they must have beside a weak one. A pack that was requested
# has the same first threshold (`retrieval.context.GATE`) and more beside it. For 468 short questions to
# six projects' memories the right one is injected for .63 of the tasks, .81 of the questions that share
# a word and .47 of the paraphrases, with .6, .2 and 1.1 others; nothing for .51 of the questions that
# the project does not answer, and .96 of those about something else. With .3: .54, .73, .31; .61 and
# .98. Without the floor two more of 348 are right, with .8, .2 and 1.4 others; with a floor of .12 the
# same two, .8, .2 and 1.3; of .16 six fewer, .6, .2 and 1.0. Nothing else of a hit tells the right one:
# left out by project, the share alone has an area under the curve of .79, with the parts of the
# relevance, gaps and ranks .74 to .79.
MOST = 5
GATE = 0.24
BESIDE = 0.4
FLOOR = 0.15
# The same for a prompt of more words than a question has: it is similar to more. Of 444 real prompts of
# two to six times this length .30 pass it in stores of other projects' memories, with GATE .54; of 348
# questions that follow another sentence of a prompt .44 to .62, with GATE .77 to .85.
LONG_GATE = 0.3
_LONG_PROMPT = 20
# The relevance that a passage of a note must have, and the share of the best one's that others must
# have (`retrieval.relevance.NOTED` has figures: without the share .32 and .13 others beside the right one
# of tasks and of questions that share a word with it, instead of .13 and .07).
NOTE = 0.35
BESIDE_NOTE = 0.8
# The same of a note of no project, such as one of a person's own, where the prompt is of a project: what
# is private is not told beside work on a resemblance. Notes of the project are brought as before; of the
# others the share is the one that NOTE gives for .5.
NOTE_OF_NO_PROJECT = 0.5
# The words that the passage of a README must have below its headings: with fewer it only says what the
# project is called and made of, as an agent that works there sees.
_FEWEST_OF_README = 12
# What keys and values of a manifest are written with.
_MARKS = frozenset('{}="')
# The relevance that the digest of a session must have, if a prompt asks about what was done before and
# names no time. Of 40 such questions in seven languages to 8 digests beside 80 memories 38 get the right
# one, of 42 others, half of them about the past too, none; of 832 real prompts 5 have the form, and 1
# gets one. Without the form more prompts would ("make the CSV export faster": .66).
EARLIER = 0.4
# The share of the stems of two questions that both have, if they ask the same; and how many at least.
SAME_QUESTION = 0.75
_FEWEST_SAME = 2
# Hits that are examined: most that are rejected are transcripts and code.
_DEPTH = 50
# Tokens of a digest's citation and of the rest of its line.
_AROUND_DIGEST = 28
# A shorter prompt is a query if it asks ("staging port?") or names two things ("fix lint"), and not if it
# only says to go on: of 20 in recorded sessions 8 are asked with, and 3 of these name something.
# Of a long one, mostly a plan or pasted, only the longest words of its beginning are used, and the names
# after it: each word costs time, and short ones add little.
FEWEST_WORDS = 3
_LONGEST_QUESTION = 500
_BEGINNING = 350
_NAMES_BEHIND = 100
_LOOKED_THROUGH = 4_000
_MOST_WORDS = 12
# English words for a task in a prompt, and the purpose of its commands. Other languages borrow most.
_TASKS = {
    "test": "test", "tests": "test", "testsuite": "test", "spec": "test", "specs": "test",
    "lint": "lint", "linter": "lint", "build": "build",
}  # fmt: skip
# An identifier.
NAME = late(r"\w*[a-z]\w*[A-Z]\w*|[a-zA-Z]\w*_\w+")
# Code is not injected, so definitions of names are not searched for.
_WITHOUT = ("defined",)
# A long prompt has words that are in no entry: searching for misspellings of each took 10 of 60 ms.
_WITHOUT_IN_LONG = (*_WITHOUT, "fuzzy")
# Half of the candidates of a question: of 140 prompts to stores of 10,000 and 100,000 entries none got a
# different result, and ranking took 20 ms per prompt instead of 31.
NARROW = {"query.depth": 0.5}


def for_prompt(
    memory: "Recall",
    text: str,
    seen: "Collection[str]",
    sure: "Sure",
    budget: int = BUDGET,
    session: str = "",
    project: str = "",
    *,
    recap: "Recap | None" = None,
    now: int = 0,
) -> Injection:
    """Return what memory knows about a prompt, best first, in at most `budget` tokens.

    Of the sessions of a time, where they are more than a few, a `recap`, in up to twice the budget.
    `session` is that of the prompt: its own digest tells nothing new. `project` is the uid of the project
    that it works in, empty if it is none. `now` is in UTC milliseconds; without it nothing is told that
    holds from a later day only.
    """
    about = "Possibly relevant to this prompt."
    question = asked(text)
    if not is_query(question):
        return Injection(PROMPT, about)
    long = is_long(text)
    without = _WITHOUT_IN_LONG if long else _WITHOUT
    hits = memory.query(
        question,
        limit=_DEPTH,
        min_score=FLOOR,
        min_trust="normal",
        coming=bool(now),
        without=without,
    )
    earlier = asks_of_earlier_work(text)
    fresh = [
        hit
        for hit in hits
        if (wanted(hit, earlier=earlier) or _answered(hit, memory, text))
        and hit.id not in seen
        and not (_is_of(hit, session) or is_aside(hit, project))
    ]

    def entry(hit: "Hit") -> "Entry | None":
        found = _entry(hit, memory, sure)
        early = found is not None and now and is_early(found, now)
        return None if early else found

    kept = relevant(fresh, entry, long=long)
    again = _said_since(kept, hits, seen, entry, session)
    kept, seen = [*again, *kept], {*seen} - {one.id for one, _ in again}
    named = [] if long else _on_commands(text, memory, {*seen, *(one.id for one, _ in kept)}, sure)
    kept = [*((one, 0.0) for one in named), *kept]
    relevance = {one.id: found for one, found in kept}
    room, most, longest = budget - ENVELOPE, MOST, None
    entries = [one for one, _ in kept]
    if then := sum(hit.recalled for hit in fresh):
        # All sessions of a time, each as briefly as needed: a week is what the person asks for.
        room += budget if then > MOST else 0
        most, longest = max(MOST, then), room // then - _AROUND_DIGEST
        entries = [recap(one, longest) if recap else one for one in entries]
    found = fitting(entries, seen, room, most, relevance, longest)
    recalled = {hit.id for hit in fresh if hit.recalled}
    if hits.nothing_then and any(one.id in recalled for one in found):
        about = f"{about} {hits.nothing_then}"
    reasons = {one.id: f"relevance {one.relevance:.2f} for the prompt" for one in found}
    reasons |= {
        one.id: "on a command that the prompt is about" for one in named if one.id in reasons
    }
    return Injection(PROMPT, about, found, reasons=reasons)


def _on_commands(
    text: str, memory: "Recall", seen: "Collection[str]", sure: "Sure"
) -> "list[Entry]":
    """Return what a person said of the commands of the tasks that a prompt names."""
    purposes = frozenset(_TASKS[one] for one in words(text) if one in _TASKS)
    if not purposes:
        return []
    from bowerbird.sessions.inject.asked_commands import of_commands

    return of_commands(memory, purposes, seen, sure)


def _said_since(
    kept: "Sequence[tuple[Entry, float]]",
    hits: "Iterable[Hit]",
    seen: "Collection[str]",
    entry: "Callable[[Hit], Entry | None]",
    session: str,
) -> "list[tuple[Entry, float]]":
    """Return what the user said on the subject after a note was written that is told now.

    The session was told it before. A file that says otherwise would follow it, as the newer of the two.
    """
    oldest = min((one.created for one, _ in kept if one.family != MEMORY), default=None)
    if oldest is None:
        return []
    told = [hit for hit in hits if hit.entry.family == MEMORY and hit.id in seen]
    told = [hit for hit in told if hit.entry.created > oldest and not _is_of(hit, session)]
    found = relevant(told, entry)
    return [(one, score) for one, score in found if one.details and one.details.origin == USER]


def _is_of(hit: "Hit", session: str) -> bool:
    return bool(session) and hit.entry.kind in RECORDS and hit.entry.session == session


def is_aside(hit: "Hit", project: str) -> bool:
    """Return whether a note says nothing to a prompt: a title page, a manifest, or a private one."""
    entry = hit.entry
    if not project or entry.family == MEMORY:
        return False
    if not entry.project:
        return hit.relevance < NOTE_OF_NO_PROJECT
    if entry.source != MARKDOWN and not _MARKS.isdisjoint(entry.text):
        # `{"name": "web"}` has keys and values, and no words of a sentence.
        plain = sum(one.rstrip(".,;:!?").isalpha() for one in entry.text.split())
        if plain < FEWEST_WORDS:
            return True
    if entry.project != project or not _is_readme(entry.path or ""):
        return False
    lines = (line for line in entry.text.splitlines() if not line.lstrip().startswith("#"))
    return sum(len(line.split()) for line in lines) < _FEWEST_OF_README


def _is_readme(path: str) -> bool:
    name = path.replace("\\", "/").rpartition("/")[2]
    return name.lower().partition(".")[0] == "readme"


def wanted(hit: "Hit", *, earlier: bool = False) -> bool:
    """Return whether a hit may be injected: a digest of a session only where the prompt asks for it.

    It does by a time, or if it asks about what was done `earlier`.
    """
    entry = hit.entry
    # Whether what waits is a tentative statement is known when its details are read.
    may_answer = entry.family == MEMORY and bool(entry.review) and entry.state == "active"
    return (trusted(entry) or may_answer) and (hit.recalled or earlier or entry.kind not in RECORDS)


def _answered(hit: "Hit", memory: "Recall", prompt: str) -> bool:
    """Return whether a hit is the digest of a session that answered the question of a prompt."""
    asks = prompt.rstrip().endswith("?") and hit.entry.kind == DIGEST and trusted(hit.entry)
    if not asks or hit.relevance < EARLIER:
        return False
    details = memory.get(hit.id).details
    payload = (details.fields.payload if details is not None else None) or {}
    return any(_ask_the_same(prompt, one) for one in payload.get("answered", ()))


def _ask_the_same(question: str, other: str) -> bool:
    one, two = ({*map(stem, content_words(tuple(words(text))))} for text in (question, other))
    return len(one & two) >= max(_FEWEST_SAME, SAME_QUESTION * max(len(one), len(two)))


def relevant(
    hits: "Sequence[Hit]", entry: "Callable[[Hit], Entry | None]", *, long: bool = False
) -> "list[tuple[Entry, float]]":
    """Return the entries that are relevant enough for a prompt, with their relevance, in order.

    `entry` returns the entry of a hit, or None if it may not be injected: such a hit does not count as
    the best one either.
    """
    gate = LONG_GATE if long else GATE
    if all(hit.relevance < gate for hit in hits):
        return []
    enough = [hit for hit in hits if hit.relevance >= _least(hit, gate)]
    found = [(one, hit) for hit in enough if (one := entry(hit)) is not None]
    best = max((hit.relevance for _, hit in found), default=0.0)
    if best < gate:
        return []
    noted = max((hit.relevance for _, hit in found if hit.entry.family != MEMORY), default=0.0)
    return [(one, hit.relevance) for one, hit in found if hit.relevance >= _least(hit, best, noted)]


def _least(hit: "Hit", best: float, noted: float = 0.0) -> float:
    if hit.entry.kind in RECORDS and not hit.recalled:
        return EARLIER
    if hit.entry.family == MEMORY:
        return max(BESIDE * best, FLOOR)
    return max(BESIDE_NOTE * noted, NOTE)


def is_query(question: str) -> bool:
    """Return whether a prompt says enough to be searched for."""
    number = len(question.split())
    if number >= FEWEST_WORDS:
        return True
    asks = question.endswith("?") or len({*content_words(tuple(words(question)))}) > 1
    return number > 1 and asks


def asks_of_earlier_work(prompt: str) -> bool:
    """Return whether a prompt asks what was done, found or decided before, or goes on with it."""
    return not is_long(prompt) and (asks_of_the_past(prompt) or goes_on_with_earlier_work(prompt))


def is_long(prompt: str) -> bool:
    """Return whether a prompt has more words than a question has."""
    return len(prompt.split()) > _LONG_PROMPT


def asked(prompt: str) -> str:
    """Return the query for a prompt."""
    text = prompt.strip()
    if len(text.split()) <= _LONG_PROMPT:
        return text[:_LONGEST_QUESTION]
    beginning = dict.fromkeys(text[:_BEGINNING].split())
    longest = {*sorted(beginning, key=len, reverse=True)[:_MOST_WORDS]}
    names = dict.fromkeys(NAME.findall(text[_BEGINNING:_LOOKED_THROUGH]))
    return " ".join([*filter(longest.__contains__, beginning), " ".join(names)[:_NAMES_BEHIND]])


def _entry(hit: "Hit", memory: "Recall", sure: "Sure") -> "Entry | None":
    if hit.entry.family != MEMORY:
        return hit.entry
    entry = memory.get(hit.id)
    return entry if trusted(entry) and sure(entry) else None
