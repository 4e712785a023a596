"""Review: what waits, one memory after the other, with both sides and the effect of each verdict."""

import re
from collections import Counter

from bowerbird.core.reviewed import quotes, waits
from bowerbird.core.types import TRUSTS
from bowerbird.core.word_difference import another_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from bowerbird.bird import Bowerbird
    from bowerbird.core.reviewed import Case
    from bowerbird.core.types import Entry
    from bowerbird.surfaces.web.desk import Call

# How the reason of a contradiction ends: in what the two differ.
_DIFFER = re.compile(r"(?:contradicts \S+|bower review decides): (.+)", re.DOTALL)
# Memories that are listed after the one in question.
_SHOWN = 12
# Memories that one verdict decides on at most.
MOST_AT_ONCE = 200
# Why those wait that may be confirmed together: nothing else changes with them. What rests on text from
# elsewhere is ticked with all only where the list shows nothing else.
_SIMPLE = frozenset(("learned", "asked", "unverified"))
# What waits for that, too, may be rejected together.
_CALLED_WRONG = "flagged"
# The verdicts of a list of several, each with its sign; none is that it waits on.
SIGNS = (("confirm", "✓"), ("reject", "✗"), ("", "–"))


async def page(call: "Call") -> "dict[str, Any]":
    """The one that is asked for, or the first that waits, what comes after it, and what was settled."""
    id = call.path.get("id", "")

    def read(bird: "Bowerbird") -> "dict[str, Any]":
        ids = bird.admin.queue()
        case = bird.waiting(id or ids[0]).cases[0] if id or ids else None
        at = ids.index(case.entry.id) if case is not None and case.entry.id in ids else -1
        beside = case.other.id if case is not None and case.other is not None else ""
        after = bird.admin.reasons(*[one for one in ids[at + 1 :] if one != beside][:_SHOWN])
        numbers = another_numbers(bird, [*([case] if case is not None else ()), *after])
        return {
            "case": case,
            "numbers": numbers,
            "meanwhile": bird.admin.meanwhile(case.entry) if case is not None else "",
            "why": _why(case) if case is not None and case.other is not None else "",
            "first": _first(case) if case is not None and case.entry.id not in numbers else "",
            "verdicts": _verdicts(case) if case is not None else [],
            "replaces": case is not None and case.effects[0].code == "retires" and not _apart(case),
            "also": bird.named(*case.also) if case is not None and case.also else (),
            "total": call.pulse.waiting,
            "at": at + 1,
            "queue": [one.entry for one in after],
            "reasons": {one.entry.id: one for one in after},
            "several": {
                one.entry.id for one in after if one.code in _SIMPLE and one.entry.id not in numbers
            },
            "decided": 0 if case is not None else bird.admin.level().decided,
        }

    settled = await call.kept(("settled",), lambda bird: bird.admin.settled(_SHOWN))
    return {"settled": settled, **await call.work(read)}


def another_numbers(bird: "Bowerbird", cases: "Sequence[Case]") -> "dict[str, Entry]":
    """A kept memory that is related and gives another number of the same, by the id of each with one.

    Admission keeps such two beside each other: which of them holds takes a look all the same.
    """
    ids = [one.entry.id for one in cases if one.other is None]
    ends = {
        id: [
            one.target if one.source == id else one.source
            for one in some
            if one.kind == "related_to"
        ]
        for id, some in (bird.admin.relations(*ids).items() if ids else ())
    }
    others = {one.id: one for one in bird.named(*{one for some in ends.values() for one in some})}
    texts = {one.entry.id: one.entry.text for one in cases}
    return {
        id: other
        for id, some in ends.items()
        for other in (others[one] for one in some if one in others)
        if other.state == "active" and not waits(other) and another_number(texts[id], other.text)
    }


