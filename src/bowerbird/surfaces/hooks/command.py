"""``bower hook AGENT EVENT``: reads an event and prints context, never anything else.

It fails open: after any error the agent gets an empty answer and the exit code 0, within the event's time
limit. The error is recorded for `bower doctor`.
"""

import gc
import os
import sys
import time
from _thread import allocate_lock, start_new_thread

from bowerbird.agents.index import HOOKED
from bowerbird.agents.registry import agent
from bowerbird.core import events, plainjson
from bowerbird.hook import UNKNOWN, Hook, box, note_failure
from bowerbird.surfaces.hooks.payload import event_of, hooks_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _thread import LockType
    from collections.abc import Callable
    from typing import Any, NoReturn

    from bowerbird.agents.agent import Hooks
    from bowerbird.core.injected import Injection
    from bowerbird.daemon.hook_client import HookClient

# Time limit of an event in seconds, from our first line on; after it the answer is empty. One call in 28
# fails, and then a known cure saves several others: with two busy cores its hook takes .3 to .4 s.
BOXES = {events.STARTED: 0.5, events.PROMPTED: 0.8, events.CALLED: 0.1, events.FAILED: 0.5}
# Events that are only recorded wait for nothing but the disk.
BOX = 0.25
# While other programs have the processors, a hook waits without being stuck. This time does not count, up
# to so many seconds. Of 20 prompts that need the contextual model, on two processors for which a dozen
# programs compete, 16 are answered with it and none without; on such a machine everything takes seconds.
_STARVED = 3.2
# Where Linux says how long the main thread was ready to run and did not: the second number, nanoseconds.
_SCHEDULED = "/proc/self/schedstat"
# The share of an event's time limit in which another process may answer it. The rest suffices to open the
# store after all.
_SERVED = 0.35
# Limits in seconds of work that continues after an answer: of processor time, since on a busy machine it
# takes ten times as long, and on the clock, the wait for the work of other sessions included.
AFTERWARDS = 45
WAITING = 600
# And in which a language model then works off what waits for it, if there is one.
THINKING = 900
_NICE = 10
# Largest payload in bytes; a tool may have returned a whole book.
LARGEST = 16_000_000
# Time limit in seconds for recording a failure; a disk that hangs would block it for ever.
_NOTING = 0.05


def main(
    name: str, event: str, flags: "dict[str, Any]", above: "Callable[[], tuple[str, ...]]"
) -> "NoReturn":
    """Answers an event and exits, always with 0. `above` names the parent processes."""
    if not os.environ.get(events.INSIDE):
        os.environ[events.INSIDE] = "1"
        # Before numpy is loaded: its threads wait for each other at the products of one sentence, and
        # to start them took as much CPU as to load it.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        # The process ends in a fraction of a second, which frees all memory.
        gc.disable()
        watch = _Watch(name if name in HOOKED else UNKNOWN, event)
        try:
            watch.begin(_box(name, event))
            answer = _answered(name, event, flags, above)
            if watch.leave() and answer:
                os.write(1, answer)
        except BaseException as error:  # noqa: BLE001 nothing of ours may ever stop an agent
            watch.note(f"{type(error).__name__}: {error}")
    # Skips the interpreter's clean-up: nothing may fail or wait after the answer.
    os._exit(0)


def _box(name: str, event: str) -> float:
    """The time limit of an event in seconds."""
    meaning = hooks_of(agent(name)).events.get(event, "") if name in HOOKED else ""
    return box(BOXES.get(meaning, BOX))


def _answered(
    name: str, event: str, flags: "dict[str, Any]", above: "Callable[[], tuple[str, ...]]"
) -> bytes:
    """The answer to the event in the agent's format, empty if there is none."""
    one = agent(name, HOOKED)
    hooks = hooks_of(one)
    received = event_of(one, event, _payload())
    _enter(received.cwd)
    hook = Hook(received, flags, above)
    hook.record()
    if hook.has_more and hasattr(os, "fork") and not os.fork():
        _alone(hook)
    server = _server(_box(name, event)) if event in hooks.context and hook.searches else None
    return _answer(hook, hooks, event, server)


def _server(seconds: float) -> "HookClient":
    """Another process that may answer, within its share of the event's time limit."""
    from bowerbird.daemon.hook_client import HookClient

    return HookClient(seconds * _SERVED)


