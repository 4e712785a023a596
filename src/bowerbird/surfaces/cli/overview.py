"""What ``bower`` alone prints: the commands of every day, the names of the others, what to try."""

import sys

from bowerbird.core.value import TYPED_AS
from bowerbird.core.version import VERSION
from bowerbird.surfaces.cli.page import Page, wrap
from bowerbird.surfaces.cli.table import aliases, commands

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.surfaces.fields import Verb

TRY = (
    ("bower index ~/notes", "index a folder of notes or transcripts"),
    ('bower query "why do the auth tests hang?"', "ask"),
    ('bower remember "Redis must be up first"', "keep one fact"),
)
# The commands of every day, each with its meaning; the others are named by group.
EVERY_DAY = (
    "query",
    "context",
    "get",
    "list",
    "curate",
    "forget",
    "revert",
    "review",
    "index",
    "install",
    "status",
    "doctor",
)
_MORE = """\
bower help COMMAND explains one; every command knows --format json.
Exit codes: 0 done (finding nothing is an answer), 1 failed, 2 a wrong call."""


def text() -> str:
    """The overview, at most a screen long."""
    page = Page.of(sys.stdout, quiet=False, verbose=False)
    lines = [
        page.style("bower", "bold") + f" {VERSION}: memory for AI agents, in one embedded file",
        "",
        "usage: bower COMMAND [OPTIONS]",
    ]
    known = [one.VERB for one in commands()]
    daily = sorted((one for one in known if one.name in EVERY_DAY), key=_daily)
    names = {one.name: TYPED_AS.get(one.name, one.name) for one in daily}
    widest = max(map(len, names.values()))
    lines += ["", page.style("Every day", "bold")]
    for command in daily:
        name = names[command.name]
        others = ", ".join(one for one in (command.name, *aliases(command)) if one != name)
        also = f" (also: {others})" if others else ""
        verb = page.style(f"{name:<{widest}}", "cyan")
        first, *rest = wrap(command.meaning + also, max(20, page.columns - widest - 4))
        lines.append(f"  {verb}  {_dimmed(first, also, page)}")
        lines += [" " * (widest + 4) + _dimmed(line, also, page) for line in rest]
    lines += ["", page.style("The others", "bold")]
    groups = dict.fromkeys(one.group for one in known)
    widest = max(map(len, groups))
    for group in groups:
        further = [one.name for one in known if one.group == group and one.name not in EVERY_DAY]
        first, *rest = wrap(", ".join(further), max(20, page.columns - widest - 4))
        lines.append(f"  {group:<{widest}}  {page.style(first, 'cyan')}")
        lines += [" " * (widest + 4) + page.style(line, "cyan") for line in rest]
    lines += ["", page.style("Try it", "bold")]
    for line, what in TRY:
        remark = page.style(what, "dim")
        fits = len(f"  {line:<43} {what}") <= page.columns
        lines += [f"  {line:<43} {remark}"] if fits else [f"  {line}", f"      {remark}"]
    lines += ["", *wrap(_MORE, page.columns)]
    return "\n".join(lines) + "\n"


def _daily(command: "Verb") -> int:
    return EVERY_DAY.index(command.name)


def _dimmed(line: str, also: str, page: Page) -> str:
    """A line with its aliases dimmed, if it contains all of them."""
    if not also or not line.endswith(also):
        return line
    return line.removesuffix(also) + page.style(also, "dim")
