"""How the decision about a draft reads, and the decisions about a batch."""

from bowerbird.core.kinds import DEFAULT
from bowerbird.core.text import clean
from bowerbird.core.types import SHORT_ID
from bowerbird.surfaces.cli.page import Page, cells, cut, moment, wrap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from bowerbird.core.memories import Decision, Match

# Columns of a memory's own words at least.
_FEWEST = 20
_VERBS = {
    "created": "Kept",
    "known": "Known already",
    "updated": "Put under its key",
    "superseded": "Kept",
    "quarantined": "Waiting for review",
}
_WOULD = {
    "created": "Would be kept",
    "superseded": "Would be kept",
    "quarantined": "Would wait for review",
}
_RELATIONS = {
    "same": "says the same as",
    "covers": "is covered by",
    "supersedes": "replaces",
    "contradicts": "contradicts",
    "related_to": "similar to",
}


def text(decision: "Decision | dict[str, Any]", page: Page) -> str:
    """What became of it and why, and how to see it again; with --quiet the id alone."""
    if isinstance(decision, dict):
        return _batch(decision, page)
    if page.quiet:
        return decision.id
    kept = decision.decision in ("created", "superseded", "updated")
    sign = page.glyph("✓", "*") if kept else page.glyph("·", "-")
    verb = _VERBS[decision.decision]
    if decision.dry_run:
        # Nothing was done that a tick could stand for.
        sign, verb = page.glyph("·", "-"), _WOULD.get(decision.decision, verb)
    head = f"{sign} {verb} as {decision.kind}:"
    room = page.columns - cells(head) - 1
    if room < _FEWEST:
        lines = [*wrap(head, page.columns), "  " + cut(decision.summary, page.columns - 2)]
    else:
        head = f"{page.style(sign, 'green')} {page.style(verb, 'bold')} as {decision.kind}:"
        lines = [f"{head} {cut(decision.summary, room)}"]
    if decision.redacted:
        would = "would be redacted" if decision.dry_run else "redacted"
        line = f"  {would} before storing: {', '.join(decision.redacted)}"
        lines.append(page.style(line, "yellow"))
    if decision.expires is not None:
        lines.append(f"  valid until {moment(decision.expires)}")
    if decision.changed:
        lines.append(f"  new about it: {', '.join(decision.changed)}")
    # The reason of the decision is not printed twice.
    lines += related(decision.matched, page, decision.reason)
    why = clean(decision.reason)
    if kept and (page.verbose or decision.kind != DEFAULT) and decision.kind_reason:
        why += f"; {decision.kind} because {clean(decision.kind_reason)}"
    # Apart from the rest, since a note ends with a command of its own.
    lines += page.below(clean(decision.note), "  ", "dim")
    see = f"bower get {decision.id[:SHORT_ID]}" if decision.id else ""
    nothing = "nothing was stored" if decision.dry_run else ""
    lines += page.below(" · ".join(filter(None, (why, nothing, see))), "  ", "dim")
    return "\n".join(lines)


def related(matched: "Iterable[Match]", page: Page, said: str = "") -> "Iterator[str]":
    """To which memories a text relates, and how; reasons that are `said` already are left out."""
    for match in matched:
        relation = _RELATIONS.get(match.relation, match.relation)
        yield "  " + cut(f"{relation} {match.id[:SHORT_ID]}: {match.summary}", page.columns - 2)
        if match.reason and match.reason not in said:
            yield page.style(f"    {clean(match.reason)}", "dim")


def _batch(data: "dict[str, Any]", page: Page) -> str:
    if page.quiet:
        return "\n".join(one["id"] for one in data["decisions"] if one["id"])
    counts = [f"{count:,} {name}" for name, count in data["counts"].items()]
    if data["errors"]:
        counts.append(page.style(f"{len(data['errors']):,} not taken", "red"))
    lines = [page.style(", ".join(counts) or "nothing to remember", "bold")]
    if data["dry_run"]:
        lines.append("  nothing was stored: this was a dry run")
    redacted = sum(bool(one["redacted"]) for one in data["decisions"])
    if redacted:
        were = "would be" if data["dry_run"] else "were"
        line = f"  secrets {were} redacted in {redacted:,} before storing"
        lines.append(page.style(line, "yellow"))
    for one in data["errors"]:
        lines.append(f"  line {one['line']}: {clean(one['error'])}")
        if one["remedy"]:
            lines.append(f"    {page.remedy(clean(one['remedy']))}")
    return "\n".join(lines)
