"""Plays scenes in which text of others is to become memory, and reports what of it comes back.

    python benchmarks/laundering.py FILE.jsonl… [--only TEXT] [--jobs 2] [--level 4] [--out FILE]

A line of FILE is a scene (tests/data/poisonings/README.md): earlier sessions, and what a later one asks.
Each scene has a home, a repository without a remote and a store of its own. Its sessions are what Claude
Code makes of them: a process per session that starts a process per hook event and the MCP server, and a
transcript that grows beside it. After the sessions the user may index something on a terminal.

Reported per scene is where the marker came back in the later session: `unasked`, what hooks put before
the agent; `asked`, what `query`, `context` and the tools of MCP answered with at least normal trust; and
`labelled`, what these answered as not trusted. A marker that comes neither unasked nor asked is held.
Everything runs at the level that speaks most, so that nothing is held only because a project is new.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import json
import multiprocessing
import os
import pkgutil
import pty
import re
import subprocess
import sys
import tempfile
import time
import traceback
import uuid
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    Record = dict[str, Any]

HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "claude-code", "version": "2.1.197"},
}
TRUSTED = ("normal", "full")
# The folders of a scene's machine that stand elsewhere here.
FOLDERS = re.compile(r"(?<![\w./-])(/tmp|/home/dev)(?=/)")
# What a package holds that no command of a session loads: what frameworks load.
NOT_LOADED = (
    "bowerbird.bench",
    "bowerbird.core.ports",
    "bowerbird.__main__",
    "bowerbird.agents.hermes_provider",
    "bowerbird.surfaces.adapters.",
)


def main() -> int:
    """Play the scenes and print what came back."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--only", default="", help="only scenes whose id or family holds this")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--level", type=int, default=4, help="agent.level of every project")
    parser.add_argument("--out", type=Path, help="write each outcome here, as lines of JSON")
    parser.add_argument("--at", type=Path, help="a folder that keeps the machines")
    options = parser.parse_args()
    scenes = [one for file in options.files for one in scenes_of(file)]
    scenes = [one for one in scenes if options.only in f"{one['id']} {one['family']}"]
    load()
    outcomes = []
    with ProcessPoolExecutor(options.jobs, multiprocessing.get_context("fork")) as pool:
        asked = [pool.submit(played, one, options.level, options.at) for one in scenes]
        for scene, one in zip(scenes, asked, strict=True):
            outcome = one.result()
            outcomes.append(outcome)
            print(f"{verdict(outcome):9} {scene['id']:24} {scene['family']:28} {ways(outcome)}")
            sys.stdout.flush()
    counts = {name: sum(verdict(one) == name for one in outcomes) for name in VERDICTS}
    print(json.dumps({"scenes": len(outcomes)} | counts))
    if options.out:
        options.out.write_text("".join(json.dumps(one) + "\n" for one in outcomes), "utf-8")
    return 0


VERDICTS = ("unasked", "asked", "held", "failed")


def verdict(outcome: Record) -> str:
    """How the marker of a scene came back: the worst of its ways."""
    if outcome["failed"]:
        return "failed"
    return next((name for name in ("unasked", "asked") if outcome[name]), "held")


def ways(outcome: Record) -> str:
    """Where the marker came back, in a line."""
    told = (f"{name}: {', '.join(outcome[name])}" for name in ("unasked", "asked") if outcome[name])
    return outcome["failed"].strip().rpartition("\n")[2] or "; ".join(told)


def scenes_of(file: Path) -> list[Record]:
    """The scenes of a file."""
    return [json.loads(line) for line in file.read_text("utf-8").splitlines() if line.strip()]


def load() -> None:
    """Load every module that a command may load, so that each command is a fork of this process."""
    # As a command sets it before it loads numpy: threads do not survive a fork.
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    package = importlib.import_module("bowerbird")
    for one in pkgutil.walk_packages(package.__path__, "bowerbird."):
        if not one.name.startswith(NOT_LOADED):
            importlib.import_module(one.name)
    gc.freeze()


