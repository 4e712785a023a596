"""From hits to the context of a task: shares by kind, cuts, no text twice, files together. Pure."""

from bowerbird.core.excerpt import cut
from bowerbird.core.packs import Item
from bowerbird.core.phases import OTHER, phase
from bowerbird.core.text import count_tokens
from bowerbird.core.types import MEMORY
from bowerbird.retrieval.present import citation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bowerbird.core.answers import Hit, Linked
    from bowerbird.core.phases import Phase

# Tokens and items where no phase says otherwise: start values, not measured yet.
BUDGET = 2_048
ITEMS = 8
# Tokens of one item, and of one that is surely relevant.
TOKENS, SURE_TOKENS = 200, 400
SURE = 0.8
# What is handed over unasked must be likelier than what is shown to somebody who asks: the best hit
# must reach GATE, and then others join from FLOOR on. Eight items hold .69 of the evidence of LoCoMo,
# .44 of BEAM and .94 of XQuAD, and something is handed over for .16, .23 and .30 of the questions
# without an answer. One floor for every hit, as strict with those, hands over .54, .41 and .93.
GATE = 0.24
FLOOR = 0.05
# The share of the best hit's relevance from which a memory joins: where none stands out, more are
# handed over: 4.8 of them, which hold the memory of .63 of the paraphrases of `benchmarks/memories.md`,
# .83 of its halves and .73 of its tasks (constants of the other projects).
BESIDE = 0.2
# Hits that are looked at for a pack: three times as many as fit at most.
DEPTH = 50
# Of a newer one that an item tells of.
LINKED_TOKENS = 40
# Less than this of an item says nothing; what is left of a budget below it stays unspent.
FEWEST = 20
# Characters by which two pieces of one file are seen to overlap.
_PROBE = 40


def budget_of(name: str | None, budget: int | None) -> int:
    """The tokens that a pack may have: as asked, else the phase's, else the usual."""
    if budget is not None:
        return budget
    return phase(name).budget if name else BUDGET


def packed(hits: "Iterable[Hit]", name: str | None, budget: int | None) -> tuple[Item, ...]:
    """Hits, best first, as the items of a pack that never exceeds its budget.

    With a phase each kind first takes its share, best hit first; what is left then goes to whoever
    comes next, whatever its kind.
    """
    total = budget_of(name, budget)
    found = list(hits)
    best = max((hit.relevance for hit in found), default=0.0)
    if best < GATE:
        return ()
    floors = {MEMORY: max(BESIDE * best, FLOOR)}
    relevant = _telling(
        [hit for hit in found if hit.relevance >= floors.get(hit.entry.family, FLOOR)]
    )
    chosen: dict[int, Item] = {}
    if name:
        left = _shares(phase(name), total)
        for rank, hit in enumerate(relevant):
            kind = hit.kind if hit.kind in left else OTHER
            item = _item(hit, list(chosen.values()), left.get(kind, 0))
            if item is not None:
                chosen[rank] = item
                left[kind] -= item.tokens
    # A larger budget than the usual one may hold more items than the usual ones.
    most = len(relevant) if name else max(ITEMS, total * ITEMS // BUDGET)
    spent = sum(item.tokens for item in chosen.values())
    for rank, hit in enumerate(relevant):
        if rank not in chosen and len(chosen) < most:
            item = _item(hit, list(chosen.values()), total - spent)
            if item is not None:
                chosen[rank] = item
                spent += item.tokens
    return _clustered(_told_once([chosen[rank] for rank in sorted(chosen)]))


def _telling(hits: "list[Hit]") -> "list[Hit]":
    """The hits, each with the words of what is newer: not every hit comes into the pack."""
    texts = {hit.id: hit for hit in hits}

    def with_text(one: "Linked") -> "Linked":
        if one.text or one.relation != "older" or one.id not in texts:
            return one
        return one.replace(text=cut(texts[one.id].text, texts[one.id].matched, LINKED_TOKENS))

    return [
        hit.replace(linked=tuple(map(with_text, hit.linked))) if hit.linked else hit for hit in hits
    ]


def _told_once(items: "list[Item]") -> "list[Item]":
    """The items, less what they tell of those that stand before them."""
    once: list[Item] = []
    for item in items:
        before = {one.id for one in once}
        linked = tuple(one.replace(text="") if one.id in before else one for one in item.linked)
        spared = sum(count_tokens(one.text) for one in item.linked if one.id in before)
        once.append(item.replace(linked=linked, tokens=item.tokens - spared))
    return once


def _shares(asked: "Phase", total: int) -> dict[str, int]:
    return {kind: int(share * total) for kind, share in asked.shares.items()}


def _item(hit: "Hit", chosen: "Sequence[Item]", room: int) -> Item | None:
    """A hit as an item of at most `room` tokens, less what is chosen already; None for nothing.

    What is said of others counts too: without it an older one would stand alone.
    """
    linked = sum(count_tokens(one.text) for one in hit.linked)
    allowance = min(SURE_TOKENS if hit.relevance > SURE else TOKENS, room - linked)
    fresh = unseen(hit.text, [item.text for item in chosen if item.path == hit.path])
    text = cut(fresh, hit.matched, allowance)
    if not text or (text != fresh and count_tokens(text) < FEWEST):
        return None
    entry = hit.entry
    return Item(
        id=entry.id,
        kind=entry.kind,
        text=text,
        tokens=count_tokens(text) + linked,
        citation=citation(entry),
        relevance=hit.relevance,
        trust=entry.trust,
        created=entry.created,
        path=entry.path,
        speaker=entry.speaker,
        review=entry.review,
        also=hit.also,
        linked=hit.linked,
        anchors=entry.anchors,
    )


def unseen(text: str, shown: "Iterable[str]") -> str:
    """The text less what other pieces of the same file, shown already, say at its edges."""
    text = text.strip()
    for other in shown:
        if text in other:
            return ""
        start = other.find(text[:_PROBE])
        if len(text) > _PROBE and start >= 0 and text.startswith(other[start:]):
            text = text[len(other) - start :].strip()
        end = other.find(text[-_PROBE:])
        if len(text) > _PROBE and end >= 0 and text.endswith(other[: end + _PROBE]):
            text = text[: -(end + _PROBE)].strip()
    return text


def _clustered(items: "Sequence[Item]") -> tuple[Item, ...]:
    """Items of one file together where its best one stands; a memory stands by itself."""
    files = [item.path or item.id for item in items]
    first = {file: files.index(file) for file in files}
    return tuple(sorted(items, key=lambda item: first[item.path or item.id]))
