"""Archives agents' transcripts before the agents delete them: compressed, without secrets.

An archive has the path that the transcript had below its agent's folder, and its time; `index` reads it
like the transcript. It stays when the transcript is deleted. What was erased is an empty line of it, and
stays one when the transcript went on and is archived again.
"""

import gzip
import json
import os
import tempfile
import time
from collections import Counter

from bowerbird.core.life import DAY
from bowerbird.core.report import Skipped
from bowerbird.core.rescued import Rescued, Sweep
from bowerbird.guard.redact import redact
from bowerbird.host.foreign import opened, whole
from bowerbird.host.places import make_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping
    from typing import IO

    from bowerbird.guard.redact import Allow

# Where each agent keeps transcripts as JSON Lines: a variable or a folder below the home, and the folders
# below it.
PLACES = (
    ("claude-code", "CLAUDE_CONFIG_DIR", ".claude", "projects"),
    ("codex", "CODEX_HOME", ".codex", "sessions"),
    ("codex", "CODEX_HOME", ".codex", "archived_sessions"),
    ("gemini", "", ".gemini", "tmp"),
    ("openclaw", "", ".openclaw", "agents"),
)
_TRANSCRIPT = ".jsonl"
_PACKED = ".gz"
# Bytes of lines redacted at once, so that a secret over several lines is detected.
_PART = 1 << 20
# Claude Code's settings file, the setting for how long transcripts are kept, and its default in days.
_SETTINGS = "settings.json"
_KEEPS = "cleanupPeriodDays"
_DAYS = 30
_LARGEST_SETTINGS = 4_000_000


def rescue(
    folder: str,
    environment: "Mapping[str, str]",
    allow: "Allow",
    *,
    only: "Collection[str] | None" = None,
    dry_run: bool = False,
) -> Rescued:
    """Archives new and changed transcripts, the oldest first, because they are deleted first.

    Unreadable ones are reported and left out. With `only`, those of these paths; with `dry_run` nothing
    is written.
    """
    done = Rescued(folder, {}, dry_run=dry_run)
    counts: Counter[str] = Counter()
    skipped = []
    archived = set()
    for path, target in sorted(_transcripts(folder, environment), key=_age):
        if only is not None and path not in only:
            continue
        archived.add(target)
        try:
            before = os.stat(path)
            if _is_archived(before.st_mtime_ns, target):
                done.unchanged += 1
                continue
            if not dry_run:
                _archive(path, target, before.st_mtime_ns, allow, counts)
        except OSError as error:
            skipped.append(Skipped(path, (error.strerror or str(error)).lower()))
            continue
        done.archived += 1
        done.bytes_read += before.st_size
    for target in _archives(folder):
        done.outlived += target not in archived
        done.bytes_kept += os.stat(target).st_size
    done.redacted, done.skipped = dict(counts), tuple(skipped)
    return done


def is_due(stamp: str, now: int) -> bool:
    """Whether the last run is at least a day ago, or in the future (the clock was turned back)."""
    try:
        last = int(whole(stamp, _PART))
    except (OSError, ValueError):
        return True
    return not 0 <= now - last < DAY


