"""Whole commands that are killed, or that find the disk full: hooks, learning, install, watch and more.

Each command runs once to its end, which counts its operations: those of SQLite, and the names and writes
of all other files. Then it is killed at operations spread over its length, in a fresh home each time.
Afterwards nothing that was there before is lost, nothing that was erased is back, each settings file is
its old or its new self, and the same command again ends as one that nobody killed.
"""

import gc
import importlib
import json
import os
import pkgutil
import random
import shutil
import sys
import threading
from collections.abc import Callable
from typing import Any, NamedTuple

import bowerbird
from bowerbird import Bowerbird
from bowerbird.core.errors import BowerbirdError
from bowerbird.surfaces.cli.start import main
from faults.files import Files, Full, of_sqlite
from faults.found import Found
from faults.layer import Layer
from faults.process import MOMENTS, Child, Dying

SESSION = "0f8fad5b-d9cb-469f-a165-70867728950e"
# Measuring, types alone, adapters to packages that may be missing, and the program itself.
_NOT_LOADED = (
    "bowerbird.bench",
    "bowerbird.core.ports",
    "bowerbird.surfaces.adapters.",
    "bowerbird.agents.hermes_provider",
    "bowerbird.__main__",
)
# After this many kills the product's own check reads every row.
LOOKED = 5
KEPT = [
    "The otter's valve is turned with the brass spanner",
    "The kestrel nests above the door of the mill",
    "The granary's key hangs beside the orchard gate",
]
ERASED = "The secret of the lynx is a quartzberry"
LATER = "The bellows came after the backup was made"
TAUGHT = "Remember that the anvil of the marten is kept in the foundry."
LEARNED = "anvil of the marten"
# What is in no text of the store: each settings file as its owner wrote it.
SETTINGS = {
    ".claude.json": b'{\n  "mcpServers": {"bowerbird": {"command": "mine", "env": {"K": "v"}}}\n}\n',
    ".claude/settings.json": b'{\n\t"theme": "dark", // mine\n\t"hooks": {}\n}',
    ".codex/config.toml": b'# mine\nmodel = "x"\n',
    ".gemini/settings.json": b'{"z": 1}',
    ".cursor/mcp.json": b'{"mcpServers": {}}\n',
}
_AGENTS = ("claude-code", "codex", "gemini", "cursor")


