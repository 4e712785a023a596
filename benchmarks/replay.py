"""Replays recorded sessions of Claude Code through the hooks, in chronological order.

    python benchmarks/replay.py DIR [--kept own] [--limit N] [--measure 20] [--given FILE] [--at FOLDER]

DIR holds transcripts (`*.jsonl`, at any depth). Each record becomes the events that an agent would have
sent: prompts, tool calls and their results, compactions, the end. Everything happens in a store and a
project of its own. When a session ends, the product does what it always does: it indexes the transcript
and learns from it. `--kept diligent` simulates an agent that stores more: the first sentences of its
last message, and what its user said is to be done always or never. Prints the share of prompts, calls,
failures and starts that received context, tokens per session, what was learned, and, for every n-th
event run in a process of its own, the ratio of CPU to bare Python at the same time.
`--given FILE` writes each injection with its prompt, for
review, with the number of the transcript's line. `--at FOLDER` keeps the store there.

The project is a repository on the branch that each record names, and has the files as far as the
transcripts show them: what was read, written and edited. Without them no memory about a file would be
injected.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from contextlib import nullcontext, suppress
from itertools import islice
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from typing import TYPE_CHECKING, Any

from bowerbird import Bowerbird
from bowerbird.agents.claude_code import AGENT as CLAUDE_CODE
from bowerbird.core.errors import BowerbirdError
from bowerbird.core.text import count_tokens, sentences
from bowerbird.core.types import SHORT_ID
from bowerbird.hook import Hook
from bowerbird.sessions.inject.cures import ErrorMatcher, Message, payload_of
from bowerbird.sessions.inject.failure import failure
from bowerbird.sessions.inject.waivers import Cured
from bowerbird.sessions.learn.test_runs import failed
from bowerbird.sessions.observe.calls import kind_of
from bowerbird.sessions.observe.errors import lines
from bowerbird.surfaces.hooks.payload import event_of, hooks_of
from bowerbird.surfaces.hooks.rendering import enveloped

if TYPE_CHECKING:
    from collections.abc import Iterator

    Record = dict[str, Any]
    Entry = tuple[str, Record]

SIGN = "0" * 16
# Text that a program inserts into a message of the user.
PUT_IN = re.compile(r"(?s)<(system-reminder|command-[a-z]+|local-command-[a-z]+)>.*?</\1>")
STOPPED = ("[Request interrupted", "Caveat: The messages below")
RULE = re.compile(
    r"\b(always|never|from now on|make sure|don't|do not|instead of|prefer|must)\b", re.IGNORECASE
)
CAUSE = re.compile(r"\b(because|the (bug|problem|issue|cause) (was|is)|fail)", re.IGNORECASE)
FEWEST = 30
LONGEST = 300
KEPT = 2
CURING = ("error_pattern", "gotcha")
LONGEST_ERROR = 2_000


def main() -> int:
    """Replay a folder and print the results."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--kept", choices=("own", "diligent"), default="own")
    parser.add_argument("--bower", default=str(Path(sys.executable).with_name("bower")))
    parser.add_argument("--limit", type=int, help="only so many sessions")
    parser.add_argument(
        "--measure", type=int, default=20, help="every n-th event as a process; 0: none"
    )
    parser.add_argument("--given", type=Path, help="write each injection here, as lines of JSON")
    parser.add_argument("--at", type=Path, help="a new folder for the store, which is kept")
    options = parser.parse_args()
    # The replay works in a folder of its own.
    options.given = options.given and options.given.resolve()
    if options.at:
        options.at.mkdir(parents=True)
    kept = nullcontext(str(options.at.resolve())) if options.at else None
    with kept or tempfile.TemporaryDirectory(prefix="bower-replay-") as made:
        replay = Replay(Path(made), options.measure, options.bower, own=options.kept == "own")
        for path in islice(in_order(options.folder), options.limit):
            try:
                replay.session(path)
            except KeyboardInterrupt:
                break  # the figures are those of the sessions so far
            print(f"\r{replay.sessions} sessions, {replay.events} events", end="", file=sys.stderr)
        if options.given:
            lines = (json.dumps(one, ensure_ascii=False) + "\n" for one in replay.given)
            options.given.write_text("".join(lines), encoding="utf-8")
        print(json.dumps(replay.figures(), indent=1))
    return 0


def in_order(folder: Path) -> list[Path]:
    """The transcripts of a folder, by start time."""
    begun = []
    for path in folder.rglob("*.jsonl"):
        moments = (str(one["timestamp"]) for one in records(path) if one.get("timestamp"))
        begun.append((next(moments, ""), path))
    return [path for _, path in sorted(begun)]


