"""Sessions as recorded in the journal beside a store."""

import os
from itertools import islice

from bowerbird.core.errors import BadInput, NotFound
from bowerbird.core.events import PROMPTED
from bowerbird.core.phases import PHASES
from bowerbird.core.query import Filter
from bowerbird.core.sessions import LearnedMemory, Session, Sessions
from bowerbird.core.types import DIGEST, MEMORY
from bowerbird.core.value import Advice, Do
from bowerbird.sessions.experiment.corrections import flagged
from bowerbird.sessions.experiment.dead_ends import dead_end
from bowerbird.sessions.experiment.phase_weights import setting, weighed
from bowerbird.sessions.experiment.significance import comparison, measured
from bowerbird.sessions.inject.selection import trusted
from bowerbird.sessions.levels import AUTONOMOUS, CONFIDENT
from bowerbird.sessions.observe.health import health
from bowerbird.sessions.observe.journal import Journal, named_like, project_of
from bowerbird.sessions.observe.session import session
from bowerbird.sessions.observe.transcript import spoken
from bowerbird.sessions.summary import cited_in, summary
from bowerbird.verbs.timeline import LEFT, latest, told_of, waits
from bowerbird.wiring.hooking import state_folder
from bowerbird.wiring.methodologies import chosen_weights

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator
    from typing import Any

    from bowerbird.core.config import Config
    from bowerbird.core.history import History
    from bowerbird.core.period import Period
    from bowerbird.core.sessions import Handed, Summary
    from bowerbird.core.types import Entry
    from bowerbird.retrieval.lookup import Lookup
    from bowerbird.sessions.experiment.dead_ends import DeadEnd
    from bowerbird.wiring.opened import Opened

# Maximum dead ends of a project that sessions are compared with.
_MOST = 200
# A failure this long after a prompt, in milliseconds, is that of its hook.
_LATE_MS = 4_000
# Minimum characters that identify a session or an injection by prefix.
_FEWEST = 4
# Digests among which a session without a journal is searched for.
_MOST_DIGESTS = 1_000
# What each line of a journal that names a project contains.
_PROJECT = b'"project"'


class Recorded:
    """The sessions that were recorded beside a store."""

    def __init__(self, opened: "Opened") -> None:
        self._journal = Journal(opened.path)
        self._outcomes = opened.outcomes

    def some(self, limit: int, projects: "Collection[str] | None" = None) -> Sessions:
        """The latest sessions, abbreviated; with `projects` those that began in one of them."""
        names: Iterable[str] = (name for name, _, _ in self._journal.sessions())
        if projects is not None:
            names = (
                name
                for name in names
                if project_of([*self._journal.lines(name, holding=_PROJECT)]) in projects
            )
        return Sessions(
            tuple(
                session(name, [*self._journal.lines(name)], whole=False)
                for name in islice(names, limit)
            )
        )

    def during(
        self, period: "Period", projects: "Collection[str] | None"
    ) -> "Iterator[tuple[str, int, str]]":
        """The sessions of these projects, or of one that is unknown, at work in a time; the latest first.

        Each by its id, when it was at work first in that time, and what it was asked first then.
        """
        for name, written, _ in self._journal.sessions():
            if written * 1_000 < period.start:
                return
            every = [*self._journal.lines(name)]
            lines = [line for line in every if line["at"] in period]
            if lines and (projects is None or project_of(every) in ("", *projects)):
                typed = (line for line in lines if line.get("what") == PROMPTED)
                asked = next((str(one.get("text", "")) for one in typed if not one.get("sub")), "")
                yield session(name, every, whole=False).id, lines[0]["at"], asked

    def one(self, id: str) -> "Session":
        """A session with everything recorded, by its id or a prefix of it.

        Raises BadInput if the prefix is ambiguous, NotFound if it matches none.
        """
        fit = named_like((name for name, _, _ in self._journal.sessions()), id, _FEWEST)
        if len(fit) > 1:
            raise BadInput(f"{len(fit)} sessions begin with {id}", "give more of its name")
        if not fit:
            raise NotFound(f"no session {id} was recorded", Advice("see: ", Do("session")))
        return _with_late(session(fit[0], [*self._journal.lines(fit[0])], whole=True))

    def last(self, projects: "Collection[str]") -> "tuple[str, bool]":
        """The last session that began in one of these projects, by its whole name, and True.

        If there is none, the last of all, and False. Raises NotFound if none was recorded.
        """
        known = [name for name, _, _ in self._journal.sessions()]
        for name in known:
            if project_of([*self._journal.lines(name, holding=_PROJECT)]) in projects:
                return name, True
        if not known:
            raise NotFound("no session was recorded", Advice("connect an agent: ", Do("install")))
        return known[0], False

    def summarised(self, id: str, level: int, lookup: "Lookup | None") -> "Session":
        """A session with the summary of what memory contributed.

        Without `lookup`, as there is no store yet, it left no memories. Raises as `one` does.
        """
        try:
            found = self.one(id)
        except NotFound:
            digested = self._digested(id, lookup) if lookup is not None else None
            if digested is None:
                raise
            found = digested
        lines = [*self._journal.lines(f"{found.agent}-{found.id}" if found.agent else found.id)]
        summary = summed(found, lines, level)
        if lookup is not None:
            summary = with_learned(summary, lookup)
        return found.replace(summary=summary, recorded=(), handed=())

    @staticmethod
    def _digested(id: str, lookup: "Lookup") -> "Session | None":
        """A session that no hook recorded, by its id or a prefix of it, from its digest."""
        whole = told_of(lookup, id)
        known = (whole,) if whole else latest(lookup, None, _MOST_DIGESTS)
        found = [one for one in known if one.session.startswith(id) and len(id) >= _FEWEST]
        if len(found) != 1:
            return None
        return Session(found[0].session, began=found[0].began, last=found[0].ended)

    def compared(self, config: "Config", lookup: "Lookup | None") -> Sessions:
        """Compares the arms of the experiment over all recorded sessions.

        Also reports each kind of memory by phase, over all sessions that have ended. Without `lookup`, as
        there is no store yet, no dead end is known. Raises BadConfig.
        """
        arms = comparison(filter(None, self._measured(lookup)))
        chosen = chosen_weights(config)
        now = {name: {**one.weights, **chosen.get(name, {})} for name, one in PHASES.items()}
        handed, rows = weighed(self._outcomes.of(), now)
        compared = arms.replace(handed=handed, weighed=rows, proposal=setting(rows, chosen))
        return Sessions(comparison=compared)

    def _measured(self, lookup: "Lookup | None") -> "Iterator[tuple[str, dict[str, float]] | None]":
        wrong = flagged(self._outcomes.of())
        known: dict[str, tuple[DeadEnd, ...]] = {}
        for name, _, _ in self._journal.sessions():
            lines = [*self._journal.lines(name)]
            project = project_of(lines)
            if project and project not in known:
                known[project] = _dead_ends(project, lookup) if lookup is not None else ()
            yield measured(lines, known.get(project, ()), wrong)

    def injection(
        self, id: str, sign: str, lookup: "Lookup", history: "Callable[[str], History]"
    ) -> "Session":
        """A session with only one injection, each entry with its text of then. Raises as `one` does."""
        found = self.one(id)
        fit = [one for one in found.handed if one.sign.startswith(sign)]
        if len(fit) != 1 or len(sign) < _FEWEST:
            remedy = Advice("see: ", Do("session", "ID"))
            raise NotFound(f"no single injection {sign} in this session", remedy)
        return found.replace(handed=(_with_texts(fit[0], lookup, history),), recorded=())


