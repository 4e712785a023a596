"""The result of a tool: text for the model, and the same as structured data.

Texts from the store are data inside the envelope of `core.recalled`; `lean` serialises the data form.
Neither form carries control, bidi or tag characters.
"""

import json

from bowerbird.core.answers import Entries
from bowerbird.core.recalled import (
    NOTICE,
    NOTICE_OF_ITEMS,
    envelope,
    enveloped,
    item_of,
    name,
    nonce,
    quoted,
    takes,
)
from bowerbird.core.shaped import brief
from bowerbird.core.text import count_tokens
from bowerbird.core.value import Record, spoken, tabled
from bowerbird.surfaces.cli.page import counted
from bowerbird.surfaces.fields import TOOL_BUDGET
from bowerbird.surfaces.mcp.views import LISTED, VIEWS, lean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from bowerbird.core.answers import Listed, Status
    from bowerbird.core.consolidated import Consolidated
    from bowerbird.core.history import Forgotten, Reverted, Shown
    from bowerbird.core.memories import Decision
    from bowerbird.core.packs import Item, Pack
    from bowerbird.core.pruned import Pruned
    from bowerbird.core.shaped import Answer
    from bowerbird.core.value import Table
    from bowerbird.surfaces.fields import Verb

    Data = dict[str, Any]


# Of a budget's tokens, those for the envelope and a note.
_AROUND = 200


class Result(Record):
    """A tool's result; `text` and `data` have the same content.

    `value` is the verb's, without the rows that did not fit.
    """

    text: str
    data: "Data"
    value: "Any" = None


def view(verb: "Verb") -> "Table":
    """The table of a verb's structured data."""
    return VIEWS.get(verb.name, verb.gives.TABLE)


def answer(
    verb: "Verb", value: "Any", say: "Callable[[str], str]", budget: int = TOOL_BUDGET
) -> Result:
    """The result of a verb's value, in its own format if it has one; `say` words advice.

    `budget` is the maximum of its tokens; what does not fit is left out, with a note.
    """
    if verb.name in _FIRST:
        return _with_first(verb, value, say, budget)
    data = spoken(tabled(view(verb), value), say)
    if verb.name in _TEXTS:
        return _TEXTS[verb.name](value, data).replace(value=value)
    data = _within_budget(data, budget)
    shown = json.dumps(data, ensure_ascii=False, indent=1)
    return Result(
        envelope([quoted(shown)], verb.meaning, nonce()), {"notice": NOTICE} | data, value
    )


