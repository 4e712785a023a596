"""How the team reads: a line for each person, with their tokens; or what changed."""

from bowerbird.core.team import TeamChange
from bowerbird.core.text import clean
from bowerbird.surfaces.cli.page import Page, counted, moment, table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.team import MemberToken, Team

_DAY = len("2026-01-31")
_DONE = {"added": "joined as", "changed": "has the role"}


def text(value: "Team | TeamChange", page: Page) -> str:
    """Everybody; or what was done, with a new token by itself on the last line."""
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