def sweep(folder: str, environment: "Mapping[str, str]") -> Sweep | None:
    """The unarchived transcripts that Claude Code is about to delete; None if there are none."""
    agent, variable, home, _ = PLACES[0]
    settings = os.path.join(_base(environment, variable, home), _SETTINGS)
    days = _DAYS
    try:
        found = json.loads(whole(settings, _LARGEST_SETTINGS)).get(_KEEPS)
    except (OSError, ValueError, AttributeError, RecursionError):
        found = None
    if isinstance(found, (int, float)) and not isinstance(found, bool) and found >= 0:
        days = int(found)
    times = []
    for path, target in _transcripts(folder, environment, agent):
        try:
            modified = os.stat(path).st_mtime_ns
        except OSError:
            continue
        if not _is_archived(modified, target):
            times.append(modified // 1_000_000)
    return Sweep(agent, days, len(times), min(times) + days * DAY) if times else None


def archives_of(folder: str) -> list[str]:
    """All archives."""
    return [*_archives(folder)]


def erase_sessions(
    folder: str, environment: "Mapping[str, str]", sessions: "Collection[str]"
) -> int:
    """Empties the archives of some sessions and their sub-agents; returns how many there were.

    Where the agent still has the transcript, as many empty lines stay: without them it would be archived
    again. Raises OSError.
    """
    # Hooks know a session by its agent and its name.
    agents = {agent for agent, *_ in PLACES}
    named = {one.removeprefix(f"{agent}-") for one in sessions for agent in agents}

    def belongs(path: str) -> bool:
        # Codex puts the day before the name of a session; a sub-agent's is in a folder of that name.
        parts = os.path.relpath(path, folder).removesuffix(_TRANSCRIPT + _PACKED).split(os.sep)
        return any(part.endswith(one) for part in parts[-3:] for one in named)

    archived = {path for path in _archives(folder) if belongs(path)}
    for path in archived:
        os.unlink(path)
    for path, target in _transcripts(folder, environment):
        if belongs(target):
            modified = os.stat(path).st_mtime_ns
            with os.fdopen(opened(path, links=False), "rb") as transcript:
                _pack(target, ("\n" for _ in transcript))
            os.utime(target, ns=(time.time_ns(), modified))
    return len(archived)


def without_lines(folder: str, matching: "Callable[[str], bool]") -> int:
    """Empty the lines that match in every archive; returns how many archives changed.

    Raises OSError.
    """
    changed = 0
    for path in _archives(folder):
        with gzip.open(path, "rt", encoding="utf-8", errors="replace", newline="") as packed:
            lines = packed.readlines()
        kept = ["\n" if matching(line) else line for line in lines]
        if kept != lines:
            times = os.stat(path)
            _pack(path, iter(kept))
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
            changed += 1
    return changed


def _transcripts(
    folder: str, environment: "Mapping[str, str]", of: str = ""
) -> "Iterator[tuple[str, str]]":
    """The files of transcripts, and the archive path of each."""
    for agent, variable, home, below in PLACES:
        top = os.path.join(_base(environment, variable, home), below)
        for here, folders, names in os.walk(top) if of in {"", agent} else ():
            folders.sort()
            for name in sorted(names):
                path = os.path.join(here, name)
                if name.endswith(_TRANSCRIPT) and not os.path.islink(path):
                    inside = os.path.relpath(path, top) + _PACKED
                    yield path, os.path.join(folder, agent, below, inside)


def _age(transcript: tuple[str, str]) -> int:
    try:
        return os.stat(transcript[0]).st_mtime_ns
    except OSError:
        return 0


def _archives(folder: str) -> "Iterator[str]":
    for here, _, names in os.walk(folder):
        yield from (
            os.path.join(here, name) for name in names if name.endswith(_TRANSCRIPT + _PACKED)
        )


def _base(environment: "Mapping[str, str]", variable: str, home: str) -> str:
    named = environment.get(variable, "") if variable else ""
    return named if os.path.isabs(named) else os.path.join(os.path.expanduser("~"), home)


def _is_archived(modified: int, target: str) -> bool:
    try:
        return os.stat(target).st_mtime_ns == modified
    except OSError:
        return False


def _archive(path: str, target: str, modified: int, allow: "Allow", counts: "Counter[str]") -> None:
    """Archives one transcript, without what was erased of it. Raises OSError."""
    erased = _empty_lines(target)
    with os.fdopen(
        opened(path, links=False), encoding="utf-8", errors="replace", newline=""
    ) as transcript:

        def redacted() -> "Iterator[str]":
            for part in _parts(transcript, erased):
                found = redact(part, allow)
                counts.update(found.counts)
                yield found.text

        _pack(target, redacted())
    os.utime(target, ns=(time.time_ns(), modified))


def _pack(target: str, parts: "Iterator[str]") -> None:
    """Writes an archive atomically. Raises OSError."""
    make_folder(os.path.dirname(target))
    handle, beside = tempfile.mkstemp(dir=os.path.dirname(target))
    try:
        with os.fdopen(handle, "wb") as file:
            # Without name and time, so that equal transcripts give equal bytes.
            with gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed:
                for part in parts:
                    packed.write(part.encode("utf-8", "replace"))
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, target)
    except BaseException:
        os.unlink(beside)
        raise


def _parts(transcript: "IO[str]", erased: "Collection[int]") -> "Iterator[str]":
    at = 0
    while lines := transcript.readlines(_PART):
        yield "".join("\n" if number in erased else line for number, line in enumerate(lines, at))
        at += len(lines)


def _empty_lines(archive: str) -> set[int]:
    """The numbers of the empty lines of an archive, from 0; none if there is no archive."""
    try:
        with gzip.open(archive, "rb") as packed:
            return {number for number, line in enumerate(packed) if line == b"\n"}
    except FileNotFoundError:
        return set()
    except EOFError as error:
        raise OSError(0, "its archive is cut off", archive) from error
