"""How learning reads: what was kept, what each signal gave, and what was left out."""

from bowerbird.core.text import clean, one_line
from bowerbird.core.types import SHORT_ID
from bowerbird.surfaces.cli.page import Page, counted, table, wrap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.learned import Evidence, Learned, Proposal

_INDENT = "    "
# The signal of lessons by a language model, and how the decision on one begins that failed a check.
_MODEL = "model"
_DROPPED = "dropped"
_SHOWN = frozenset({"proposed", "created", "superseded", "quarantined"})


def text(done: "Learned", page: Page) -> str:
    """The memories first."""
    lines = []
    for one in done.lessons:
        if one.decision in _SHOWN:
            lines += _lesson(one, page)
    counts = [f"{counted(done.sessions, 'session')} learned from"]
    if done.known:
        counts.append(f"{done.known:,} learned from before")
    proposed = [one for one in done.lessons if one.signal == _MODEL]
    if proposed:
        dropped = sum(one.decision.startswith(_DROPPED) for one in proposed)
        counts.append(f"a language model proposed {len(proposed)}, {dropped} failed a check")
    if done.pairs:
        counts.append(f"a language model compared {counted(done.pairs, 'pair')} of memories")
    lines.append(page.style(", ".join(counts), "bold"))
    what = "proposed" if done.dry_run else "kept"
    rows = [
        (one.signal, counted(one.found, "lesson"), f"{one.kept:,} {what}")
        for one in done.signals
        if one.found
    ]
    lines += ["  " + row for row in table(rows)]
    if done.skipped:
        rows = [(page.path(one.path), clean(one.reason), "") for one in done.skipped]
        lines += ["left out:", *("  " + row for row in table(rows))]
    return "\n".join(lines)


def _lesson(one: "Proposal", page: Page) -> list[str]:
    head = f"{one.id[:SHORT_ID]}  " if one.id else ""
    where = f"{page.path(one.transcript)}:{one.lines[0]}" if one.lines else ""
    seen = counted(len(one.sessions), "session") if len(one.sessions) > 1 else ""
    facts = ", ".join(filter(None, (one.kind, one.decision, one.signal, seen, where)))
    width = max(20, page.columns - len(_INDENT))
    return [
        page.style(head + facts, "dim"),
        *(_INDENT + line for line in wrap(one_line(one.text), width)),
    ]


def evidence(found: "Evidence", page: Page) -> list[str]:
    """Where a memory comes from, and the lines that say so."""
    width = max(20, page.columns - len(_INDENT))
    facts = (
        ("signal", found.signal),
        ("session", found.session),
        ("commit", found.commit),
        ("seen in", counted(len(found.sessions), "session") if found.sessions else ""),
        ("source", page.path(found.transcript) if found.transcript else ""),
        ("lines", found.missing),
    )
    lines = [page.style(f"{name}: {clean(value)}", "dim") for name, value in facts if value]
    for one in found.lines:
        lines.append(page.style(f"{one.line} {clean(one.who)}", "dim"))
        lines += [_INDENT + line for line in wrap(one_line(one.text), width)]
    return lines
