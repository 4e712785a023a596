"""How recorded sessions read: a line each, or one from its beginning to its end."""

from bowerbird.core.text import clean, one_line
from bowerbird.core.types import SHORT_ID
from bowerbird.surfaces.cli.page import Page, counted, cut, moment, table, wrap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.core.sessions import Comparison, Handed, Session, Sessions, Summary

_SHORT = 8
_SELDOM = 0.001
# What the verdicts on an experiment mean, for people who have nothing to do with statistics.
_NOTE = (
    "chance: how often the two arms would differ by this much or more if memory changed nothing.",
    "more than chance: so seldom that the difference is most likely real. The bound is strict, as",
    "  many figures are compared: 19 of 20 whole tables without any real difference would show none.",
    "may be chance: nothing is shown either way, so it does not say that memory changes nothing.",
)


def text(some: "Sessions", page: Page) -> str:
    """The sessions, or one of them."""
    if some.comparison is not None:
        return "\n".join(_compared(some.comparison))
    found = some.sessions
    if not found:
        return "No sessions were recorded: hooks record them; bower install connects an agent."
    if found[0].summary is not None:
        return "\n".join(_summary(found[0], found[0].summary, page))
    if len(found) > 1 or not (found[0].recorded or found[0].handed):
        rows: list[tuple[str, ...]] = [
            ("last", "agent", "session", "folder", "prompts", "calls", "given")
        ]
        rows += [_row(one, page) for one in found]
        return "\n".join(table(rows, (4, 5, 6)))
    return "\n".join(_whole(found[0], page))


def _compared(comparison: "Comparison") -> list[str]:
    """The arms of an experiment."""
    counts = ", ".join(f"{number} {arm}" for arm, number in comparison.sessions.items())
    if not any(comparison.sessions.values()):
        note = "no session was of an experiment: set agent.experiment to on to begin one"
        return [note, "", *_weighed(comparison)]
    rows: list[tuple[str, ...]] = [("figure", "arm", "mean there", "mean full", "chance", "")]
    for one in comparison.rows:
        chance = "-" if one.chance is None else _seldom(one.chance)
        own, full = ("-" if it is None else f"{it:.2f}" for it in (one.own, one.full))
        rows.append((one.metric.replace("_", " "), one.arm, own, full, chance, one.says))
    lines = [f"sessions: {counts}", *table(rows, (2, 3, 4))]
    if any(one.chance is not None for one in comparison.rows):
        lines += ["", *_NOTE]
    return [*lines, "", *_weighed(comparison)]


def _seldom(chance: float) -> str:
    """How often chance does it; 10,000 draws tell no less than a thousandth."""
    return f"{chance:.3f}" if chance >= _SELDOM else "<0.001"


def _weighed(comparison: "Comparison") -> list[str]:
    """The kinds of memory by phase, and what they speak for."""
    head = (
        f"weights of phases, by {counted(comparison.handed, 'session')} that were handed something"
    )
    if not comparison.weighed:
        return [f"{head}: too few sessions"]
    rows: list[tuple[str, ...]] = [
        ("phase", "kind", "used", "others", "sessions", "chance", "weight", "proposed")
    ]
    for one in comparison.weighed:
        chance = "too few" if one.chance is None else _seldom(one.chance)
        used, others = f"{one.used} of {one.given}", f"{one.others_used} of {one.others}"
        proposed = "-" if one.proposed is None else f"{one.proposed:g}"
        row = (one.phase, one.kind, used, others, str(one.sessions), chance)
        rows.append((*row, f"{one.weight:g}", proposed))
    lines = [head, *table(rows, (2, 3, 4, 5, 6, 7))]
    if not comparison.proposal:
        return [*lines, "no other weight is proposed; all stays as it is"]
    said = f'agent.phase_weights = "{comparison.proposal}"'
    return [*lines, f"all stays as it is; to take what is proposed, set: {said}"]


