"""What a session was given and has left so far: its injections, its memories, and its scratchpad."""

from bowerbird.core.errors import NotFound
from bowerbird.core.sessions import GivenMemory, LearnedMemory, SoFar
from bowerbird.core.types import DIGEST, MEMORY
from bowerbird.core.value import Advice, Do
from bowerbird.retrieval.lookup import Lookup
from bowerbird.sessions.learn.scratchpad import Scratchpad
from bowerbird.sessions.observe.journal import project_of
from bowerbird.verbs.sessions import Recorded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from bowerbird.core.query import Filter
    from bowerbird.core.sessions import Session
    from bowerbird.wiring.acting import Acting
    from bowerbird.wiring.opened import Opened

# Stands for the session of the caller.
THIS = "this"
# Maximum memories, and notes, of one session that are told.
_MOST = 20


def so_far(opened: "Opened", acting: "Acting", id: str, filter: "Filter") -> SoFar:
    """What a session was given and has left, as far as the projects and the trust of a filter allow.

    `id` is a session's, the beginning of it, or THIS. Lessons that rest on what others wrote are left
    out: they wait until the session is learned from. Raises NotFound, BadInput, and Denied for a caller
    who is not on this machine.
    """
    who = acting.who
    who.require_local("session")
    own = id == THIS or bool(id and who.reader.startswith(id))
    name = who.reader if own else id
    recorded = _recorded(opened, name, filter.projects)
    name = name if recorded is None else recorded.id
    kept: tuple[LearnedMemory, ...] = ()
    if opened.exists():
        names = {name, who.session} if own else {name}
        of_it = filter.replace(families=(MEMORY,), sessions=tuple(sorted(names - {""})))
        found = Lookup(opened.reader(), None, acting.show).list(of_it, _MOST, 0)
        kept = tuple(
            LearnedMemory(one.id, one.kind, one.text, one.state, one.review)
            for one in found
            if one.kind != DIGEST
        )
    if recorded is None and not kept and not own:
        raise NotFound(f"no session {id} was recorded", Advice("see: ", Do("session")))
    notes = [] if recorded is None else Scratchpad(opened.path).notes(name)
    lessons = [one.lesson for one in notes if not one.lesson.outside][:_MOST]
    noted = tuple(f"{one.kind}: {one.text}" for one in lessons)
    return SoFar(name, () if recorded is None else _injected(recorded), kept, noted)


def _recorded(opened: "Opened", name: str, projects: "Collection[str] | None") -> "Session | None":
    """What hooks recorded of a session that began in these projects; None if they recorded nothing."""
    try:
        found = Recorded(opened).one(name)
    except NotFound:
        return None
    began = project_of(found.recorded)
    return found if projects is None or not began or began in projects else None


def _injected(session: "Session") -> tuple[GivenMemory, ...]:
    """The memories that a session was given, each once."""
    given: dict[str, GivenMemory] = {}
    for handed in session.handed:
        for item in handed.items:
            id = str(item.get("id", ""))
            given[id] = GivenMemory(id, str(item.get("kind", "")), str(item.get("citation", "")))
    return tuple(given.values())
