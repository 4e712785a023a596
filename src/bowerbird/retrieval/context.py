"""From hits to a pack for a task: shares by kind, truncated, no text twice, grouped by file. Pure."""

from bowerbird.core.excerpt import cut
from bowerbird.core.packs import Item
from bowerbird.core.phases import OTHER
from bowerbird.core.recalled import remark
from bowerbird.core.text import count_tokens
from bowerbird.retrieval.linked import standing
from bowerbird.retrieval.present import citation
from bowerbird.retrieval.relevance import is_weak

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bowerbird.core.answers import Hit, Linked
    from bowerbird.core.phases import Phase

# Tokens and items without a phase; not measured.
BUDGET = 2_048
ITEMS = 8
# Maximum tokens of an item, and of one whose relevance exceeds SURE.
TOKENS = 200
SURE_TOKENS = 400
SURE = 0.8
# A pack that nobody requested must be more likely relevant than an answer to a query: the best hit must
# reach GATE, the others must not be weak beside it. Eight items contain .69 of LoCoMo's evidence, .44 of
# BEAM's and .94 of XQuAD's, and .16, .23 and .30 of the unanswerable queries get a pack. One threshold
# for all hits, as strict on those, gives .54, .41 and .93. Of memories 4.8 join on average: that of .63
# of the paraphrases of `benchmarks/memories.md`, of .83 of its half-overlapping queries, and of .73 of
# its tasks.
GATE = 0.24
# Hits to consider for a pack: at least three times as many as can fit.
DEPTH = 50
# Tokens of the newer memory's text that an item quotes.
LINKED_TOKENS = 40
# An item below this number of tokens is useless; a rest of the budget below it stays unused.
FEWEST = 20
# Characters that must agree to detect that two pieces of a file overlap.
_PROBE = 40


def budget_of(phase: "Phase | None", budget: int | None) -> int:
    """The token budget of a pack: the given one, else the phase's, else the default."""
    if budget is not None:
        return budget
    return phase.budget if phase else BUDGET


def packed(hits: "Iterable[Hit]", phase: "Phase | None", budget: int | None) -> tuple[Item, ...]:
    """The items of a pack within its budget, from hits, best first.

    With a phase, each kind's share is filled first, best hits first; the rest of the budget then goes
    to the remaining hits in order, of any kind.
    """
    total = budget_of(phase, budget)
    found = list(standing(hits))
    best = max((hit.relevance for hit in found), default=0.0)
    if best < GATE:
        return ()
    relevant = _with_texts([hit for hit in found if not is_weak(hit, best)])
    chosen: dict[int, Item] = {}
    if phase:
        left = _shares(phase, total)
        for rank, hit in enumerate(relevant):
            kind = hit.kind if hit.kind in left else OTHER
            item = _item(hit, list(chosen.values()), left.get(kind, 0))
            if item is not None:
                chosen[rank] = item
                left[kind] -= item.tokens
    # A larger budget than the default allows proportionally more items.
    most = len(relevant) if phase else max(ITEMS, total * ITEMS // BUDGET)
    spent = sum(item.tokens for item in chosen.values())
    for rank, hit in enumerate(relevant):
        if rank not in chosen and len(chosen) < most:
            item = _item(hit, list(chosen.values()), total - spent)
            if item is not None:
                chosen[rank] = item
                spent += item.tokens
    return _clustered(_quoted_once([chosen[rank] for rank in sorted(chosen)]))


def _with_texts(hits: "list[Hit]") -> "list[Hit]":
    """The hits, with the text of newer memories filled in, as those hits may not come into the pack."""
    texts = {hit.id: hit for hit in hits}

    def with_text(one: "Linked") -> "Linked":
        if one.text or one.relation != "older" or one.id not in texts:
            return one
        return one.replace(text=cut(texts[one.id].text, texts[one.id].matched, LINKED_TOKENS))

    return [
        hit.replace(linked=tuple(map(with_text, hit.linked))) if hit.linked else hit for hit in hits
    ]


def _quoted_once(items: "list[Item]") -> "list[Item]":
    """The items without the quoted texts of items that precede them."""
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
    """A hit as an item of at most `room` tokens, without text that is already chosen; None if too little.

    The texts of linked memories count too: without them an outdated memory would appear alone.
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
        audience=entry.audience,
        review=remark(entry),
        also=hit.also,
        linked=hit.linked,
        anchors=entry.anchors,
        valid_from=entry.valid_from,
        valid_to=entry.valid_to,
    )


def unseen(text: str, shown: "Iterable[str]") -> str:
    """The text without what pieces of the same file that are already shown repeat at its edges."""
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
    """The items, those of one file moved to the position of its best one; memories keep theirs."""
    files = [item.path or item.id for item in items]
    first = {file: files.index(file) for file in files}
    return tuple(sorted(items, key=lambda item: first[item.path or item.id]))
