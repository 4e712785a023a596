"""Draws docs/first-days.svg: two sessions of an agent and what Bowerbird keeps between them.

Everything shown comes from a real run in a temporary home: the hooks get the events that Claude Code
sends, the memory is read by the command line, and the second session shows what the hooks answered.
Only ids and dates are replaced, so that two runs give the same picture.

``--check`` fails if the picture differs from a new run.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from html import escape
from pathlib import Path

PICTURE = Path(__file__).parent.parent / "docs" / "first-days.svg"
RULE = "Always run make lint before you commit."
REPLY = "Understood. I run make lint before each commit."
TASK = "Fix the rounding of invoice totals and commit it."
# Words of the rule, by which its memory is recognised.
MARK = "make lint"
_SESSIONS = ("0f8fad5b-d9cb-469f-a165-70867728950e", "7c9e6679-7425-40de-944b-e07fc1f90ae7")
# Learning continues in the background after a session; it takes a second or two.
_PATIENCE = 60
_PAUSE = 0.25
_ID = re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}(?:-[0-9a-f-]+)?")
_DAY = re.compile(r"\b\d{4}-\d\d-\d\d\b|\b\d{1,2} [A-Z][a-z]+(?: \d{4})?\b(?=:| ·|;|$)")
_AGE = re.compile(r"\b(?:just now|\d+ (?:min|h|days?) ago)\b")
_ITEM = re.compile(r"\[Memory #.*?(?=\n\[Memory #|\n</|\Z)", re.DOTALL)
WIDTH = 880
_CHARS = 100
_LINE = 19
_LEFT = 24
_TOP = 52
_STYLES = {
    "head": "#8b949e",
    "said": "#e6edf3",
    "command": "#7ee787",
    "out": "#c9d1d9",
    "dim": "#8b949e",
    "memory": "#79c0ff",
}


class Home:
    """A temporary home with one repository, in which hooks and commands run."""

    def __init__(self, folder: str) -> None:
        self.shop = os.path.join(folder, "shop")
        self.transcripts = os.path.join(folder, ".claude", "projects", "shop")
        kept = {
            name: one for name, one in os.environ.items() if not name.startswith(("BOWER", "XDG"))
        }
        self._environment = kept | {"HOME": folder, "COLUMNS": str(_CHARS), "LC_ALL": "C.UTF-8"}
        os.makedirs(self.transcripts)
        os.makedirs(self.shop)
        subprocess.run(["git", "init", "-q", self.shop], check=True, env=self._environment)

    def run(self, *words: str, stdin: str = "") -> str:
        """The output of a command."""
        command = [sys.executable, "-m", "bowerbird", *words]
        done = subprocess.run(
            command, input=stdin, capture_output=True, text=True, check=True,
            cwd=self.shop, env=self._environment,
        )  # fmt: skip
        return done.stdout

    def event(self, session: str, name: str, **more: str) -> str:
        """What a hook adds to the agent's context."""
        path = os.path.join(self.transcripts, session + ".jsonl")
        payload = {
            "session_id": session,
            "transcript_path": path,
            "cwd": self.shop,
            "hook_event_name": name,
        }
        out = self.run("hook", "claude-code", name, stdin=json.dumps(payload | more))
        answer = json.loads(out) if out.strip() else {}
        return str(answer.get("hookSpecificOutput", {}).get("additionalContext", ""))

    def transcribe(self, session: str, turns: list[tuple[str, str]]) -> None:
        """Write a transcript as Claude Code does."""
        rows = []
        for number, (role, text) in enumerate(turns):
            content: object = text if role == "user" else [{"type": "text", "text": text}]
            rows.append({
                "type": role, "uuid": f"{number}{session[1:]}", "sessionId": session,
                "parentUuid": f"{number - 1}{session[1:]}" if number else None,
                "timestamp": _timestamp(number - 60),
                "cwd": self.shop, "gitBranch": "main", "version": "2.1.0", "userType": "external",
                "isSidechain": False, "message": {"role": role, "content": content},
            })  # fmt: skip
        with open(
            os.path.join(self.transcripts, session + ".jsonl"), "w", encoding="utf-8"
        ) as file:
            file.writelines(json.dumps(row) + "\n" for row in rows)


