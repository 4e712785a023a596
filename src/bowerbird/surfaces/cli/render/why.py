"""How an explanation reads: what stands in the way of everything, what is injected, and what is not."""

from bowerbird.core.text import one_line
from bowerbird.core.types import SHORT_ID
from bowerbird.surfaces.cli.page import Page, counted, cut

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from bowerbird.core.why import Considered, Why


def text(why: "Why", page: Page) -> str:
    """The explanation."""
    lines = [page.style(one_line(one), "yellow") for one in why.obstacles]
    if lines:
        lines.append("")
    if why.injected:
        lines.append("A hook would inject:")
        lines += [line for one in why.injected for line in _lines(one, page)]
    else:
        lines.append(f"A hook would inject nothing for this prompt in {one_line(why.project)}.")
    if why.withheld:
        lines += ["", "It would not inject:"]
        lines += [line for one in why.withheld for line in _lines(one, page)]
    if why.waiting:
        wait = "waits" if why.waiting == 1 else "wait"
        told = f"{counted(why.waiting, 'memory')} {wait} for review: bower review"
        lines += ["", page.style(told, "yellow")]
        if why.typed:
            lines.append("  typed by you: " + cut(one_line(why.typed[0]), page.columns - 16))
    lines += [
        "",
        "Rules, and what was left open, come as a session starts, whatever its prompts say; a learned",
        "rule whose words do not say that it lasts, at three starts. At each: bower edit ID --pinned",
    ]
    needs = f"what was learned needs a confidence above {why.confidence:.2f}"
    lines += ["", f"Level {why.level}: {needs}. Details: docs/why-nothing.md"]
    return "\n".join(lines)


def _lines(one: "Considered", page: Page) -> "Iterator[str]":
    head = f"{one.relevance:.2f}  {one.kind} {one.id[:SHORT_ID]}  "
    yield page.style(head, "cyan") + cut(one.text, max(20, page.columns - len(head)))
    if one.reason:
        yield f"      {page.style(one_line(one.reason), 'yellow')}"
