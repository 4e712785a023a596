"""From hits to the context of a task: shares by kind, cuts, no text twice, files together. Pure."""

from bowerbird.core.packs import Item
from bowerbird.core.phases import OTHER, phase
from bowerbird.core.text import BYTES_PER_TOKEN, count_tokens, one_line
from bowerbird.retrieval.snippet import snippet

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bowerbird.core.answers import Hit
    from bowerbird.core.phases import Phase

# Where no phase says otherwise (specification, start values).
BUDGET = 2_048
ITEMS = 8
# Tokens of one item, and of one that is surely relevant.
TOKENS, SURE_TOKENS = 200, 400
SURE = 0.8
# What is handed over unasked must be likelier than what is shown to somebody who asks: the best hit
# must reach GATE, and then others join from FLOOR on. Eight items hold .69 of the evidence of LoCoMo,
# .44 of BEAM and .94 of XQuAD, and something is handed over for .16, .23 and .30 of the questions
# without an answer. One floor for every hit, as strict with those, hands over .54, .41 and .93.
GATE = 0.25
FLOOR = 0.05
# Hits that are looked at for a pack: three times as many as fit at most.
DEPTH = 50
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
    relevant = [hit for hit in hits if hit.relevance >= FLOOR]
    if not any(hit.relevance >= GATE for hit in relevant):
        return ()
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
    return _clustered([chosen[rank] for rank in sorted(chosen)])


def _shares(asked: "Phase", total: int) -> dict[str, int]:
    return {kind: int(share * total) for kind, share in asked.shares.items()}


def _item(hit: "Hit", chosen: "Sequence[Item]", room: int) -> Item | None:
    """A hit as an item of at most `room` tokens, less what is chosen already; None for nothing."""
    allowance = min(SURE_TOKENS if hit.relevance > SURE else TOKENS, room)
    fresh = unseen(hit.text, [item.text for item in chosen if item.path == hit.path])
    text = cut(fresh, hit.matched, allowance)
    if not text or (text != fresh and count_tokens(text) < FEWEST):
        return None
    entry = hit.entry
    citation = f"{entry.kind} {entry.id}"
    if entry.path is not None:
        # Names of files may hold anything; the citation goes where a model reads it.
        citation = f"{one_line(entry.path)}:{entry.start_line}-{entry.end_line}"
    return Item(
        id=entry.id,
        kind=entry.kind,
        text=text,
        tokens=count_tokens(text),
        citation=citation,
        relevance=hit.relevance,
        trust=entry.trust,
        created=entry.created,
        path=entry.path,
        speaker=entry.speaker,
        review=entry.review,
    )


def cut(text: str, matched: "Sequence[str]", tokens: int) -> str:
    """The text, or the part of it around the matched words that has at most so many tokens."""
    text = text.strip()
    if count_tokens(text) <= tokens:
        return text
    length = tokens * BYTES_PER_TOKEN
    while length > BYTES_PER_TOKEN:
        part = snippet(text, matched, length)
        if count_tokens(part) <= tokens:
            return part
        length = length * 7 // 8
    return ""


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