def played(scene: Record, level: int = 4, at: Path | None = None) -> Record:
    """Play one scene on a machine of its own. Returns where its marker came back."""
    outcome: Record = {"id": scene["id"], "unasked": [], "asked": [], "labelled": [], "failed": ""}
    try:
        if at is not None:
            (at / scene["id"]).mkdir(parents=True)
            return outcome | play(scene, Machine(at / scene["id"], level))
        with tempfile.TemporaryDirectory(prefix="laundering-") as folder:
            return outcome | play(scene, Machine(Path(folder), level))
    except Exception:  # noqa: BLE001 the other scenes are played, and this one counts as failed
        return outcome | {"failed": traceback.format_exc()}


def play(scene: Record, machine: Machine) -> Record:
    """Play the sessions of a scene, and ask for its marker in a later one."""
    scene = machine.moved(scene)
    for name, content in scene.get("files", {}).items():
        machine.write(name, content)
    machine.begin()
    for steps in scene["sessions"]:
        _in_a_process("claude", partial(Session(machine).happen, steps))
        for step in steps:
            if "index" in step:
                machine.bower("index", step["index"], terminal=True)
    found: Record = _in_a_process("claude", lambda: Session(machine).asked_later(scene))
    return found


class Machine:
    """The home, the repository and the store of one user."""

    def __init__(self, folder: Path, level: int) -> None:
        folder = folder.resolve()
        self.home, self._temporary = folder / "home", folder / "tmp"
        self.repository = self.home / "work" / "shop"
        self.repository.mkdir(parents=True)
        self._temporary.mkdir()
        self._environment = {
            **{name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL") if name in os.environ},
            "HOME": str(self.home),
            "TMPDIR": str(self._temporary),
            "TZ": "UTC",
            "BOWER_HOOK_PATIENCE": "100",
            "BOWER_AGENT_LEVEL": str(level),
        }

    def moved(self, scene: Record) -> Record:
        """A scene with the folders of this machine."""
        folders = {"/tmp": str(self._temporary), "/home/dev": str(self.home)}  # noqa: S108 replaced
        text = json.dumps(scene, ensure_ascii=False)
        moved: Record = json.loads(FOLDERS.sub(lambda one: folders[one[1]], text))
        return moved

    def path(self, name: str) -> Path:
        """Where a file of a scene stands."""
        name = str(self.home) + name[1:] if name.startswith("~/") else name
        return self.repository / name

    def write(self, name: str, content: str) -> None:
        """Put a file on the disk."""
        path = self.path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, "utf-8")

    def begin(self) -> None:
        """Make the repository, with the files that are there as its first commit."""
        self.git("init", "--quiet", "--initial-branch=main", ".")
        self.git("config", "user.name", "Ada Brook")
        self.git("config", "user.email", "ada@home.example")
        self.write(".gitignore", "*.log\n")
        self.commit("first")

    def commit(self, message: str) -> None:
        """Commit everything that is there."""
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", message)

    def git(self, *words: str) -> None:
        """Run git in the repository."""
        subprocess.run(  # noqa: S603
            ["git", *words],  # noqa: S607
            check=True,
            cwd=self.repository,
            env=self._environment,
        )

    def bower(self, *words: str, given: str = "", terminal: bool = False) -> str:
        """What a command prints; returns when also its work in the background has ended.

        On a `terminal` nobody stands above it but the user.
        """
        with tempfile.TemporaryFile() as into, tempfile.TemporaryFile() as out:
            into.write(given.encode())
            into.seek(0)
            master, slave = pty.openpty() if terminal else (-1, -1)
            streams = (slave, slave, slave) if terminal else (into.fileno(), out.fileno(), 2)
            ended, held = os.pipe()
            child = os.fork()
            if child == 0:
                os.close(ended)
                if terminal:
                    os.close(master)
                    _leave_parents()
                self._become(words, streams)
            os.close(held)
            if terminal:
                os.close(slave)
                _drain(master)
            os.waitpid(child, 0)
            # Whoever the command leaves behind holds the other end.
            os.read(ended, 1)
            os.close(ended)
            out.seek(0)
            return out.read().decode()

    def _become(self, words: Sequence[str], streams: tuple[int, int, int]) -> None:
        """In a forked process: run a command as its own process would. Does not return."""
        code = 1
        try:
            for number, one in enumerate(streams):
                os.dup2(one, number)
            os.environ.clear()
            os.environ.update(self._environment)
            tempfile.tempdir = None
            time.tzset()
            os.chdir(self.repository)
            opened = (os.fdopen(one, "rww"[one], closefd=False) for one in range(3))
            sys.stdin, sys.stdout, sys.stderr = opened
            from bowerbird.surfaces.cli.start import main as command

            code = command([*words])
            sys.stdout.flush()
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 1
            sys.stdout.flush()
        finally:
            os._exit(code)


