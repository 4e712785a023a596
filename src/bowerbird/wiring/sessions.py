"""Sessions as recorded in the journal beside a store."""

from bowerbird.agent.experiment.phase_weights import setting, weighed
from bowerbird.agent.experiment.significance import comparison, measured
from bowerbird.agent.observe.journal import Journal
from bowerbird.agent.observe.session import session
from bowerbird.agent.outcomes import Outcomes
from bowerbird.core.errors import BadInput, NotFound
from bowerbird.core.phases import PHASES
from bowerbird.core.sessions import Sessions
from bowerbird.core.value import Advice, Do
from bowerbird.wiring.methodologies import chosen_weights
from bowerbird.wiring.session_summary import summed, with_learned

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.config import Config
    from bowerbird.core.sessions import Handed, Session
    from bowerbird.core.types import Entry
    from bowerbird.retrieval.lookup import Lookup

# Minimum characters that identify a session or an injection by prefix.
_FEWEST = 4


class Recorded:
    """The sessions that were recorded beside a store."""

    def __init__(self, path: str) -> None:
        self._journal = Journal(path)
        self._outcomes = Outcomes(path)

    def some(self, limit: int) -> Sessions:
        """The latest sessions, abbreviated."""
        found = self._journal.sessions()[:limit]
        return Sessions(
            tuple(session(name, [*self._journal.lines(name)], whole=False) for name, _, _ in found)
        )

    def one(self, id: str) -> "Session":
        """A session with everything recorded, by its id or a prefix of it.

        Raises BadInput if the prefix is ambiguous, NotFound if it matches none.
        """
        known = [name for name, _, _ in self._journal.sessions()]
        fit = [name for name in known if name == id or name.endswith("-" + id)]
        if not fit and len(id) >= _FEWEST:
            fit = [name for name in known if name.startswith(id) or f"-{id}" in name]
        if len(fit) > 1:
            raise BadInput(f"{len(fit)} sessions begin with {id}", "give more of its name")
        if not fit:
            raise NotFound(f"no session {id} was recorded", Advice("see: ", Do("session")))
        return session(fit[0], [*self._journal.lines(fit[0])], whole=True)

    def summarised(self, id: str | None, level: int, lookup: "Lookup | None") -> "Session":
        """A session, by default the last one, with the summary of what memory contributed.

        Without `lookup`, as there is no store yet, it left no memories. Raises as `one` does.
        """
        if id is None:
            last = self._journal.sessions()[:1]
            if not last:
                raise NotFound(
                    "no session was recorded", Advice("connect an agent: ", Do("install"))
                )
            id = last[0][0]
        found = self.one(id)
        lines = [*self._journal.lines(f"{found.agent}-{found.id}" if found.agent else found.id)]
        summary = summed(found, lines, level)
        if lookup is not None:
            summary = with_learned(summary, lookup)
        return found.replace(summary=summary, recorded=(), handed=())

    def compared(self, config: "Config") -> Sessions:
        """Compares the arms of the experiment over all recorded sessions.

        Also reports each kind of memory by phase, over all sessions that have ended. Raises BadConfig.
        """
        names = [name for name, _, _ in self._journal.sessions()]
        found = (measured(self._journal.lines(name)) for name in names)
        arms = comparison(filter(None, found))
        chosen = chosen_weights(config)
        now = {name: {**one.weights, **chosen.get(name, {})} for name, one in PHASES.items()}
        handed, rows = weighed(self._outcomes.of(), now)
        compared = arms.replace(handed=handed, weighed=rows, proposal=setting(rows, chosen))
        return Sessions(comparison=compared)

    def injection(self, id: str, sign: str, lookup: "Lookup") -> "Session":
        """A session with only one injection, each entry with its current text. Raises as `one` does."""
        found = self.one(id)
        fit = [one for one in found.handed if one.sign.startswith(sign)]
        if len(fit) != 1 or len(sign) < _FEWEST:
            remedy = Advice("see: ", Do("session", "ID"))
            raise NotFound(f"no single injection {sign} in this session", remedy)
        return found.replace(handed=(_with_texts(fit[0], lookup),), recorded=())


def _with_texts(handed: "Handed", lookup: "Lookup") -> "Handed":
    items = []
    for item in handed.items:
        entry = _entry(lookup, str(item.get("id", "")))
        now = {"text": entry.text, "state": entry.state} if entry is not None else {"state": "gone"}
        items.append(item | now)
    return handed.replace(items=tuple(items))


def _entry(lookup: "Lookup", id: str) -> "Entry | None":
    try:
        return lookup.get(id)
    except (NotFound, BadInput):
        return None
