"""Finds entries by words and selects them for injection: few, short, trusted, no duplicates."""

from bowerbird.core.injected import Line
from bowerbird.core.origins import TAUGHT, TENTATIVE
from bowerbird.core.packs import Item
from bowerbird.core.pattern import late
from bowerbird.core.recalled import attributed, item_of, remark
from bowerbird.core.text import count_tokens, one_line
from bowerbird.core.types import DIGEST, MEMORY, NOTES, RECORDS, SHORT_ID, TRUSTS, overruled_by

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from bowerbird.core.answers import Hit
    from bowerbird.core.ports.recall import Recall
    from bowerbird.core.types import Entry

    # Whether the confidence of a memory reaches the threshold of its project's level.
    Sure = Callable[[Entry], bool]

# Maximum tokens of one injection, and the tokens of the envelope around it.
BUDGET = 500
ENVELOPE = 120
# Maximum tokens of an injection between two steps: half of a prompt's.
BETWEEN = 250
# Maximum tokens of one entry: a memory has one to three sentences; a digest ends with what is open.
_LONGEST = 120
_LONGEST_DIGEST = 150
_FEWEST = 8
# Maximum characters of a citation, and tokens of the rest of its line: of one with the id alone, too.
CITED = 40
_AROUND = 12
_AROUND_BARE = 8
_TRUSTED = TRUSTS.index("normal")
RULES = ("preference", "requirement")
# Words by which a person says that something holds each time.
_LASTING = late(
    r"(?i)\b(?:always|never|every(?: time)?|each|whenever|must|from now on|immer|nie(?:mals)?|jede[nmrs]?"
    r"|toujours|jamais|chaque|siempre|nunca|cada)\b"
)
# The signal of what a person typed (`agent.learn.signals.instructions`).
_TYPED = "instructions"
CURE_RECORD = "error_pattern"
TRAPS = ("gotcha", CURE_RECORD, "dead_end")


def trusted(entry: "Entry") -> bool:
    """Return whether an entry may be injected at all."""
    if TRUSTS.index(entry.trust) < _TRUSTED or entry.state != "active":
        return False
    if entry.family == MEMORY:
        return not is_held(entry)
    return entry.source in NOTES and not entry.session


def is_held(entry: "Entry") -> bool:
    """Return whether nothing is told of a memory until a review.

    A disputed or tentative one is told, and of those that contradict each other the one that stands.
    """
    told = entry.contest.stands if entry.contest is not None else is_tentative(entry)
    return bool(entry.review) and not (entry.disputed or told)


def cited(entry: "Entry") -> str:
    """Return the citation of an entry, at most 40 characters: its own id, or file and lines."""
    if entry.path is not None:
        text = f"{entry.path.rpartition('/')[2]}:{entry.start_line}-{entry.end_line}"
    else:
        own = entry.details.fields.citation if entry.details is not None else ""
        text = own or entry.summary or entry.text
    text = " ".join(one_line(text).translate(_BRACKETS).split())
    return text if len(text) <= CITED else text[: CITED - 1].rstrip() + "…"


# Brackets would end the citation early.
_BRACKETS = str.maketrans("[]", "()")


def fitting(
    entries: "Iterable[Entry]",
    seen: "Collection[str]",
    budget: int,
    most: int,
    relevance: "dict[str, float] | None" = None,
    shorter: int | None = None,
    *,
    bare: bool = False,
) -> tuple[Item, ...]:
    """Return the first entries that fit: at most `most`, within `budget` tokens, none that was seen.

    Each has at most `shorter` tokens, if that is given; `bare` as in `cost`.
    """
    found: list[Item] = []
    entries = [entry for entry in entries if trusted(entry)]
    taken = {*seen, *overruled_by(entries)}
    for entry in entries:
        if len(found) == most:
            break
        if entry.id in taken:
            continue
        taken.add(entry.id)
        chosen = item_of(entry, "", (relevance or {}).get(entry.id, 0.0), cited(entry))
        chosen = attributed(chosen, entry)
        chosen = chosen.replace(
            anchors=entry.anchors, review=remark(entry) if entry.contest else ""
        )
        left = budget - cost(chosen, bare=bare)
        longest = _LONGEST_DIGEST if entry.kind == DIGEST else _LONGEST
        longest = min(longest, shorter or longest)
        room = min(left, longest)
        # A cure truncated before its fix is useless: an entry that does not fit is left for another time.
        # A start that cut one to a few words would keep it from the prompt that it answers.
        whole = found or (bare and entry.kind != DIGEST)
        if whole and left < min(count_tokens(entry.text), longest):
            continue
        text = shortened(entry.text, room)
        if count_tokens(text) < min(_FEWEST, count_tokens(entry.text)) or not text:
            continue
        item = chosen.replace(text=text, tokens=count_tokens(text))
        budget -= cost(item, bare=bare)
        found.append(item)
    return tuple(found)