def _summary(one: "Session", summary: "Summary", page: Page) -> list[str]:
    """What a session was about, and what memory was to it."""
    lines = [
        page.style(f"{clean(one.agent)} {clean(one.id)}", "bold"),
        f"{counted(one.prompts, 'prompt')}, {counted(one.calls, 'call')}, {one.failed} failed",
    ]
    if summary.digest:
        lines += ["", *wrap(clean(summary.digest), page.columns)]
    # That nothing was cited says nothing: agents use much that they do not cite.
    cited = sum(given.cited for given in summary.given)
    lines += [
        "",
        f"injected: {counted(len(summary.given), 'memory')}, {summary.tokens:,} tokens"
        + (f"; {cited} cited" if cited else ""),
    ]
    for given in sorted(summary.given, key=lambda given: not given.cited):
        mark = "cited  " if given.cited else "       "
        words = f"{given.kind} {given.id[:SHORT_ID]}: {given.citation}"
        lines.append(f"  {mark}{cut(one_line(words), max(20, page.columns - 9))}")
    lines += ["", f"left: {counted(len(summary.learned), 'memory')}"]
    for left in summary.learned:
        waits = left.review or ("quarantined" if left.state == "quarantined" else "")
        mark = "waits  " if waits else "       "
        replaced = " (replaced since)" if left.state == "superseded" else ""
        words = f"{left.kind} {left.id[:SHORT_ID]}{replaced}: {left.text}"
        lines.append(f"  {mark}{cut(one_line(words), max(20, page.columns - 9))}")
    if any(left.review or left.state == "quarantined" for left in summary.learned):
        lines.append("to review: bower review")
    return lines


def _row(one: "Session", page: Page) -> tuple[str, ...]:
    given = f"{len(one.handed)} ({counted(one.tokens, 'token')})" if one.handed else "-"
    calls = f"{one.calls}" + (f", {one.failed} failed" if one.failed else "")
    session = clean(one.id[:_SHORT]) + (" !" if one.external else "")
    return (
        moment(one.last),
        clean(one.agent),
        session,
        page.path(one_line(one.cwd)),
        str(one.prompts),
        calls,
        given,
    )


def _whole(one: "Session", page: Page) -> list[str]:
    lines = [
        page.style(f"{clean(one.agent)} {clean(one.id)}", "bold"),
        f"in {page.path(one_line(one.cwd))}, {moment(one.began)} to {moment(one.last)}",
    ]
    if one.external:
        lines.append("It read external text: what it stores after that is trusted less.")
    events = [(line["at"], _event(line, page)) for line in one.recorded]
    events += [(given.at, "\n".join(_handed(given, page))) for given in one.handed]
    lines.append("")
    lines += [shown for _, shown in sorted(events, key=lambda pair: pair[0])]
    return lines


def _event(line: "dict[str, Any]", page: Page) -> str:
    parts = [str(line.get("what") or line.get("event"))]
    if line.get("sub"):
        parts.append(f"(sub-agent {line['sub']})")
    parts += [str(line[name]) for name in ("why", "tool") if line.get(name)]
    paths = line.get("paths")
    parts += [str(one) for one in paths] if isinstance(paths, list) else []
    if "exit" in line:
        parts.append(f"exit {line['exit']}")
    elif "failed" in line:
        parts.append("failed")
    if "external" in line:
        parts.append(f"external: {line['external']}")
    parts += ["(its hook was late: nothing was given)"] if line.get("late") else []
    words = line.get("command") or line.get("text") or line.get("error") or ""
    shown = one_line(" ".join(parts) + (f": {words}" if words else ""))
    return f"  {moment(line['at'])}  {cut(shown, max(20, page.columns - 22))}"


def _handed(given: "Handed", page: Page) -> list[str]:
    head = f"  {moment(given.at)}  given at {clean(given.event)} ({clean(given.why)}), "
    head += f"{given.tokens} tokens, sign {clean(given.sign[:_SHORT])}"
    lines = [page.style(head, "cyan")]
    if given.lines:
        lines.append(f"      {counted(given.lines, 'line')} of sessions")
    for item in given.items:
        name = f"{item.get('kind', '')} {str(item.get('id', ''))[:SHORT_ID]}"
        line = f"{name}: {item.get('citation', '')} ({item.get('reason', '')})"
        lines.append("      " + cut(one_line(line), max(20, page.columns - 6)))
        if "state" in item:
            said = str(item.get("text") or item["state"])
            lines += ["        " + clean(one) for one in said.splitlines()]
            if "now" in item:
                lines.append("      changed since; now:")
                lines += ["        " + clean(one) for one in str(item["now"]).splitlines()]
    return lines