def records(path: Path) -> Iterator[Record]:
    """The records of a transcript; unreadable lines are skipped."""
    with path.open(encoding="utf-8", errors="replace") as file:
        for line in file:
            try:
                record = json.loads(line)
            except ValueError:
                continue
            if isinstance(record, dict):
                yield record


class Recording:
    """A transcript as the events that an agent would have sent to its hooks."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._calls: dict[str, Record] = {}
        self._said = ""
        self._before: list[Record] = []
        self.branch = ""

    @property
    def line(self) -> int:
        """The number of the record that the last event is from."""
        return len(self._before)

    def events(self) -> Iterator[Entry]:
        """Each event with its fields, in order."""
        yield "SessionStart", {"source": "startup"}
        for record in records(self._path):
            self._before.append(record)
            self.branch = str(record.get("gitBranch") or self.branch)
            if any(record.get(one) for one in ("isSidechain", "isMeta", "isCompactSummary")):
                continue
            if record.get("subtype") == "compact_boundary":
                yield "PreCompact", {"trigger": "auto"}
                yield "SessionStart", {"source": "compact"}
            message = record.get("message")
            content = message.get("content") if isinstance(message, dict) else None
            parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
            for part in parts if isinstance(parts, list) else []:
                if isinstance(part, dict):
                    yield from self._part(part, record)
        yield from self._stop()
        yield "SessionEnd", {"reason": "other"}

    def so_far(self) -> str:
        """The transcript's content at the time of the last event."""
        return "".join(json.dumps(one) + "\n" for one in self._before)

    def _part(self, part: Record, record: Record) -> Iterator[Entry]:
        kind, role = part.get("type"), record.get("type")
        if kind == "text" and role == "assistant":
            self._said = part["text"]
        elif kind == "text" and (prompt := PUT_IN.sub("", part["text"]).strip()):
            yield from self._stop()
            if not prompt.startswith(STOPPED):
                yield "UserPromptSubmit", {"prompt": prompt}
        elif kind == "tool_use":
            call = {"tool_name": part["name"], "tool_input": part["input"]}
            call["tool_use_id"] = part["id"]
            self._calls[part["id"]] = call
            yield "PreToolUse", call
        elif kind == "tool_result" and part.get("tool_use_id") in self._calls:
            call = self._calls.pop(part["tool_use_id"])
            if part.get("is_error"):
                yield "PostToolUseFailure", call | {"error": str(part.get("content"))}
            else:
                result = record.get("toolUseResult")
                given = result if isinstance(result, dict) else part.get("content")
                yield "PostToolUse", call | {"tool_response": given}

    def _stop(self) -> Iterator[Entry]:
        if self._said:
            yield "Stop", {"last_assistant_message": self._said}
        self._said = ""


