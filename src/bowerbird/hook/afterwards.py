"""Background work of hooks: indexes, learns from and credits a session that began, paused or ended."""

import os

from bowerbird.core.events import ENDED, GAVE, STOPPED, TAKEN, Event
from bowerbird.sessions.crediting import due, raise_by_use, uncorrected
from bowerbird.sessions.experiment.phase_weights import phases
from bowerbird.sessions.levels import USED
from bowerbird.sessions.observe.transcript import spoken
from bowerbird.sessions.summary import cited_in, summary

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.bird import Bowerbird
    from bowerbird.hook import Hook

# Extensions of agents' transcripts.
_TRANSCRIPTS = (".jsonl", ".json")
_KILOBYTE = 1_000
_DAILY_S = 86_400.0
# What lines of the journal hold that say how far a session was learned from.
_ENDS = (b'"stopped"', b'"ended"', b'"taken"')
# How many of the last sessions are looked at for one that was not taken in, and how long ago it ended.
_MOST_LEFT = 20
_LATELY_S = 3 * _DAILY_S


def index_notes(hook: "Hook") -> None:
    """At the start of a session: index the notes of its project that are new or changed."""
    with hook.bird() as bird:
        if bird.admin.refresh(notes_only=True).passages:
            # A note is found in other words than its own once the contextual model has read it.
            bird.admin.warm()


def overtaken(hook: "Hook") -> bool:
    """Whether other work does this one's, too: that of a later end, or of a session that took this in."""
    _, last = hook.hooking.journal.last(hook.session, 1, holding=_ENDS)
    return any(line["what"] == TAKEN or line["at"] > hook.now for line in last)


def work_of(hook: "Hook") -> None:
    """Learn from a session whose turn or whole has ended."""
    if hook.event.what == STOPPED:
        learn_so_far(hook)
        return
    take_in(hook)
    hook.hooking.journal.add(hook.session, {"at": hook.now, "what": TAKEN})


def take_in_left(hook: "Hook") -> None:
    """Take in lately ended sessions of the project whose own work did not come to its end, each once.

    The machine went down meanwhile, or was too busy. Only what was `due` by the settings of then: those
    of another project, or of another day, may forbid to learn.
    """
    journal, since = hook.hooking.journal, hook.now / 1000 - _LATELY_S
    for name, written, _ in journal.sessions()[:_MOST_LEFT]:
        if written < since or name == hook.session:
            continue
        _, last = journal.last(name, 1, holding=_ENDS)
        (line,) = last or ({},)
        if not line.get("due") or not name.startswith(f"{line['agent']}-"):
            continue
        event = Event(
            line["agent"],
            line["event"],
            ENDED,
            session=name.removeprefix(f"{line['agent']}-"),
            cwd=line.get("cwd", ""),
            transcript=line.get("transcript", ""),
        )
        left = hook.of(event)
        if left.project == hook.project:
            journal.add(name, {"at": hook.now, "what": TAKEN})
            take_in(left)


def learn_so_far(hook: "Hook") -> None:
    """At the end of a turn: record its lessons, and index the transcript if it has grown enough."""
    transcript = _transcript(hook)
    grown = hook.hooking.config["index.at_growth"] * _KILOBYTE
    with hook.bird() as bird:
        path = transcript or hook.hooking.journal.path(hook.session)
        bird.admin.learn(path, ended=False)
        if transcript and grown:
            bird.admin.refresh(talk=transcript, grown=grown)


def take_in(hook: "Hook") -> None:
    """At the end of a session: learns from it unless the settings forbid it, and indexes its transcript.

    Once a day it also archives transcripts that the agent is going to delete, and prunes. Learning comes
    first: it takes a third of the time of indexing, and the next session may already need its memories.
    """
    transcript = _transcript(hook)
    # An agent without transcripts: the events that its hooks recorded are read instead.
    path = transcript or hook.hooking.journal.path(hook.session)
    # Transcripts of sub-agents are in a folder with the name of the file.
    below = os.path.splitext(transcript)[0]
    with hook.bird() as bird:
        if hook.hooking.config["agent.learn"] == "on" and os.path.exists(path):
            bird.admin.learn(path)
        _credit(hook, bird, transcript)
        if transcript:
            bird.index(transcript, *_of_sub_agents(below))
        bird.admin.rescue(daily=True)
        bird.admin.prune_if_due(_DAILY_S)


def _transcript(hook: "Hook") -> str:
    """The file that the agent keeps of the session, if it exists; else empty."""
    path = hook.event.transcript
    # A name that is an ending alone would make its whole folder that of the sub-agents.
    stem = os.path.basename(path).partition(".")[0]
    return path if stem and path.endswith(_TRANSCRIPTS) and os.path.exists(path) else ""


def _of_sub_agents(folder: str) -> list[str]:
    """The transcripts in the folder of a session's sub-agents, and nothing else in it, nor links."""
    return [
        path
        for above, _, names in os.walk(folder)
        for name in sorted(names)
        if name.endswith(_TRANSCRIPTS)
        and os.path.isfile(path := os.path.join(above, name))
        and not os.path.islink(path)
    ]


def _credit(hook: "Hook", bird: "Bowerbird", transcript: str) -> None:
    """Record what was injected and of use, and raise the confidence of what was long not corrected."""
    hooking, project, session = hook.hooking, hook.project, hook.event.session
    cited = cited_in(spoken(transcript))
    lines = [*hooking.journal.lines(hook.session)]
    summed = summary(session, lines, cited)
    if not summed.given:
        return
    phase = phases(lines)
    outcomes, given = hooking.outcomes, [one.id for one in summed.given]
    before = [*outcomes.of(project)]
    earned = due(before, session, given)
    since = min((line["at"] for line in lines if line.get("what") == GAVE), default=hook.now)
    bird.used(uncorrected(before, given, since), session)
    used: dict[str, Any] = {"session": session, "given": given}
    used["cited"] = [one.id for one in summed.given if one.cited]
    used["told"] = [(one.kind, phase.get(one.id, "")) for one in summed.given]
    outcomes.add(project, hooking.journal.counted(project), USED, hook.now, **used)
    for id in earned:
        raise_by_use(bird, id)
