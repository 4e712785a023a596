"""Decides what an agent's tool call reads: this project and machine, or what others wrote.

The one place for it: hooks, learning and indexing of transcripts ask here. The rule is by what is known.
Local are the project's own files, what the session wrote, the folders that `own` vouches for, and the
commands of `known_commands`; whatever is unknown counts as foreign. Pure: the caller hands in the facts.
"""

import os

from bowerbird.core.foreign_file import WRITTEN
from bowerbird.core.tool_calls import command, kind_of, paths
from bowerbird.guard import known_commands as known
from bowerbird.guard.shell_line import EXPANDED, commands
from bowerbird.guard.written_files import no_members, written

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from bowerbird.guard.heard import Heard
    from bowerbird.guard.shell_line import Command
    from bowerbird.guard.written_files import Members

    BroughtIn = Callable[[str, Sequence[str], int], bool]
    HeardBy = Callable[["Reading"], Heard]

# Where the text came from that a call read.
WEB = "web"
MCP = "mcp"
SHELL = "shell"
FILE = "file"
AGENT = "agent"
TOOL = "tool"
PASTED = "pasted"
MEMORY = "memory"
# A program of the project ran whose output may hold anything: only what repeats that rests on it.
PROGRAM = "program"
# The same of a check, build or installation, which prints what dependencies say.
CHECK = "check"
# How each is called where a person reads it.
NAMES = {
    WEB: "a web page",
    MCP: "the answer of another MCP server",
    SHELL: "the output of a command",
    FILE: "a file from elsewhere",
    AGENT: "the answer of a sub-agent",
    TOOL: "the result of an unknown tool",
    PASTED: "a prompt with somebody else's words",
    MEMORY: "an unverified memory",
    PROGRAM: "the output of a program",
    CHECK: "the output of a check",
}
_DEVICES = ("/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/fd/", "/dev/tty")
# Options of wrappers that take a value.
_WRAPPED_VALUES = frozenset(("-I", "-n", "-P", "-L", "-d", "-u", "-k", "-s", "--signal", "-C"))
_FIRST_WORD = 2
_LONGEST_PATH = 300
_LONGEST_OUTPUT = 100_000
_SCRIPTS = (".sh", ".bash", ".zsh")


def _never(_path: str) -> bool:
    return False


def _unreadable(_path: str) -> str:
    return ""


def _nothing(_path: str, _roots: "Sequence[str]", _at: int) -> bool:
    return False


