"""Count the instructions that whole processes execute: cold commands, hooks and warm questions.

    python benchmarks/instructions.py [--size N] [--memories N] [--only TEXT] [INTERPRETER ...]

Instructions hardly depend on what else a machine does, so that two commits can be compared on a busy
one. Each INTERPRETER is that of an environment in which a commit is installed (without any, this one);
each gets stores of its own, made of the same files. valgrind counts user instructions only, of the
command's process alone.

Two stores: `index` has N passages of `bower bench`'s corpus and no memory, as in `bench latency`;
`memories` has those and N memories, and is the one that hooks ask. A figure is the mean of a command's
variants, in millions and as a multiple of the same interpreter that does nothing. A warm question is one
of 40, asked in a resident process after 20 others; `FTS5 alone` is what the same words cost in one FTS5
table.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from statistics import mean

from bowerbird.bench.corpus import write_corpus

COUNT = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]
COUNTED = re.compile(r"==(\d+)== I\s+refs:\s+([\d,]+)")
# The questions before the counted ones, and the counted ones.
BEFORE = 20
ASKED = 40
PROJECT = "shop"
MEMORIES = (
    "Refunds over 500 euros need a second approval",
    "Redis must be up before the auth tests run",
    "The staging database listens on port 5433",
    "Invoices are sent on the first Monday of a month",
    "ModuleNotFoundError: No module named 'orjson' is cured by pip install orjson",
)
FACTS = (
    "The nightly build needs 4 GB of memory, since the linker keeps all objects",
    "We decided to take Postgres over MySQL for the billing service because of its row locks",
)
WARM = """
import sys
from bowerbird.bird import Bowerbird
store, project, path, count = sys.argv[1:]
settings = {"query.min_score": 0.0, "query.budget": 0, "query.limit": 10}
asked = open(path, encoding="utf-8").read().splitlines()[: int(count)]
with Bowerbird.open(store, project=project, settings=settings, resident=True) as bird:
    for text in asked:
        bird.query(text)
"""
WORDS = WARM.replace("        bird.query(text)", "        print(*bird.query(text).trace.words)")
ALONE = """
import sys, apsw
store, path, count = sys.argv[1:]
asked = open(path, encoding="utf-8").read().splitlines()[: int(count)]
connection = apsw.Connection(store)
connection.pragma("cache_size", -8_192)
connection.pragma("mmap_size", 256 * 1024 * 1024)
for line in asked:
    match = " OR ".join(f'"{word}"' for word in line.split())
    sql = "SELECT rowid, text, rank FROM row WHERE row MATCH ? ORDER BY rank LIMIT 10"
    list(connection.execute(sql, (match,)))
"""
MAKE_ALONE = """
import sys, apsw
from bowerbird.bird import Bowerbird
store, project, path = sys.argv[1:]
connection = apsw.Connection(path)
words = "tokenize = 'porter unicode61 remove_diacritics 2'"
connection.execute(f"CREATE VIRTUAL TABLE row USING fts5(text, {words})")
with Bowerbird.open(store, project=project) as bird, connection:
    texts = [(one.text,) for one in bird.list(limit=1_000_000)]
    connection.executemany("INSERT INTO row VALUES (?)", texts)
connection.execute("INSERT INTO row (row) VALUES ('optimize')")
"""


def main() -> None:
    """Measure each interpreter's tree, and print a table."""
    options = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    options.add_argument("--size", type=int, default=10_000)
    options.add_argument("--memories", type=int, default=200)
    options.add_argument("--only", default="", help="the figures whose name matches this")
    options.add_argument("interpreters", nargs="*", default=[sys.executable])
    given = options.parse_args()
    figures: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory(prefix="bower-count-") as folder:
        corpus = os.path.join(folder, "corpus")
        os.mkdir(corpus)
        written = write_corpus(corpus, given.size, 1, BEFORE + ASKED)
        for number, interpreter in enumerate(given.interpreters):
            tree = Tree(interpreter, os.path.join(folder, str(number)), corpus, written.questions)
            tree.fill(given.memories)
            for name, count in tree.counts(given.only):
                figures.setdefault(name, []).append(count)
                print(f"{number} {name}: {count / 1e6:.1f}", file=sys.stderr, flush=True)
    _table(figures)


