"""Every example that the help and the documents show, run by a shell as it is written.

Ids in them stand for ids of the reader's store. Measuring large corpora takes minutes: those lines are
read by the parser alone. Servers take any free port: the usual one may be taken on this machine.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.surface.test_importers import basic_memory, claude_mem

from bowerbird import Bowerbird
from bowerbird.core.events import GAVE
from bowerbird.sessions.observe.journal import Journal
from bowerbird.surfaces.cli.arguments import GLOBALS, names_of, read
from bowerbird.surfaces.cli.overview import TRY
from bowerbird.surfaces.cli.table import aliases, commands, find
from bowerbird.surfaces.fields import TYPED

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.forked import Forks
    from tests.surface.conftest import Ran

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")

ROOT = Path(__file__).parents[2]
_ID = re.compile(r"019a2f6[0-9a-f]-[0-9a-f-]+")
_BLOCK = re.compile(r"^```sh\n(.*?)^```", re.DOTALL | re.MULTILINE)
_IN_TEXT = re.compile(r"`(bower [^`]+)`")
_OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
_SERVER = re.compile(r"bower (?:serve(?! --(?:new|list|revoke))|mcp --http)\b")
_STAYS = re.compile(rf"{_SERVER.pattern}|bower (?:watch|dashboard)\b")
_PORT = re.compile(r"(--port|--http) \d+")
_OF_CODE = tuple(f"bower {name}" for name in ("impact", "path", "references", "outline", "map"))
# What takes minutes, or needs a server that is not here: their words are read, no more.
_LONG = re.compile(
    r"bower (?:bench (?:latency|resources)|model (?:use (?:ollama|cohere|compatible)|--fetch)"
    r"|migrate to-)"
)
_PERSON = re.compile(
    r"bower (?:trust|erase|restore|review --(?:edit|level|both)|install [a-z]+|sync)\b"
    r"|bower import .* --mine"
)
# Lines that name a memory by words: a person chooses it from a list.
_CHOICE = re.compile(r'bower (?:forget|edit|deprecate) "')
# What a line holds that a shell has something to do with, beside words and quotes.
_SHELL = frozenset("|&;<>()$`*?[=\n")
_COMMIT = (
    "git -c user.name=reader -c user.email=reader@example.org -c commit.gpgsign=false commit -q"
)
# What has to be there for an example, and for none of the others.
_BEFORE = {
    "bower backup ~/copies/memory.db": "mkdir ~/copies",
    "bower restore ~/backups/memory-20260101-120000.db --with-erased": "mkdir ~/backups; bower backup"
    " ~/backups/memory-20260101-120000.db",
    "bower restore ~/backups/memory-20260101-120000.db": "mkdir ~/backups; bower backup"
    " ~/backups/memory-20260101-120000.db",
    "bower trust --remove ~/src/shop": "git init -q ~/src/shop",
    "bower serve --revoke-token ci": "bower serve --new-token ci",
    "bower watch ~/src --no-notes --every 30m": "mkdir ~/src",
    "bower impact --diff main..topic --tests": f"git add src; {_COMMIT} -m Verify;"
    f" git switch -q -c topic; sed -i.old s/True/False/ src/auth.py; {_COMMIT} -a -m 'Verify nothing'",
    "bower review --both 019a2f6c-81d4": "bower curate 'The port is 6432'",
    "bower learn": "mkdir -p ~/config/bowerbird; cd ~/config/bowerbird;"
    """ printf '[llm]\\nprovider = "command"\\ncommand = "echo {}"\\n' > config.toml""",
    "bower erase --tag user:ada --dry-run": "bower curate 'Prefers tea' --tag user:ada",
    "bower import obsidian ~/vault --mine": "mkdir -p ~/vault/.obsidian;"
    " echo It is cold > ~/vault/Depot.md",
    "bower import memories.jsonl": "bower export memories.jsonl",
    "bower import colleague.jsonl --trust imported": "bower curate 'Boots sell' --store colleague.db;"
    " bower export colleague.jsonl --store colleague.db",
    "bower import ~/laptop/memory.db --dry-run": "mkdir ~/laptop;"
    " bower curate 'Boots sell' --store ~/laptop/memory.db",
    "bower team token mia --label laptop --expires 30d": "bower team add mia",
    "bower team token mia --label laptop": "bower team add mia",
    "bower team revoke mia --label laptop": "bower team add mia; bower team token mia --label laptop",
    "bower team leave mia --export mia.jsonl": "bower team add mia",
    "bower team leave jo --export jo.jsonl": "bower team add jo",
    'bower dispute 019a2f6c-81d4 "checked" --close kept': "bower dispute 019a2f6c-81d4 old",
    'bower dispute 019a2f6c-81d4 "checked, it is 6379" --close kept': "bower dispute"
    " 019a2f6c-81d4 old",
    "bower dispute 019a2f6c-81d4 --close wrong": "bower dispute 019a2f6c-81d4 old",
}


def _of_documents() -> list[str]:
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    blocks = (block for page in pages for block in _BLOCK.findall(page.read_text("utf-8")))
    lines = (line.partition("  #")[0].strip() for block in blocks for line in block.splitlines())
    return [line for line in lines if re.match(r"(?:.*\| )?bower ", line)]


def _examples() -> list[str]:
    lines = [line for command in commands() for line, _ in command.EXAMPLES]
    return list(dict.fromkeys([*lines, *(line for line, _ in TRY), *_of_documents()]))


def _in_sentences() -> list[tuple[str, str]]:
    """The commands that stand in the text of pages, each with its page."""
    pages = [
        *ROOT.glob("*.md"),
        *(ROOT / "docs").rglob("*.md"),
        *(ROOT / "benchmarks").glob("*.md"),
    ]
    texts = {
        str(page.relative_to(ROOT)): " ".join(page.read_text("utf-8").split()) for page in pages
    }
    return [(name, line) for name, text in texts.items() for line in _IN_TEXT.findall(text)]


def test_commands_in_sentences_exist_with_their_options() -> None:
    wrong = []
    for page, line in _in_sentences():
        named, *_ = [word for word in line.split()[1:] if word[0] != "-"] or [""]
        options = set(_OPTION.findall(line)) - {"--help", "--version"}
        if not re.fullmatch("[a-z]+", named):
            continue
        verbs = [one.VERB for one in commands() if named in (one.VERB.name, *aliases(one.VERB))]
        has = {
            name for verb in verbs for one in (*verb.at(TYPED), *GLOBALS) for name in names_of(one)
        }
        if not verbs or options - has:
            wrong.append(f"{page}: {line}")
    assert not wrong, "\n".join(wrong)


class Machine:
    """One whose user has what the examples speak of, and of which each finds all as it was at first."""

    def __init__(self, root: Path) -> None:
        self._now, self._first = root / "now", root / "first"
        self.home = self._now / "home"
        self.folder = self._now / "project"
        self.programs = self._now / "bin"
        self.store = str(self._now / "memory.db")
        # Of two memories and a version.
        self.ids: list[str] = []

    def put_on(self, patch: pytest.MonkeyPatch) -> None:
        """Let this process, and what it starts, be on it."""
        patch.setenv("HOME", str(self.home))
        for name in ("DATA", "CONFIG", "STATE"):
            patch.setenv(f"XDG_{name}_HOME", str(self.home / name.lower()))
        patch.setenv("BOWER_STORE", self.store)
        patch.setenv("PATH", f"{self.programs}{os.pathsep}{os.environ['PATH']}")
        patch.chdir(self.folder)

    def keep(self) -> None:
        shutil.copytree(self._now, self._first, symlinks=True)

    def again(self) -> None:
        """Everything as it was when it was kept, at the same paths.

        What a hook started may still write there, and make folders that were just removed.
        """
        gone = tempfile.mkdtemp(dir=self._now.parent)
        self._now.rename(os.path.join(gone, "now"))
        shutil.copytree(self._first, self._now, symlinks=True, dirs_exist_ok=True)
        shutil.rmtree(gone, ignore_errors=True)


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    made = Machine(tmp_path_factory.mktemp("machine"))
    made.home.mkdir(parents=True)
    made.folder.mkdir()
    with pytest.MonkeyPatch.context() as patch:
        made.put_on(patch)
        made.ids = _filled(made.home, made.folder, made.programs / "bower", made.store)
    made.keep()
    return made


@pytest.fixture
def reader(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The ids that a machine holds which has what the examples speak of."""
    machine.again()
    machine.put_on(monkeypatch)
    return machine.ids