class Reading:
    """What the calls of one session read, in order: some are local because of earlier ones.

    `wrote` has the files that the last call wrote, and how (core.foreign_file).
    """

    def __init__(
        self,
        roots: "Sequence[str]",
        home: str = "",
        own: "Callable[[str], bool]" = _never,
        content: "Callable[[str], str]" = _unreadable,
        exists: "Callable[[str], bool]" = _never,
        *,
        pulls: bool = False,
        remotes: "Sequence[str]" = (),
        brought_in: "BroughtIn" = _nothing,
        members: "Members" = no_members,
        heard: "HeardBy | None" = None,
    ) -> None:
        """`roots` are the folders of the session's project.

        `own` says whether a path outside of them is known as the user's own. `content` returns the text
        of a script; empty if it cannot be read. `exists` says whether a path does. `pulls`: the user
        trusts what others push to the project's repository, whose `remotes` are named so. `brought_in`
        says whether a session brought a path in from outside before a time (0: now). `members` are the
        names in an archive, at the top. `heard` makes what remembers the words of others (guard.heard).
        """
        self.wrote: list[tuple[str, str]] = []
        self._brought_in, self._members = brought_in, members
        self._at = 0
        self._remotes = {"upstream", *remotes}
        self._roots = tuple(os.path.normpath(root) for root in roots if root)
        self._home = home
        self._own = own
        self._content = content
        self._exists = exists
        self._running: set[str] = set()
        self._pulls = pulls
        self._written: set[str] = set()
        self._scripts: dict[str, str] = {}
        self._variables: dict[str, str] = {}
        self._functions: set[str] = set()
        self._fetched = False
        # The project's history holds commits of others since a command of this session.
        self._merged = False
        self._ran_program = self._ran_check = False
        # Times in which a command of others ran: what changed then is theirs.
        self.windows: list[tuple[int, int]] = []
        self.heard_by = heard

    def names_foreign(self, text: str, folder: str) -> bool:
        """Whether a line of an output begins with the path of a file that others wrote."""
        found = _paths_named(text)
        if any(known.vendored(*one.split(os.sep)[:-1]) for one in found):
            return True
        paths = (self._resolved(one, folder) for one in found if " " not in one)
        return any(self._brought_in(one, self._roots, self._at) for one in paths)

    @property
    def written(self) -> "set[str]":
        """The files that the session wrote so far."""
        return self._written

    def foreign(self, tool: str, given: "Mapping[str, Any]", folder: str, at: int = 0) -> str:
        """Why a call reads what others wrote, as one of the words above; empty if it does not.

        `folder` is its working directory, `at` its time in UTC milliseconds; 0: now.
        """
        self.wrote, self._at = [], at
        kind = kind_of(tool)
        if kind == "own":
            return ""
        if kind in ("web", "mcp"):
            return "" if _plain(tool) in known.TOOLS else kind
        if kind == "edit":
            self._note_edit(given, folder)
            return ""
        if kind == "read":
            return "" if all(self._is_local(one, folder) for one in paths(given)) else FILE
        typed = command(given)
        if kind == "shell" or (typed and not kind):
            return self._run(typed, folder or self._first_root)
        if _plain(tool) in known.AGENTS:
            return AGENT
        if tool and _plain(tool) not in known.TOOLS:
            return TOOL
        return "" if all(self._is_local(one, folder) for one in paths(given)) else FILE

    def _run(self, line: str, folder: str) -> str:
        self._ran_program = self._ran_check = False
        if not self._runs_locally(line, folder):
            return PROGRAM if self._only_lists(line, folder) else SHELL
        if self._ran_program:
            return PROGRAM
        return CHECK if self._ran_check else ""

    @property
    def _first_root(self) -> str:
        return self._roots[0] if self._roots else ""

    def _note_edit(self, given: "Mapping[str, Any]", folder: str) -> None:
        content = given.get("content")
        for one in paths(given):
            path = self._resolved(one, folder)
            self._written.add(path)
            # An edit leaves a file what it was: after one page read, all the code that is worked on would
            # count as foreign in every later session.
            if isinstance(content, str):
                self.wrote.append((path, WRITTEN))
                self._scripts[path] = content

    # Paths

    def _resolved(self, path: str, folder: str) -> str:
        if path == "~" or path.startswith("~/"):
            path = self._home + path[1:]
        return os.path.normpath(os.path.join(folder or self._first_root or os.sep, path))

    def _is_local(self, word: str, folder: str) -> bool:
        """Whether a file, or a pattern of files, is known as the user's own."""
        word = self._expanded(word)
        start, expansion, _ = word.partition(EXPANDED)
        if expansion:
            # A variable from the output of a command that was judged itself.
            if not os.path.isabs(start) and not start.startswith("~"):
                return True
            word = os.path.dirname(start) if not start.endswith("/") else start
        if word.startswith(_DEVICES):
            return True
        path = self._resolved(word, folder)
        # Before all else: a call that only touches such a file does not make it the session's own.
        if self._brought_in(path, self._roots, self._at):
            return False
        inside = next((root for root in self._roots if _below(path, root)), "")
        # A tree of others' code stays that, also where a call wrote into it.
        if known.vendored(*path[len(inside) :].split(os.sep)):
            return False
        if path in self._written or any(_below(path, one) for one in self._written):
            return True
        return not path.endswith(known.BUILT) and bool(inside or self._own(path))

    def _expanded(self, word: str) -> str:
        if EXPANDED not in word:
            return word
        parts = word.split(EXPANDED)
        for at in range(1, len(parts), 2):
            name = parts[at]
            value = self._variables.get(name)
            if name == "HOME" and value is None:
                value = self._home
            parts[at] = f"{EXPANDED}{name}{EXPANDED}" if value is None else value
        return "".join(parts)

    # Commands

    def _runs_locally(self, line: str, folder: str) -> bool:
        found = commands(line)
        local = True
        for one in found:
            words = [*one.words]
            while words and _is_assignment(words[0]):
                name, _, value = words.pop(0).partition("=")
                self._variables[name] = self._expanded(value)
            if words[:1] == ["cd"]:
                folder = self._changed(words, folder)
            local = all(self._is_local(path, folder) for path in one.reads) and local
            local = self._is_known([*words], one, folder) and local
            self._note_writes(words, one, folder)
        return local

    def _only_lists(self, line: str, folder: str) -> bool:
        """Whether a line prints no more of the project's files than names, whoever gave them.

        Nothing in it may read a file whose name it lists: no substitution, no `xargs`, no loop.
        """
        for one in commands(line):
            program, *rest = one.words or [""]
            if one.reads or one.text or any(EXPANDED in word for word in one.words):
                return False
            if program == "cd":
                folder = self._changed(one.words, folder)
            elif program in known.LISTERS:
                operands = _operands(program, rest) or ["."]
                places = [self._resolved(word, folder) for word in operands]
                inside = all(any(_below(at, root) for root in self._roots) for at in places)
                if not inside or any(mark in rest for mark in known.RUNS_ANOTHER):
                    return False
            elif program not in known.QUIET and not (one.piped and _filters(program, rest)):
                return False
        return True

    def _changed(self, words: list[str], folder: str) -> str:
        target = next((self._expanded(one) for one in words[1:] if not one.startswith("-")), "")
        return folder if not target or EXPANDED in target else self._resolved(target, folder)

    def _note_writes(self, words: list[str], one: "Command", folder: str) -> None:
        for path in one.writes:
            if one.text:
                self._scripts[self._resolved(self._expanded(path), folder)] = one.text
        bare = [self._expanded(word) for word in words]
        while bare and (bare[0] in known.AROUND or _is_assignment(bare[0])):
            first = bare.pop(0)
            if first in known.AROUND:
                _drop_options(bare, first)
        found = written(
            bare, one, lambda word: self._resolved(self._expanded(word), folder), self._members
        )
        for path, how in found:
            if EXPANDED not in path and not path.startswith(_DEVICES):
                self._written.add(path)
                self.wrote.append((path, how))

    def _is_known(self, words: list[str], one: "Command", folder: str) -> bool:
        """Whether a command reads nothing but what is local."""
        while words and (words[0] in known.AROUND or words[0] in known.KEYWORDS):
            first = words.pop(0)
            if first in ("for", "select", "case"):
                return self._loops(words, folder) if first != "case" else True
            if first in ("exec", "env", "command", "xargs") or first in known.AROUND:
                _drop_options(words, first)
            while words and _is_assignment(words[0]):
                words.pop(0)
        if not words:
            return True
        program = self._expanded(words.pop(0))
        if EXPANDED in program:
            return False
        if os.sep in program:
            return self._runs_file(program, words, one, folder)
        return program in self._functions or self._is_known_program(program, words, one, folder)

    def _loops(self, words: list[str], folder: str) -> bool:
        """Notes the values of a loop's variable; whether they are local where they are paths."""
        name, values = words[:1], words[2:]
        if name and values and len({*values}) == 1:
            self._variables[name[0]] = self._expanded(values[0])
        beyond = [one for one in values if one.startswith(("/", "~"))]
        return all(self._is_local(one, folder) for one in beyond)

    def _runs_file(self, program: str, words: list[str], one: "Command", folder: str) -> bool:
        """Whether a program that is named by its path is known, or is one of the project's checks."""
        name = os.path.basename(program)
        path = self._resolved(program, folder)
        parts = path.split(os.sep)
        installed = "bin" in parts or ".bin" in parts  # in a virtual environment, or the system's
        if installed and self._is_known_program(name, words, one, folder):
            return True
        if not self._is_local(program, folder):
            return False
        if words[-1:] and words[-1] in known.ABOUT:
            return True
        if self._is_known_program(name, words, one, folder):
            return True
        text = self._scripts.get(path) or self._content(path)
        if text:
            return self._is_known_script(path, text, folder)
        return self._checks() if _has_purpose(name) else self._runs_own()

    def _runs_own(self) -> bool:
        """Notes that a program of the project runs."""
        self._ran_program = True
        return True

    def _checks(self) -> bool:
        """Notes that a check runs."""
        self._ran_check = True
        return True

    def _is_known_script(self, path: str, text: str, folder: str) -> bool:
        """Whether a script of the project or the session runs nothing but known commands."""
        first = text.partition("\n")[0]
        if path in self._running:
            return True
        self._running.add(path)
        try:
            if path.endswith(_SCRIPTS) or (
                first.startswith("#!") and first.rstrip().endswith("sh")
            ):
                return self._runs_locally(text, folder)
            if any(one in text for one in known.REACHES):
                return False
            plain = (path.endswith(".py") or "python" in first) and _is_plain_python(text)
            if plain:
                return True
            return self._checks() if _has_purpose(os.path.basename(path)) else self._runs_own()
        finally:
            self._running.discard(path)

    def _is_known_program(
        self, program: str, words: list[str], one: "Command", folder: str
    ) -> bool:
        program = known.SAME.get(program, program)
        if program == "function":
            self._functions.update(words[:1])
            return True
        if program in known.QUIET or words[-1:] in known.ABOUT_ITSELF:
            return True
        if program in known.CHECKS:
            return self._checks()
        if program in known.FORGE:
            self._merged = self._merged or "checkout" in words
            return _forge_is_own(known.FORGE[program], words)
        if program in known.CLIENTS:
            return _asks_this_machine(words)
        if program == "tar":
            return bool(words) and "c" in words[0].lstrip("-") and "x" not in words[0]
        judge = self._judge_of(program)
        return judge(program, [*words], one, folder)

    def _judge_of(self, program: str) -> "Callable[[str, list[str], Command, str], bool]":
        """What judges the arguments of a program."""
        if program in known.READERS:
            return self._reads_locally
        if program == "git":
            return self._git_is_local
        if program in known.SHELLS or program == "eval":
            return self._shell_is_local
        if program in known.INTERPRETERS:
            return self._interpreter_is_local
        return self._subcommand_is_known

    def _subcommand_is_known(
        self, program: str, words: list[str], one: "Command", folder: str
    ) -> bool:
        rest = [word for word in words if not _is_assignment(word)]
        options, places = _options_before(program, rest)
        if not all(self._is_local(place, folder) for place in places):
            return False
        bare = rest[options:]
        its = bare[0] if bare else (rest[0] if rest else "")
        inside = known.INSIDE.get(program)
        if inside is not None and (not inside or its in inside):
            following = bare if not inside else bare[1:]
            if program == "direnv":
                following = following[1:]  # the folder whose environment it takes
            while following and following[0].startswith("-"):
                following = following[2 if following[0] in ("--with", "-p", "--package") else 1 :]
            return bool(following) and self._is_known(following, one, folder)
        before = known.TASKS.get(program)
        if before is not None and (not before or its in before):
            names = bare[1:] if before else bare
            names = [name for name in names if not name.startswith("-")]
            if names:
                return self._checks() if _has_purpose(names[0]) else self._runs_own()
            if not before:
                return self._checks()
        if program == "docker" and its == "compose":
            return self._subcommand_is_known("docker-compose", bare[1:], one, folder)
        if its in ("run", "start", "dev", "serve", "preview") and program in known.BUILDERS:
            return all("@" not in name for name in bare) and self._runs_own()
        return its in known.SUBCOMMANDS.get(program, ()) and self._checks()

    def _reads_locally(self, program: str, words: list[str], one: "Command", folder: str) -> bool:
        """Whether all files that a reader is given are local; it may run another command on them."""
        for mark in known.RUNS_ANOTHER:
            if mark in words:
                at = words.index(mark)
                inner = [word for word in words[at + 1 :] if word not in ("{}", ";", "+", "\\;")]
                if not self._is_known(inner, one, folder):
                    return False
                words = words[:at]
        if any(one in words for one in known.DECODERS.get(program, ())):
            self._runs_own()
        operands = _operands(program, words)
        if program in known.COPIERS and len(operands) > 1 and not _has(words, "t", "--t"):
            *operands, place = operands  # the last one is written
            if program == "ln" and _has(words, "s", "--s") and not _has(words, "r", "--r"):
                # What a symbolic link names begins where the link is: there, or inside of a folder there.
                inside = self._resolved(self._expanded(place), folder)
                places = (os.path.dirname(inside), inside)
                return all(self._is_local(word, at) for word in operands for at in places)
        if program in ("tr", "jq", "yq") and not operands:
            return True
        if not operands:
            # It reads what is piped into it, or the folder that it runs in.
            return one.piped or bool(one.reads) or bool(one.text) or self._is_local(".", folder)
        return all(self._is_local(word, folder) for word in operands)

    def _git_is_local(self, _program: str, words: list[str], _one: "Command", folder: str) -> bool:
        while words and words[0].startswith("-"):
            option = words.pop(0)
            value = words.pop(0) if option in known.GIT_VALUES and words else ""
            if option == "-C":
                if not self._is_local(value, folder):
                    return False
                folder = self._resolved(self._expanded(value), folder)
        its, rest = (words or [""])[0], words[1:]
        if its == "push":
            return self._checks()  # prints what the other host says
        prints_tags = its == "tag" and any(one.startswith(("-n", "--format")) for one in rest)
        if its == "branch" and any(one in known.OF_REMOTES for one in rest):
            return self._runs_own()  # the names of others' branches
        if its in known.GIT_QUIET:
            return not (prints_tags and self._fetched) or self._pulls
        if not self._is_local(".", folder):
            return False
        if its in ("fetch", "remote"):
            return self._notes_remote(its, rest)
        return self._reads_history(its, rest)

    def _reads_history(self, its: str, rest: list[str]) -> bool:
        """Whether a command of git prints or brings in nothing that others committed."""
        if self._pulls:
            return its in ("pull", "submodule") or its not in known.GIT_FETCHES
        fetches = its in known.GIT_FETCHES or (its == "submodule" and "update" in rest)
        reads = its in known.GIT_READS
        if fetches or (reads and any(map(self._names_fetched, rest))):
            self._merged = True
            return False
        return self._runs_own() if reads and self._merged else True

    def _notes_remote(self, its: str, rest: list[str]) -> bool:
        if rest[:1] == ["add"]:
            self._remotes.update(one for one in rest[1:] if not one.startswith("-"))
        self._fetched = self._fetched or its == "fetch" or "update" in rest
        return True

    def _names_fetched(self, word: str) -> bool:
        """Whether a word of git names what others wrote, other than as the beginning of a range."""
        if word.startswith("-"):
            return False
        if ".." in word:
            word = word.rpartition("..")[2].lstrip(".")
        word = word.removeprefix("refs/").removeprefix("remotes/")
        remote, inside, _ = word.partition("/")
        if inside and remote in self._remotes and remote != "origin":
            return True
        return self._fetched and (remote == "origin" or word[:10] == "FETCH_HEAD" or "@{u" in word)

    def _shell_is_local(self, program: str, words: list[str], one: "Command", folder: str) -> bool:
        if program == "eval":
            return self._nested(" ".join(words), folder)
        while words and words[0].startswith("-"):
            option = words.pop(0)
            if option == "-n":
                return True  # checks the syntax only
            if option.endswith("c") and not option.startswith("--"):
                return bool(words) and self._nested(words[0], folder)
        if words:
            return self._runs_file(os.path.join(folder, words[0]), words[1:], one, folder)
        return bool(one.text) and self._nested(one.text, folder)

    def _nested(self, line: str, folder: str) -> bool:
        return EXPANDED not in line.split(" ", maxsplit=1)[0] and self._runs_locally(line, folder)

    def _interpreter_is_local(
        self, program: str, words: list[str], one: "Command", folder: str
    ) -> bool:
        if not words or words[0] == "-":
            if not one.text:
                return False
            return (
                self._python_is_local(one.text, folder)
                if program == "python"
                else _is_plain_node(one.text)
            )
        option = words[0]
        if option in ("--version", "-V", "-v"):
            return True
        if program == "python" and option == "-m" and len(words) >= _FIRST_WORD:
            return words[1] in known.PYTHON_TOOLS or self._runs_own()
        if program == "python" and option == "-c" and len(words) >= _FIRST_WORD:
            return self._python_is_local(words[1], folder) and all(
                self._is_local(word, folder) for word in words[2:] if os.sep in word
            )
        if program == "node" and option in ("-e", "-p", "--eval", "--print"):
            return len(words) >= _FIRST_WORD and _is_plain_node(words[1])
        if program == "node" and option in ("--test", "--check"):
            return True
        if program == "perl" and option.startswith(("-p", "-n", "-i")):
            script = words[1] if len(words) >= _FIRST_WORD else ""
            return (
                "`" not in script
                and "system" not in script
                and self._reads_locally("sed", [script, *words[2:]], one, folder)
            )
        if option.startswith("-"):
            return False
        return self._runs_file(os.path.join(folder, option), words[1:], one, folder)

    def _python_is_local(self, code: str, folder: str) -> bool:
        """Whether a text for the interpreter imports only plain modules, or the project's own ones."""
        if _is_plain_python(code):
            return True
        if any(one in code for one in (*known.PYTHON_BEYOND, *known.REACHES)):
            return False
        own = (
            module.partition(".")[0] in known.PYTHON_MODULES
            or self._is_own_module(module, names, folder)
            for module, names in _imports(code)
        )
        return all(own) and self._runs_own()

    def _is_own_module(self, module: str, names: list[str], folder: str) -> bool:
        """Whether a module, or one of the `names` imported from it, is a program of the project."""
        at = module.replace(".", os.sep)
        files = [f"{at}.py", os.path.join(at, "__init__.py")]
        files += [os.path.join(at, f"{name}.py") for name in names]
        bases = [folder, *self._roots, *(os.path.join(root, "src") for root in self._roots)]
        bases += self._variables.get("PYTHONPATH", "").split(os.pathsep)
        paths = [
            self._resolved(os.path.join(base, file), folder) for base in bases for file in files
        ]
        local = [path for path in paths if self._is_local(path, folder)]
        for path in local:
            text = self._scripts.get(path) or self._content(path)
            if text:
                return self._is_known_script(path, text, folder)
            if path in self._written or self._exists(path):
                return self._runs_own()
        # One that is gone, or not written yet, is looked for in the project's package and nowhere else.
        package = module.partition(".")[0]
        folders = [self._resolved(os.path.join(base, package), folder) for base in bases]
        found = any(self._exists(os.path.join(one, "")) for one in folders)
        return found and local == paths and self._runs_own()


