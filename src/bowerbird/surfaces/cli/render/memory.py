"""How the life of a memory reads: its history, what was taken back, linked and forgotten."""

from time import localtime

from bowerbird.core.clock import day, system_clock
from bowerbird.core.text import clean, one_line
from bowerbird.core.types import SHORT_ID
from bowerbird.surfaces.cli.page import Page, cells, counted, cut, moment, table, wrap
from bowerbird.surfaces.cli.render.curate import related

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.core.erased import Erased
    from bowerbird.core.history import (
        Edited,
        Ended,
        Era,
        Event,
        Forgotten,
        History,
        Relation,
        Relocated,
        Reverted,
        Version,
    )

# Lines of each version's text; --verbose shows them all.
_LINES = 3
# Columns that a reason needs at least beside what it is the reason of.
_ROOM = 24
# Erased memories, and those that quote them, that are listed.
_ERASED = 20
# What is said of an agent's own transcripts that hold what was erased.
_TRANSCRIPTS = (
    "These transcripts still say it; it is not indexed from them again. They are their agent's: delete"
    " those whose sessions you need no more:"
)
# Other affected memories that are listed.
_OTHERS = 8


def history(found: "History", page: Page) -> str:
    """Versions, then events, then relations; oldest first."""
    if page.quiet:
        return "\n".join(version.id for version in found.versions)
    head = f"{counted(len(found.versions), 'version')} of {found.id}"
    if not found.versions:
        head = f"{found.id} was erased; what was done with it:"
    lines = [page.style(head, "bold")]
    copies = {one.version: one.copy for one in found.elsewhere}
    for number, version in enumerate(found.versions, 1):
        came = copies.get(version.id, "")
        lines += [
            "",
            *_version(number, version, page, came and f"from the copy {came} of the store"),
        ]
    lines += ["", page.style("What was done", "bold")] if found.versions else []
    rows = [_event(event, found.id) for event in found.events]
    for about, (*_, reason) in zip(table([row[:-1] for row in rows]), rows, strict=True):
        lines += ["  " + line for line in _beside(about, reason, page.columns - 2)]
    if found.relations:
        lines += ["", page.style("Linked", "bold")]
        for relation in found.relations:
            wrapped = wrap(_relation(relation, found.id), page.columns - 4)
            lines += [("    " if n else "  ") + line for n, line in enumerate(wrapped)]
    if found.eras:
        lines += ["", page.style("What held when", "bold")]
        lines += [line for one in found.eras for line in _era(one, found.id, page)]
    return "\n".join(lines)


def _era(era: "Era", own: str, page: Page) -> list[str]:
    """When something held, and what; below it if the line has no room."""
    until = "now" if era.until is None else moment(era.until)
    mark = "*" if era.id == own else " "
    since = moment(era.since) if era.since is not None else "…"
    if era.since is not None and era.since == era.until:
        until = "never held"
    elif era.until is None and era.since is not None and era.since > (page.now or system_clock()):
        until = "to come"
    width = len(moment(0))
    head = f"{mark} {since:<{width}} – {until:<{width}}  {era.id[:SHORT_ID]}"
    ended = "" if era.until is None else f" ({era.state})"
    room = page.columns - cells(head + ended) - 2
    if room < _ROOM:
        head = f"{mark} {since} – {until}"
        return [head, "   " + cut(clean(era.summary), page.columns - 3 - cells(ended)) + ended]
    return [f"{head}  {cut(clean(era.summary), room)}{ended}"]


def _version(number: int, version: "Version", page: Page, came: str) -> list[str]:
    fields = version.fields
    about = [fields.kind]
    if fields.state != "active":
        about.append(fields.state)
    about += [f"#{tag}" for tag in fields.tags]
    if fields.valid_from is not None:
        about.append(f"since {moment(fields.valid_from)}")
    if fields.expires is not None:
        about.append(f"until {moment(fields.expires)}")
    head = f"{number}. {moment(version.created)}  {version.id[:SHORT_ID]}"
    who = (" ".join(about), version.actor, version.reason.strip(), came)
    details = " · ".join(part for part in who if part)
    shown = wrap(version.text, page.columns - 3)
    if not page.verbose and len(shown) > _LINES:
        shown = [*shown[:_LINES], "…"]
    first, *rest = _beside(head, clean(details), page.columns)
    return [
        page.style(head, "cyan") + page.style(first.removeprefix(head), "dim"),
        *(page.style(line, "dim") for line in rest),
        *("   " + line for line in shown),
    ]