def _table(figures: "dict[str, list[float]]") -> None:
    bare = figures["bare"]
    alone = figures.get("FTS5 alone", bare)
    print("| millions of instructions, and as a multiple of bare |" + " |" * len(bare))
    print("|---|" + "---|" * len(bare))
    for name, counts in figures.items():
        base = alone if name.startswith("warm") else bare
        cells = [f"{one / 1e6:.1f} ({one / by:.2f})" for one, by in zip(counts, base, strict=True)]
        print(f"| {name} | " + " | ".join(cells) + " |")


class Tree:
    """One installed commit with its stores."""

    def __init__(
        self, interpreter: str, folder: str, corpus: str, questions: "tuple[str, ...]"
    ) -> None:
        self._interpreter = interpreter
        self._folder = folder
        self._corpus = corpus
        self._questions = questions
        self._project = os.path.join(folder, PROJECT)
        os.makedirs(os.path.join(self._project, ".git"))
        kept = {"PATH", "LANG", "LC_ALL", "USER", "TMPDIR"}
        self._environment = {name: value for name, value in os.environ.items() if name in kept}
        # One thread each: what several do at once is counted, but not equally each time.
        self._environment |= {"HOME": folder, "PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1"}
        self._environment["BOWER_HOOK_PATIENCE"] = "1000"
        self._bower = [interpreter, os.path.join(os.path.dirname(interpreter), "bower")]
        self._sessions = 0

    def fill(self, memories: int) -> None:
        """Make the two stores, and the questions' file."""
        self._asked = self._file("questions", "\n".join(self._questions))
        self._run([*self._bower, "index", self._corpus, *self._named("index")])
        shutil.copytree(self._store("index"), self._store("memories"))
        shelves = (f"Shelf {n} holds part {7 * n % 1_000} of the kit" for n in range(memories))
        lines = "".join(
            json.dumps({"text": text}) + "\n" for text in [*MEMORIES, *shelves][:memories]
        )
        if memories:
            self._run([*self._bower, "curate", "--batch", "-", *self._named("memories")], lines)

    def counts(self, only: str) -> "list[tuple[str, float]]":
        """The name and the count of each figure."""
        asked = self._questions[BEFORE : BEFORE + 3]
        commands: dict[str, list[tuple[list[str], str]]] = {
            "version": [(["version"], "")],
        }
        for store in ("index", "memories"):
            named = self._named(store)
            commands |= {
                f"status, {store}": [(["status", *named], "")],
                f"query, {store}": [(["query", text, *named], "") for text in asked],
                f"query --fast, {store}": [
                    (["query", text, "--fast", *named], "") for text in asked
                ],
                f"curate, {store}": [(["curate", text, *named], "") for text in FACTS],
                f"context, {store}": [(["context", asked[0], *named], "")],
            }
        commands |= {
            f"hook {event}": self._hooks(event, payloads) for event, payloads in EVENTS.items()
        }
        found = [("bare", self._counted([self._interpreter, "-c", "pass"]))]
        for name, forms in commands.items():
            if not re.search(only, name):
                continue
            counted = [self._counted([*self._bower, *words], text) for words, text in forms]
            found.append((name, mean(counted)))
        if re.search(only, "warm"):
            found += self._warm()
        return found

    def _warm(self) -> "list[tuple[str, float]]":
        alone = os.path.join(self._folder, "alone.db")
        self._run([self._interpreter, "-c", MAKE_ALONE, self._path("index"), PROJECT, alone])
        asked = [self._path("index"), PROJECT, self._asked, str(BEFORE + ASKED)]
        words = self._file("words", self._run([self._interpreter, "-c", WORDS, *asked]))
        found = [("FTS5 alone", self._each(ALONE, alone, words))]
        for store in ("index", "memories"):
            count = self._each(WARM, self._path(store), PROJECT, self._asked)
            found += [(f"warm query, {store}", count)]
        return found

    def _each(self, program: str, *arguments: str) -> float:
        """The count of one question: that of all of them less that of the first ones."""
        few, many = (
            self._counted([self._interpreter, "-c", program, *arguments, str(count)], warm=False)
            for count in (BEFORE, BEFORE + ASKED)
        )
        return (many - few) / ASKED

    def _hooks(
        self, event: str, payloads: "tuple[dict[str, object], ...]"
    ) -> "list[tuple[list[str], str]]":
        forms = []
        for payload in payloads:
            self._sessions += 1
            name = event.partition(",")[0]
            full = {"session_id": f"count-{self._sessions}", "cwd": self._project, **payload}
            store = ["--store", self._path("memories"), "--project", PROJECT]
            forms.append((["hook", "claude-code", name, *store], json.dumps(full)))
        return forms

    def _counted(self, command: "list[str]", text: str = "", *, warm: bool = True) -> float:
        if warm and "curate" not in command and "hook" not in command:
            self._run(command, text)  # bytecode and files
        elif "hook" in command:
            self._run(command, text.replace("count-", "first-"))
        said = self._process([*COUNT, *command], text).stderr
        # A child that it leaves behind is counted from the beginning of the process, and nobody waits
        # for it: it has a number of its own, behind that of the process.
        counts = {int(one): float(count.replace(",", "")) for one, count in COUNTED.findall(said)}
        if not counts:
            raise RuntimeError(f"{command}: {said[-2000:]}")
        return counts[min(counts)]

    def _run(self, command: "list[str]", text: str = "") -> str:
        return self._process(command, text).stdout

    def _process(self, command: "list[str]", text: str) -> "subprocess.CompletedProcess[str]":
        done = subprocess.run(  # noqa: S603 our own
            command,
            input=text,
            env=self._environment,
            cwd=self._project,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise RuntimeError(f"{command}: {done.stderr[-2000:]}")
        return done

    def _store(self, name: str) -> str:
        return os.path.join(self._folder, "stores", name)

    def _path(self, name: str) -> str:
        return os.path.join(self._store(name), "bower.db")

    def _named(self, store: str) -> list[str]:
        os.makedirs(self._store(store), exist_ok=True)
        return ["--store", self._path(store), "--project", PROJECT, "--format", "json"]

    def _file(self, name: str, text: str) -> str:
        path = os.path.join(self._folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path


MISSING = "Exit code 1\nModuleNotFoundError: No module named 'orjson'"
RAN = {"tool_name": "Bash", "tool_input": {"command": "go test ./..."}}
READ = {"tool_name": "Read", "tool_input": {"file_path": "src/api.py"}}
SEARCHED = {"tool_name": "Grep", "tool_input": {"pattern": "staging_database"}}
FAILED = {"tool_name": "Bash", "tool_input": {"command": "python app.py"}}
EVENTS: "dict[str, tuple[dict[str, object], ...]]" = {
    "SessionStart": ({"source": "startup"},),
    "UserPromptSubmit": (
        {"prompt": "how do we give a customer a large sum of money back?"},
        {"prompt": "the login checks hang since this morning, what is missing?"},
        {"prompt": "please rename the variable in the parser and run the tests again"},
    ),
    "UserPromptSubmit, certain": (
        {"prompt": "is it the staging database that listens on port 5433?"},
    ),
    "PreToolUse": ({**RAN},),
    "PostToolUse": ({**RAN, "tool_response": {"stdout": "ok"}},),
    "PostToolUse, Read": ({**READ, "tool_response": {"file": {"content": "x = 1"}}},),
    "PostToolUse, Grep": ({**SEARCHED, "tool_response": {"filenames": [], "content": ""}},),
    "PostToolUseFailure": ({**FAILED, "error": MISSING},),
    "Stop": ({"last_assistant_message": "All tests pass now.", "stop_hook_active": False},),
}


if __name__ == "__main__":
    main()