def _timestamp(seconds: int) -> str:
    """The time so many seconds from now, as in a transcript."""
    return time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(time.time() + seconds))


def played(home: Home) -> tuple[str, list[str]]:
    """Two sessions: the memory as it is listed between them, and what the second one was given."""
    first, second = _SESSIONS
    home.event(first, "SessionStart", source="startup")
    home.transcribe(first, [("user", RULE), ("assistant", REPLY)])
    home.event(first, "UserPromptSubmit", prompt=RULE)
    home.event(first, "Stop")
    home.event(first, "SessionEnd", reason="exit")
    listed = ""
    end = time.monotonic() + _PATIENCE
    while MARK not in listed:
        if time.monotonic() > end:
            sys.exit("nothing was learned from the first session")
        time.sleep(_PAUSE)
        listed = home.run("list", "--memories", "--kind", "requirement", "--format", "text")
    found = [home.event(second, "SessionStart", source="startup")]
    found.append(home.event(second, "UserPromptSubmit", prompt=TASK))
    items = [item for block in found for item in _ITEM.findall(block)]
    items = [item for item in items if MARK in item]
    if not items:
        sys.exit("nothing was injected into the second session")
    return listed, items


def lines(listed: str, items: list[str]) -> list[tuple[str, str]]:
    """The lines of the picture, each with its style."""
    shown = [
        ("head", "Yesterday, in Claude Code"),
        ("said", f"> {RULE}"),
        ("out", f"● {REPLY}"),
        ("", ""),
    ]
    shown += [
        ("head", "In between: learned when the session ended"),
        ("command", "$ bower list --memories"),
    ]
    shown += [("out", one) for one in listed.strip().split("\n")]
    shown += [("", ""), ("head", "Today, in a new session"), ("said", f"> {TASK}")]
    shown.append(("dim", "  Bowerbird adds to the agent's context:"))
    shown += [("memory", f"  ┃ {one}") for one in items[0].strip().split("\n")]
    return [(style, _steady(text)) for style, text in shown]


def _steady(text: str) -> str:
    text = _ID.sub("019a2f6c-81d4-7000", text)
    return _AGE.sub("1 day ago", _DAY.sub("2026-03-02", text))


def drawn(rows: list[tuple[str, str]]) -> str:
    """The lines as an SVG of a terminal."""
    wrapped = [(style, part) for style, text in rows for part in _wrapped(text)]
    height = _TOP + _LINE * len(wrapped) + 18
    style = "text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;white-space:pre}"
    style += "".join(f".{name}{{fill:{colour}}}" for name, colour in _STYLES.items())
    style += ".head{font-weight:600}"
    size = f'width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">',
        "<title>A rule that was typed yesterday reaches the agent today</title>",
        f"<style>{style}</style>",
        f'<rect width="{WIDTH}" height="{height}" rx="10" fill="#0d1117"/>',
        *(
            f'<circle cx="{24 + 20 * n}" cy="22" r="6" fill="{colour}"/>'
            for n, colour in enumerate(("#ff5f57", "#febc2e", "#28c840"))
        ),
    ]
    for number, (name, text) in enumerate(wrapped):
        if text:
            y = _TOP + _LINE * number + 13
            parts.append(f'<text class="{name}" x="{_LEFT}" y="{y}">{escape(text)}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def _wrapped(text: str) -> list[str]:
    """Lines that fit the terminal; what continues a line is indented like it."""
    parts = []
    indent = text[: len(text) - len(text.lstrip(" ┃>"))]
    while len(text) > _CHARS:
        at = text.rfind(" ", len(indent) + 1, _CHARS)
        parts.append(text[:at])
        text = indent + text[at + 1 :]
    return [*parts, text]


def main() -> int:
    """Draw the picture, or check it."""
    with tempfile.TemporaryDirectory(prefix="bower-picture-") as folder:
        new = drawn(lines(*played(Home(folder))))
    if "--check" not in sys.argv[1:]:
        PICTURE.write_text(new, encoding="utf-8")
        return 0
    same = PICTURE.read_text(encoding="utf-8") == new
    return (
        0
        if same
        else print(f"{PICTURE.name} is out of date: scripts/picture.py", file=sys.stderr) or 1
    )


if __name__ == "__main__":
    sys.exit(main())
