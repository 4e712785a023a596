"""The caller of the store: their name, their permissions, and what they were shown before.

The one place that enforces an interface's `Who`. Text below `normal` that a session was shown lowers the
trust of what it writes from then on, through any interface: after `imported` text its memories are
imported, after text of `low` trust they are quarantined.
"""

from bowerbird.core.errors import NotAPerson, UnknownName
from bowerbird.core.life import DAY
from bowerbird.core.types import GLOBAL, TRUSTS
from bowerbird.core.value import Do, Note
from bowerbird.core.who import USER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bowerbird.core.config import Config
    from bowerbird.core.draft import About, Draft
    from bowerbird.core.memories import Decision
    from bowerbird.core.migrated import Found
    from bowerbird.core.ports.store import Store
    from bowerbird.core.trace import Trace
    from bowerbird.core.who import Who
    from bowerbird.wiring.opened import Opened
    from bowerbird.wiring.reach import Reach

# Trust levels from here up do not lower the trust of what their reader writes.
_NORMAL = TRUSTS.index("normal")
# Days, today included, for which texts shown to a caller without a session id count. With today alone, an
# external text read in the evening would no longer lower what is stored the next morning.
TAINTED_DAYS = 2
_UNNOTED = "that less trusted text was shown could not be recorded: its folder is not writable"
# What a session was shown, by its trust, and what is said of a memory that it writes then.
_SHOWN = {"imported": "files of others", "low": "text from elsewhere"}
_FOLLOWS = "written after the session read unverified text ({})"
_LOWERED = "Saved as unverified, because {} has read unverified text ({}). Confirm it with: {}."


