"""From a ranking to hits: joined, with what matched and how sure we are, newer before older. Pure."""

from collections import Counter
from itertools import islice

from bowerbird.core.answers import MAYBE, Hit, Linked
from bowerbird.core.excerpt import LENGTH, Finder, matched_words, snippet
from bowerbird.core.text import bare, one_line, spaced, words
from bowerbird.core.types import MEMORY, TRUSTS
from bowerbird.core.value import Value
from bowerbird.retrieval import fuse
from bowerbird.retrieval.join import join
from bowerbird.retrieval.life import BOUND
from bowerbird.retrieval.relevance import CROWD, crowd, words_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from bowerbird.core.query import Query
    from bowerbird.core.trace import Trace
    from bowerbird.core.types import Entry, Link
    from bowerbird.retrieval.analyse import Question
    from bowerbird.retrieval.candidates.gather import Ranking

# Two memories are about the same subject and attribute from this sum of their cosines on, by the embedder
# and by the contextual model: .61 to .74 of four authors' pairs of which one replaces, refines or repeats
# the other, and 2 of 7,020 pairs of notes on one project. From .9 on what a memory only leads to comes
# before the one that answers.
SAME = 1.1
# They may be from this sum on, the contextual model's counted twice: .85 of such pairs of ten authors
# (.77 to .93 by author; .72 of those read by glosses), and of 490 notes on thirteen projects, four of
# them in German, French and Spanish, 14 are told of a newer one; from 1.36 on .87 and 21. By the embedder
# alone, in a language that the other one does not read, .58, and 3 of 40. It is told, and moves nothing.
MAYBE_SAME, MAYBE_SAME_BY_WORDS = 1.42, 0.5
# The same by the embedder alone, where the other one has not read both: none of the 4,680.
SAME_BY_WORDS = 0.6
# Two memories say the same of one thing and another from this share of their words in common on: six that
# differ in a number had a relevance of .11 each, and have .97. Of 540 questions no fewer are answered.
SAME_WORDS = 0.5
# A newer hit that answers so much less well than the older one stays where it was found, and is told of
# there: of 59 pairs of an old and a new value, asked in the words of the old one, 53 newer ones come
# nearer.
ANSWERS_TOO = 0.3
# A memory that the second look saw and a passage whose relevances are nearer than this stand in the order
# of their scores (benchmarks/memories.md).
AS_SURE = 0.05
SURELY_NEWER = ("newer", "replaces")
# Of so many other memories a hit tells, and so many characters of each.
MOST_LINKED, LINKED_CHARS = 3, 160
# Words by which texts are told apart before they are compared as wholes.
_BEGIN = 3


class Ranked(Value):
    """A question with its ranking, once the store is read: what hits are made of.

    `corrected` has the misspelt words and what they were read as, `model` names who compared meanings.
    `links` lead from the best memories to the `others` about the same, by row.
    """

    __slots__ = (
        *("corrected", "links", "model", "others", "query", "question", "ranking", "trace"),
    )

    def __init__(
        self,
        query: "Query",
        question: "Question",
        ranking: "Ranking",
        trace: "Trace",
        corrected: dict[str, str],
        model: str,
        links: "Sequence[Link]" = (),
        others: "Mapping[int, Entry] | None" = None,
    ) -> None:
        self.links = links
        self.others = others or {}
        self.query = query
        self.question = question
        self.ranking = ranking
        self.trace = trace
        self.corrected = corrected
        self.model = model


def present(ranking: "Ranking", question: "Question", *, joined: bool) -> "Iterator[Hit]":
    """Hits in order, made one by one until the packer has enough."""
    shown, found, entries = Finder(question.terms), ranking.found, ranking.entries
    # What an entry says decides how sure an answer is; a memory's past the order alone.
    said = ranking.before["life"]
    looked = ranking.before["relations"]
    apart = islice(_apart(looked, ranking.look.cosines, entries), 1 + CROWD)
    around = crowd(looked[row] for row in apart)
    best = fuse.best({row: ranking.scores[row] for row in entries}, len(entries))
    ranked = _by_relevance([entries[row] for row in best], ranking, around)
    for entry, *same in _once(join(ranked) if joined else ranked):
        row = entry.row
        matched = matched_words(entry.text, shown)
        yield Hit(
            entry=entry,
            score=ranking.scores[row],
            relevance=_relevance(ranking, entry, around),
            bm25=found.lexical.get(row, 0.0),
            semantic=found.cosines.get(row, 0.0),
            graph=said[row] - found.own.get(row, 0.0),
            matched=matched,
            part=snippet(entry.text, matched) if len(entry.text) > LENGTH else "",
            also=tuple(dict.fromkeys(citation(one) for one in same)),
        )


