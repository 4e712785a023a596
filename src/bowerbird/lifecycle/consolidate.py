"""Consolidation: several memories that say the like become examples of one pattern.

A pattern is made of the words of its examples, or by a language model. They leave search below it
(`compressed`), and it is found by their words. Each pattern is one operation, which one revert undoes.
"""

from difflib import SequenceMatcher
from functools import lru_cache

from bowerbird.core.consolidated import Consolidated, Pattern
from bowerbird.core.errors import ModelError
from bowerbird.core.history import Change, Relation
from bowerbird.core.ids import new_id
from bowerbird.core.memories import Belief, Fields
from bowerbird.core.normal import normal_hash, word_tokens
from bowerbird.core.pieces import in_pieces
from bowerbird.core.text import clean, is_unspaced, parted, summarise, words
from bowerbird.core.types import BELOW, GLOBAL, PERSONAL, RECORDS, SHORT_ID, TRUSTS, UNREAD
from bowerbird.core.value import Note
from bowerbird.guard.redact import ALLOW_NOTHING, redact
from bowerbird.guard.trust import trust_of
from bowerbird.lifecycle.alike_texts import AlikeTexts
from bowerbird.lifecycle.contradiction import negations
from bowerbird.lifecycle.cycles import without_cycles
from bowerbird.lifecycle.importance import LOWEST
from bowerbird.lifecycle.reordering import shared as same_beginning

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bowerbird.core.clock import Clock
    from bowerbird.core.consolidated import Alike
    from bowerbird.core.details import Details
    from bowerbird.core.history import Version
    from bowerbird.core.kinds import Kinds
    from bowerbird.core.ports.models import Embedder
    from bowerbird.core.ports.store import Store
    from bowerbird.core.ports.thinking import Summariser
    from bowerbird.core.types import Entry, Project, Vector
    from bowerbird.guard.redact import Allow

# The cosine from which on two memories say the like, and how many of them make a pattern.
LIKE = 0.9
FEWEST = 3
PATTERN = "pattern"
# The share of a text's words that all examples have, from which on a pattern is the text with gaps.
COMMON = 0.5
# Examples that the text of a pattern shows, and words of examples by which it is found.
SHOWN = 8
MOST_WORDS = 400
# Memories of a cluster with which each further one is compared for contradictions.
COMPARED = 12
# Examples per transaction: each takes about a millisecond, and other writers wait meanwhile.
BATCH = 200
# No person said the sentence of a model, or one that sums up what several said.
ORIGIN = "agent"
# The source of a pattern of memories from several.
_SEVERAL = "observer_inferred"
_GAP = "…"
# Characters by which a pattern is cited.
CITED = 40


class Extractive:
    """Sums up texts by their common words: no model."""

    def pattern(self, texts: "Sequence[str]") -> "tuple[str, Sequence[int]]":
        """The common words of some texts, the first of which is the most typical, and what differs."""
        return _common(texts), range(len(texts))


EXTRACTIVE = Extractive()


def _common(texts: "Sequence[str]") -> str:
    parts = [parted(text) for text in texts]
    first, said = parts[0], [_compared(some) for some in parts]
    kept = set(range(len(first)))
    for other in said[1:]:
        kept &= _shared(said[0], other)
    if not first or len(kept) < COMMON * len(first):
        return f"{texts[0]} ({len(texts)} alike)"
    template = _with_gaps(first, kept)
    if len(kept) == len(first):
        return texts[0]
    fixed = [said[0][at] for at in sorted(kept)]
    fillers = [_left_out(some, other, fixed) for some, other in zip(parts, said, strict=True)]
    shown = list(dict.fromkeys(filter(None, fillers)))
    more = f"; {len(shown) - SHOWN} more" if len(shown) > SHOWN else ""
    return f"{_joined(template)} ({'; '.join(shown[:SHOWN])}{more})"


def _joined(parts: "Iterable[str]") -> str:
    """The text of some of its parts."""
    return " ".join("".join(parts).split())


def _compared(text: "Sequence[str]") -> list[str]:
    """The words of a text without what surrounds them."""
    return list(map(_bare, text))


@lru_cache(maxsize=8_192)
def _bare(word: str) -> str:
    return " ".join(word_tokens(word))


def _shared(ours: "Sequence[str]", theirs: "Sequence[str]") -> set[int]:
    """The positions in one text of the words that another one has in the same order."""
    # Texts of a pattern mostly differ in a few words: only those need the matcher.
    begin = same_beginning(ours, theirs)
    end = same_beginning(ours[begin:][::-1], theirs[begin:][::-1])
    at = {*range(begin), *range(len(ours) - end, len(ours))}
    middle, other = ours[begin : len(ours) - end], theirs[begin : len(theirs) - end]
    if middle and other:
        blocks = SequenceMatcher(None, middle, other, autojunk=False).get_matching_blocks()
        at |= {begin + at for block in blocks for at in range(block.a, block.a + block.size)}
    return at