class Home:
    """A home: its store, a project, notes, a transcript, and the settings of agents."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.store = os.path.join(folder, "data", "bowerbird", "memory.db")
        self.backup = os.path.join(folder, "copy.db")
        self.project = os.path.join(folder, "shop")
        self.notes = os.path.join(self.project, "notes")
        self.transcript = os.path.join(folder, ".claude", "projects", "shop", f"{SESSION}.jsonl")

    def enter(self) -> None:
        """Make it this process's home."""
        os.environ["HOME"] = self.folder
        os.environ["BOWER_HOOK_PATIENCE"] = "100"
        for name in ("DATA", "CONFIG", "STATE"):
            os.environ[f"XDG_{name}_HOME"] = os.path.join(self.folder, name.lower())
        os.chdir(self.project)

    def fill(self) -> None:
        """Write what stands there at the beginning."""
        os.makedirs(os.path.join(self.project, ".git"))
        os.makedirs(self.notes)
        self.write_notes("old")
        for name, data in SETTINGS.items():
            path = os.path.join(self.folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as file:
                file.write(data)
        os.makedirs(os.path.dirname(self.transcript))
        with open(self.transcript, "w", encoding="utf-8") as file:
            file.writelines(json.dumps(one) + "\n" for one in _records(self.project))
        with self.bird() as bird:
            for text in (*KEPT, ERASED):
                bird.remember(text)
            bird.index(self.notes)
            bird.admin.backup(self.backup)
            bird.remember(LATER)

    def write_notes(self, word: str) -> None:
        """The notes, all with one word."""
        for number in range(4):
            with open(os.path.join(self.notes, f"{number}.md"), "w", encoding="utf-8") as file:
                file.write(f"# Note {number}\n\nThis {word} note is about the sluice {number}.\n")

    def bird(self) -> Bowerbird:
        """The store, in the project."""
        return Bowerbird.open(self.store, project="mill")

    def texts(self) -> list[str]:
        """Every text of the store that is in use."""
        with self.bird() as bird:
            return sorted(entry.text for entry in bird.list(limit=1_000, all_projects=True))

    def journal(self) -> list[dict[str, Any]]:
        """The whole lines of the hooks' journal."""
        folder = self.store + ".journal"
        lines = []
        for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else ():
            if name.endswith(".jsonl"):
                with open(os.path.join(folder, name), "rb") as file:
                    for raw in file.read().splitlines():
                        try:
                            lines.append(json.loads(raw))
                        except ValueError:
                            continue  # a write that was cut: readers pass over it
        return lines

    def settings(self) -> dict[str, bytes | None]:
        """The settings of all agents."""
        found: dict[str, bytes | None] = {}
        for name in SETTINGS:
            path = os.path.join(self.folder, name)
            found[name] = None
            if os.path.exists(path):
                with open(path, "rb") as file:
                    found[name] = file.read()
        return found

    def holding(self, text: str) -> list[str]:
        """The files that hold a text, besides the backup."""
        found = []
        for folder, _, names in os.walk(self.folder):
            for name in names:
                path = os.path.join(folder, name)
                if path != self.backup:
                    with open(path, "rb") as file:
                        if text.encode() in file.read():
                            found.append(path)
        return found


def _records(project: str) -> list[dict[str, Any]]:
    """A session in which a person asks for something to be remembered."""
    call = {"type": "tool_use", "id": "u1", "name": "Bash", "input": {"command": "make check"}}
    result = {"type": "tool_result", "tool_use_id": "u1", "content": "ok", "is_error": False}
    said: list[tuple[str, Any]] = [
        ("user", TAUGHT),
        ("assistant", [{"type": "text", "text": "I shall remember that."}]),
        ("user", "Please run the checks of the mill before the end of the day"),
        ("assistant", [call]),
        ("user", [result]),
        ("assistant", [{"type": "text", "text": "All checks of the mill passed."}]),
    ]
    return [
        {
            "type": kind,
            "uuid": f"r{number}",
            "sessionId": SESSION,
            "cwd": project,
            "timestamp": f"2026-01-02T10:00:{number:02d}Z",
            "message": {"role": kind, "content": content},
        }
        for number, (kind, content) in enumerate(said)
    ]


class CommandFailed(Exception):
    """A command ended with an error that nothing caused."""


class Command(NamedTuple):
    """A command, what is done before it, and what must hold after it was killed and run again."""

    name: str
    run: Callable[[Home], None]
    before: Callable[[Home], None] = lambda _home: None
    # Texts that it removes, so that they need not be there afterwards.
    removes: tuple[str, ...] = ()
    # The settings must be the owner's again once the command ends, or once it was undone.
    restores: bool = False


def _load() -> None:
    """Load every module that a command may use, or each process that is forked does."""
    for one in pkgutil.walk_packages(bowerbird.__path__, "bowerbird."):
        if not one.name.startswith(_NOT_LOADED):
            importlib.import_module(one.name)
    gc.freeze()


def commands(folder: str, count: int, seed: int) -> Found:
    """Kills, spread over the operations of each command."""
    _load()
    found = Found("commands", seed)
    share, more = divmod(count, len(COMMANDS))
    for number, command in enumerate(COMMANDS):
        some = max(1, share + (number < more))
        _killed(found, os.path.join(folder, "commands"), command, some, seed)
        found.progress(number + 1, len(COMMANDS))
    return found


def _prepared(folder: str, command: Command) -> tuple[Home, str]:
    """The home that a command begins with, and a copy of it; what all begin with is made once."""
    home, kept = Home(os.path.join(folder, "home")), os.path.join(folder, "kept")
    first = os.path.join(folder, "first")
    for one in (home.folder, kept):
        shutil.rmtree(one, ignore_errors=True)

    def work(_report: Any) -> None:
        # In its own process, so that this one keeps its home.
        if not os.path.isdir(first):
            os.makedirs(home.folder)
            home.fill()
            shutil.copytree(home.folder, first)
        else:
            shutil.copytree(first, home.folder)
        home.enter()
        command.before(home)

    _finish(Child(work))
    shutil.copytree(home.folder, kept)
    return home, kept


def _again(home: Home, kept: str) -> None:
    shutil.rmtree(home.folder)
    shutil.copytree(kept, home.folder)


def _finish(child: Child) -> list[str]:
    return list(child.lines())


def _run(home: Home, command: Command, around: Any = None) -> int:
    """Run a command in a process of its own; returns the number of operations of its longest process."""

    def work(report: Any) -> None:
        home.enter()
        if around is not None:
            layer = Layer(of_sqlite(around))
            files = Files(home.folder, around)
            os_exit = os._exit

            def leave(code: int) -> None:
                report(str(around.seen))
                os_exit(code)

            os._exit = leave  # type: ignore[assignment]
        command.run(home)
        if around is not None:
            report(str(around.seen))
            del layer, files  # they work as long as they are held

    child = Child(work)
    operations = max((int(line) for line in child.lines()), default=0)
    if child.failed and not isinstance(around, Full):
        raise CommandFailed(command.name)
    return operations


def _state(home: Home) -> tuple[list[str], list[str], dict[str, bytes | None]]:
    """The result of a command: texts, what was recorded, settings."""
    recorded = sorted({str(line.get("event") or line.get("what")) for line in home.journal()})
    return home.texts(), recorded, home.settings()


def _killed(found: Found, folder: str, command: Command, count: int, seed: int) -> None:
    home, kept = _prepared(folder, command)
    old = _state(home)
    total = _run(home, command, Dying(0, ""))
    new = _state(home)
    draw = random.Random(f"{seed} {command.name}")  # noqa: S311
    found.count(f"operations_of_{command.name}", total)
    if not total:
        found.violate(command.name, "did nothing")
        return
    for number in range(count):
        at = 1 + (number * total // count + draw.randrange(max(1, total // count))) % total
        where = f"seed {seed} {command.name} {number} at operation {at} of {total}"
        _again(home, kept)
        _run(home, command, Dying(at, draw.choice(MOMENTS)))
        found.count(f"killed_in_{command.name}")
        found.count("kills")
        _look(found, where, home, command, old, new)
        try:
            _run(home, command)
        except CommandFailed:
            found.violate(where, "run again, it fails")
        _look(found, f"{where}, run again", home, command, old, new, ended=True)
        if command.name == "install":
            _run(home, UNINSTALL)
            if home.settings() != SETTINGS:
                found.violate(where, "uninstall does not restore the settings byte for byte")
        if number % LOOKED == 0:
            with home.bird() as bird:
                for one in bird.admin.verify().damages:
                    found.violate(where, f"{one.hurt} {one.entry}: {one.told}")


def _look(
    found: Found,
    where: str,
    home: Home,
    command: Command,
    old: Any,
    new: Any,
    *,
    ended: bool = False,
) -> None:
    """Whether a home is in its old or its new state, or, once a command ended, in its new one."""
    try:
        now = _state(home)
    except BowerbirdError as error:
        found.violate(where, f"{type(error).__name__}: {error}")
        return
    wrong = _between(now, old, new)
    if ended:
        wrong += _ended(now, new)
        if command.restores and now[2] != SETTINGS:
            wrong.append("the settings are not their owner's again")
        left = {text: home.holding(text) for text in command.removes}
        wrong += [f"erased, and still in {paths}" for paths in left.values() if paths]
    for one in wrong:
        found.violate(where, one)


def _between(now: Any, old: Any, new: Any) -> list[str]:
    """What is in neither state, or in both and gone."""
    texts, recorded, settings = now
    wrong = [f"lost: {text}" for text in {*old[0]} & {*new[0]} - {*texts}]
    wrong += [f"neither old nor new: {text}" for text in {*texts} - {*old[0]} - {*new[0]}]
    wrong += [f"the journal lost {what}" for what in {*old[1]} - {*recorded}]
    return wrong + [
        f"{name} is neither old nor new: {data!r}"
        for name, data in settings.items()
        if data not in (old[2][name], new[2][name])
    ]


def _ended(now: Any, new: Any) -> list[str]:
    wrong = [f"ends otherwise: {text}" for text in {*new[0]} ^ {*now[0]}]
    return wrong + ["the settings end otherwise"] * (now[2] != new[2])


def full_disks(folder: str, every: int, seed: int) -> Found:
    """A disk that is full at every write of each hook, or every n-th, once and from then on.

    A hook that met a full disk may write otherwise than one that did not, so the writes are counted up
    until the hook, and all that it leaves behind, ends before the next one.
    """
    _load()
    found = Found("full disks of hooks", seed)
    for command in COMMANDS:
        if not command.name.startswith("hook"):
            continue
        home, kept = _prepared(os.path.join(folder, "full"), command)
        old = _state(home)
        total = _run(home, command, Full(0, lasting=False))
        new = _state(home)
        found.count(f"writes_of_{command.name}", total)
        for lasting in (False, True):
            number, reached = 1 + seed % every, total
            while number <= max(total, reached):
                where = f"{command.name} full {'from' if lasting else 'at'} write {number}"
                _again(home, kept)
                reached = _run(home, command, Full(number, lasting=lasting))
                found.count("full", reached >= number)
                _look(found, where, home, command, old, new)
                # Once there is room, the next event of the session finds all well.
                _run(home, command)
                _look(found, f"{where}, run again", home, command, old, new, ended=True)
                number += every
        found.progress(1, 1)
    return found


def _bower(*arguments: str) -> Callable[[Home], None]:
    def run(home: Home) -> None:
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(nowhere, stream)
        if main([word.format(home=home.folder, store=home.store) for word in arguments]):
            raise CommandFailed(arguments[0])

    return run


def _hook(event: str, **fields: Any) -> Callable[[Home], None]:
    def run(home: Home) -> None:
        base = {"session_id": SESSION, "cwd": home.project, "hook_event_name": event}
        base["transcript_path"] = home.transcript
        reading, writing = os.pipe()
        os.write(writing, json.dumps(base | fields).encode())
        os.close(writing)
        os.dup2(reading, 0)
        sys.stdin = os.fdopen(0, encoding="utf-8")
        nowhere = os.open(os.devnull, os.O_RDWR)
        os.dup2(nowhere, 1)
        main(["hook", "claude-code", event])

    return run


def _watch(home: Home) -> None:
    """Watch until the notes are in."""
    stop = threading.Event()
    with home.bird() as bird:
        bird.admin.watch(home.notes, tell=lambda *_told: stop.set(), stop=stop)


def _erase(home: Home) -> None:
    with home.bird() as bird:
        ids = [entry.id for entry in bird.list(memories_only=True) if entry.text == ERASED]
        bird.admin.erase(ids)


def _restore(home: Home) -> None:
    with home.bird() as bird:
        bird.admin.restore(home.backup)


def _begin(home: Home) -> None:
    """A session that began."""
    _finish(Child(lambda _report: _hook("SessionStart", source="startup")(home)))


_INSTALL = [_bower("install", agent, "--yes") for agent in _AGENTS]


def _each(runs: list[Callable[[Home], None]]) -> Callable[[Home], None]:
    def run(home: Home) -> None:
        for one in runs:
            one(home)

    return run


_PROMPT = {"prompt": "where does the kestrel nest, and where hangs the key of the granary?"}
_CALL = {"tool_name": "Bash", "tool_input": {"command": "make"}, "tool_response": {"stdout": "ok"}}
_READING = {"tool_name": "Read", "tool_input": {"file_path": "notes/0.md"}}
_FAILED = {
    "tool_name": "Bash",
    "tool_input": {"command": "make"},
    "error": "Exit code 2\nno rule: all",
}
UNINSTALL = Command(
    "uninstall",
    _each([_bower("install", agent, "--uninstall", "--yes") for agent in _AGENTS]),
    before=_each(_INSTALL),
    restores=True,
)
COMMANDS = (
    Command("hook start", _hook("SessionStart", source="startup")),
    Command("hook prompt", _hook("UserPromptSubmit", **_PROMPT), before=_begin),
    Command("hook call", _hook("PostToolUse", **_CALL), before=_begin),
    Command("hook calling", _hook("PreToolUse", **_READING), before=_begin),
    Command("hook failed", _hook("PostToolUseFailure", **_FAILED), before=_begin),
    Command("hook compact", _hook("PreCompact", trigger="auto"), before=_begin),
    Command("hook stop", _hook("Stop"), before=_begin),
    Command("hook sub-agent", _hook("SubagentStop"), before=_begin),
    Command("hook end", _hook("SessionEnd", reason="other"), before=_begin),
    Command("learn", _bower("learn", "{home}/.claude/projects", "--store", "{store}")),
    Command("install", _each(_INSTALL)),
    UNINSTALL,
    Command("watch", _watch, before=lambda home: home.write_notes("new")),
    Command("restore", _restore),
    Command("erase", _erase, removes=(ERASED,)),
    Command("reindex", _bower("reindex", "--all", "--store", "{store}")),
    Command("reindex words", _bower("reindex", "--words", "--store", "{store}")),
)
