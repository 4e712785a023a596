"""When the hooks of each agent last fired, and how they last failed: two small files per agent.

They are in the folder for state, so that a failure can be reported even if the store's disk is full.
"""

import os

from bowerbird.core import plainjson
from bowerbird.core.value import Record
from bowerbird.host.places import make_folder, private_file

FOLDER = "hooks"
# The name under which calls in the name of no known agent are recorded.
UNKNOWN = "unknown"
_FIRED = ".fired"
_FAILED = ".failed"
_LONGEST = 500
# Failures of which the times are kept: more in some days need no number.
_KEPT = 100


class Health(Record):
    """The status of an agent's hooks. Times are UTC milliseconds; 0: never.

    `event` is the last one that fired, at `at`; `failed` the one that failed last, at `failed_at`, and
    `why` the error; `late` if that was only its time limit. `missed` are the times of the last ones that
    failed or were late.
    """

    agent: str
    event: str = ""
    at: int = 0
    failed: str = ""
    failed_at: int = 0
    why: str = ""
    late: bool = False
    missed: tuple[int, ...] = ()
    TABLE = ("agent", "event", "at", "failed", "failed_at", "why", "late")


def fired(state: str, agent: str, event: str, now: int) -> None:
    """Record that an event was received. It never raises."""
    _put(state, agent + _FIRED, {"event": event, "at": now})


def failed(state: str, agent: str, event: str, now: int, why: str, *, late: bool = False) -> None:
    """Record that an event could not be answered or recorded, or not in time. It never raises."""
    before = _missed(_get(os.path.join(state, FOLDER), agent + _FAILED))
    data: dict[str, object] = {"event": event, "at": now, "why": why[:_LONGEST], "late": late}
    data["missed"] = [*before[1 - _KEPT :], now]
    _put(state, agent + _FAILED, data)


def health(state: str) -> tuple[Health, ...]:
    """Return the status of every agent's hooks that ever fired or failed, by name."""
    folder = os.path.join(state, FOLDER)
    try:
        kept = (name for name in os.listdir(folder) if name.endswith((_FIRED, _FAILED)))
        names = {name.rpartition(".")[0] for name in kept}
    except OSError:
        return ()  # none ever fired
    found = []
    for agent in sorted(filter(None, names)):
        last, wrong = _get(folder, agent + _FIRED), _get(folder, agent + _FAILED)
        found.append(
            Health(
                agent,
                str(last.get("event", "")),
                _moment(last),
                str(wrong.get("event", "")),
                _moment(wrong),
                str(wrong.get("why", "")),
                wrong.get("late") is True,
                _missed(wrong),
            )
        )
    return tuple(found)


def _moment(states: "dict[str, object]") -> int:
    at = states.get("at", 0)
    return at if type(at) is int else 0


def _missed(states: "dict[str, object]") -> tuple[int, ...]:
    known = states.get("missed")
    return tuple(at for at in known if type(at) is int) if isinstance(known, list) else ()


def _put(state: str, name: str, value: "dict[str, object]") -> None:
    folder = os.path.join(state, FOLDER)
    path = os.path.join(folder, name)
    # Replaced atomically: another process may read it meanwhile.
    new = f"{path}.{os.getpid()}"
    data = plainjson.dumps(value).encode("utf-8", "replace")
    flags = os.O_WRONLY | os.O_TRUNC
    try:
        try:
            handle = private_file(new, flags)
        except FileNotFoundError:
            make_folder(folder)
            handle = private_file(new, flags)
        try:
            os.write(handle, data)
        finally:
            os.close(handle)
        os.replace(new, path)
    except OSError:
        pass  # for example a full disk: a hook must never stop an agent


def _get(folder: str, name: str) -> "dict[str, object]":
    try:
        with open(os.path.join(folder, name), "rb") as file:
            parsed = plainjson.loads(file.read().decode())
    except (OSError, ValueError):
        return {}
    return parsed if isinstance(parsed, dict) else {}
