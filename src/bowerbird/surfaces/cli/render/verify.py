"""How a look for damage reads: what is hurt, in which entries, and what heals it."""

from bowerbird.core.text import clean
from bowerbird.surfaces.cli.page import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.damage import Damage, Verified
    from bowerbird.surfaces.cli.call import Outcome
    from bowerbird.surfaces.cli.page import Page

# Of each sort of damage so many entries are named; --format json names all.
_NAMED = 20


def text(outcome: "Outcome", page: "Page") -> str:
    """What is hurt by the way it is healed, and what was looked at."""
    found: Verified = outcome.value
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
        lines.append(f"  {page.glyph('→', '->')} {clean(remedy)}")
    if not page.quiet:
        looked = f"{counted(found.rows, 'row')} of {found.entries:,} entries"
        if found.sampled:
            looked = f"a sample, {looked}"
        told = "nothing is hurt" if not found.damages else counted(len(found.damages), "damage")
        colour = "red" if found.damages else "green"
        lines.append(page.style(f"{told}: {looked}", colour, "bold"))
    return "\n".join(lines)
