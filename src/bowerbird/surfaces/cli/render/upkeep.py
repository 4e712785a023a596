"""How looking after a store reads: copies of it, damage, and what models have read."""

from bowerbird.core.health import Emptied
from bowerbird.core.text import clean
from bowerbird.core.types import SHORT_ID
from bowerbird.surfaces.cli.page import Page, counted, table
from bowerbird.surfaces.cli.render.status import size

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.damage import BackedUp, Damage, Recovered, Restored, Verified
    from bowerbird.core.health import CacheState, Reread, Warmed

# How many entries are named of each sort of damage; --format json names all.
_NAMED = 20


def backup(done: "BackedUp", page: Page) -> str:
    """Where it is, that it holds, and what went for it."""
    lines = [page.style(clean(page.path(done.path)), "bold")]
    if not page.quiet:
        lines.append(f"{counted(done.entries, 'entry')} in {size(done.size_bytes)}, checked")
        if done.removed:
            lines.append(f"{counted(len(done.removed), 'old backup')} removed")
    return "\n".join(lines)


def restore(done: "Restored", page: Page) -> str:
    """What stands there now, and where what stood there is."""
    line = f"restored {counted(done.entries, 'entry')} of {clean(page.path(done.source))}"
    lines = [page.style(line, "bold")]
    if done.aside:
        lines.append(f"the former store was moved to: {clean(page.path(done.aside))}")
    if done.erased is None:
        lines.append("the former store cannot tell what was erased from it: it may be back")
    elif done.erased:
        memories = counted(len(done.erased), "memory")
        named = ", ".join(id[:SHORT_ID] for id in done.erased[:_NAMED])
        named += f" and {len(done.erased) - _NAMED:,} more" if len(done.erased) > _NAMED else ""
        lines.append(f"with{'' if done.with_erased else 'out'} {memories} erased since: {named}")
        if not done.with_erased:
            lines.append(f"  {page.remedy('with them: bower restore FILE --with-erased')}")
    return "\n".join(lines)


def verify(found: "Verified", page: Page) -> str:
    """Damage, grouped by its repair, and what was checked."""
    healed_by: dict[tuple[str, str], list[Damage]] = {}
    for one in found.damages:
        healed_by.setdefault((one.hurt, one.remedy), []).append(one)
    lines = []
    for (hurt, remedy), damages in healed_by.items():
        lines.append(page.style(f"{page.glyph('✗', 'X')} {hurt}", "red", "bold"))
        lines += [
            f"    {' '.join(clean(part) for part in (one.entry, one.told) if part)}"
            for one in damages[:_NAMED]
        ]
        if len(damages) > _NAMED:
            lines.append(f"    and {len(damages) - _NAMED:,} more; all: --format json")
        lines.append(f"  {page.remedy(clean(remedy))}")
    if not page.quiet:
        looked = f"{counted(found.rows, 'row')} of {counted(found.entries, 'entry')}"
        if found.sampled:
            looked = f"a sample, {looked}"
        state = "nothing is damaged" if not found.damages else counted(len(found.damages), "damage")
        colour = "red" if found.damages else "green"
        lines.append(page.style(f"{state}: {looked}", colour, "bold"))
    return "\n".join(lines)


def recover(done: "Recovered", page: Page) -> str:
    """How much was saved, lost and is doubtful, table by table where not all was saved."""
    lines = [
        page.style(f"{counted(done.entries, 'entry')} saved: {clean(page.path(done.path))}", "bold")
    ]
    hurt = [name for name in done.saved if name in done.lost or name in done.doubtful]
    rows = []
    for name in hurt:
        line = f"{done.saved[name]:,} saved"
        if name in done.lost:
            line += f", {done.lost[name]:,} lost"
        if name in done.doubtful:
            line += f", {done.doubtful[name]:,} with a wrong checksum"
        rows.append((name, line))
    lines += table(rows) if rows else ["nothing is lost"]
    line = f"look at it: bower verify --store {clean(page.path(done.path))}"
    lines.append(page.remedy(line))
    return "\n".join(lines)


def reindex(done: "Reread", page: Page) -> str:
    """How much was indexed, and how much was read by whom."""
    lines = []
    if done.indexed is not None:
        indexed = counted(done.indexed, "text")
        lines.append(page.style(f"{indexed} indexed by their words", "bold"))
        if done.unreadable:
            count = counted(done.unreadable, "damaged text")
            lines.append(f"{count} left out; which: bower verify")
    if done.read:
        read = f"{counted(done.read, 'text')} read by {clean(done.model)}"
        lines.append(page.style(read, "bold"))
    elif done.read is not None:
        lines.append(f"{clean(done.model)} had read everything")
    return "\n".join(lines)


def warm(done: "Warmed", page: Page) -> str:
    """How much was read, of how much, and by whom."""
    read = counted(done.newly_cached, "text")
    line = f"{read} newly read, of {done.total:,}"
    return page.style(f"{line}, by {clean(done.model)}" if done.model else line, "bold")


def cache(state: "CacheState", page: Page) -> str:
    """What was taken out, and what there is."""
    removed = state.removed if isinstance(state, Emptied) else None
    lines = []
    if removed is not None:
        lines.append(f"removed: {counted(removed, 'vector')}")
        if page.quiet:
            return lines[0]
    rows = [
        ("kept", f"{counted(state.vectors, 'vector')} of at most {state.max_entries:,}"),
        ("size", size(state.size_bytes)),
        ("used again", counted(state.hits, "time")),
        *(("model", f"{clean(name)}: {count:,}") for name, count in sorted(state.models.items())),
    ]
    return "\n".join([*lines, *table(rows)])
