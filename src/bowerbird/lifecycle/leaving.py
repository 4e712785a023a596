"""What of a store may leave this machine for other copies of it. Pure.

Nothing that held a secret, nothing that waits in quarantine; nothing personal, unless its owner wants it
on other devices of theirs. Of what leaves no path of this machine goes along as the place of a project.
"""

from bowerbird.core.exchange import SORTS, Contents
from bowerbird.core.life import AUDIENCES
from bowerbird.core.states import STATE_TABLE
from bowerbird.core.types import GLOBAL, whose
from bowerbird.core.who import USER
from bowerbird.guard.redact import was_redacted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from bowerbird.core.exchange import Held, Row

# Why a memory stays.
SECRET, WAITS, PERSONAL, PLACE = (
    "held a secret",
    "in quarantine",
    "personal",
    "of a folder that only this machine knows",
)
_REMOTE = "remote:"
# The sorts that go along: what a person decided and what sessions taught is personal. What came from
# outside is told of the files of this machine, and the audit is of this copy; versions go along.
_ALWAYS = ("project", "alias", "tombstone", "relation")
_IF_PERSONAL = ("verdict", "digest")


def stays(memory: "Held", *, personal: bool) -> str:
    """Why a memory stays on this machine; empty if it may leave."""
    if any(was_redacted(one.text) or was_redacted(one.reason) for one in memory.versions):
        return SECRET
    if whose(memory.project) not in ("", USER):
        return PERSONAL
    fields = memory.current.fields
    if "synced" not in STATE_TABLE[fields.state].uses:
        return WAITS
    if personal:
        return ""
    if fields.audience == AUDIENCES[0]:
        return PERSONAL
    if memory.project != GLOBAL.uid and not memory.project.startswith(_REMOTE):
        return PLACE
    return ""


def rows_leaving(contents: "Contents", ids: "Collection[str]", *, personal: bool) -> "Contents":
    """The rows that go along with memories of these ids."""
    projects = {one.project for one in contents.memories}
    found: dict[str, list[Row]] = {}
    for sort in (*_ALWAYS, *(_IF_PERSONAL if personal else ())):
        rows = [*contents.rows.get(sort, ())]
        if sort == "project":
            rows = [(uid, name, None) for uid, name, _ in rows if personal or uid in projects]
        elif sort == "alias":
            rows = [
                row
                for row in rows
                if row[0].startswith(_REMOTE) and (personal or row[1] in projects)
            ]
        elif sort == "relation":
            rows = [row for row in rows if row[0] in ids and row[1] in ids]
        found[sort] = rows
    return contents.replace(rows={sort: found.get(sort, []) for sort in SORTS})
