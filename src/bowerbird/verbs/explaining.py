"""Explains what hooks would inject for a prompt, and what keeps the nearest other entries out."""

import os
import time

from bowerbird.core.config import OFF
from bowerbird.core.origins import TAUGHT
from bowerbird.core.query import Filter, Query, question
from bowerbird.core.text import one_line, words
from bowerbird.core.types import MEMORY, STATES
from bowerbird.core.why import Considered, Why
from bowerbird.sessions.digests import recapped
from bowerbird.sessions.inject import prompt as asking_for
from bowerbird.sessions.inject.momentary import withheld_from
from bowerbird.sessions.inject.session_history import given
from bowerbird.sessions.observe.health import health
from bowerbird.sessions.observe.journal import Journal
from bowerbird.wiring.hooking import state_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from bowerbird.core.answers import Hit, Hits
    from bowerbird.core.config import Config
    from bowerbird.core.types import Entry, Project
    from bowerbird.sessions.levels import LevelState
    from bowerbird.verbs.asking import Asking

# Entries that are explained, and those that are looked at for them.
_SHOWN = 5
_LOOKED_AT = 15
_MOST_TYPED = 20
# States in which a memory may still be meant; what was forgotten or replaced is not.
_DIGEST = (
    "is the digest of a session: for the start of one, and prompts that ask about earlier work"
)
_ALIVE = tuple(one for one in STATES if one in {"active", "quarantined", "expired"})


class _Recall:
    """Asks the store as a hook does."""

    def __init__(self, asking: "Asking") -> None:
        self._asking = asking

    def query(
        self,
        text: str,
        *,
        limit: int,
        min_score: float,
        without: "Sequence[str]",
        min_trust: str,
        everywhere: bool = False,
        states: "Sequence[str]" = (),
        coming: bool = False,
        **_: "Any",
    ) -> "Hits":
        narrowing: Any = {"min_trust": min_trust, "states": states}
        filter = self._asking.filter(narrowing, everywhere, coming=coming)
        query = Query(
            question(text),
            filter=filter,
            limit=limit,
            min_score=min_score,
            depth=asking_for.NARROW["query.depth"],
            without=tuple(without),
        )
        return self._asking.query(query)

    def list(self, *, limit: int, coming: bool = True, **narrowing: "Any") -> "Iterable[Entry]":
        by: Any = narrowing
        filter = self._asking.filter(by, everywhere=False, coming=coming)
        return self._asking.listed(filter, limit, 0)

    def get(self, id: str) -> "Entry":
        return self._asking.lookup().get(id)


def explained(
    asking: "Asking",
    config: "Config",
    path: str,
    project: "Project",
    seen_projects: "Sequence[str]",
    level: "LevelState",
    prompt: str,
    session: str,
) -> Why:
    """What a hook would inject for a prompt in a project, and why not the nearest other entries.

    `session` is one whose injections are not repeated; empty: a new one. Raises StoreError.
    """
    long = asking_for.is_long(prompt)
    why = Why(
        prompt,
        project.name,
        level.level,
        level.above,
        asking_for.LONG_GATE if long else asking_for.GATE,
        tuple(_obstacles(config, prompt)),
    )
    memory, seen = _Recall(asking), frozenset(_given(path, session))

    def reason(entry: "Entry") -> str:
        its = entry.session
        if session and its and (its.startswith(session) or session.endswith(its)):
            return "was said in this session"
        return withheld_from(prompt, entry, level.above, project)

    if not os.path.exists(path):
        return why.replace(obstacles=(*why.obstacles, "nothing has been stored yet"))
    budget = config["agent.prompt_budget"]
    found = asking_for.for_prompt(
        memory,
        prompt,
        seen,
        lambda one: not reason(one),
        budget,
        project=project.uid,
        recap=recapped,
        now=time.time_ns() // 1_000_000,
    )
    near = memory.query(
        asking_for.asked(prompt),
        limit=_LOOKED_AT,
        min_score=0.0,
        without=(),
        min_trust="low",
        everywhere=not asking.confined,
        states=_ALIVE,
    )
    injected = [Considered(i.id, i.kind, one_line(i.text), i.relevance, "") for i in found.items]
    names = {one.id for one in injected}
    out: list[Considered] = []
    few = _too_few_words(prompt)
    earlier = asking_for.asks_of_earlier_work(prompt)
    # What no prompt brings, such as the echo of the same question in a transcript, is shown last.
    for hit in sorted(near, key=lambda one: not asking_for.wanted(one, earlier=earlier)):
        if hit.id in names or len(out) == _SHOWN:
            continue
        entry = memory.get(hit.id)
        gate = reason(entry)
        if entry.project not in seen_projects:
            gate = f"belongs to another project: {entry.project}"
        elif hit.id in seen:
            gate = "was already given to this session"
        elif not gate and not asking_for.wanted(hit, earlier=earlier):
            gate = _DIGEST
        elif not gate and asking_for.is_aside(hit, project.uid):
            gate = _aside(hit)
        text = one_line(entry.text)
        gate = gate or few or _note(hit) or _too_far(hit, why.least, len(injected))
        out.append(Considered(hit.id, entry.kind, text, hit.relevance, gate))
    typed = _typed(asking, seen_projects, prompt)
    return why.replace(injected=tuple(injected), withheld=tuple(out), typed=typed)