def _beside(head: str, text: str, width: int) -> list[str]:
    """A text after a heading; below it if the line has no room."""
    room = width - cells(head) - 2
    if not text or room < _ROOM:
        return [head, *("   " + line for line in wrap(text, width - 3))]
    first, *rest = wrap(text, room) or [""]
    return [f"{head}  {first}".rstrip(), *(" " * (width - room) + line for line in rest)]


def _event(event: "Event", own: str) -> tuple[str, ...]:
    undone = f"takes back {event.undoes[:SHORT_ID]}" if event.undoes else ""
    linked = _relation(event.relation, own) if event.relation else ""
    why = (linked, event.reason.strip(), undone)
    return (
        moment(event.at),
        event.action,
        clean(event.actor) or "-",
        clean("; ".join(part for part in why if part)),
    )


def _relation(relation: "Relation", own: str) -> str:
    ends = [
        "it" if end == own else clean(end) if end.startswith("file:") else end[:SHORT_ID]
        for end in (relation.source, relation.target)
    ]
    by_itself = " (found automatically)" if relation.automatic else ""
    return f"{ends[0]} {relation.kind} {ends[1]}{by_itself}"


def forgotten(done: "Forgotten", page: Page) -> str:
    """What was forgotten, a line each, and how to bring it back; with --quiet the ids alone."""
    if page.quiet:
        return "\n".join(entry.id for entry in done.forgotten)
    lines = []
    for entry in done.forgotten:
        words = cut(entry.summary, page.columns - 12)
        lines.append(f"{page.style('Forgotten', 'bold')}: {words}")
        lines.append(page.style(f"  restore it: bower revert {entry.id[:SHORT_ID]}", "dim"))
        lines += replaced(entry.replaced)
    return "\n".join(lines)


def replaced(ids: "Sequence[str]") -> list[str]:
    """That nothing holds in the place of what a memory had replaced, and how to bring that back."""
    return [
        f"  it had replaced {id[:SHORT_ID]}, which does not hold either: bower revert {id[:SHORT_ID]}"
        for id in ids
    ]


def ended(done: "Ended", page: Page) -> str:
    """What was ended, a line each, and how to bring it back; with --quiet the ids alone."""
    if page.quiet:
        return "\n".join(entry.id for entry in done.memories)
    head = done.state.capitalize() + (f" into {done.into[:SHORT_ID]}" if done.into else "")
    if done.until is not None:
        head += f" from {day(done.until, localtime)} on"
    lines = []
    for entry in done.memories:
        words = cut(entry.summary, page.columns - len(head) - 2)
        lines.append(f"{page.style(head, 'bold')}: {words}")
        back = done.into or entry.id
        lines.append(page.style(f"  take it back: bower revert {back[:SHORT_ID]}", "dim"))
    return "\n".join(lines)


def moved(done: "Relocated", page: Page) -> str:
    """What was moved, a line each, and how to take it back; with --quiet the ids alone."""
    if page.quiet:
        return "\n".join(entry.id for entry in done.memories)
    if not (done.memories or done.left):
        return "nothing fits, so nothing was moved; see: bower list"
    head = f"Moved to {clean(done.project)}" if done.project else "Moved to all projects"
    lines = []
    for entry in done.memories:
        words = cut(entry.summary, page.columns - len(head) - 2)
        lines.append(f"{page.style(head, 'bold')}: {words}")
        lines.append(page.style(f"  take it back: bower revert {entry.id[:SHORT_ID]}", "dim"))
    lines += [f"It stays, since that is said there: {entry.summary}" for entry in done.left]
    return "\n".join(lines)