def _operands(program: str, words: list[str]) -> list[str]:
    """The files among the words of a reader: without options, their values, and its pattern."""
    pattern = program in known.PATTERNS
    values = known.VALUES.get(program, ())
    operands: list[str] = []
    skip = ended = False
    for word in words:
        if skip:
            skip = False
        elif ended or not word.startswith("-") or len(word) == 1:
            operands.append(word)
        elif word == "--":
            ended = True
        else:
            name = word.partition("=")[0]
            gives = name in known.PATTERN_OPTIONS and program in known.PATTERNS
            pattern = pattern and not gives
            skip = "=" not in word and (gives or name in values)
    return operands[1:] if pattern else operands


def _has(words: list[str], letter: str, name: str) -> bool:
    """Whether an option is among words, by its letter or by the beginning of its name."""
    short = (one for one in words if one.startswith("-") and not one.startswith("--"))
    return any(letter in one for one in short) or any(one.startswith(name) for one in words)


def _filters(program: str, words: list[str]) -> bool:
    """Whether a program prints nothing but what is piped into it."""
    options = [word for word in words if word.startswith("-")]
    searches = "grep" in program and any("r" in one.lower() for one in options)
    names_files = any(one.startswith("--files") for one in options)
    return (
        program in known.FILTERS and not (searches or names_files) and not _operands(program, words)
    )