def _filled(home: Path, folder: Path, program: Path, store: str) -> list[str]:
    """Make what the examples speak of; the ids of two memories and a version."""
    talk = json.dumps({"role": "user", "content": "Redis is down"})
    notes = "# Auth\n\nThe tests hang without Redis.\n\n" + "Start it first.\n" * 20
    question = {"_id": "q", "text": "redis", "scope": "a"}
    session = "0f8fad5b-d9cb-469f-a165-70867728950e"
    payload = {"session_id": session, "cwd": str(folder), "prompt": "is redis up?"}
    for path, text in {
        program: f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m bowerbird "$@"\n',
        home / "notes" / "auth.md": notes,
        home / ".claude" / "projects" / "shop" / "1.jsonl": talk + "\n",
        home / ".config" / "fish" / "completions" / "other.fish": "",
        folder / "README.md": "# Shop\n",
        folder / "payload.json": json.dumps(payload),
        folder / ".brv" / "context-tree" / "cart.md": "Carts live a month.\n",
        home / "shop" / ".brv" / "context-tree" / "order.md": "Orders are immutable.\n",
        folder
        / "src"
        / "auth.py": "class Store:\n    def open(self):\n        return verify()\n\n\n"
        "def verify():\n    return True\n",
        folder / "facts.jsonl": '"Orders are immutable"\n{"text": "Carts live a month"}\n',
        folder / "sets" / "cosqa" / "corpus.jsonl": json.dumps(question | {"_id": "1"}) + "\n",
        folder / "sets" / "cosqa" / "queries.jsonl": json.dumps(question) + "\n",
        folder / "sets" / "cosqa" / "qrels.tsv": "query-id\tcorpus-id\tscore\nq\t1\t1\n",
    }.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    program.chmod(0o755)
    (home / ".claude-mem").mkdir()
    claude_mem(home / ".claude-mem")
    basic_memory(home)
    git = ["git", "-c", "user.name=reader", "-c", "user.email=reader@example.org"]
    subprocess.run([*git, "init", "-q", "-b", "main"], check=True)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "Use pnpm"], check=True)
    with Bowerbird.open(store) as bird:
        bird.index(str(home / "notes"))
        first = bird.remember("Redis first", review="where else?").id
        second = bird.remember("The port is 5432", review="whose?").id
        given = {"at": 1_780_000_000_000, "agent": "claude-code", "event": "UserPromptSubmit"}
        given |= {"what": GAVE, "why": "prompt", "nonce": "a31c5e0b", "tokens": 9, "lines": 0}
        item = {"id": first, "kind": "fact", "citation": "a memory", "relevance": 0.5, "tokens": 9}
        given["items"] = [item | {"reason": "relevance 0.5"}]
        Journal(store).add(f"claude-code-{session}", given)
        return [first, second, bird.history(first).versions[0].id]