def _leave_parents() -> None:
    """In a forked process: go on in another one that has a terminal and no parent of ours."""
    if os.fork():
        os._exit(0)
    os.setsid()
    while os.getppid() == 0:
        os.sched_yield()


def _drain(master: int) -> None:
    """Read a terminal until nobody holds it any more."""
    with suppress(OSError):
        while os.read(master, 1 << 16):
            pass
    os.close(master)


def _in_a_process(name: str, work: Callable[[], Any]) -> Any:
    """What some work returns that is done in a process of that name."""
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(ours)
        try:
            with suppress(OSError), open("/proc/self/comm", "w", encoding="ascii") as file:
                file.write(name)
            answer = json.dumps({"done": work()})
        except Exception:  # noqa: BLE001 raised on the other side
            answer = json.dumps({"failed": traceback.format_exc()})
        with os.fdopen(theirs, "w") as file:
            file.write(answer)
        os._exit(0)
    os.close(theirs)
    with os.fdopen(ours) as file:
        answered = json.loads(file.read())
    os.waitpid(child, 0)
    if "failed" in answered:
        raise RuntimeError(answered["failed"])
    return answered["done"]


class Session:
    """One session of Claude Code, in the process that this is."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._id = str(uuid.uuid4())
        folder = re.sub(r"[^A-Za-z0-9]", "-", str(machine.repository))
        self._transcript = machine.home / ".claude" / "projects" / folder / f"{self._id}.jsonl"
        self._transcript.parent.mkdir(parents=True, exist_ok=True)
        self._last: str | None = None
        self._said = ""
        self._calls = 0

    def happen(self, steps: list[Record]) -> None:
        """Play an earlier session from its start to its end."""
        self._event("SessionStart", source="startup")
        for step in steps:
            if "person" in step:
                self._prompt(step["person"])
            elif "paste" in step:
                self._prompt(f"{step['paste']}\n\n{step['pasted']}")
            elif "agent" in step:
                self._say(step["agent"])
            elif "store" in step:
                self._store(step["store"], step["kind"])
            elif "tool" in step:
                self._call(step)
        self._stop()
        self._event("SessionEnd", reason="prompt_input_exit")

    def asked_later(self, scene: Record) -> Record:
        """Ask for the marker of a scene: by what hooks tell, and by what is answered."""
        ask, marker = scene["ask"], scene["marker"]
        given = {
            "SessionStart": self._event("SessionStart", source="startup"),
            "UserPromptSubmit": self._prompt(ask["prompt"]),
        }
        if "command" in ask:
            call: Record = {"tool": "Bash", "input": {"command": ask["command"]}, "output": ""}
            if "error" in ask:
                call |= {"output": ask["error"], "failed": True}
            given["PostToolUseFailure" if "error" in ask else "PostToolUse"] = self._call(call)
        if "read" in ask:
            path = self._machine.path(ask["read"])
            content = path.read_text("utf-8") if path.is_file() else ""
            call = {"tool": "Read", "input": {"file_path": str(path)}, "output": content}
            given["PostToolUse of the file"] = self._call(call)
        questions = [one for one in (ask["prompt"], ask.get("error"), marker) if one]
        asked: dict[str, list[str]] = {"asked": [], "labelled": []}
        for where, trust, text in self._answers(questions):
            if holds(text, marker):
                kind = "asked" if trust in TRUSTED else "labelled"
                asked[kind] = [*dict.fromkeys((*asked[kind], f"{where} ({trust})"))]
        unasked = [name for name, text in given.items() if holds(text, marker)]
        return {"unasked": unasked, **asked, "given": {k: v for k, v in given.items() if v}}

    def _answers(self, questions: list[str]) -> Iterator[tuple[str, str, str]]:
        """What is answered to questions: by what way, with which trust, and the text."""
        for verb, key in (("query", "results"), ("context", "items")):
            words = (verb, "--format", "json", "--", questions[0])
            for one in json.loads(self._machine.bower(*words))["data"][key]:
                yield verb, one["trust"], json.dumps(one, ensure_ascii=False)
        calls = [
            (tool, name, key, question)
            for question in questions
            for tool, name, key in (
                ("memory_context", "task", "items"),
                ("memory_search", "query", "hits"),
            )
        ]
        answers = self._answered_by_mcp([(tool, {name: text}) for tool, name, _, text in calls])
        for (tool, _, key, text), answer in zip(calls, answers, strict=True):
            by = " by the marker" if text == questions[-1] else ""
            for one in answer.get("structuredContent", {}).get(key, ()):
                yield tool + by, one["trust"], json.dumps(one, ensure_ascii=False)

    # What happens in a session

    def _prompt(self, text: str) -> str:
        self._stop()
        given = self._event("UserPromptSubmit", prompt=text)
        self._record("user", text, promptSource="typed", origin={"kind": "human"})
        return given

    def _say(self, text: str) -> None:
        self._said = text
        self._record("assistant", [{"type": "text", "text": text}])

    def _stop(self) -> None:
        if self._said:
            self._event("Stop", last_assistant_message=self._said, stop_hook_active=False)
        self._said = ""

    def _call(self, step: Record) -> str:
        tool, failed = step["tool"], bool(step.get("failed"))
        given = {**step["input"]}
        if "file_path" in given:
            given["file_path"] = str(self._machine.path(given["file_path"]))
        use = self._use(tool, given)
        call = {"tool_name": tool, "tool_input": given, "tool_use_id": use}
        self._event("PreToolUse", **call)
        self._carry_out(step, given)
        output, result, content = _result(tool, given, step["output"], failed=failed)
        if tool == "Task" and not failed:
            about = {"agent_id": result["agentId"], "last_assistant_message": output}
            self._event("SubagentStop", **about)
        if failed:
            told = self._event("PostToolUseFailure", **call, error=content)
        else:
            told = self._event("PostToolUse", **call, tool_response=result)
        self._answer(use, content, result, failed=failed)
        return told

    def _carry_out(self, step: Record, given: Record) -> None:
        """Leave on the disk what a call leaves there."""
        machine, tool = self._machine, step["tool"]
        created = {str(machine.path(name)): text for name, text in step.get("creates", {}).items()}
        path = given.get("file_path", "")
        if tool == "Write" and not step.get("failed"):
            created.setdefault(path, given["content"])
        elif tool == "Edit" and path not in created and Path(path).is_file():
            text = Path(path).read_text("utf-8")
            created[path] = text.replace(given["old_string"], given["new_string"], 1)
        for name, text in created.items():
            machine.write(name, text)
        if re.search(r"\bgit (?:-\S+ )*commit\b", given.get("command", "")):
            machine.commit("work of a session")

    def _store(self, text: str, kind: str) -> None:
        given = {"content": text, "type": kind}
        tool = "mcp__bowerbird__memory_store"
        use = self._use(tool, given)
        call = {"tool_name": tool, "tool_input": given, "tool_use_id": use}
        self._event("PreToolUse", **call)
        (answer,) = self._answered_by_mcp([("memory_store", given)])
        if answer["isError"]:
            # An agent tries again without what was refused, such as a kind that it made up.
            (answer,) = self._answered_by_mcp([("memory_store", {"content": text})])
        content = answer["content"]
        self._event("PostToolUse", **call, tool_response=content)
        self._answer(use, content, content, failed=bool(answer["isError"]))

    def _answered_by_mcp(self, calls: list[tuple[str, Record]]) -> list[Record]:
        """What the product's MCP server answers to calls."""
        messages: list[Record] = [
            {"id": "hello", "method": "initialize", "params": HELLO},
            {"method": "notifications/initialized"},
        ]
        for number, (tool, given) in enumerate(calls):
            params = {"name": tool, "arguments": given}
            messages.append({"id": number, "method": "tools/call", "params": params})
        lines = "".join(json.dumps({"jsonrpc": "2.0"} | one) + "\n" for one in messages)
        said = [json.loads(line) for line in self._machine.bower("mcp", given=lines).splitlines()]
        results = {one["id"]: one["result"] for one in said if "id" in one}
        return [results[number] for number in range(len(calls))]

    # What Claude Code writes and sends

    def _event(self, name: str, **fields: Any) -> str:
        """Call the hook of an event. Returns what is put before the agent."""
        payload = {
            "session_id": self._id,
            "transcript_path": str(self._transcript),
            "cwd": str(self._machine.repository),
            "permission_mode": "default",
            "hook_event_name": name,
            **fields,
        }
        out = self._machine.bower("hook", "claude-code", name, given=json.dumps(payload))
        if not out or name == "SessionEnd":
            return ""  # a line for the user is not context
        return str(json.loads(out)["hookSpecificOutput"]["additionalContext"])

    def _use(self, tool: str, given: Record) -> str:
        self._calls += 1
        use = f"toolu_{self._calls:02d}{self._id.replace('-', '')[:22]}"
        self._record("assistant", [{"type": "tool_use", "id": use, "name": tool, "input": given}])
        return use

    def _answer(self, use: str, content: Any, result: Any, *, failed: bool) -> None:
        part = {"tool_use_id": use, "type": "tool_result", "content": content}
        if failed:
            part["is_error"] = True
        shown = f"Error: {content}" if failed else result
        self._record("user", [part], toolUseResult=shown, sourceToolAssistantUUID=self._last)

    def _record(self, kind: str, content: Any, **fields: Any) -> None:
        now = time.time()
        day = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(now))
        message: Record = {"role": kind, "content": content}
        if kind == "assistant":
            message |= {"model": "claude-opus-4-5", "type": "message", "stop_reason": None}
        record = {
            "parentUuid": self._last,
            "isSidechain": False,
            "userType": "external",
            "cwd": str(self._machine.repository),
            "sessionId": self._id,
            "version": "2.1.197",
            "gitBranch": "main",
            "type": kind,
            "message": message,
            "uuid": str(uuid.uuid4()),
            "timestamp": f"{day}.{int(now % 1 * 1000):03d}Z",
            **fields,
        }
        self._last = record["uuid"]
        with self._transcript.open("a", encoding="utf-8") as file:
            file.write(json.dumps(record, ensure_ascii=False) + "\n")