def _paths_named(text: str) -> "set[str]":
    """The paths with which lines of an output begin, as a search prints them."""
    starts = (line.lstrip()[:_LONGEST_PATH] for line in text[:_LONGEST_OUTPUT].split("\n"))
    return {start.split(":", 1)[0].rstrip() for start in starts if os.sep in start or ":" in start}


def _plain(tool: str) -> str:
    return tool.lower().replace("_", "").replace("-", "").replace(":", "")


def _below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def _is_assignment(word: str) -> bool:
    name, sign, _ = word.partition("=")
    return bool(sign) and name.replace("_", "a").isalnum() and not name[:1].isdigit()


def _drop_options(words: list[str], program: str) -> None:
    """Removes a wrapper's own options and values, in place."""
    while words and words[0].startswith("-"):
        option = words.pop(0)
        if option in _WRAPPED_VALUES and program != "env" and words:
            words.pop(0)
    if program == "timeout" and words and words[0][:1].isdigit():
        words.pop(0)


def _options_before(program: str, words: list[str]) -> tuple[int, list[str]]:
    """How many words stand before a subcommand, and the folders and files among them."""
    at, places = 0, []
    while at < len(words) and words[at].startswith("-"):
        name, sign, value = words[at].partition("=")
        if not sign and name[:2] == "-C":
            name, value = "-C", name[2:]
        if name in known.PATH_OPTIONS:
            places += [value] if value else words[at + 1 : at + 2]
            at += not (sign or value)
        elif words[at] in known.NAME_OPTIONS.get(program, ()):
            at += 1
        at += 1
    return at, places