def _verdicts(case: "Case") -> "list[tuple[str, str, str, str]]":
    """What may be decided: verdict, key, name and effect of each, in one order.

    Each name and key does one thing everywhere: `c` changes no other memory, `p` replaces one. Two sides
    are decided on together, so that none is confirmed beside a contradiction that stays open.
    """
    does = {one.verdict: one.code for one in case.effects}
    found = [("confirm", "c", "confirm", does["confirm"])]
    if does["confirm"] == "retires":
        found = [("confirm", "p", "replace", "retires")]
    if case.other is not None:
        found = [("replace", "p", "replace", "retires"), ("both", "b", "both", "both")]
        if case.other.project == case.entry.project:  # no others are joined
            found.append(("join", "m", "join", "joins"))
    alone = [("reject", "r", "reject", does["reject"]), ("hold", "h", "hold", does["hold"])]
    return [*found, *alone, ("later", "l", "later", "later")]


def _why(case: "Case") -> str:
    """What the two sides differ in, as was found when the later one came; empty if nobody said."""
    details = case.entry.details
    said = (case.says, details.reason if details is not None else "")
    other = case.other.text if case.other is not None else ""
    found = (_DIFFER.search(one) for one in said if quotes(one, case.entry.text, other))
    return next((one.group(1) for one in found if one), "")


def _first(case: "Case") -> str:
    """The verdict that is offered first; none where the evidence does not tell the one from the other."""
    if case.other is None:
        # Of what came from outside nobody knows more than before, and of what somebody disputes.
        return "" if case.entry.state == "quarantined" or case.entry.disputed else "confirm"
    if _apart(case):
        return "both"
    against = case.other.trust == TRUSTS[-1] and case.entry.trust != TRUSTS[-1]
    return "replace" if case.effects[0].code == "retires" and not against else ""


def _apart(case: "Case") -> bool:
    """Whether the two sides differ in most of what they say: neither is the other with a change."""
    if case.other is None:
        return False
    ends = ((case.entry.text, case.differs), (case.other.text, case.other_differs))
    return all(2 * sum(end - begin for begin, end in spans) > len(text) for text, spans in ends)


async def bulk(call: "Call") -> "dict[str, Any]":
    """What may be decided on with others, each row by itself, and how many need a look of their own."""
    found = await call.verb("waiting", limit=MOST_AT_ONCE)
    numbers = await call.work(lambda bird: another_numbers(bird, found.cases))
    several = [one for one in at_once(found.cases) if one.entry.id not in numbers]
    asked = {name: call.query.get(name, "") for name in ("why", "kind", "session")}
    cases = [
        one for one in several if all(v in ("", _sorts(one)[name]) for name, v in asked.items())
    ]
    return {
        "cases": cases,
        "left": found.total - len(several),
        "asked": asked,
        # What the list can be narrowed by: how many of it each would leave.
        "sorts": {
            name: Counter(filter(None, (_sorts(one)[name] for one in cases))).most_common(_SHOWN)
            for name, value in asked.items()
            if not value
        },
        "verdicts": {one.entry.id: may_be(one) for one in cases},
        "chosen": _chosen(call.query.get("all", ""), cases),
    }


def _chosen(verdict: str, cases: "Sequence[Case]") -> "dict[str, str]":
    """The verdict on each that is chosen with all."""
    every = verdict == "reject" or len({one.code for one in cases}) == 1
    some = [one for one in cases if verdict in may_be(one)]
    return {one.entry.id: verdict for one in some if every or one.code != "unverified"}


def _sorts(case: "Case") -> dict[str, str]:
    """By what a list of what waits is narrowed: why it waits, its kind, and its session."""
    return {"why": case.code, "kind": case.entry.kind, "session": case.entry.session or ""}


def may_be(case: "Case") -> tuple[str, ...]:
    """The verdicts that one may get together with others."""
    return ("reject",) if case.code == _CALLED_WRONG else ("confirm", "reject")


def at_once(cases: "Sequence[Case]") -> "list[Case]":
    """Those that one may decide on with others: no other memory changes with them.

    A side of a contradiction is not among them for either verdict: which of the two holds takes a look.
    """
    simple = _SIMPLE | {_CALLED_WRONG}
    return [one for one in cases if one.code in simple and one.effects[0].code != "retires"]