def _written(line: str, ids: list[str]) -> str:
    """The example with ids of this store in the place of those that it shows."""
    first, second, version = ids
    one = second if "--both" in line else first
    found = iter((one, version if "--to" in line else second))
    return _ID.sub(lambda _: next(found), line)


@pytest.mark.parametrize("line", _examples())
def test_an_example_does_what_it_says(
    line: str,
    reader: list[str],
    terminal: Callable[..., Ran],
    forks: Forks,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if _LONG.match(line):
        words = shlex.split(line)[1:]
        assert read(find(words[0]).VERB, words[1:])
        return
    if line in _BEFORE:
        subprocess.run(["bash", "-e", "-c", _written(_BEFORE[line], reader)], check=True)
    if line.startswith(_OF_CODE):
        subprocess.run(["bower", "index", "src"], check=True)
    shell = ["bash", "-c", _written(line, reader)]
    if _STAYS.match(line):
        monkeypatch.setenv("BROWSER", "true")  # nothing is opened
        command = _PORT.sub(r"\1 0", shell[2])
        if _SERVER.match(line) and not _PORT.search(command):
            command += " --port 0"
        running = subprocess.Popen(
            [*shell[:2], f"exec {command}"], stderr=subprocess.PIPE, text=True
        )
        assert running.stderr is not None
        output = running.stderr.readline()
        running.send_signal(signal.SIGTERM if _SERVER.match(line) else signal.SIGINT)
        rest = running.communicate()[1]
        assert running.returncode == 0, output + rest
        return
    if _PERSON.match(line) or _CHOICE.match(line):
        words = [os.path.expanduser(word) for word in shlex.split(shell[2])[1:]]
        ran = terminal(*words, typed="1\n" if _CHOICE.match(line) else "y\n")
        assert ran.code == 0, ran.out
        return
    words = shlex.split(shell[2])
    if words[0] == "bower" and not set(shell[2]) & _SHELL:
        done = forks.run([os.path.expanduser(word) for word in words[1:]])
    else:
        done = subprocess.run(shell, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert b"error" not in done.stderr
