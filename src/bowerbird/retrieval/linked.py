"""Memories on the same subject as a hit: linked with it, and the newer one placed first. Pure."""

from functools import lru_cache

from bowerbird.core.answers import Hit, Linked
from bowerbird.core.excerpt import Finder, snippet
from bowerbird.core.language import STOP_WORDS, language
from bowerbird.core.life import BOUND
from bowerbird.core.text import bare, words
from bowerbird.core.types import MEMORY, TRUSTS, overruled_by

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from bowerbird.core.types import Entry, Link

# The states of memories that hold, or held until another one superseded them.
IN_FORCE = ("active", "superseded")
# Two memories are about the same subject and attribute if the sum of their cosines (embedder and
# contextual model) reaches this: true for .61 to .74 of four authors' pairs where one replaces, refines
# or repeats the other, and for 2 of 7,020 pairs of notes on one project. With .9, related memories come
# before the answer.
SAME = 1.1
# They may be about the same if this sum, with the contextual cosine counted twice, is reached: true for
# .85 of such pairs of ten authors (.77 to .93 by author; .72 of those translated by glosses); of 490
# notes on thirteen projects, four of them in German, French and Spanish, 14 reach it with a newer one.
# With 1.36, .87 and 21. By the embedder alone, in languages that the contextual model does not read:
# .58, and 3 of 40. It counts only for two that admission took for a contradiction.
MAYBE_SAME = 1.42
MAYBE_SAME_BY_WORDS = 0.5
# SAME by the embedder alone, if the contextual model has not read both: reached by none of 4,680 pairs.
SAME_BY_WORDS = 0.6
# A newer hit with less than this share of the older one's relevance keeps its place and is linked from
# there: for 59 pairs of an old and a new value, queried in the words of the old one, 53 newer ones reach
# it.
ANSWERS_TOO = 0.3
# Kinds of commands: the newer of two commands does not replace the older one.
COMMANDS = frozenset({"procedure", "workflow_recipe"})
# The states of a memory that another one took the place of.
_ENDED = frozenset(("superseded", "merged"))
SURELY_NEWER = ("newer", "replaces")
# Maximum number of memories linked from a hit, and characters of each.
MOST_LINKED = 3
LINKED_CHARS = 160
# Texts whose words are kept: those of a question and its links.
_TEXTS = 256


def newest_first(
    hits: "Sequence[Hit]",
    links: "Iterable[Link]",
    others: "Mapping[int, Entry]",
    *,
    reads: bool = True,
) -> tuple[Hit, ...]:
    """The hits with their linked memories, each newer memory placed right before the older one.

    `reads` is whether the contextual model reads the query's language; else its cosines are ignored.
    """
    shown = {hit.entry.row: hit for hit in hits}
    linked: dict[int, dict[int, Linked]] = {}
    newer: dict[int, list[int]] = {}
    for link in links if reads else [one.replace(understood=None) for one in links]:
        hit, other = shown.get(link.row), others.get(link.other)
        relation = _relation(link, hit.entry, other) if hit and other is not None else ""
        if hit is None or other is None or not relation:
            continue
        first = relation == "older" and _comes_first(shown.get(link.other), hit, link)
        if first:
            newer.setdefault(link.row, []).append(link.other)
        of_both = linked.setdefault(link.row, {})
        if link.other not in of_both or relation == "replaces":
            is_hit = relation not in {"older", "replaces"} and link.other in shown
            text = "" if first or is_hit else _cut(other, hit.matched)
            of_both[link.other] = _linked(relation, link, other, text)
    ordered: dict[int, Hit] = {}
    for row in shown:
        _emit(row, shown, newer, ordered)
    return tuple(
        hit.replace(linked=_newest(linked[row].values())) if row in linked else hit
        for row, hit in ordered.items()
    )


# Words before the number of a thing.
_NUMBERS = frozenset("number no nr num nummer numero numéro núm".split())


def _emit(
    row: int, shown: "Mapping[int, Hit]", newer: "Mapping[int, list[int]]", into: "dict[int, Hit]"
) -> None:
    """Add a hit to `into` after the newer ones, which are at least as relevant as it.

    "Newer" has no cycles, so the recursion ends.
    """
    if row in into:
        return
    for other in newer.get(row, ()):
        _emit(other, shown, newer, into)
        relevance = max(into[other].relevance, shown[row].relevance)
        into[other] = into[other].replace(relevance=relevance)
    into[row] = shown[row]


