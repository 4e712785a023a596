"""Hooks as an agent calls them: a process, a payload on standard input, an answer or none."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest

from bowerbird.agents.claude_code import AGENT as CLAUDE_CODE
from bowerbird.bird import Bowerbird
from bowerbird.hook import Hook
from bowerbird.surfaces.hooks.payload import event_of, hooks_of
from bowerbird.surfaces.hooks.rendering import enveloped

if TYPE_CHECKING:
    from pathlib import Path
    from subprocess import CompletedProcess, Popen

    from tests.forked import Forks, Running

SESSION = "0f8fad5b-d9cb-469f-a165-70867728950e"


class Hooks:
    """One machine with one store, and the hooks of its agents."""

    def __init__(self, home: Path, project: Path, forks: Forks) -> None:
        self._forks = forks
        self.store = str(home / "memory.db")
        self.state = home / "state" / "bowerbird"
        self.project = project
        # What a process holds that a hook starts, and lets go of when it ends.
        self.held: tuple[int, ...] = ()
        self.environment = {**os.environ, "BOWER_STORE": self.store}
        # What a test is about must not depend on how busy its machine is.
        self.environment["BOWER_HOOK_PATIENCE"] = "100"
        for name in ("DATA", "CONFIG", "STATE"):
            self.environment[f"XDG_{name}_HOME"] = str(home / name.lower())

    def run(
        self, agent: str, event: str, payload: bytes | str | None = None, **fields: Any
    ) -> CompletedProcess[bytes]:
        """Answer an event; a payload is made of the fields, in the form of Claude Code."""
        if payload is None:
            payload = self._payload(event, fields)
        given = payload.encode() if isinstance(payload, str) else payload
        words = ("hook", agent, event)
        return self._forks.run(words, given, self.environment, self.project, self.held)

    def open(self, event: str, **fields: Any) -> Running | Popen[Any]:
        """The hook of Claude Code at an event, as a process that goes on, its payload handed over."""
        words = ("hook", "claude-code", event)
        running = self._forks.open(words, self.environment, self.project)
        assert running.stdin is not None
        with running.stdin as file:
            file.write(self._payload(event, fields).encode())
        return running

    def _payload(self, event: str, fields: dict[str, Any]) -> str:
        base = {"session_id": SESSION, "cwd": str(self.project), "hook_event_name": event}
        return json.dumps(base | fields)

    def context(self, event: str, **fields: Any) -> str:
        """What Claude Code is given at an event; empty for nothing."""
        done = self.run("claude-code", event, **fields)
        assert (done.returncode, done.stderr) == (0, b"")
        if not done.stdout:
            return ""
        output = json.loads(done.stdout)["hookSpecificOutput"]
        assert output["hookEventName"] == event
        context: str = output["additionalContext"]
        return context

    def bower(self, *arguments: str) -> str:
        """What a command of the user's answers, as JSON."""
        return self.command(*arguments).stdout.decode()

    def command(self, *arguments: str) -> CompletedProcess[bytes]:
        """The same with what goes to standard error."""
        done = self._forks.run(arguments, b"", self.environment, self.project)
        done.check_returncode()
        return done

    def lines(self, session: str = f"claude-code-{SESSION}") -> list[dict[str, Any]]:
        """What stands in the journal of a session."""
        path = os.path.join(self.store + ".journal", session + ".jsonl")
        if not os.path.exists(path):
            return []
        with open(path, encoding="utf-8") as file:
            return [json.loads(one) for one in file]

    def failure(self, agent: str = "claude-code") -> str:
        """Why the hooks of an agent failed last; empty where they never did."""
        path = self.state / "hooks" / f"{agent}.failed"
        return str(json.loads(path.read_text())["why"]) if path.exists() else ""


@pytest.fixture
def hooks(tmp_path: Path, forks: Forks) -> Hooks:
    """A machine with an empty project."""
    project = tmp_path / "shop"
    (project / ".git").mkdir(parents=True)
    return Hooks(tmp_path, project, forks)


REMOTE = '[remote "origin"]\n\turl = https://git.example/them/shop.git\n'
# What the user of a checkout believes, and nothing may keep out.
OWN = "Run the tests with make check before you commit."


class Checkout:
    """Somebody else's repository, and what an agent is handed there, in this very process."""

    own = OWN

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def happen(self, session: str, name: str, **fields: Any) -> str:
        """An event, and what is put before the agent."""
        hook = self.hook(session, name, **fields)
        hook.record()
        found = hook.injection() if name in hooks_of(CLAUDE_CODE).context else None
        return enveloped(found, "0" * 16) if found else ""

    def hook(self, session: str, name: str, **fields: Any) -> Hook:
        """An event that has not been answered yet."""
        payload = {"session_id": session, "cwd": str(self.folder)} | fields
        return Hook(event_of(CLAUDE_CODE, name, payload), {}, tuple)


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Checkout:
    """A checkout, and a store with one belief of its user's own, at the level that speaks most."""
    folder = tmp_path / "shop"
    (folder / ".git").mkdir(parents=True)
    (folder / ".git" / "config").write_text(REMOTE)
    monkeypatch.setenv("BOWER_STORE", str(tmp_path / "memory.db"))
    monkeypatch.setenv("BOWER_AGENT_LEVEL", "4")
    monkeypatch.chdir(folder)
    with Bowerbird.open() as bird:
        bird.remember(OWN, kind="preference", origin="user")
    return Checkout(folder)