def _typed(asking: "Asking", projects: "Sequence[str]", prompt: str) -> tuple[str, ...]:
    """What a person typed and what waits for their review, by the words that a prompt shares with it."""
    filter = Filter(
        projects=tuple(projects), families=(MEMORY,), sources=(TAUGHT,), needs_review=True
    )
    texts = [one_line(one.text) for one in asking.lookup().list(filter, _MOST_TYPED, 0)]
    said = {*words(prompt)}
    return tuple(sorted(texts, key=lambda one: -len(said.intersection(words(one)))))


def _aside(hit: "Hit") -> str:
    if hit.entry.project:
        return "says no more than what a project is called and made of"
    least = asking_for.NOTE_OF_NO_PROJECT
    has = f"{hit.relevance:.2f}"
    return f"is a note of no project: in one it needs a relevance of {least:.2f}, and has {has}"


def _note(hit: "Hit") -> str:
    least = asking_for.NOTE
    if hit.entry.family == MEMORY or hit.relevance >= least:
        return ""
    return f"is a note: it needs a relevance of {least:.2f}, and has {hit.relevance:.2f}"


def _too_far(hit: "Hit", least: float, injected: int) -> str:
    if not injected:
        return f"has a relevance of {hit.relevance:.2f}; the best entry needs {least:.2f}"
    if injected == asking_for.MOST:
        return f"comes after the {asking_for.MOST} entries that a prompt gets"
    return f"has a relevance of {hit.relevance:.2f}, too little beside what is injected"


def _obstacles(config: "Config", prompt: str) -> "Iterator[str]":
    """What keeps everything out, whatever is stored."""
    if config["agent.inject"] == "off":
        yield f"agent.inject is off ({config.set_by('agent.inject')})"
    if config["agent.capture"] == OFF:
        yield (
            f"agent.capture is off ({config.set_by('agent.capture')}):"
            " prompts are answered, but nothing is learned from sessions"
        )
    if not health(state_folder()):
        yield "no hook of an agent has ever run here: bower install connects one"
    if few := _too_few_words(prompt):
        yield few


def _too_few_words(prompt: str) -> str:
    """That a prompt is too short to be searched for; empty if it is not."""
    if asking_for.is_query(asking_for.asked(prompt)):
        return ""
    return "a prompt that names nothing, or one thing without asking, is not searched for"


def _given(path: str, session: str) -> "Iterator[str]":
    """The entries that a session received from its hooks."""
    if not session:
        return
    journal = Journal(path)
    for name, _, _ in journal.sessions():
        if name.partition("-")[2].startswith(session) or session in name:
            yield from given(journal.lines(name))