def _relation(link: "Link", entry: "Entry", other: "Entry") -> str:
    """The relation of a memory to the other one of a link, as in `Linked`.

    Empty if on other subjects, or if it replaces one of the same text, which says nothing new.
    """
    if link.kind == "supersedes" and link.outward and other.state in _ENDED:
        return "replaces" if words(other.text) != words(entry.text) else ""
    if other.state != "active":
        return ""
    if link.kind == "supersedes":
        return "newer" if link.outward else "older"
    if not may_relate(link) or (link.kind == "related_to" and _on_others(entry, other)):
        return ""
    later = (link.said, entry.id) > (link.other_said, other.id)
    return "newer" if later else "older"


def may_relate(link: "Link") -> bool:
    """Whether a link can say anything of a hit, whatever the two texts are.

    The texts of the others need not be read where it cannot.
    """
    return link.kind != "related_to" or _about_the_same(link)


def _on_others(entry: "Entry", other: "Entry") -> bool:
    """Whether two related memories hold beside each other: two commands, or statements on other subjects.

    Nearly the same words are no proof: “the upload limit is 20 MB” and “the download limit is 50 MB”.
    """
    if entry.kind in COMMANDS and other.kind in COMMANDS:
        return True
    (ours, spoken), (theirs, _) = _read(entry.text), _read(other.text)
    return _of_a_series(ours, theirs) or other_subject(ours, theirs, spoken)


@lru_cache(_TEXTS)
def _read(text: str) -> tuple[tuple[str, ...], str]:
    """The words of a text and its language."""
    found = tuple(words(text))
    return found, language(text, found)


def _of_a_series(ours: "Sequence[str]", theirs: "Sequence[str]") -> bool:
    """Whether two statements differ by the numbers of what they are about: heron number 1, number 5.

    Behind a word that numbers things, or where each text has the same number in all those places.
    """
    if len(ours) != len(theirs):
        return False
    apart = [at for at in range(len(ours)) if ours[at] != theirs[at]]
    if not apart or not all(ours[at].isdigit() and theirs[at].isdigit() for at in apart):
        return False
    if apart[0] and ours[apart[0] - 1] in _NUMBERS:
        return True
    return len(apart) > 1 and all(len({text[at] for at in apart}) == 1 for text in (ours, theirs))


def other_subject(ours: "Sequence[str]", theirs: "Sequence[str]", language: str) -> bool:
    """Whether two parallel statements name different things before they go on in the same words.

    A value is what ends a statement, or its only difference; a word that is replaced before words that
    both have, and before a second difference, belongs to the subject or the attribute. Numbers, dates and
    function words do not count.
    """
    known, own = set(theirs), set(ours)
    begin = 0
    while begin < min(len(ours), len(theirs)) and ours[begin] == theirs[begin]:
        begin += 1
    end, their_end = begin, begin
    while end < len(ours) and ours[end] not in known:
        end += 1
    while their_end < len(theirs) and theirs[their_end] not in own:
        their_end += 1
    if ours[end : end + 1] != theirs[their_end : their_end + 1] or end == len(ours):
        return False
    if ours[end:] == theirs[their_end:] and any(_tells(ours[:begin], language)):
        return False
    return all(
        map(any, (_tells(run, language) for run in (ours[begin:end], theirs[begin:their_end])))
    )


def _tells(run: "Sequence[str]", language: str) -> "Iterator[bool]":
    """For each word of a run, whether it has a meaning and is no number."""
    functional = STOP_WORDS.get(language, frozenset())
    return (word not in functional and not any(map(str.isdigit, word)) for word in run)


def _about_the_same(link: "Link") -> bool:
    """Whether two related memories are about the same subject and attribute, by their cosines.

    A relation alone does not prove it: a note that says "see there" is about something else.
    """
    cosine = link.cosine or 0.0
    return cosine >= SAME_BY_WORDS or cosine + (link.understood or 0.0) >= SAME


def _maybe_the_same(link: "Link") -> bool:
    """Whether two memories may be about the same, by their cosines.

    Enough to put the newer of two first that admission also takes for a contradiction.
    """
    cosine = link.cosine or 0.0
    return cosine >= MAYBE_SAME_BY_WORDS or cosine + 2 * (link.understood or 0.0) >= MAYBE_SAME


