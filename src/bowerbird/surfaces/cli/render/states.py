"""How the states of a memory read: what is done with each, then the moves from it."""

from bowerbird.surfaces.cli.page import Page, table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.states import States

_USES = ("searched", "injected", "exported", "synced")


def text(found: "States", page: Page) -> str:
    """A table of uses, and a line for each state with its moves."""
    rows: list[tuple[str, ...]] = [("state", *_USES, "means")]
    rows += [
        (one.name, *("yes" if use in one.uses else "-" for use in _USES), one.meaning)
        for one in found.states
    ]
    first, *others = table(rows)
    lines = [page.style(first, "bold"), *others, "", page.style("Moves", "bold")]
    width = max(len(one.name) for one in found.states)
    for one in found.states:
        for at, move in enumerate(one.moves):
            name = one.name if at == 0 else ""
            lines.append(f"{name:<{width}} → {move.to:<{width}}  {move.by}")
    return "\n".join(lines)
