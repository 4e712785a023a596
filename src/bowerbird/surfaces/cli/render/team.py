"""How the team reads: a line for each person, with their tokens; or what changed."""

from bowerbird.core.answers import Listed
from bowerbird.core.dispute import CLOSED, COMMENTED, OPENED, Dispute
from bowerbird.core.team import TeamChange
from bowerbird.core.text import clean, one_line
from bowerbird.core.types import SHORT_ID
from bowerbird.core.who import name_of
from bowerbird.surfaces.cli.page import Page, counted, moment, table
from bowerbird.surfaces.cli.render import entries

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.dispute import Disputes
    from bowerbird.core.team import MemberToken, Team

_DAY = len("2026-01-31")
_ACTIONS = {OPENED: "disputes it", COMMENTED: "says", CLOSED: "closes it"}
_DONE = {"added": "joined as", "changed": "has the role"}


def text(value: "Team | TeamChange | Listed", page: Page) -> str:
    """Everybody; or what was done, with a new token by itself on the last line."""
    if isinstance(value, Listed):
        return entries.text(value, page)
    if isinstance(value, TeamChange):
        return "\n".join(_changed(value, page))
    if not value.members:
        return "nobody shares this store; add somebody with: bower team add NAME"
    rows = [("name", "role", "trust", "since", "until")]
    for one in value.members:
        gone = moment(one.gone)[:_DAY] if one.gone is not None else ""
        rows.append((one.name, one.role, one.trust, moment(one.joined)[:_DAY], gone))
    lines = table(rows)
    if value.tokens:
        lines += ["", "tokens"]
        lines += table([(one.member, clean(one.label), _state(one)) for one in value.tokens])
    return "\n".join(lines)


def _changed(value: TeamChange, page: Page) -> list[str]:
    one = value.member
    if value.done == "left":
        return [f"{one.name} left; {counted(value.erased, 'personal memory')} erased"]
    if value.done == "revoked":
        return [f"{counted(value.revoked, 'token')} of {one.name} revoked"]
    if value.done != "token":
        return [
            f"{one.name} {_DONE[value.done]} {one.role}; what they write is {one.trust} at most"
        ]
    until = moment(value.expires)[:_DAY] if value.expires is not None else ""
    lines = [f"a token of {one.name}, accepted until {until}; it is shown only now:", value.token]
    return lines[1:] if page.quiet else lines


def _state(one: "MemberToken") -> str:
    if one.revoked is not None:
        return f"revoked on {moment(one.revoked)[:_DAY]}"
    return "" if one.expires is None else f"until {moment(one.expires)[:_DAY]}"


def disputed(value: "Dispute | Disputes", page: Page) -> str:
    """A memory with its thread, or the open disputes."""
    if isinstance(value, Dispute):
        return "\n".join(_thread(value, page))
    if not value.disputes:
        return "nothing is disputed"
    return "\n\n".join("\n".join(_thread(one, page)) for one in value.disputes)


def _thread(one: Dispute, page: Page) -> list[str]:
    by = f" by {clean(one.author)}" if one.author else ""
    state = f"disputed by {clean(one.disputed)}" if one.disputed else "not disputed"
    lines = [
        page.style(f"{one.id[:SHORT_ID]}{by}: {state}, confidence {one.confidence:.2f}", "bold")
    ]
    lines.append(f"  {one_line(one.text)}")
    lines += [
        f"  {moment(line.at)} {clean(name_of(line.actor))} {_ACTIONS[line.action]}: {clean(line.text)}"
        for line in one.thread
    ]
    return lines