def _by_relevance(
    ranked: "Sequence[Entry]", ranking: "Ranking", around: float
) -> "Sequence[Entry]":
    """The entries, where memories that the second look saw stand among others by how sure each answers.

    What it adds to a score is more than words and meaning bring together, and passages have none of
    it: a memory of a relevance of .12 came before the passage that answered with .68. Within each of
    the two the order stays.
    """
    if not ranking.look.cosines:
        return ranked
    seen = [one for one in ranked if one.row in ranking.look.cosines]
    others = [one for one in ranked if one.row not in ranking.look.cosines]
    if not seen or not others:
        return ranked
    place = {one.row: number for number, one in enumerate(ranked)}
    sure = {one.row: _relevance(ranking, one, around) for one in ranked}
    merged: list[Entry] = []
    while seen and others:
        memory, other = seen[0].row, others[0].row
        surer = sure[memory] - sure[other]
        first = surer > 0 if abs(surer) > AS_SURE else place[memory] < place[other]
        merged.append((seen if first else others).pop(0))
    return [*merged, *seen, *others]


def _apart(
    looked: "Mapping[int, float]", rows: "Iterable[int]", entries: "Mapping[int, Entry]"
) -> "Iterator[int]":
    """The best memory of the second look, and those behind it that do not say the same of another.

    “Test 4 hangs on port 4379” beside “Test 5 hangs on port 5379”: both answer, neither stands out.
    """
    said: set[str] = set()
    for row in sorted(rows, key=lambda row: -looked[row]):
        theirs = set(words(entries[row].text)) if row in entries else set[str]()
        if not said or len(said & theirs) < SAME_WORDS * len(said | theirs):
            said = said or theirs
            yield row


def citation(entry: "Entry") -> str:
    """Where an entry stands: file and lines, or the kind and the id of a memory."""
    if entry.path is None:
        return f"{entry.kind} {entry.id}"
    # Names of files may hold anything; the citation goes where a model reads it.
    return f"{one_line(entry.path)}:{entry.start_line}-{entry.end_line}"


def newest_first(
    hits: "Sequence[Hit]",
    links: "Iterable[Link]",
    others: "Mapping[int, Entry]",
    *,
    reads: bool = True,
) -> tuple[Hit, ...]:
    """The hits, each told what others say about the same, a newer one right before the older.

    `reads`: the contextual model reads the language of the question; else its cosines tell nothing.
    """
    shown = {hit.entry.row: hit for hit in hits}
    linked: dict[int, dict[int, Linked]] = {}
    newer: dict[int, list[int]] = {}
    for link in links if reads else [one.replace(understood=None) for one in links]:
        hit, other = shown.get(link.row), others.get(link.other)
        relation = _relation(link, hit.id, other) if hit is not None and other is not None else ""
        if hit is None or other is None or not relation:
            continue
        first = relation == "older" and _comes_first(shown.get(link.other), hit, link)
        if first:
            newer.setdefault(link.row, []).append(link.other)
        of_both = linked.setdefault(link.row, {})
        if link.other not in of_both or relation == "replaces":
            told = relation not in {"older", "replaces"} and link.other in shown
            text = "" if first or told else _cut(other, hit.matched)
            of_both[link.other] = _linked(relation, link, other, text)
    ordered: dict[int, Hit] = {}
    for row in shown:
        _emit(row, shown, newer, ordered)
    return tuple(
        hit.replace(linked=_newest(linked[row].values())) if row in linked else hit
        for row, hit in ordered.items()
    )


def _emit(
    row: int, shown: "Mapping[int, Hit]", newer: "Mapping[int, list[int]]", into: "dict[int, Hit]"
) -> None:
    """Put a hit behind those that are newer; what is newer is never older, so this ends."""
    if row in into:
        return
    for other in newer.get(row, ()):
        _emit(other, shown, newer, into)
    into[row] = shown[row]


def _relation(link: "Link", id: str, other: "Entry") -> str:
    """What a memory is to the other end of a link; nothing where they are not about the same."""
    if link.kind == "supersedes" and link.outward and other.state == "superseded":
        return "replaces"
    if other.state != "active":
        return ""
    if link.kind == "supersedes":
        return "newer" if link.outward else "older"
    later = (link.said, id) > (link.other_said, other.id)
    if link.kind != "related_to" or _about_the_same(link):
        return "newer" if later else "older"
    cosine = link.cosine or 0.0
    if cosine < MAYBE_SAME_BY_WORDS and cosine + 2 * (link.understood or 0.0) < MAYBE_SAME:
        return ""
    return "later" if later else "earlier"


def _about_the_same(link: "Link") -> bool:
    """Whether two related memories are about the same subject and attribute.

    That somebody related them does not say so: a note that says "see there" is about something else.
    """
    cosine = link.cosine or 0.0
    return cosine >= SAME_BY_WORDS or cosine + (link.understood or 0.0) >= SAME