def _with_first(verb: "Verb", value: "Any", say: "Callable[[str], str]", budget: int) -> Result:
    """The result with as many of the first entries as fit, and a note of the others."""
    count, first = _FIRST[verb.name]
    every = kept = count(value)
    while True:
        data = spoken(tabled(view(verb), value), say)
        if kept < every:
            told = f"{every - kept} more do not fit into {budget:,} tokens: ask for less, or closer"
            data = data | {"notes": [*data["notes"], told]}
        result = _TEXTS[verb.name](value, data)
        size = max(count_tokens(result.text), _tokens(lean(result.data)))
        if size <= budget or kept <= 1:
            return result.replace(value=value)
        kept = max(1, min(kept - 1, kept * (budget - _AROUND) // size))
        value = first(value, kept)


def _within_budget(data: "Data", budget: int) -> "Data":
    """The data without the last rows of its longest lists where it is too long, and a note of that."""
    left = 0
    room = budget - _AROUND
    while (size := _tokens(data)) > room:
        lists = [name for name, one in data.items() if isinstance(one, list) and one]
        if not lists:
            break
        longest = max(lists, key=lambda name: _tokens(data[name]))
        rows = data[longest]
        kept = min(len(rows) - 1, len(rows) * room // size)
        left += len(rows) - kept
        data = data | {longest: rows[:kept]}
    if left and "notes" in data:
        told = f"{left} more rows do not fit into {budget:,} tokens: ask for less, or name a limit"
        data = data | {"notes": [*data["notes"], told]}
    return data


def _tokens(data: "Any") -> int:
    return count_tokens(quoted(json.dumps(data, ensure_ascii=False, indent=1)))


def recall(
    items: "Sequence[Item]",
    about: str,
    data: "Data",
    *,
    ranked: bool = True,
    more: "Sequence[str]" = (),
) -> Result:
    """The result that contains texts from the store, or says that there are none."""
    text = enveloped(items, about, nonce(), ranked=ranked, more=more)
    text = text or "Nothing relevant is known."
    notes = data.get("notes")
    if notes:
        text += "\n\nNote: " + "; ".join(map(name, notes))
    notice = NOTICE_OF_ITEMS if any(item.instruction for item in items) else NOTICE
    return Result(text, {"notice": notice} | data)


def aside(lines: "Sequence[str]", about: str) -> "list[str]":
    """Lines that quote other memories, inside an envelope; empty if there are none."""
    return [envelope(["\n".join(map(quoted, lines))], about, nonce())] if lines else []


def _first_hits(value: "Answer", most: int) -> "Answer":
    return value.replace(hits=value.hits.replace(hits=value.hits.hits[:most]))


def _first_items(pack: "Pack", most: int) -> "Pack":
    return pack.replace(items=pack.items[:most])


def _found(value: "Answer", data: "Data") -> Result:
    items = [item_of(hit.entry, brief(hit), hit.relevance, hit=hit) for hit in value.hits]
    unsure = "Nothing certain: rarely is one of these an answer. " if value.hits.unsure else ""
    about = f"{unsure}{len(items)} found, best first."
    return recall(items, " ".join(filter(None, (value.hits.nothing_then, about))), data)


def _first_entries(value: "Listed", most: int) -> "Listed":
    found = value.entries
    return value.replace(entries=Entries(found[:most], found.notes, found.next, found.total))


def _listed(value: "Listed", data: "Data") -> Result:
    items = [
        item_of(one, row["text"]) for one, row in zip(value.entries, data["entries"], strict=True)
    ]
    return recall(items, f"{counted(len(items), 'entry')}, newest first.", data, ranked=False)


def _packed(pack: "Pack", data: "Data") -> Result:
    return recall(pack.items, "Packed for this task.", data, more=takes(pack))


def _whole(shown: "Shown", data: "Data") -> Result:
    entry = shown.entry
    state = "" if entry.state == "active" else f" It is {entry.state}: not searched."
    return recall([item_of(entry, entry.text)], f"One entry.{state}", data, ranked=False)


def _kept(decision: "Decision", data: "Data") -> Result:
    matched = data["matched"]
    lines = [f"{decision.decision}: {decision.kind}, id {decision.id}"]
    if decision.redacted:
        lines.append("secrets redacted: " + ", ".join(decision.redacted))
    if decision.note:
        lines.append(data["note"])
    if matched:
        # The reason quotes names from those memories, too.
        close = [f"{one['relation']} {one['id']}: {one['summary']!r}" for one in matched]
        lines += aside([decision.reason, *close], "Similar memories.")
    elif decision.reason:
        lines.append(name(decision.reason))
    return Result("\n".join(lines), {"notice": NOTICE if matched else ""} | data)


def _gone(_: "Forgotten", data: "Data") -> Result:
    return Result(f"forgotten: {data['id']}; memory_revert takes that back", data)


def _undone(done: "Reverted", data: "Data") -> Result:
    # The reason contains text from memories.
    lines = [
        f"{done.id} is {done.state}",
        *done.others,
        *aside([done.reason], "What was taken back."),
    ]
    return Result("\n".join(lines), data)


def _let_go(done: "Pruned", data: "Data") -> Result:
    shown = data["memories"]
    went = "would go; nothing was changed" if done.dry_run else "went; memory_revert takes it back"
    lines = [f"{done.pruned} {went}. {done.remaining} remain in force."]
    gone = [f"{one['id']} ({one['type']}): {one['summary']!r}: {one['reason']}" for one in shown]
    lines += aside(gone, "Memories that were not used for long, or have expired.")
    if done.pruned > LISTED:
        lines.append(f"and {done.pruned - LISTED} more")
    return Result("\n".join(lines), {"notice": NOTICE if shown else ""} | data)


def _summed_up(done: "Consolidated", data: "Data") -> Result:
    shown = data["patterns"]
    become = "memories would become" if done.dry_run else "memories became"
    end = "nothing was changed" if done.dry_run else "memory_revert of a pattern takes it back"
    lines = [
        f"{done.compressed} {become} examples of {counted(len(done.patterns), 'pattern')}; {end}."
    ]
    rows = [f"{one.get('id', 'a pattern')}: {one['text']!r}" for one in shown]
    lines += aside(rows, "What memories have in common.")
    if len(done.patterns) > LISTED:
        lines.append(f"and {len(done.patterns) - LISTED} more")
    return Result("\n".join(lines), {"notice": NOTICE if shown else ""} | data)


def _status(found: "Status", data: "Data") -> Result:
    counts = (
        f"{counted(found.total_memories, 'memory')}, {counted(found.total_passages, 'passage')}"
    )
    lines = [f"{found.project}: {counts} of {counted(found.total_documents, 'document')}"]
    lines += data["notes"]
    return Result("\n".join(map(name, lines)), data)


# Of answers that rank entries: how many there are, and how to keep the first.
_FIRST: "dict[str, tuple[Callable[[Any], int], Callable[[Any, int], Any]]]" = {
    "query": (lambda value: len(value.hits), _first_hits),
    "context": (len, _first_items),
    "list": (lambda value: len(value.entries), _first_entries),
}
_TEXTS: "dict[str, Callable[[Any, Data], Result]]" = {
    "query": _found,
    "context": _packed,
    "get": _whole,
    "list": _listed,
    "curate": _kept,
    "forget": _gone,
    "revert": _undone,
    "prune": _let_go,
    "consolidate": _summed_up,
    "status": _status,
}
