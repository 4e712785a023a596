"""How a time line of sessions reads: a line each."""

from bowerbird.core.text import clean, one_line
from bowerbird.surfaces.cli.page import Page, counted, cut, moment, table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.sessions import DigestedSession, Timeline

# Characters of a session's id, enough for `bower session`, and of a branch, which wide pages show.
_SHORT = 8
_BRANCH = 24
_WIDE = 110
_MINUTE = 60_000
# The columns that the other fields take.
_OTHERS = 52


def text(found: "Timeline", page: Page) -> str:
    """The sessions, the latest first."""
    if not found.sessions:
        return "No session has a digest yet."
    several = len({one.project for one in found.sessions}) > 1
    rows = [_row(one, page, several=several) for one in found.sessions]
    return "\n".join(table(rows, (2,)))


def _row(one: "DigestedSession", page: Page, *, several: bool) -> tuple[str, ...]:
    minutes = max(0, round((one.ended - one.began) / _MINUTE))
    left = counted(one.learned, "memory") if one.learned else ""
    left += f", {one.waiting} waiting" if one.waiting else ""
    wide = page.columns >= _WIDE
    branch = (cut(clean(one_line(one.branch)), _BRANCH),) if wide else ()
    where = (clean(one_line(one.project)).rpartition("/")[2],) if several else ()
    return (
        moment(one.ended),
        clean(one.session[:_SHORT]),
        f"{minutes} min",
        *where,
        *branch,
        cut(
            clean(one_line(one.summary)),
            max(20, page.columns - _OTHERS - _BRANCH * (wide + several)),
        ),
        left,
    )
