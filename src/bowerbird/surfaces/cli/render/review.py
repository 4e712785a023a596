"""How what waits reads: each with its id, its words, and why it waits; or what was decided."""

import shlex

from bowerbird.core.text import one_line
from bowerbird.core.types import SHORT_ID
from bowerbird.surfaces.cli.page import Page, counted, cut, moment, wrap
from bowerbird.surfaces.cli.render.memory import replaced

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from bowerbird.core.reviewed import Reviewed
    from bowerbird.core.types import Entry

_INDENT = "    "
_DAY = len("2026-01-31")
_DECIDE = (
    "Decide with bower review --confirm ID or --both (in a terminal), --reject, --hold, --later."
)


def text(found: "Reviewed", page: Page) -> str:
    """One after the other, and how to decide."""
    lines = [line for entry in found.entries for line in shown(entry, page)]
    if found.verdicts or found.left:
        counts = ", ".join(f"{number} {name}" for name, number in found.verdicts.items())
        left = f"{counted(found.left, 'memory')} waiting still" if found.left else ""
        told = "; ".join(filter(None, (counts, left)))
        return "\n".join([*lines, told, *replaced(found.replaced), *_left_behind(found, page)])
    over = _settled(found, page)
    if not found.entries:
        return "\n".join(["Nothing waits.", *over, *_level(found)]) if not page.quiet else ""
    more = [f"{found.more:,} more wait: bower review --limit 200"] if found.more else []
    rest = () if page.quiet else (*over, *_level(found))
    return "\n".join([*lines, *more, _DECIDE, *rest])


def _left_behind(found: "Reviewed", page: Page) -> "Iterator[str]":
    """What ended with what was replaced though nothing was said of it, and how to keep it."""
    for one in found.left_behind:
        said = f"{one.id[:SHORT_ID]}, which ended, said besides: “{one_line(one.text)}”. If that holds:"
        yield from page.below(
            f"{said} bower remember {shlex.quote(one_line(one.text))}", "  ", "yellow"
        )


def _settled(found: "Reviewed", page: Page) -> list[str]:
    """What waited until another statement settled it, and how to take that back."""
    lines = [page.style("Settled by a later statement, without a verdict", "bold")]
    width = max(20, page.columns - len(_INDENT))
    for one in found.settled:
        state = "" if one.state == "active" else f", {one.state}"
        lines.append(f"{one.id[:SHORT_ID]}{state}  {cut(one_line(one.summary), width)}")
        by = f"by {one.by[:SHORT_ID]} on {moment(one.at)}: {one_line(one.by_summary)}"
        lines += page.below(by, _INDENT, "dim")
        lines += page.below(f"take it back: bower revert {one.by[:SHORT_ID]}", _INDENT, "dim")
    return lines if found.settled else []


def _level(found: "Reviewed") -> list[str]:
    """How sure memory has to be to speak unasked here, and what the next level waits for."""
    level = found.level
    above = f"memories with a confidence above {level['above']:.2f} are injected"
    return [f"level {level['level']}: {above}; {level['why']}"]


def shown(entry: "Entry", page: Page) -> list[str]:
    """A memory with what it says, why it waits, and what it was learned from."""
    mark = "verified" if entry.details is not None and entry.details.fields.verified else ""
    facts = filter(None, (entry.kind, entry.state, mark, page.age(entry.created)))
    lines = [f"{page.style(entry.id[:SHORT_ID], 'bold')}  {', '.join(facts)}"]
    width = max(20, page.columns - len(_INDENT))
    lines += [_INDENT + line for line in wrap(one_line(entry.text), width)]
    if entry.review:
        lines.append(_INDENT + page.style(one_line(entry.review), "dim"))
    learned = entry.details.fields.metadata.get("learned") if entry.details else None
    if isinstance(learned, dict):
        lines += [_INDENT + page.style(one, "dim") for one in _evidence(learned)]
    sessions = learned.get("sessions") if isinstance(learned, dict) else None
    if isinstance(sessions, list) and sessions:
        seen = f"seen in {counted(len(sessions), 'session')}"
        lines.append(_INDENT + page.style(seen, "dim"))
    for one in entry.linked:
        opposed = one.id[:SHORT_ID] in entry.review
        if opposed or one.relation == "replaces":
            other = f"{'contradicts' if opposed else 'supersedes'} {one.id[:SHORT_ID]}: "
            lines.append(_INDENT + page.style(cut(other + one_line(one.text), width), "dim"))
    return lines


def _evidence(learned: "dict[str, Any]") -> list[str]:
    """The day of the session, and the lines that a memory rests on, as they were noted."""
    found = []
    at, quotes = learned.get("at"), learned.get("quotes")
    if type(at) is int and at > 0:
        found.append(f"session of {moment(at)[:_DAY]}")
    for quote in quotes if isinstance(quotes, list) else ():
        if isinstance(quote, list) and len(quote) == len(("line", "who", "text")):
            line, who, said = (one_line(str(part)) for part in quote)
            found.append(f"line {line}, {who}: {said}")
    return found
