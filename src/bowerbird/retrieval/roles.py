"""The pack of a role: entries section by section, and the files that its work usually changes."""

import os

from bowerbird.core.excerpt import cut
from bowerbird.core.packs import Item, PackedFile
from bowerbird.core.recalled import remark
from bowerbird.core.roles import ALWAYS, FILE_TOKENS, MOST_FILES, OFTEN
from bowerbird.core.text import count_tokens
from bowerbird.retrieval.context import FEWEST, TOKENS
from bowerbird.retrieval.linked import standing
from bowerbird.retrieval.present import citation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from bowerbird.core.answers import Hit
    from bowerbird.core.types import Entry

_BYTES_A_TOKEN = 4


def sectioned(
    found: "Iterable[Sequence[Hit]]", budget: int, relayed: "Sequence[Entry]" = ()
) -> tuple[Item, ...]:
    """The hits of each section in order, without repetition, truncated to the rest of the budget.

    `relayed` entries come first, in at most half of the budget; as no query found them, their
    relevance is 0.
    """
    items: dict[str, Item] = {}
    room = budget // 2
    for entry in relayed:
        tokens = count_tokens(entry.text)
        if tokens <= min(TOKENS, room):
            items[entry.id] = _item(entry, entry.text.strip(), 0.0)
            room -= tokens
            budget -= tokens
    for hits in found:
        for hit in standing(hits):
            text = cut(hit.text.strip(), hit.matched, min(TOKENS, budget))
            if hit.id in items or not text or (text != hit.text and count_tokens(text) < FEWEST):
                continue
            items[hit.id] = _item(hit.entry, text, hit.relevance)
            budget -= items[hit.id].tokens
    return tuple(items.values())


def _item(entry: "Entry", text: str, relevance: float) -> Item:
    return Item(
        entry.id,
        entry.kind,
        text,
        count_tokens(text),
        citation(entry),
        relevance,
        entry.trust,
        entry.created,
        entry.path,
        entry.speaker,
        entry.audience,
        remark(entry),
    )


def files_of(
    payloads: "Iterable[dict[str, Any] | None]", root: str | None
) -> tuple[PackedFile, ...]:
    """The files that other sessions' work changed, most frequent first, within count and token limits.

    Files that no longer exist or are outside `root` are left out.
    """
    present = [one for one in payloads if one]
    found: dict[str, PackedFile] = {}
    room = FILE_TOKENS
    for field, often in ((ALWAYS, "always"), (OFTEN, "often")):
        for path in _named(present, field):
            tokens = _tokens(path, root)
            if path in found or not tokens or tokens > room or len(found) == MOST_FILES:
                continue
            found[path] = PackedFile(path, often, tokens)
            room -= tokens
    return tuple(found.values())


def _named(payloads: "Iterable[dict[str, Any]]", field: str) -> "Iterator[str]":
    for payload in payloads:
        named = payload.get(field)
        yield from (one for one in named or () if isinstance(one, str))


def _tokens(path: str, root: str | None) -> int:
    """The tokens of a file inside the project; 0 if there is no such file."""
    if root is None:
        return 0
    whole = os.path.realpath(os.path.join(root, path))
    inside = whole.startswith(os.path.realpath(root) + os.sep) and os.path.isfile(whole)
    return -(-os.path.getsize(whole) // _BYTES_A_TOKEN) if inside else 0