def _with_gaps(first: "Sequence[str]", kept: "set[int]") -> list[str]:
    found: list[str] = []
    for at, word in enumerate(first):
        # A gap ends as the last word in it does.
        end = " " if word[-1:].isspace() else ""
        if at in kept:
            found.append(word)
        elif found and found[-1].startswith(_GAP):
            found[-1] = _GAP + end
        else:
            found.append(_GAP + end)
    return found


def _left_out(text: "Sequence[str]", compared: "Sequence[str]", fixed: "Sequence[str]") -> str:
    """What a text has in the place of the gaps between the fixed words."""
    shared = _shared(compared, fixed)
    left = [" " if at in shared else word for at, word in enumerate(text)]
    return _joined(left)


def clusters(pairs: "Iterable[tuple[int, int, float]]") -> list[list[int]]:
    """Groups of at least FEWEST rows that are all near the first one of their group, the largest first.

    Each row is in one group at most; who has most neighbours begins.
    """
    near: dict[int, dict[int, float]] = {}
    for left, right, cosine in pairs:
        near.setdefault(left, {})[right] = cosine
        near.setdefault(right, {})[left] = cosine
    found, taken = [], set[int]()
    for row in sorted(near, key=lambda row: (-len(near[row]), row)):
        if row in taken:
            continue
        others = sorted(near[row].keys() - taken, key=lambda other: (-near[row][other], other))
        if len(others) + 1 >= FEWEST:
            found.append([row, *others])
            taken |= {row, *others}
    return found


class Consolidation:
    """Consolidates some projects of a store (None: all)."""

    def __init__(
        self,
        store: "Store",
        projects: "Sequence[str] | None",
        clock: "Clock",
        kinds: "Kinds",
        embedder: "Embedder",
        allow: "Allow" = ALLOW_NOTHING,
        summariser: "Summariser" = EXTRACTIVE,
        *,
        again: bool = True,
    ) -> None:
        """Without `again`, what a revert took out of a pattern stays out until it is changed."""
        self._store = store
        self._again = again
        self._projects = projects
        self._clock = clock
        # What is never pruned is not summed up either.
        self._left = (
            PATTERN,
            *sorted(RECORDS),
            *(one for one in kinds if not kinds.get(one).prunable),
        )
        self._embedder = embedder
        self._allow = allow
        self._summariser = summariser
        # What the model failed with, in order.
        self._unsaid: dict[str, None] = {}

    def run(self, model: int | None, actor: str, *, dry_run: bool) -> Consolidated:
        """Sum up what says the like by the vectors of a model; each pattern is an operation of its own.

        `dry_run` only says what would be summed up.
        """
        with without_cycles():
            groups, projects = self._grouped(model)
        # A model may take minutes for these.
        found = [self._pattern(one) for one in groups]
        planned = [one for one in found if one is not None]
        notes = tuple(Note("degraded", why) for why in self._unsaid)
        if dry_run:
            return Consolidated(tuple(planned), dry_run=True, notes=notes)

        def write(some: "Sequence[Pattern]") -> list[Pattern]:
            vectors = self._read([one.text for one in some])
            with self._store.transaction():
                return self._write(some, vectors, model, projects, actor)

        done: list[Pattern] = []
        for batch in _batches(planned):
            for written in in_pieces(batch, write):
                done += written
        return Consolidated(tuple(done), notes=notes)

    def _grouped(self, model: int | None) -> "tuple[list[list[Alike]], dict[str, Project]]":
        """The memories of each pattern, and the projects of the store."""
        with self._store.reading():
            pairs = [] if model is None else list(self._pairs(model))
            rows = {row for left, right, _ in pairs for row in (left, right)}
            loaded = self._store.alike.said(sorted(rows))
            projects = {one.uid: one for one in self._store.projects.all()} | {GLOBAL.uid: GLOBAL}
        # “May be empty” and “may not be empty” are near each other, and must not share a pattern.
        denied = {row: negations(one.text) for row, one in loaded.items()}
        groups = clusters(one for one in pairs if denied[one[0]] == denied[one[1]])
        alike = (_of_one_subject([loaded[row] for row in group]) for group in groups)
        return [one for one in alike if len(one) >= FEWEST], projects

    def _pattern(self, entries: "Sequence[Alike]") -> Pattern | None:
        """What some memories have in common, by a model or, where it says nothing, by their words."""
        texts = [one.text for one in entries]
        found = None
        try:
            found = self._summariser.pattern(texts)
        except ModelError as error:
            self._unsaid.setdefault(f"{error.message}; the words of the memories were used")
        by_model = found is not None and self._summariser is not EXTRACTIVE
        text, positions = found or EXTRACTIVE.pattern(texts)
        text = redact(clean(text), self._allow).text.strip()
        if not text:
            return None
        under = [entries[at] for at in positions]
        trust = min((one.trust for one in under), key=TRUSTS.index)
        trust = trust_of(ORIGIN, lineage=[trust]) if by_model else trust
        ids = tuple(one.id for one in under)
        return Pattern("", text, under[0].project, ids, trust, by_model)

    def _pairs(self, model: int) -> "Iterable[tuple[int, int, float]]":
        return self._store.alike.pairs(model, self._projects, self._left, LIKE, again=self._again)

    def _read(self, texts: "Sequence[str]") -> "Sequence[Vector | None]":
        """The vectors of some texts; None where the model fails, to be embedded later."""
        try:
            return self._embedder.embed(texts)
        except ModelError:
            return [None] * len(texts)

    def _write(
        self,
        patterns: "Sequence[Pattern]",
        vectors: "Sequence[Vector | None]",
        model: int | None,
        projects: "dict[str, Project]",
        actor: str,
    ) -> list[Pattern]:
        """Writes patterns and compresses their examples, but for those of which one changed meanwhile."""
        memories, relations = self._store.memories, self._store.relations
        ids = [id for one in patterns for id in one.examples]
        found = {one.id: one for one in self._store.entries.named(ids, None)}
        details = self._store.details([one.row for one in found.values()])
        heads = {one.memory: one for one in memories.heads(list(found))}
        now = self._clock()
        done: list[Pattern] = []
        compressed: list[tuple[int, Version, Change]] = []
        linked: list[tuple[Relation, Change]] = []
        for pattern, vector in zip(patterns, vectors, strict=True):
            under = [found[id] for id in pattern.examples if _stands(found.get(id), pattern)]
            if len(under) != len(pattern.examples):
                continue
            change = Change(
                new_id(now), "consolidated", actor, f"{len(under)} memories say the like"
            )
            belief = _belief(pattern, under, [details[one.row] for one in under], actor)
            project = self._store.projects.ensure(projects[pattern.project])
            read = (UNREAD, None) if vector is None else (vector, model)
            id = memories.add(project, belief, *read, change)
            below = change.replace(action=BELOW, reason=f"it is an example of {id[:SHORT_ID]}")
            compressed += ((one.row, heads[one.id], below) for one in under)
            link = below.replace(action="linked")
            linked += (
                (Relation(one.id, id, "example_of", automatic=True, created=now), link)
                for one in under
            )
            done.append(pattern.replace(id=id))
        memories.set_state(compressed, BELOW)
        relations.begin(linked)
        return done


