"""Lets a pattern say what its examples say: one that is forgotten or stands alone again leaves it."""

from bowerbird.core.text import clean, summarise, words
from bowerbird.core.types import BELOW, SHORT_ID
from bowerbird.lifecycle.consolidate import CITED, EXTRACTIVE
from bowerbird.lifecycle.restate import revise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.core.history import Change, Relation
    from bowerbird.core.ports.store import Store
    from bowerbird.core.types import Entry

FITTED = "fitted"
# Fewer examples than this are no pattern: a person decides what becomes of it.
_FEWEST = 2


def fit_patterns(store: "Store", example: str, change: "Change") -> None:
    """Writes the patterns of an example anew, after it left them or was brought back below them.

    One that a model or a person worded waits for a review instead. Inside a transaction.
    """
    above = [one.target for one in store.relations.of(example) if _is_example(one, example)]
    for pattern in above:
        head = store.memories.head(pattern)
        if head.fields.state != "active":
            continue
        entries = _examples(store, pattern)
        here = [one for one in entries if one.state == BELOW]
        then = [one for one in entries if (one.state == BELOW) != (one.id == example)]
        fields, text = head.fields, None
        if len(here) >= _FEWEST and then and head.text == _summed(then):
            text = _summed(here)
            gone = {word for one in then for word in words(one.text)}
            said = dict.fromkeys(word for one in here for word in words(one.text))
            kept = dict.fromkeys(one for one in fields.keywords if one not in gone - said.keys())
            new = [one for one in said if one not in gone and one not in {*words(text)}]
            fields = fields.replace(
                summary=summarise(text),
                citation=summarise(text, CITED),
                keywords=tuple(dict.fromkeys((*kept, *new))),
            )
        elif example in {one.id for one in here}:
            if fields.review == _review(example):
                fields = fields.replace(needs_review=False, review="")
        elif not fields.needs_review:
            fields = fields.replace(needs_review=True, review=_review(example))
        if fields != head.fields or text is not None:
            revise(store, head, fields, change.replace(action=FITTED), text)


def _is_example(relation: "Relation", id: str) -> bool:
    return relation.kind == "example_of" and relation.source == id


def _examples(store: "Store", pattern: str) -> "list[Entry]":
    """All examples of a pattern, the most typical first, as it was made of them."""
    made = store.audit.of(pattern)[0].operation
    ids = [one.entry for one in store.audit.operation(made) if one.action == BELOW]
    found = {one.id: one for one in store.entries.named(ids, None)}
    return [found[id] for id in ids if id in found]


def _summed(entries: "Sequence[Entry]") -> str:
    return clean(EXTRACTIVE.pattern([one.text for one in entries])[0]).strip()


def _review(example: str) -> str:
    return f"it sums up {example[:SHORT_ID]}, too, which left it"