class Acting:
    """A caller, in one project of one store."""

    def __init__(self, who: "Who", opened: "Opened", reach: "Reach") -> None:
        self.who = who
        self._opened = opened
        self._reach = reach
        if who.projects:
            who.require_project(reach.project.uid)

    def actor(self, name: str) -> str:
        """The name for the audit: the caller's own; an owner's program may name itself, else `user`."""
        return self.who.actor or name or USER

    def show(self, trusts: "Iterable[str]") -> str:
        """Record that texts of these trust levels are shown. Returns a warning if that failed."""
        readers = self._readers()
        lowest = min(map(TRUSTS.index, trusts), default=_NORMAL)
        if not readers or lowest >= _NORMAL:
            return ""
        return "" if self._opened.shown.note(readers, TRUSTS[lowest]) else _UNNOTED

    @property
    def least_trust(self) -> str:
        """The least trust of what a search shows the caller unless they ask for less.

        One hit of low trust lowers all that a session writes afterwards, so that it is not shown unasked.
        """
        return "imported" if self.who.reader else "low"

    def writer(self) -> "Store":
        """The store for writing, created and upgraded as needed. Raises Denied for read-only callers."""
        self.who.require_write()
        return self._opened.writer()

    def hand(self, trusts: "Iterable[str]", trace: "Trace | None" = None) -> None:
        """Record that texts of these trust levels are shown; if that fails, the trace says so."""
        remark = self.show(trusts)
        if remark and trace is not None:
            trace.remark("taint", Note("unnoted", remark))

    def handed(self, ids: "Sequence[str]") -> None:
        """Record which entries a session has received, so that its hooks do not repeat them.

        Only for callers whose name the hooks know: a session, or the process of an agent.
        """
        if self.who.reader and not self.who.roaming:
            self._opened.handed.note(self.who.reader, ids, self._opened.clock())

    def draft(self, text: str, about: "About") -> "Draft":
        """A draft in the name of the caller.

        Raises UnknownName for an unknown field, BadInput for an origin with more trust than the caller's.
        """
        from bowerbird.core.draft import Draft

        who, shown = self.who, self._shown()
        said: About = {**about}
        for name in said:
            if name not in Draft.__slots__:
                raise UnknownName.among("argument", name, [*Draft.__slots__])
        if who.actor:
            said["actor"] = who.actor
        if who.session and not said.get("session"):
            said["session"] = who.session
        if who.origin:
            said["origin"] = _origin(who.origin, about)
        if who.person:
            said["author"] = who.person
            said["lineage"] = (*about.get("lineage", ()), who.most)
        if shown:
            said["lineage"] = (*said.get("lineage", ()), shown)
            # So that it is in the review, whatever its trust: nothing waits unseen.
            said["review"] = said.get("review") or _FOLLOWS.format(_read(shown))
        return Draft(text, **said)

    def lowered(self, found: "Found") -> "Found":
        """Notes of another memory tool, with at most the trust of what their importer was shown.

        The importing session itself may have written them.
        """
        shown = self._shown()
        if not shown:
            return found
        notes = []
        for note in found.notes:
            lineage = (*note.draft.lineage, shown)
            notes.append(note.replace(draft=note.draft.replace(lineage=lineage)))
        return found.replace(notes=tuple(notes))

    @property
    def most_trust(self) -> str:
        """The most trust of memories that the caller brings from a file that anybody may have written.

        Its owner may bring anything, an agent what it could write itself.
        """
        if self.who.owner:
            return TRUSTS[-1]
        own = (self._shown(), self.who.most, TRUSTS[_NORMAL])
        return min(filter(None, own), key=TRUSTS.index)

    def annotated(self, decision: "Decision") -> "Decision":
        """A decision with the reason why it waits, and how a person confirms it.

        Its writer counts as having been shown it.
        """
        shown = self._shown() if decision.decision != "known" else ""
        self.show([decision.trust, *(match.trust for match in decision.matched)])
        if not shown or TRUSTS.index(decision.trust) > TRUSTS.index(shown):
            return decision
        whose = "this session"
        if self.who.roaming:
            # Of programs that name no session nobody can tell which one it was.
            whose += ", or another program that names none,"
        return decision.replace(note=_LOWERED.format(whose, _read(shown), Do("review").command()))

    def _shown(self) -> str:
        """The lowest trust of what the caller was shown; empty if it lowers nothing."""
        today = self._opened.clock() // DAY
        days = range(today, today - TAINTED_DAYS, -1)
        readers = [one for day in days for one in self._on(day)]
        if self.who.roaming:
            # Texts read across all projects count in each of them.
            readers += [one for day in days for one in self._on(day, GLOBAL.uid)]
        return self._opened.shown.lowest(tuple(readers)) if readers else ""

    def _readers(self) -> tuple[str, ...]:
        """The names under which the texts that the caller is shown now are recorded."""
        return self._on(self._opened.clock() // DAY)

    def _on(self, day: int, project: str = "") -> tuple[str, ...]:
        """The caller's names in the records of a day; none if nothing is recorded of them."""
        who = self.who
        reader = who.reader
        if reader and who.roaming:
            reader = f"{reader}\n{project or self._reach.project.uid}\n{day}"
        holder = f"token {who.holder}\n{day}" if who.holder else ""
        return tuple(filter(None, (holder, reader)))


def _read(trust: str) -> str:
    """What text of this trust is called."""
    return _SHOWN.get(trust, trust)


def _origin(own: str, about: "About") -> str:
    """The origin of a new memory: the caller's own, or one with less trust if they declare it."""
    from bowerbird.core.origins import origin_of, trust_of

    source, asked = about.get("source"), about.get("origin")
    asked = asked or (origin_of(source) if source else own)
    if TRUSTS.index(trust_of(asked)) > TRUSTS.index(trust_of(own)):
        raise NotAPerson(f"you write as {own}, not as {asked}", "leave the origin out")
    return asked


class Verbs:
    """Base of a group of verbs: settings, open resources, visible projects, and the caller."""

    def __init__(self, config: "Config", opened: "Opened", reach: "Reach", acting: Acting) -> None:
        self._config = config
        self._opened = opened
        self._reach = reach
        self._acting = acting
