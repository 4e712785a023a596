"""Splits a shell command line into the commands that it runs. Pure, and without patterns.

A hook does this for every shell call, so it costs one pass over the characters. What is not understood is
kept as a word: the caller judges words, and a wrong one is at worst unknown to it.
"""

from bowerbird.core.value import Record

# Stands for an expansion in a word, around the variable's name; empty for the output of a command.
EXPANDED = "\0"
# Longer lines are scripts; their rest is not read.
_LONGEST = 100_000
_DEEPEST = 20
_BLANK = " \t\r"
_ENDS = ";&|\n"
_NAME = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")


class Command(Record):
    """One command: its words, the files that it is redirected from and to, its here-document.

    `piped`: it reads the output of the command before it.
    """

    words: list[str]
    reads: list[str]
    writes: list[str]
    text: str
    piped: bool


def commands(line: str) -> list[Command]:
    """The commands of a line in order, those of substitutions before the ones that contain them."""
    parser = _Parser(line[:_LONGEST])
    parser.run("")
    return parser.found


class _Parser:
    """One pass over a line; `at` is the position of the next character."""

    def __init__(self, text: str, depth: int = 0) -> None:
        self.text = text
        self.at = 0
        self.found: list[Command] = []
        self._depth = depth
        self._command = _new(piped=False)
        self._waiting: list[tuple[str, Command]] = []

    def run(self, end: str) -> None:
        """Reads up to an unquoted `end`, or the end of the text; brackets of subshells are balanced."""
        text, depth = self.text, 0
        while self.at < len(text):
            char = text[self.at]
            if char == end and not depth:
                self.at += 1
                break
            if end == ")" and char in "()":
                depth += 1 if char == "(" else -1
            if char in _BLANK:
                self.at += 1
            elif char == "#":
                line_end = text.find("\n", self.at)
                self.at = line_end if line_end >= 0 else len(text)
            elif char in _ENDS:
                self._separator(char)
            elif char in "()":
                self._bracket(char)
            elif char in "<>" and text[self.at + 1 : self.at + 2] != "(":
                self._redirection()
            elif char.isdigit() and self._is_handle():
                self.at += 1
            else:
                self._command.words.append(self._word())
        self._close(piped=False)
        self._bodies()

    def _is_handle(self) -> bool:
        """Whether a digit is the number of a redirection's handle, such as that of ``2>``."""
        following = self.text[self.at + 1 : self.at + 2]
        return following in ("<", ">") and self.text[self.at - 1 : self.at] in ("", " ", "\t", "\n")

    def _separator(self, char: str) -> None:
        if self._command.words[:1] == ["[["] and "]]" not in self._command.words and char != "\n":
            self.at += 1  # an operator of the test
            return
        following = self.text[self.at + 1 : self.at + 2]
        if char == "&" and following == ">":
            self.at += 1
            return
        self.at += 2 if following == char and char != "\n" else 1
        self._close(piped=char == "|" and following != "|")
        if char == "\n":
            self._bodies()

    def _bracket(self, char: str) -> None:
        self.at += 1
        words = self._command.words
        if char == "(" and len(words) == 1 and self.text.startswith(")", self.at):
            self.at += 1
            self._command = _new(piped=False)
            self._command.words += ["function", words[0]]
            self._close(piped=False)
        elif char == ")" and words:
            # The end of a subshell, or of a pattern of `case`, which is no command.
            pattern = ";;" in self.text[self.at :] and "esac" in self.text[self.at :]
            if pattern:
                self._command = _new(piped=False)
            else:
                self._close(piped=False)

    def _close(self, *, piped: bool) -> None:
        command = self._command
        if command.words or command.reads or command.writes or command.text:
            self.found.append(command)
        self._command = _new(piped=piped)

    def _bodies(self) -> None:
        """Reads the here-documents that begin on this line."""
        for mark, command in self._waiting:
            lines = []
            while self.at < len(self.text):
                end = self.text.find("\n", self.at)
                end = end if end >= 0 else len(self.text)
                line = self.text[self.at : end]
                self.at = end + 1
                if line.strip() == mark:
                    break
                lines.append(line)
            command.text = "\n".join(lines)
        self._waiting = []

    def _redirection(self) -> None:
        text, char = self.text, self.text[self.at]
        if text.startswith("<<<", self.at):
            self.at += 3
            self._blanks()
            self._word()
            return
        if text.startswith("<<", self.at):
            self.at += 3 if text.startswith("<<-", self.at) else 2
            self._blanks()
            self._waiting.append((self._word(), self._command))
            return
        self.at += 1
        while text[self.at : self.at + 1] in (">", "|"):
            self.at += 1
        if text[self.at : self.at + 1] == "&":
            self.at += 1
            if text[self.at : self.at + 1] in ("-", *"0123456789"):
                self.at += 1
                return
        self._blanks()
        (self._command.reads if char == "<" else self._command.writes).append(self._word())

    def _blanks(self) -> None:
        while self.text[self.at : self.at + 1] in (" ", "\t"):
            self.at += 1

    def _word(self) -> str:
        text, parts = self.text, []
        start = self.at
        while self.at < len(text):
            char = text[self.at]
            if char in "<>" and text[self.at + 1 : self.at + 2] == "(":
                self.at += 2
                parts.append(self._nested(")"))
            elif char in " \t\r\n;&|()<>":
                break
            elif char == "'":
                end = text.find("'", self.at + 1)
                end = end if end >= 0 else len(text)
                parts.append(text[self.at + 1 : end].replace(EXPANDED, ""))
                self.at = end + 1
            elif char == '"':
                self.at += 1
                parts.append(self._quoted())
            elif char == "\\":
                parts.append(text[self.at + 1 : self.at + 2].replace("\n", ""))
                self.at += 2
            elif char in "$`":
                parts.append(self._expansion())
            else:
                parts.append(char)
                self.at += 1
        if self.at == start:
            self.at += 1  # a character that begins nothing here
        return "".join(parts)

    def _quoted(self) -> str:
        text, parts = self.text, []
        while self.at < len(text) and text[self.at] != '"':
            char = text[self.at]
            if char == "\\":
                parts.append(text[self.at + 1 : self.at + 2])
                self.at += 2
            elif char in "$`":
                parts.append(self._expansion())
            else:
                parts.append(char)
                self.at += 1
        self.at += 1
        return "".join(parts)

    def _expansion(self) -> str:
        text = self.text
        if text[self.at] == "`":
            self.at += 1
            return self._nested("`")
        following = text[self.at + 1 : self.at + 2]
        if text.startswith("$((", self.at):
            end = text.find("))", self.at)
            self.at = end + 2 if end >= 0 else len(text)
            return "0"
        if following == "(":
            self.at += 2
            return self._nested(")")
        if following == "'":
            self.at += 1
            return ""
        if following == "{":
            end = text.find("}", self.at)
            end = end if end >= 0 else len(text)
            name = text[self.at + 2 : end].lstrip("#!")
            self.at = end + 1
        else:
            self.at += 1
            name = text[self.at : self.at + 1]
            self.at += len(name)
            if name in _NAME and not name.isdigit():
                while text[self.at : self.at + 1] in _NAME and self.at < len(text):
                    name += text[self.at]
                    self.at += 1
            elif not name or name in " \t\n\"'":
                self.at -= len(name)
                return "$"
        length = next((i for i, char in enumerate(name) if char not in _NAME), len(name))
        return f"{EXPANDED}{name[:length]}{EXPANDED}"

    def _nested(self, end: str) -> str:
        if self._depth >= _DEEPEST:
            self.at = len(self.text)
            return EXPANDED * 2
        inner = _Parser(self.text, self._depth + 1)
        inner.at = self.at
        inner.run(end)
        self.at = inner.at
        self.found += inner.found
        return EXPANDED * 2


def _new(*, piped: bool) -> Command:
    return Command([], [], [], "", piped)