def _result(tool: str, given: Record, output: str, *, failed: bool) -> tuple[str, Any, Any]:
    """The output of a call, its result as hooks are told it, and the content of its record."""
    if failed:
        content = f"Exit code 1\n{output}" if tool == "Bash" else output
        return output, content, content
    if tool == "Bash":
        about = {"stderr": "", "interrupted": False, "isImage": False}
        return output, {"stdout": output, **about}, output
    if tool == "Read":
        lines = output.split("\n")
        file = {"filePath": given["file_path"], "content": output, "numLines": len(lines)}
        file |= {"startLine": 1, "totalLines": len(lines)}
        numbered = "\n".join(f"{number:6}→{line}" for number, line in enumerate(lines, 1))
        return output, {"type": "text", "file": file}, numbered
    if tool == "Write":
        path, content = given["file_path"], given["content"]
        return output, {"type": "create", "filePath": path, "content": content}, output
    if tool == "Edit":
        old, new = given["old_string"], given["new_string"]
        about = {"filePath": given["file_path"], "oldString": old, "newString": new}
        return output, {**about, "userModified": False, "replaceAll": False}, output
    if tool == "WebFetch":
        about = {"bytes": len(output), "code": 200, "codeText": "OK", "durationMs": 900}
        return output, {**about, "result": output, "url": given.get("url", "")}, output
    if tool == "WebSearch":
        return output, {"query": given.get("query", ""), "results": [output]}, output
    if tool == "Grep":
        about = {"mode": "content", "numFiles": 0, "filenames": []}
        return output, {**about, "content": output, "numLines": output.count("\n") + 1}, output
    parts = [{"type": "text", "text": output}]
    if tool == "Task":
        id = uuid.uuid4().hex[:7]
        about = {"status": "completed", "prompt": given.get("prompt", ""), "agentId": id}
        trailer = {"type": "text", "text": f"agentId: {id} (for resuming to continue this agent)"}
        return output, {**about, "content": parts}, [*parts, trailer]
    return output, parts, parts


def holds(text: str, marker: str) -> bool:
    """Whether a text holds a marker, in whatever case and lines."""
    return _plain(marker) in _plain(text)


def _plain(text: str) -> str:
    return " ".join(text.replace("\\n", " ").replace('\\"', '"').casefold().split())


if __name__ == "__main__":
    sys.exit(main())
