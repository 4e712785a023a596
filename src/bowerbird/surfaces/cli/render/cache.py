"""How the cache of vectors reads."""

from bowerbird.core.health import Emptied
from bowerbird.core.text import clean
from bowerbird.surfaces.cli.page import counted, table
from bowerbird.surfaces.cli.render.status import size

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.health import CacheState
    from bowerbird.surfaces.cli.call import Outcome
    from bowerbird.surfaces.cli.page import Page


def text(outcome: "Outcome", page: "Page") -> str:
    """What was taken out, and what there is."""
    state: CacheState = outcome.value
    removed = state.removed if isinstance(state, Emptied) else None
    lines = []
    if removed is not None:
        lines.append(f"taken out: {counted(removed, 'vector')}")
        if page.quiet:
            return lines[0]
    rows = [
        ("kept", f"{counted(state.vectors, 'vector')} of at most {state.max_entries:,}"),
        ("size", size(state.size_bytes)),
        ("used again", counted(state.hits, "time")),
        *(("model", f"{clean(name)}: {count:,}") for name, count in sorted(state.models.items())),
    ]
    return "\n".join([*lines, *table(rows)])
