"""How counts, coverage, the score and the last changes read on a terminal."""

from bowerbird.core.life import DAY, current_confidence
from bowerbird.core.overview import SOON
from bowerbird.core.text import one_line
from bowerbird.core.types import SHORT_ID
from bowerbird.core.value import iso
from bowerbird.surfaces.cli.page import Page, counted, cut

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.overview import Activity, Around, Facets, Faded, Flagged, Modules, Score

# What each part of the score is.
_PARTS = {
    "right": "injected, then not corrected",
    "fresh": "about files that still match",
    "settled": "asked for review and decided",
    "helped": "sessions that cited a memory",
    "covered": "modules with a memory seen by a person",
}
_LABEL = len("needs review: ")
# A curve of confidence: how far it looks ahead, days for each of its signs, and these, the lowest first.
_CURVE_DAYS = 180
_CURVE_STEP = 12
_LEVELS = "▁▂▃▄▅▆▇█"


def facets(found: "Facets", page: Page) -> str:
    """A line for each facet."""
    lines = page.facts(
        [
            (f"{name}:", ", ".join(f"{key} {count:,}" for key, count in counts.items()) or "none")
            for name, counts in (
                ("kinds", found.kinds),
                ("states", found.states),
                ("trusts", found.trusts),
                ("modules", found.modules),
            )
            if name not in found.slow
        ],
        _LABEL,
    )
    if "review" not in found.slow:
        lines += page.facts([("needs review:", f"{found.needs_review:,}")], _LABEL)
    lines += [f"counting took too long: {', '.join(found.slow)}"] if found.slow else []
    return "\n".join([counted(found.total, "entry"), *lines])


def modules(found: "Modules", page: Page) -> str:
    """A line for each module."""
    lines = []
    for one in found.modules:
        kinds = ", ".join(f"{kind} {count:,}" for kind, count in sorted(one.kinds.items()))
        about = [f"{one.covered} of {counted(one.files, 'file')}"] if one.files else []
        about += [f"{one.waiting} waiting"] if one.waiting else []
        about += [f"{one.stale} stale"] if one.stale else []
        about += [f"worked {page.age(one.worked)}"] if one.worked else []
        about.append(kinds or "no memory")
        lines.append(page.style(cut(one.name, page.columns), "cyan"))
        lines += page.below(" · ".join(about), "    ", "dim")
    lines += [f"{found.more:,} more"] if found.more else []
    return (
        "\n".join(lines)
        or "No modules: bower index draws the code, bower remember --module names one."
    )


def score(found: "Score", page: Page) -> str:
    """The score, its formula, and its parts."""
    head = f"{found.score} of 100" if found.score is not None else f"too early: {found.early}"
    if found.problem:
        head = page.style(f"problem: {found.problem}", "red")
    elif found.before is not None and found.score is not None:
        head += f" · was {found.before} last week"
    lines = [head, *([found.formula] if found.formula and not found.problem else []), ""]
    for one in found.parts:
        share = "  – " if one.share is None else f"{one.share:.2f}"
        lines.append(
            f"{one.name:8} x{one.weight:.2f}  {share}  {one.good:,} of {one.all:,}  "
            + page.style(_PARTS[one.name], "dim")
        )
    lines += [
        "",
        f"{counted(found.total, 'memory')}, {found.active:,} active in 30 days, {found.waiting:,} wait"
        + (f", {len(found.disputes):,} of them disputed" if found.disputes else ""),
        f"about {found.saved:,} tokens saved in 30 days ({found.saved_formula})",
    ]
    return "\n".join(lines)


def activity(found: "Activity", page: Page) -> str:
    """A line for each change."""
    lines = []
    for one in found.events:
        head = f"{page.age(one.at)}  {one.action} {one.kind} {one.entry[:SHORT_ID]}  "
        lines.append(
            page.style(head, "cyan") + cut(one_line(one.summary), max(20, page.columns - len(head)))
        )
        lines += page.below(f"{one.actor}: {one.reason}", "    ", "dim")
    lines += [f"more: bower activity --before {found.next}"] if found.next else []
    return "\n".join(lines) or "Nothing has changed yet."


def around(found: "Around", page: Page) -> str:
    """The relations, each with its ends."""
    names = [one_line(one.name) for one in found.points]
    lines = [cut(names[0], page.columns)]
    for leg in found.legs:
        line = f"  {cut(names[leg.source], 40)} — {leg.kind} → {cut(names[leg.target], 40)}"
        lines.append(f"{line}  {leg.strength:.2f} {leg.origin}")
    if not found.legs:
        lines.append("It is related to nothing yet: bower link, or bower edit --file.")
    if found.total > len(found.points):
        lines.append(f"{found.total - len(found.points):,} more points: --limit")
    return "\n".join(lines)


def flagged(found: "Flagged", page: Page) -> str:
    """What became of it, and what is offered."""
    lines = [f"{found.id[:SHORT_ID]} waits for review: {one_line(found.review)}"]
    if found.back:
        lines.append(
            f"{found.flags} were called wrong in this session: bower review --level {found.level - 1}"
            " injects only what is more certain"
        )
    return "\n".join(lines)


def fading(found: "Faded", page: Page) -> str:
    """A bar for each tenth, a curve for each kind, and a line for each memory that goes next."""
    most = max(found.tenths) or 1
    lines = [
        f"{at / 10:.1f}–{at / 10 + 0.1:.1f}  {'█' * round(count / most * 30)} {count:,}"
        for at, count in reversed([*enumerate(found.tenths)])
        if count
    ]
    if found.kinds:
        lines.append(page.style(f"confidence in {_CURVE_DAYS} days without use:", "bold"))
    for kind in found.kinds:
        curve = "".join(
            _LEVELS[round(current_confidence(len(_LEVELS) - 1, kind.half_life, 0, day * DAY))]
            for day in range(0, _CURVE_DAYS + 1, _CURVE_STEP)
        )
        lines.append(
            f"{curve}  {kind.kind}: half after {kind.half_life:g} days ({kind.memories:,})"
        )
    if found.leaving:
        many = f"{'more than ' if found.more else ''}{found.soon:,} within {SOON} days"
        lines.append(page.style(f"goes next, unless it is used ({many}):", "bold"))
    for one in found.leaving:
        head = f"{iso(one.at)[:10]}  {one.kind} {one.id[:SHORT_ID]}  "
        lines.append(
            page.style(head, "cyan") + cut(one_line(one.summary), max(20, page.columns - len(head)))
        )
        lines += page.below(one.why, "    ", "dim")
    if found.soon > len(found.leaving) > 0:
        lines.append(page.style("more of them: bower fading -n 200", "dim"))
    return "\n".join(lines) or "No memories yet."