def _comes_first(newer: Hit | None, older: Hit, link: "Link") -> bool:
    """Whether a newer hit is placed before an older one: if it is as trusted, and relevant as well."""
    if newer is None or TRUSTS.index(newer.entry.trust) < TRUSTS.index(older.entry.trust):
        return False
    if newer.relevance < ANSWERS_TOO * older.relevance:
        return False
    found = link.automatic or link.kind == "related_to"
    same = _about_the_same(link) or (link.kind == "contradicts" and _maybe_the_same(link))
    if found and link.kind != "supersedes" and not same:
        return False
    return not found or link.kind == "supersedes" or _of_one_subject(newer, older)


def _of_one_subject(newer: Hit, older: Hit) -> bool:
    """Whether two memories that admission linked have the same subject, judged by the query's words.

    The subject is named first: if the newer one lacks the first word of the older one that matched the
    query, or a number or name that matched, its subject is another ("the port of the billing service").
    """
    text = bare(newer.text)
    lacking = [word for word in older.matched if not Finder(words(word)).spans(text)]
    return not any(word == older.matched[0] or not word.islower() for word in lacking)


def outdated_last(hits: "Sequence[Hit]", confidence: "Mapping[str, float]") -> "tuple[Hit, ...]":
    """The hits, with memories whose anchored files have changed moved after comparable current ones.

    `confidence` is the remaining share of that of a memory, by id (missing: 1.0). It lowers the score
    within the same bound as a memory's history; one that moves down is as relevant as what precedes it
    at most. A newer memory stays before an older one on the same
    subject, unless the older one is anchored in a changed file, too, and is still current.
    """
    order = list(hits)
    for hit in reversed(hits):
        left = confidence.get(hit.id, 1.0)
        at = order.index(hit)
        score = _left(hit, left)
        while left < 1.0 and at + 1 < len(order):
            below = order[at + 1]
            stands = confidence.get(below.id, 1.0)
            if below.entry.family != MEMORY or stands <= left:
                break
            is_older = any(
                one.id == below.id and one.relation in SURELY_NEWER for one in hit.linked
            )
            if is_older:
                answers = below.relevance >= ANSWERS_TOO * hit.relevance
                if not answers or stands < 1.0 or not _share_a_file(hit, below):
                    break
            elif _left(below, stands) <= score:
                break
            order[at], order[at + 1] = below, hit
            at += 1
    least = 1.0
    for at, hit in enumerate(order):
        least = min(least, hit.relevance)
        order[at] = hit if hit.relevance == least else hit.replace(relevance=least)
    return tuple(order)


def _left(hit: Hit, confidence: float) -> float:
    return hit.score * (1.0 - BOUND * (1.0 - confidence))


def _share_a_file(one: Hit, other: Hit) -> bool:
    return not {a.path for a in one.entry.anchors if a.path}.isdisjoint(
        a.path for a in other.entry.anchors
    )


def standing(hits: "Iterable[Hit]") -> "Iterator[Hit]":
    """The hits without memories that others stand against until a review, and no word of those."""
    hits = list(hits)
    overruled = overruled_by(hit.entry for hit in hits)
    for hit in hits:
        contest = hit.entry.contest
        if hit.id in overruled:
            continue
        if contest is None:
            yield hit
        elif contest.stands:
            others = tuple(one for one in hit.linked if one.id not in contest.others)
            yield hit.replace(linked=others)


def linked_with(
    entry: "Entry", links: "Iterable[Link]", others: "Mapping[int, Entry]"
) -> tuple[Linked, ...]:
    """Other memories on the same subject as a memory that is shown by itself, newest first."""
    linked: dict[int, Linked] = {}
    for link in links:
        other = others.get(link.other)
        relation = _relation(link, entry, other) if other is not None else ""
        if other is not None and relation and (link.other not in linked or relation == "replaces"):
            linked[link.other] = _linked(relation, link, other, _cut(other, ()))
    return _newest(linked.values())


def _cut(other: "Entry", matched: "Sequence[str]") -> str:
    return snippet(" ".join(other.text.split()), matched, LINKED_CHARS)


def _linked(relation: str, link: "Link", other: "Entry", text: str) -> Linked:
    told = (other.id, other.kind, text, other.trust, link.other_said)
    return Linked(relation, *told, speaker=other.speaker)


def _newest(linked: "Iterable[Linked]") -> tuple[Linked, ...]:
    latest = sorted(linked, key=lambda one: (one.created, one.id), reverse=True)
    return tuple(latest[:MOST_LINKED])
