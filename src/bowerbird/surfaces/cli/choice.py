"""Memories named by words: a person chooses from the matches, a script gets their ids."""

import sys

from bowerbird.core.errors import NotFound, UsageError
from bowerbird.core.shaped import few_words
from bowerbird.core.types import DIGEST, SHORT_ID, STATES
from bowerbird.surfaces.cli.page import Page, cut, emit
from bowerbird.surfaces.fields import is_id

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from bowerbird.bird import Bowerbird
    from bowerbird.core.types import Entry
    from bowerbird.surfaces.cli.call import Call

# Matches that are offered: what a digit can choose.
_OFFERED = 9
# The states of what can be forgotten: all but that of a forgotten memory.
_KEPT = tuple(one for one in STATES if one != "deleted")
# Characters of a match that an error quotes.
_QUOTED = 60
# Characters of a match that a wide terminal shows.
_SHOWN = 160


def resolved(
    bird: "Bowerbird", call: "Call", given: "dict[str, Any]", name: str
) -> "dict[str, Any]":
    """The given values with ids in place of words in one field.

    Raises UsageError, with the ids that match, if nobody can be asked or nothing was chosen, and
    NotFound if no memory matches.
    """
    asked = given[name]
    if isinstance(asked, str):
        return given | {name: _chosen(bird, call, asked, several=False)[0]}
    if not any(map(is_id, asked)):
        return given | {name: tuple(_chosen(bird, call, " ".join(asked), several=True))}
    parts = ([one] if is_id(one) else _chosen(bird, call, one, several=True) for one in asked)
    return given | {name: tuple(id for part in parts for id in part)}


def _chosen(bird: "Bowerbird", call: "Call", words: str, *, several: bool) -> list[str]:
    matches = _matches(bird, words, STATES if not several else _KEPT)
    if not matches:
        raise NotFound(f'no memory matches "{words}"', "search for it: bower query, bower list")
    if not _watched(call):
        listed = "; ".join(f"{one.id[:SHORT_ID]} {few_words(one, _QUOTED)}" for one in matches)
        raise UsageError(f'"{words}" is not an id; memories that match: {listed}', "give an id")
    emit(sys.stderr, _offer(matches, call.page, several=several))
    while True:
        answer = sys.stdin.readline().strip().lower()
        if answer in {"", "n", "no", "none", "q"}:
            raise UsageError("nothing was changed", "give a number of the list, or an id")
        numbers = answer.replace(",", " ").split()
        fits = all(one.isdecimal() and 0 < int(one) <= len(matches) for one in numbers)
        if fits and (several or len(numbers) == 1):
            return [matches[int(one) - 1].id for one in dict.fromkeys(numbers)]
        emit(sys.stderr, "Give a number of the list, or Enter for none: ")


def _matches(bird: "Bowerbird", words: str, states: "Sequence[str]") -> "list[Entry]":
    """The memories in one of these states that match best; those that contain the words come first."""

    def found(*, weak: bool) -> "list[Entry]":
        hits = bird.query(
            words,
            memories_only=True,
            states=states,
            limit=_OFFERED,
            weak=weak,
            all_projects=bird.outside,
        )
        return [hit.entry for hit in hits]

    entries = found(weak=False)
    if entries and all(one.kind == DIGEST for one in entries):
        # A session quotes what was said in it: what was kept of that may be named in other words.
        known = {one.id for one in entries}
        entries += [one for one in found(weak=True) if one.id not in known]
    lowered = words.casefold()
    return sorted(
        entries[:_OFFERED], key=lambda one: (one.kind == DIGEST, lowered not in one.text.casefold())
    )


def _offer(matches: "Sequence[Entry]", page: Page, *, several: bool) -> str:
    lines = []
    for number, one in enumerate(matches, 1):
        state = "" if one.state == "active" else f" ({one.state})"
        place = f"  {number}  {one.id[:SHORT_ID]}{state}  "
        room = max(20, page.columns - len(place))
        lines.append(place + cut(few_words(one, _SHOWN), room))
    which = (
        "Which? Numbers, or Enter for none: " if several else "Which? A number, or Enter for none: "
    )
    return "\n".join([*lines, which])


def _watched(call: "Call") -> bool:
    streams = (sys.stdin, sys.stderr)
    watched = all(one is not None and one.isatty() for one in streams)
    return watched and call.options.format in ("auto", "text", "markdown")