def _has_purpose(name: str) -> bool:
    """Whether the name of a task or script says that it checks or builds."""
    plain = "".join(char if char.isalnum() else " " for char in name.lower())
    return not known.PURPOSES.isdisjoint(plain.split())


def _forge_is_own(own: frozenset[str], words: list[str]) -> bool:
    """Whether a command of a forge writes, or lists what is one's own."""
    bare = [word for word in words if not word.startswith("-")]
    first, both = (bare or [""])[0], ":".join(bare[:2])
    if first in own or both in own or not bare:
        return True
    if "--author=@me" in words or ("--author" in words and "@me" in words):
        return both in ("pr:list", "issue:list", "search:prs", "search:issues", "mr:list")
    fields = ""
    for at, word in enumerate(words):
        if word == "--json" and at + 1 < len(words):
            fields = words[at + 1]
        elif word.startswith("--json="):
            fields = word.partition("=")[2]
    if both not in ("pr:view", "pr:list", "issue:view", "issue:list", "pr:status", "repo:view"):
        return False
    return bool(fields) and known.FORGE_FIELDS.issuperset(fields.split(","))


def _asks_this_machine(words: list[str]) -> bool:
    """Whether a client of HTTP asks no other host than this machine."""
    asked = [word for word in words if "." in word or "://" in word or ":" in word]
    hosts = [word.partition("://")[2] or word for word in asked if not word.startswith("-")]
    named = [host for host in hosts if "://" in " ".join(asked) or "/" in host]
    addresses = [word.partition("://")[2] for word in words if "://" in word]
    if addresses:
        return all(one.startswith(known.LOOPBACK) for one in addresses)
    return any(one.startswith(known.LOOPBACK) for one in named)


def _is_plain_python(code: str) -> bool:
    """Whether code of Python imports nothing that reaches another host or starts a program."""
    if any(one in code for one in known.PYTHON_BEYOND):
        return False
    return all(module.partition(".")[0] in known.PYTHON_MODULES for module, _ in _imports(code))


def _imports(code: str) -> list[tuple[str, list[str]]]:
    """The modules that code of Python imports, each with the names that it takes from it."""
    found: list[tuple[str, list[str]]] = []
    for line in code.replace(";", "\n").split("\n"):
        words = line.replace(",", " ").split()
        bare = [
            one
            for at, one in enumerate(words[1:], 1)
            if one != "import" and "as" not in words[at - 1 : at + 1]
        ]
        if words[:1] == ["from"] and bare:
            found.append((bare[0], bare[1:]))
        elif words[:1] == ["import"]:
            found += [(one, []) for one in bare]
    return found


def _is_plain_node(code: str) -> bool:
    if any(one in code for one in known.NODE_BEYOND):
        return False
    for part in code.split("require(")[1:]:
        name = part.partition(")")[0].strip("'\"` ").removeprefix("node:")
        if name.partition("/")[0] not in known.NODE_MODULES:
            return False
    return "import " not in code