def _with_late(found: "Session") -> "Session":
    """A session whose prompts say of themselves if they got nothing because their hook was late."""
    own = (one for one in health(state_folder()) if one.agent == found.agent)
    missed = [at for one in own for at in one.missed]
    given = [one.at for one in found.handed]

    def late(line: "dict[str, Any]") -> bool:
        if line.get("what") != PROMPTED:
            return False
        soon = range(line["at"], line["at"] + _LATE_MS)
        return any(at in soon for at in missed) and not any(at in soon for at in given)

    lines = (line | {"late": True} if late(line) else line for line in found.recorded)
    return found.replace(recorded=tuple(lines))


def _dead_ends(project: str, lookup: "Lookup") -> "tuple[DeadEnd, ...]":
    """The dead ends of a project that hooks may inject."""
    filter = Filter(projects=(project,), families=(MEMORY,), kinds=("dead_end",))
    return tuple(dead_end(one) for one in lookup.list(filter, _MOST, 0) if trusted(one))


def _with_texts(
    handed: "Handed", lookup: "Lookup", history: "Callable[[str], History]"
) -> "Handed":
    """An injection with what each entry said then and, where that is another text, what it says now."""
    items = []
    for item in handed.items:
        entry = _entry(lookup, str(item.get("id", "")))
        if entry is None:
            items.append(item | {"state": "gone"})
            continue
        # A passage of a file has no versions.
        then = history(entry.id).text_at(handed.at) if entry.details is not None else ""
        said = {"text": then, "now": entry.text} if then else {"text": entry.text}
        items.append(item | said | {"state": entry.state})
    return handed.replace(items=tuple(items))


def _entry(lookup: "Lookup", id: str) -> "Entry | None":
    try:
        return lookup.get(id)
    except (NotFound, BadInput):
        return None


# Maximum memories of one session that are read and listed.
_MOST = 200


def summed(session: "Session", lines: "list[dict[str, object]]", level: int) -> "Summary":
    """A summary of a session from its journal and transcript."""
    cited = cited_in(text for path in _transcripts(lines) for text in spoken(path))
    return summary(session.id, lines, cited).replace(level=level)


def with_learned(summary: "Summary", lookup: "Lookup") -> "Summary":
    """Adds the digest of a session and the memories that it left.

    From level 3 on, only those that wait for review.
    """
    filter = Filter(sessions=(summary.session,), families=(MEMORY,), states=LEFT)
    found = lookup.list(filter, _MOST, 0)
    digest = next((one.text for one in found if one.kind == DIGEST), "")
    left = [one for one in found if one.kind != DIGEST]
    if summary.level in (CONFIDENT, AUTONOMOUS):
        left = [one for one in left if waits(one)]
    return summary.replace(learned=tuple(map(_learned, left)), digest=digest)


def _learned(entry: "Entry") -> LearnedMemory:
    return LearnedMemory(
        entry.id, entry.kind, entry.text, entry.state, entry.review if waits(entry) else ""
    )


def _transcripts(lines: "list[dict[str, object]]") -> "Iterator[str]":
    """The transcript files of a session, each once."""
    named = dict.fromkeys(str(line["transcript"]) for line in lines if line.get("transcript"))
    yield from filter(os.path.isfile, named)
