"""``bower hook AGENT EVENT``: an event comes in, context goes out, and nothing else ever does.

It fails open: whatever is wrong, an agent sees an empty answer and the exit code 0, inside the time that
an event has. What was wrong is kept for `bower doctor`.
"""

import gc
import os
import sys
from _thread import allocate_lock, start_new_thread

from bowerbird.core import events, plainjson
from bowerbird.hook import Hook, box, note_failure
from bowerbird.surfaces.hooks.agents import AGENTS, TELL_USERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _thread import LockType
    from collections.abc import Callable
    from typing import Any, NoReturn

    from bowerbird.surfaces.hooks.agents import Agent

# Set for whatever is started from here: a hook inside a hook does nothing.
GUARD = "BOWER_HOOK"
# Seconds that an event may take, from the first line of ours on; then its answer is empty.
BOXES = {events.STARTED: 0.5, events.PROMPTED: 0.25, events.CALLED: 0.1, events.FAILED: 0.1}
# What is only recorded waits for nothing but the disk.
BOX = 0.25
# Seconds after which work that continues after an answer is ended.
AFTERWARDS = 45
_NICE = 10
# Bytes of a payload; a tool may have returned a whole book.
LARGEST = 16_000_000
# Seconds in which a failure is noted; a disk that hangs would hold it up for ever.
_NOTING = 0.05


def main(
    agent: str, event: str, flags: "dict[str, Any]", above: "Callable[[], tuple[str, ...]]"
) -> "NoReturn":
    """Answer an event and end this process; always with 0. `above` names the processes above it."""
    if not os.environ.get(GUARD):
        os.environ[GUARD] = "1"
        # It ends in a fraction of a second: what it would tidy up goes with it.
        gc.disable()
        watch = _Watch(agent if agent in AGENTS else "unknown", event)
        try:
            watch.begin(_box(agent, event))
            hook, answer = _answered(agent, event, flags, above)
            if watch.leave() and answer:
                os.write(1, answer)
                # Behind the answer: it waits for whoever else is writing.
                hook.count()
        except BaseException as error:  # noqa: BLE001 nothing of ours may ever stop an agent
            watch.note(f"{type(error).__name__}: {error}")
    # Not by the way of an interpreter that tidies up: nothing may fail or wait behind the answer.
    os._exit(0)


def _box(name: str, event: str) -> float:
    """The seconds that an event has."""
    agent = AGENTS.get(name)
    return box(BOXES.get(agent.meanings.get(event, ""), BOX) if agent else BOX)


def _answered(
    name: str, event: str, flags: "dict[str, Any]", above: "Callable[[], tuple[str, ...]]"
) -> tuple[Hook, bytes]:
    """The event, and what is answered to it in the agent's form; empty for nothing."""
    agent = AGENTS[name]
    received = agent.event(event, _payload())
    _enter(received.cwd)
    hook = Hook(received, flags, above)
    hook.record()
    if hook.has_more and hasattr(os, "fork") and not os.fork():
        _alone(hook)
    return hook, _answer(hook, agent, event)


def _answer(hook: Hook, agent: "Agent", event: str) -> bytes:
    if hook.event.what == events.ENDED:
        line = hook.farewell() if hook.event.agent in TELL_USERS else ""
        return plainjson.dumps({"systemMessage": line}).encode() if line else b""
    found = hook.injection() if event in agent.context else None
    if not found:
        return b""
    from bowerbird.surfaces.hooks.rendering import handed

    return handed(hook, agent, found)


def _alone(hook: "Hook") -> "NoReturn":
    """Do in a process of its own what nobody waits for; it ends by itself."""
    import signal  # start-up: once a session

    try:
        gc.enable()
        os.setsid()
        # Whoever waits for an answer goes first.
        os.nice(_NICE)
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(nowhere, stream)
        # Nobody handles it: the system ends this process, whatever it is at.
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(AFTERWARDS)
        hook.afterwards()
    except BaseException as error:  # noqa: BLE001 only the doctor can report it
        note_failure(hook.event.agent, hook.event.name, f"{type(error).__name__}: {error}")
    os._exit(0)


def _payload() -> "dict[str, Any]":
    """What came on standard input. Raises ValueError for what is no JSON object."""
    if sys.stdin is None or sys.stdin.isatty():
        return {}
    data = sys.stdin.buffer.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise ValueError(f"a payload of more than {LARGEST:,} bytes")
    found = plainjson.loads(data.decode("utf-8", "replace"))
    if not isinstance(found, dict):
        raise ValueError("the payload is no object")  # noqa: TRY004 what came is bad, not our types
    return found


def _enter(folder: str) -> None:
    """Go where the agent works: the project is that of its folder, not that of the hook's."""
    if folder and os.path.isdir(folder):
        os.chdir(folder)


class _Watch:
    """Ends this process when its time is over, whatever it waits for: a lock, a disk, a pipe.

    A thread does: a signal would wait for SQLite to come back. By then the answer was written at once, or
    nothing of it.
    """

    def __init__(self, agent: str, event: str) -> None:
        self._agent = agent
        self._event = event
        self._running = allocate_lock()
        self._ending = allocate_lock()

    def begin(self, seconds: float) -> None:
        """Start the clock."""
        self._running.acquire()
        start_new_thread(self._end, (seconds,))

    def _end(self, seconds: float) -> None:
        if self._running.acquire(timeout=seconds):
            return
        if self._ending.acquire(blocking=False):
            noted = allocate_lock()
            noted.acquire()
            start_new_thread(self._late, (f"{events.LATE} {seconds:g} s", noted))
            noted.acquire(timeout=_NOTING)
        os._exit(0)

    def _late(self, why: str, noted: "LockType") -> None:
        self.note(why)
        noted.release()

    def note(self, why: str) -> None:
        """Keep what was wrong, for the doctor. It never raises."""
        note_failure(self._agent, self._event, why)

    def leave(self) -> bool:
        """Whether there is time left to answer; what goes on behind the answer has the rest of it."""
        return self._ending.acquire(blocking=False)