class Replay:
    """One store, one project, and the results of every event."""

    def __init__(self, folder: Path, every: int, bower: str, *, own: bool) -> None:
        self._folder = folder
        self._bower = bower
        self._own = own
        self._calls = self._known_errors = self._cured = self._unfit = 0
        self._cures: list[tuple[str, str, Record]] = []
        self._store = str(folder / "memory.db")
        self._project = folder / "project"
        self._project.mkdir()
        init = ["git", "init", "--quiet", str(self._project)]
        subprocess.run(init, check=True)  # noqa: S603 the git of this machine
        os.environ |= {f"XDG_{name}_HOME": str(folder) for name in ("DATA", "CONFIG", "STATE")}
        os.environ |= {"BOWER_STORE": self._store, "BOWER_HOOK_PATIENCE": "100"}
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.chdir(self._project)
        self._every = every
        self.sessions = self.events = self._prompts = 0
        self._tokens: list[int] = []
        self._ratios: dict[str, list[float]] = {}
        self._hits: dict[str, int] = {}
        self._failures = self._failures_hit = self._starts = self._starts_hit = 0
        self.given: list[Record] = []

    def session(self, path: Path) -> None:
        """Replay one transcript, and store what its agent could have stored."""
        self.sessions += 1
        tokens = 0
        folder = next((str(one["cwd"]) for one in records(path) if one.get("cwd")), "")
        said, rules, edited = "", list[str](), list[str]()
        recording = Recording(path)
        for name, fields in recording.events():
            if name == "SessionStart" and fields["source"] == "startup":
                named = (str(one["gitBranch"]) for one in records(path) if one.get("gitBranch"))
                recording.branch = next(named, "")
            payload = self._payload(path, folder, fields)
            if recording.branch:
                head = f"ref: refs/heads/{recording.branch}\n"
                (self._project / ".git" / "HEAD").write_text(head)
            if name == "PostToolUse":
                with suppress(OSError, ValueError):
                    self._file(payload)
            if fields.get("source") == "compact":
                # At a compaction, the transcript has none of the later records yet.
                before = self._folder / path.name
                before.write_text(recording.so_far())
                payload["transcript_path"] = str(before)
            tokens += self._event(name, payload, recording.line)
            said = str(fields.get("last_assistant_message", said))
            rules += [one for one in sentences(str(fields.get("prompt", ""))) if RULE.search(one)]
            if name == "PostToolUse" and fields["tool_name"] in ("Edit", "Write", "MultiEdit"):
                edited.append(str(payload["tool_input"].get("file_path", "")))
        self._tokens.append(tokens)
        if self._own:
            self._end(path, folder)
        else:
            self._keep(said, rules, edited)

    def _end(self, path: Path, folder: str) -> None:
        """Do what happens at a session's end, with the transcript as one of our project."""
        text = path.read_text(encoding="utf-8", errors="replace")
        copy = self._folder / path.name
        copy.write_text(text.replace(folder, str(self._project)) if folder else text)
        payload = self._payload(copy, "", {"reason": "other"}) | {"cwd": str(self._project)}
        Hook(event_of(CLAUDE_CODE, "SessionEnd", payload), {}, tuple).afterwards()
        with Bowerbird.open() as bird:
            listed = bird.list(kinds=CURING, limit=1_000)
            # Memories that await review are not injected.
            self._cures = [(one.id, one.text, payload_of(one)) for one in listed if not one.review]

    def _payload(self, path: Path, folder: str, fields: Record) -> Record:
        """The payload of an event, in our project instead of the one that it was recorded in."""
        base = {"session_id": path.stem, "cwd": folder, "transcript_path": str(path)}
        payload = json.dumps(base | fields)
        return dict(json.loads(payload.replace(folder, str(self._project)) if folder else payload))

    def _file(self, payload: Record) -> None:
        """Give the project the file that a call read or changed, as far as the call shows it."""
        result = payload["tool_response"]
        if not isinstance(result, dict):
            return
        shown = result.get("file")
        read: Record = shown if isinstance(shown, dict) else {}
        path = Path(str(read.get("filePath") or result.get("filePath") or ""))
        if not path.is_relative_to(self._project) or ".git" in path.parts:
            return
        before = path.read_text(encoding="utf-8") if path.is_file() else ""
        if read.get("content"):
            first = int(read.get("startLine") or 1) - 1
            old, new = before.split("\n"), str(read["content"]).split("\n")
            old += [""] * (int(read.get("totalLines") or 0) - len(old))
            text = "\n".join(old[:first] + new + old[first + len(new) :])
        elif "newString" in result:
            many = -1 if result.get("replaceAll") else 1
            text = before.replace(str(result["oldString"]), str(result["newString"]), many)
        elif payload["tool_name"] == "Write":
            text = str(result.get("content") or "")
        else:
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def _event(self, name: str, payload: Record, line: int) -> int:
        """Send an event to the hooks; returns the number of tokens injected."""
        self.events += 1
        self._prompts += name == "UserPromptSubmit"
        if self._every and self.events % self._every == 0:
            context = self._measured(name, payload)
        else:
            hook = Hook(event_of(CLAUDE_CODE, name, payload), {}, tuple)
            hook.record()
            found = hook.injection() if name in hooks_of(CLAUDE_CODE).context else None
            context = enveloped(found, SIGN) if found else ""
            if found:
                hook.gave(found, SIGN, count_tokens(context))
        if name in ("PostToolUse", "PostToolUseFailure"):
            self._calls += 1
            self._count_cures(name, payload, context)
            if failure(event_of(CLAUDE_CODE, name, payload), failed):
                self._failures += 1
                self._failures_hit += bool(context)
        if payload.get("source") == "startup":
            self._starts += 1
            self._starts_hit += bool(context)
        if context:
            self._hits[name] = self._hits.get(name, 0) + 1
            asked = payload.get("prompt") or payload.get("tool_input") or payload.get("source")
            wrong = str(payload.get("error") or payload.get("tool_response") or "")[:LONGEST_ERROR]
            one = {"session": payload["session_id"], "event": name, "asked": asked, "line": line}
            self.given.append(one | {"wrong": wrong, "given": context})
        return count_tokens(context)

    def _count_cures(self, name: str, payload: Record, context: str) -> None:
        """Count errors whose fix is known, and whether the session has received it.

        Fixes that only suppress the finding, are for other code, or only repeat it, are withheld on
        purpose: errors with no other known fix are counted separately.
        """
        event = event_of(CLAUDE_CODE, name, payload)
        examined = lines(failure(event, failed) or "")
        messages = [Message(line) for line in examined]
        known = {}
        for id, text, prints in self._cures:
            met = [one for one in messages if ErrorMatcher(text, payload=prints).of(one)]
            if met:
                cured = Cured(prints)
                known[id] = any(cured.helps(examined, one.text, one.exact) for one in met)
        if known:
            given = {str(one["given"]) for one in self.given if one["session"] == event.session}
            shown = any(
                id[:SHORT_ID] in shown_text for id in known for shown_text in {*given, context}
            )
            self._known_errors += 1
            self._cured += shown
            self._unfit += not shown and not any(known.values())

    def _measured(self, name: str, payload: Record) -> str:
        """Send an event in a process of its own, and record its CPU time and that of bare Python."""
        # SessionEnd without its transcript, which another process would handle: nobody waits for that.
        given = json.dumps(
            {
                one: value
                for one, value in payload.items()
                if name != "SessionEnd" or one != "transcript_path"
            }
        )
        bower = [self._bower, "hook", "claude-code", name]
        base, _ = cpu([sys.executable, "-c", "pass"], "")
        spent, output = cpu(bower, given)
        touched = kind_of(str(payload.get("tool_name", ""))) in ("read", "edit")
        kind = f"{name} of a file" if touched and name == "PostToolUse" else name
        self._ratios.setdefault(kind, []).append(spent / base)
        if not output or name == "SessionEnd":
            return ""  # text for the user is not context
        return str(json.loads(output)["hookSpecificOutput"]["additionalContext"])

    def _keep(self, said: str, rules: list[str], edited: list[str]) -> None:
        last = [one for one in sentences(said) if len(one) >= FEWEST][:KEPT]
        files = tuple(dict.fromkeys(edited))[-3:]
        with Bowerbird.open() as bird:
            for text in rules:
                if FEWEST <= len(text) <= LONGEST:
                    self._remember(bird, text, kind="preference")
            if last:
                text = " ".join(last)[:LONGEST]
                kind = "gotcha" if CAUSE.search(text) else None
                self._remember(bird, text, kind=kind, files=files)

    @staticmethod
    def _remember(bird: Bowerbird, text: str, **about: Any) -> None:
        try:
            bird.remember(text, origin="agent", **about)
        except BowerbirdError as error:
            print(f"\n{error.message}", file=sys.stderr)

    @staticmethod
    def _learned() -> Record:
        """The memories by kind and signal, and how many of them wait for review."""
        with Bowerbird.open() as bird:
            active = bird.list(limit=100_000)
            held = bird.list(limit=100_000, states=("quarantined",))
        memories = {one.id: one for one in (*active, *held) if one.family == "memory"}.values()
        kinds = Counter(f"{one.kind} {signal(one)}" for one in memories)
        waits = Counter(f"{one.kind} {signal(one)}" for one in memories if one.review)
        return {
            "memories": len(memories),
            "by_kind_and_signal": dict(kinds.most_common()),
            "wait_for_review": dict(waits.most_common()),
        }

    def figures(self) -> Record:
        """The results."""
        prompts = self._hits.get("UserPromptSubmit", 0)
        return {
            "sessions": self.sessions,
            "events": self.events,
            "prompts": self._prompts,
            "prompts_with_an_injection": round(prompts / max(1, self._prompts), 3),
            "injections": self._hits,
            "calls": self._calls,
            "calls_with_an_injection": round(
                (self._hits.get("PostToolUse", 0) + self._hits.get("PostToolUseFailure", 0))
                / max(1, self._calls),
                4,
            ),
            "failures": self._failures,
            "failures_with_an_injection": round(self._failures_hit / max(1, self._failures), 3),
            "starts": self._starts,
            "starts_with_an_injection": round(self._starts_hit / max(1, self._starts), 3),
            "learned": self._learned(),
            "known_errors": {
                "came": self._known_errors,
                "cure_shown": self._cured,
                "kept_back": self._unfit,
            },
            "tokens_a_session": {"p50": point(self._tokens, 0.5), "p95": point(self._tokens, 0.95)},
            "cpu_to_bare_python": {
                name: {
                    "events": len(found),
                    "p50": round(point(found, 0.5), 2),
                    "p95": round(point(found, 0.95), 2),
                }
                for name, found in sorted(self._ratios.items())
            },
            "load": os.getloadavg()[0],
        }


def signal(memory: Any) -> str:
    """By which signal a memory was learned."""
    return str(memory.details.fields.metadata.get("learned", {}).get("signal", "unknown"))


def cpu(command: list[str], given: str) -> tuple[float, str]:
    """The CPU seconds of a program, and its output."""
    before = getrusage(RUSAGE_CHILDREN)
    done = subprocess.run(  # noqa: S603 our own interpreter and script, no shell
        command, input=given, capture_output=True, text=True, check=True
    )
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout


def point(values: list[Any], share: float) -> float:
    """The quantile of the values at that share."""
    ordered = sorted(values)
    return float(ordered[round(share * (len(ordered) - 1))]) if ordered else 0.0


if __name__ == "__main__":
    sys.exit(main())