def cost(item: Item, *, bare: bool = False) -> int:
    """Return the tokens of an item as rendered: its text, its citation, the markers of its lines.

    Where it is `bare`, what the user said has its id for a citation.
    """
    text = count_tokens(item.text) + SHORT_ID // 4
    if bare and item.instruction:
        return text + _AROUND_BARE + count_tokens(item.review)
    return text + count_tokens(item.citation) + _AROUND


def shortened(text: str, tokens: int) -> str:
    """Return the beginning of a text, at most `tokens`, cut at a word; line ends become markers."""
    text = "\n".join(line for line in text.strip().splitlines() if line.strip())
    tokens -= text.count("\n")
    if count_tokens(text) <= tokens:
        return text
    data = text.encode("utf-8", "replace")[: max(0, tokens - 1) * 4].decode("utf-8", "ignore")
    at = max(data.rfind(" "), data.rfind("\n"))
    return (data[:at] if at > len(data) // 2 else data).rstrip() + "…" if data else ""


def is_tentative(entry: "Entry") -> bool:
    """Return whether a person said this, perhaps for the moment alone, and nobody has reviewed it.

    It answers a prompt; nothing tells it unasked.
    """
    details = entry.details
    if details is None or details.source != TAUGHT or not entry.review or entry.disputed:
        return False
    learned = details.fields.metadata.get("learned")
    return isinstance(learned, dict) and bool(learned.get(TENTATIVE))


def is_typed(entry: "Entry") -> bool:
    """Return whether a memory was learned from what a person typed."""
    details = entry.details
    learned = details.fields.metadata.get("learned") if details is not None else None
    return isinstance(learned, dict) and learned.get("signal") == _TYPED


def is_early(entry: "Entry", now: int) -> bool:
    """Return whether a memory holds from a later day only, and is not told before that.

    A person's own words are: "the freeze is from 18 December on" has to be known when a release is
    planned, and names its day.
    """
    return entry.valid_from is not None and entry.valid_from > now and not is_typed(entry)


def is_lasting(entry: "Entry") -> bool:
    """Return whether a rule holds for all sessions: stored as one, confirmed, or worded as one.

    Of 20 statements that were recognised in 860 real prompts 6 were lasting; told at each start and after
    each compaction they were 446 of 690 items that 156 replayed sessions got. The others wait for a
    prompt that they are relevant to.
    """
    details = entry.details
    if details is None or entry.pinned or details.fields.verified:
        return True
    return "learned" not in details.fields.metadata or bool(_LASTING.search(entry.text))


def is_learned_cure(entry: "Entry") -> bool:
    """Return whether an entry records how an error was cured: it waits for that error.

    In 126 replayed sessions 114 were told when their file was opened, at starts and after compactions:
    of nine that were read none helped.
    """
    details = entry.details
    learned = details is not None and "learned" in details.fields.metadata
    return learned and entry.kind == CURE_RECORD


def within(lines: "Sequence[Line]", tokens: int) -> "Iterator[Line]":
    """Yield the lines of a session that fit the budget, each truncated to its share."""
    share = tokens // max(1, len(lines))
    for line in lines:
        text = shortened(" ".join(line.text.split()), share - line_cost(Line(line.speaker, "")))
        if text:
            yield Line(line.speaker, text)


def line_cost(line: Line) -> int:
    """Return the tokens of a line as rendered."""
    return count_tokens(line.text) + count_tokens(line.speaker) + 6


_DEPTH = 20
# Messages have no misspellings, and no inflected forms of other languages. Whole documents and common
# words take half of the time and find no memory.
_WITHOUT = ("fuzzy", "beginnings", "common words", "document")


def by_words(memory: "Recall", text: str, kinds: "Sequence[str]") -> "Iterator[Hit]":
    """Yield memories that share words with a text, best first."""
    hits = memory.query(
        text,
        limit=_DEPTH,
        min_score=0.0,
        min_trust="normal",
        coming=False,
        without=_WITHOUT,
        fast=True,
        kinds=kinds,
        memories_only=True,
    )
    found = (hit for hit in hits if hit.entry.family == MEMORY and trusted(hit.entry))
    return (hit for hit in found if hit.entry.kind not in RECORDS)