def _comes_first(newer: Hit | None, older: Hit, link: "Link") -> bool:
    """Whether a newer hit is put before an older one: if it is believed as much, and answers too."""
    if newer is None or TRUSTS.index(newer.entry.trust) < TRUSTS.index(older.entry.trust):
        return False
    if newer.relevance < ANSWERS_TOO * older.relevance:
        return False
    found = link.automatic or link.kind == "related_to"
    # Admission also marks what only might contradict, so that somebody looks: that moves nothing.
    if found and link.kind != "supersedes" and not _about_the_same(link):
        return False
    return not found or link.kind == "supersedes" or _of_one_subject(newer, older)


def _of_one_subject(newer: Hit, older: Hit) -> bool:
    """Whether two that admission took for close or opposed are of one subject, as the question has it.

    What is told of stands first: where the newer one lacks what of the older one's beginning was asked
    for, or a number or name that was, it is about another one ("the port of the billing service").
    """
    text = bare(newer.text)
    lacking = [word for word in older.matched if not Finder(words(word)).spans(text)]
    return not any(word == older.matched[0] or not word.islower() for word in lacking)


def surer_first(hits: "Sequence[Hit]", believed: "Mapping[str, float]") -> "tuple[Hit, ...]":
    """Hits, a memory whose files have changed behind those that answer as well and stand.

    `believed` is what change has left of a memory's confidence, by its id (none: all of it). That takes
    from its score as the past does, within the same bound. What is newer about the same stays in front,
    unless the older one is about what changed, too, and stands: then that is how it is now.
    """
    order = list(hits)
    for hit in reversed(hits):
        left = believed.get(hit.id, 1.0)
        at = order.index(hit)
        score = _left(hit, left)
        while left < 1.0 and at + 1 < len(order):
            below = order[at + 1]
            stands = believed.get(below.id, 1.0)
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
    return tuple(order)


def _left(hit: Hit, believed: float) -> float:
    return hit.score * (1.0 - BOUND * (1.0 - believed))


def _share_a_file(one: Hit, other: Hit) -> bool:
    return not {a.path for a in one.entry.anchors}.isdisjoint(a.path for a in other.entry.anchors)


def said_beside(
    entry: "Entry", links: "Iterable[Link]", others: "Mapping[int, Entry]"
) -> tuple[Linked, ...]:
    """What others say about the same as a memory that is shown by itself."""
    linked: dict[int, Linked] = {}
    for link in links:
        other = others.get(link.other)
        relation = _relation(link, entry.id, other) if other is not None else ""
        if other is not None and relation and (link.other not in linked or relation == "replaces"):
            linked[link.other] = _linked(relation, link, other, _cut(other, ()))
    return _newest(linked.values())


def _cut(other: "Entry", matched: "Sequence[str]") -> str:
    return snippet(" ".join(other.text.split()), matched, LINKED_CHARS)


def _linked(relation: str, link: "Link", other: "Entry", text: str) -> Linked:
    return Linked(relation, other.id, other.kind, text, other.trust, link.other_said)


def _newest(linked: "Iterable[Linked]") -> tuple[Linked, ...]:
    latest = sorted(linked, key=lambda one: (one.created, one.id), reverse=True)
    # Python's sort is stable: what is surely about the same first.
    latest.sort(key=lambda one: one.relation in MAYBE)
    return tuple(latest[:MOST_LINKED])


def _once(entries: "Iterable[Entry]") -> "Iterable[list[Entry]]":
    """The entries, those of the same text together where the first of them stands."""
    entries = list(entries)
    # Only those that begin alike are read as wholes: of forty all took a thirtieth of a question.
    begun = [" ".join(entry.text.split(None, _BEGIN)[:_BEGIN]) for entry in entries]
    alike = Counter(begun)
    same: dict[str, list[Entry]] = {}
    for entry, begin in zip(entries, begun, strict=True):
        text = begin if alike[begin] == 1 else " ".join(entry.text.split())
        same.setdefault(text, []).append(entry)
    return same.values()


def _relevance(ranking: "Ranking", entry: "Entry", around: float) -> float:
    """As a passage or as a memory; by the second look where it saw the entry, against those `around`."""
    look, row, calibration = ranking.look, entry.row, ranking.calibration
    score = ranking.before["life"][row]
    if entry.family != MEMORY:
        return calibration.relevance(score, words_of(entry))
    if row not in look.cosines:
        # What memories have was fitted on whole questions, words and meaning.
        whole = calibration.whole and ranking.found.compared
        return (
            calibration.remembered(score)
            if whole
            else calibration.relevance(score, words_of(entry))
        )
    least = look.met[row][1] if row in look.met else 0.0
    then = ranking.before["relations"][row]
    cosine, compared = look.cosines[row], look.compared
    seen = calibration.understood(then, around, least, cosine, words_of(entry), compared)
    # A word or two, such as a name or an alias, is no sentence: who holds it answers, whatever it means.
    # And a tag is what a memory is to be found by, but no part of the sentence that was read.
    named = entry.tags and calibration.covered(spaced(" ".join(entry.tags)))
    if calibration.whole and not named:
        return seen
    first = ranking.before["second look"].get(row, 0.0)
    return max(seen, calibration.relevance(first, words_of(entry)))