def _batches(patterns: "Sequence[Pattern]") -> "Iterator[list[Pattern]]":
    """Patterns that together have about BATCH examples."""
    batch: list[Pattern] = []
    count = 0
    for one in patterns:
        batch.append(one)
        count += len(one.examples)
        if count >= BATCH:
            yield batch
            batch, count = [], 0
    if batch:
        yield batch


def _stands(entry: "Entry | None", pattern: Pattern) -> bool:
    """Whether an example is still as it was when its pattern was made."""
    return entry is not None and entry.state == "active" and entry.project == pattern.project


def _of_one_subject(entries: "Sequence[Alike]") -> "list[Alike]":
    """The first memory and those that share a word with it; none contradicts another one."""
    texts = [one.text for one in entries]
    about = {word for word in words(texts[0]) if len(word) > 2 or is_unspaced(word)}  # noqa: PLR2004
    # Words that stand between blanks as they are need not be read.
    plain = {word for word in about if word.isascii() and word.isalpha()}
    alike = AlikeTexts(texts)
    kept = [0]
    for at, text in enumerate(texts[1:], 1):
        if plain.isdisjoint(text.split()) and about.isdisjoint(words(text)):
            continue
        if not any(alike.disagree(other, at) for other in kept[:COMPARED]):
            kept.append(at)
    return [entries[at] for at in kept]


def _belief(
    pattern: Pattern, entries: "Sequence[Entry]", details: "Sequence[Details]", actor: str
) -> Belief:
    """A pattern as a memory, which is found by the words of all its examples."""
    text, fields = pattern.text, [one.fields for one in details]
    own = {*words(text)}
    theirs = dict.fromkeys(word for one in entries for word in words(one.text) if word not in own)

    def united(name: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(value for one in fields for value in getattr(one, name)))

    sources, origins = {one.source for one in details}, {one.origin for one in details}
    summary = summarise(text)
    keywords = dict.fromkeys((*united("keywords"), *theirs))
    return Belief(
        text=text,
        hash=normal_hash(text),
        fields=Fields(
            kind=PATTERN,
            summary=summary,
            citation=summarise(summary, CITED),
            tags=united("tags"),
            keywords=tuple(keywords)[:MOST_WORDS],
            files=united("files"),
            modules=united("modules"),
            scope=fields[0].scope,
            audience=fields[0].audience,
            author=fields[0].author if fields[0].audience == PERSONAL else "",
            confidence=min(one.confidence for one in fields),
        ),
        importance=max(one.importance or LOWEST for one in entries),
        # What leaves search below it lasts in it as long as it would have by itself.
        decay_rate=min(one.decay_rate for one in details),
        origin=ORIGIN if pattern.by_model or len(origins) > 1 else origins.pop(),
        source=sources.pop() if len(sources) == 1 else _SEVERAL,
        trust=pattern.trust,
        actor=actor,
        tainted=any(one.tainted for one in details),
    )