def _answer(hook: Hook, hooks: "Hooks", event: str, server: "HookClient | None") -> bytes:
    if hook.event.what == events.ENDED:
        line = hook.farewell() if hooks.shows_messages else ""
        return plainjson.dumps({"systemMessage": line}).encode() if line else b""
    if hook.event.what == events.STOPPED and hooks.goes_on:
        reason = hook.question(os.environ)
        return plainjson.dumps({"decision": "block", "reason": reason}).encode() if reason else b""
    found = hook.injection(server) if event in hooks.context else None
    warning = hook.warning(quoting=hooks.shows_messages)
    if warning and not hooks.shows_messages and event in hooks.context:
        found = _warned(found, f"Tell your user: {warning}")
    if not (found or warning):
        return b""
    from bowerbird.surfaces.hooks.rendering import handed, printed

    answer = handed(hook, hooks.context[event], found) if found else {}
    if warning and hooks.shows_messages:
        answer["systemMessage"] = warning
    return printed(answer)


def _warned(found: "Injection | None", warning: str) -> "Injection":
    """What a session starts with, and a warning first."""
    from bowerbird.core.injected import START, Injection

    found = found or Injection(START, "As a session begins.")
    return found.replace(note="\n".join(filter(None, (warning, found.note))))


def _alone(hook: "Hook") -> "NoReturn":
    """Runs work that nobody waits for in a separate process, which ends by itself."""
    import signal  # start-up: once a session

    try:
        gc.enable()
        os.setsid()
        # Processes that somebody waits for have priority.
        os.nice(_NICE)
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(nowhere, stream)
        # Without a handler the signals end this process, whatever it is doing.
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        signal.alarm(WAITING)
        signal.setitimer(signal.ITIMER_PROF, AFTERWARDS)
        hook.afterwards()
        if hook.may_think:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.alarm(THINKING)
            hook.think()
    except BaseException as error:  # noqa: BLE001 only the doctor can report it
        note_failure(hook.event.agent, hook.event.name, f"{type(error).__name__}: {error}")
    os._exit(0)


def _starved() -> float:
    """The seconds that this process was ready to run while others had the processors; 0 if unknown."""
    try:
        # Without `open`, which imports a codec: a process that is forked meanwhile would wait for ever
        # for the lock of that import.
        handle = os.open(_SCHEDULED, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0))
        try:
            return int(os.read(handle, 100).split()[1]) / 1e9
        finally:
            os.close(handle)
    except (OSError, ValueError, IndexError):
        return 0.0


def _payload() -> "dict[str, Any]":
    """The payload from standard input. Raises ValueError if it is not a JSON object."""
    if sys.stdin is None or sys.stdin.isatty():
        return {}
    data = sys.stdin.buffer.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise ValueError(f"a payload of more than {LARGEST:,} bytes")
    found = plainjson.loads(data.decode("utf-8", "replace"))
    if not isinstance(found, dict):
        raise ValueError("the payload is not an object")  # noqa: TRY004 what came is bad, not our types
    return found


def _enter(folder: str) -> None:
    """Changes to the agent's working folder, which determines the project."""
    if folder and os.path.isdir(folder):
        os.chdir(folder)


class _Watch:
    """Ends this process at its time limit, whatever it waits for: a lock, a disk, a pipe.

    It is a thread, since a signal handler would wait for SQLite to return. The answer is written in one
    call, so it is complete or empty by then. Time for which the processors were with other programs does
    not count, where the system tells it.
    """

    def __init__(self, agent: str, event: str) -> None:
        self._agent = agent
        self._event = event
        self._running = allocate_lock()
        self._ending = allocate_lock()

    def begin(self, seconds: float) -> None:
        """Starts the timer."""
        self._running.acquire()
        start_new_thread(self._end, (seconds,))

    def _end(self, seconds: float) -> None:
        began, before = time.monotonic(), _starved()
        left = seconds
        while left > 0:
            if self._running.acquire(timeout=left):
                return
            more = min(_starved() - before, _STARVED)
            left = began + seconds + more - time.monotonic()
        if self._ending.acquire(blocking=False):
            noted = allocate_lock()
            noted.acquire()
            start_new_thread(self._late, (f"not done within {seconds:g} s", noted))
            noted.acquire(timeout=_NOTING)
        os._exit(0)

    def _late(self, why: str, noted: "LockType") -> None:
        self.note(why, late=True)
        noted.release()

    def note(self, why: str, *, late: bool = False) -> None:
        """Records a failure for doctor. It never raises."""
        note_failure(self._agent, self._event, why, late=late)

    def leave(self) -> bool:
        """Whether there is time left to answer; work after the answer has the rest of it."""
        return self._ending.acquire(blocking=False)