def erased(done: "Erased", page: Page) -> str:
    """A receipt: what is gone for good, and what may still hold it; with --quiet the ids alone."""
    if page.quiet:
        return "\n".join(entry.id for entry in done.erased)
    gone = [counted(len(done.erased), "memory")]
    gone += [counted(done.documents, "file")] if done.documents else []
    gone += [counted(done.turns, "turn") + " of indexed transcripts"] if done.turns else []
    gone += [counted(done.sessions, "session")] if done.sessions else []
    gone += [counted(done.archives, "archived transcript")] if done.archives else []
    said = "Would be erased" if done.dry_run else "Erased"
    lines = [f"{page.style(said, 'bold')}: {', '.join(gone)} ({clean(done.what)})"]
    rows = [(one.id, one.kind, f"sha256 {one.hash[:16]}") for one in done.erased]
    listed = rows if page.verbose else rows[:_ERASED]
    lines += ["  " + row for row in table(listed)]
    if len(rows) > len(listed):
        lines.append(f"  and {len(rows) - len(listed):,} more (--verbose lists them)")
    if done.lines:
        lines.append(f"Their words were removed from {counted(done.lines, 'recorded event')}, too.")
    for title, paths in (
        ("It is gone from these files, or they went with it:", done.removed),
        ("These files of others still hold it; an index or import brings it back:", done.sources),
        (_TRANSCRIPTS, done.transcripts),
        ("Other devices hold it until they synchronise: bower sync, here and there:", done.shared),
        (
            "The server's files hold it until its administrator runs this (log and backups longer):",
            tuple(f"{one};" for one in done.statements),
        ),
    ):
        lines += [title, *(f"  {clean(path)}" for path in paths)] if paths else []
    files = [clean(one.place) for one in done.quoting if one.place]
    memories = [one for one in done.quoting if not one.place]
    others = [f"bower erase {one.id[:SHORT_ID]}  {one.kind}" for one in memories]
    say = "quote it, or say a name or number of it;"
    for title, quoting in (
        (f"These memories {say} erase what should go too:", others),
        (f"These files {say} edit those that are yours, and index them again:", files),
    ):
        shown = quoting if page.verbose else quoting[:_ERASED]
        lines += [title, *(f"  {one}" for one in shown)] if quoting else []
        if more := len(quoting) - len(shown):
            lines.append(f"  and {more:,} more (--verbose lists them)")
    if done.common:
        what = "phrase of it is" if done.common == 1 else "phrases of it are"
        lines.append(f"{done.common:,} {what} in more than 1,000 memories, which are not listed.")
    if done.remaining:
        lines.append("These were replaced by it, or replaced it, and stay:")
        lines += [
            f"  bower erase {one.id[:SHORT_ID]}  {one.kind}, {one.state}" for one in done.remaining
        ]
    if done.copies:
        lines.append(
            "These backups and exports may still hold them; the same with --backups deletes them, now or"
            " later:"
        )
        lines += [f"  {clean(path)}" for path in done.copies]
    return "\n".join(lines)


def linked(relation: "Relation", page: Page) -> str:
    """What is what to whom."""
    if page.quiet:
        return ""
    target = relation.target
    shown = clean(target) if target.startswith("file:") else target[:SHORT_ID]
    return f"{page.done} {relation.source[:SHORT_ID]} {page.style(relation.kind, 'bold')} {shown}"


def reverted(done: "Reverted", page: Page) -> str:
    """What was taken back, and what became of others by it; with --quiet the id alone."""
    if page.quiet:
        return done.id
    lines = [f"{page.done} {page.style(clean(done.reason), 'bold')}; it is {done.state} now"]
    lines += [f"  {line}" for line in done.others[:_OTHERS]]
    if len(done.others) > _OTHERS:
        lines.append(f"  and {len(done.others) - _OTHERS:,} more")
    others = [_relation(relation, done.id) for relation in done.relations]
    lines += [f"  changed with it: {relation}" for relation in others]
    lines.append(page.style(f"  bower history {done.id[:SHORT_ID]}", "dim"))
    return "\n".join(lines)


def edited(done: "Edited", page: Page) -> str:
    """What is another one now, and how to take it back; with --quiet the id alone."""
    if page.quiet:
        return done.id
    head = "Edited" if done.changed else "Nothing changed"
    lines = [f"{page.style(head, 'bold')}: {cut(done.summary, page.columns - len(head) - 2)}"]
    if done.redacted:
        line = f"  redacted before storing: {', '.join(done.redacted)}"
        lines.append(page.style(line, "yellow"))
    lines += related(done.matched, page)
    if done.left_behind:
        import shlex  # start-up: few texts leave something behind

        said = f"the former text said besides: “{one_line(done.left_behind)}”. If that holds:"
        kept = f"{said} bower remember {shlex.quote(one_line(done.left_behind))}"
        lines += page.below(kept, "  ", "yellow")
    if done.changed:
        changed = f"changed: {', '.join(done.changed)} · bower revert {done.id[:SHORT_ID]}"
        lines += page.below(changed, "  ", "dim")
    return "\n".join(lines)
