"""Finds the secrets among the arguments of shell commands: a grammar of commands, not a rule an option.

A value is a secret for one of six reasons: the name of its option, variable or setting says so; its option is
one of the letters by which a program takes a password; it stands behind a user's name; it is what a command
about secrets stores; it stands where a program takes one; or it is given to a program that reads one.
"""

from bowerbird.guard import heuristics
from bowerbird.guard.automaton import pattern
from bowerbird.guard.programs import LETTERS, NAMES, PLACES, READERS
from bowerbird.guard.secret_names import plain, secret_name
from bowerbird.guard.shell import Command, bare, commands, line_around, quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Span = tuple[int, int]
    Found = tuple[int, int, str]

_PASSWORD, _SECRET = "password", "secret"  # noqa: S105 kinds
# How deep commands are quoted in others: JSON, `sh -c`, `ssh host '…'`.
_DEEPEST = 3
# Words of a command that is about secrets, and those by which it stores one.
_ABOUT = frozenset(
    "secret secrets keyvault secretsmanager kv user-secrets variable variables config:set env:set"
    " secret:create put-parameter vars".split()
)
_STORES = frozenset(
    "set put create add write update store import edit patch rotate version add-version config:set env:set"
    " put-secret-value create-secret update-secret put-parameter secret:create encrypt versions".split()
)
# What the stored value is called there, and fields beside it that are none.
_VALUES = frozenset(
    "--body -b --value -v --secret-string --plaintext --data --literal --string --text --from-literal".split()
)
_BESIDE = frozenset(
    "user username name host hostname port url uri type region ttl email path policy policies namespace"
    " env environment max_ttl description title db database dbname key-name".split()
)
# Commands that give a setting its value as the next word.
_SETS = frozenset(
    "set config configure modify connect set-option setx config:set env:set user-secrets passwd password"
    " mysqladmin create".split()
)
# Options whose value is a user's name and a password.
_PAIRS = frozenset(
    "--user --auth --proxy-user --basic-auth --creds --credentials --userpwd".split()
)
_SPEAKERS = frozenset(("echo", "printf"))
_COMMAND_TAILS = ("-command", "-cmd", "command", "_command")
# Where a variable is set for a program: options of programs, and words of shells.
_VARIABLES = frozenset(
    "-e --env --build-arg --set --set-string -var --extra-vars --from-literal -o -c --conf".split()
)
_EXPORTS = frozenset("export set env setx declare local readonly".split())
_SHORTEST_WORD = 6
_SLASHED = frozenset(("/p", "/pass", "/password", "/rp", "/pwd"))
_JSON_FIELD = r"\"([\w.-]+)\\{0,3}\"\s?:\s?\\{0,3}\"([^\"\\\n]+)"


def secrets(data: bytes, at: int, start: int, stop: int) -> "tuple[list[Found], int]":
    """The secrets in the command line around a place in a block, and where that line ends."""
    begin, end = line_around(data, at, start, stop)
    return list(_within(data, begin, end, 0)), end


def _within(
    data: bytes, begin: int, end: int, depth: int, known: bool = False
) -> "Iterator[Found]":
    before: Command | None = None
    around = known
    for command in commands(data, begin, end):
        known = around
        if command.words:
            line = _Line(data, command)
            line.known |= known
            known = line.known
            yield from line.found()
            yield from line.read(before)
        before = command if command.piped else None
        if depth < _DEEPEST:
            for word in command.words:
                for inner in quoted(data, *word):
                    yield from _within(data, *inner, depth + 1, known)


class _Line:
    """A simple command with its words as texts."""

    def __init__(self, data: bytes, command: Command) -> None:
        self.data = data
        self.spans = command.words
        self.given = command.given
        self.target = command.target
        self.words = [self.text(*bare(data, *span)) for span in command.words]
        self.low = [one.lower() for one in self.words]
        # Function words make it prose that speaks of an option.
        self.prose = bool(heuristics.SMALL_WORDS.intersection(self.low))
        self.known = any(self.name(one) in NAMES for one in self.low)
        self.stores = bool(_ABOUT.intersection(self.low) and _STORES.intersection(self.low))

    def text(self, begin: int, end: int) -> str:
        return self.data[begin:end].decode("utf-8", "replace")

    @staticmethod
    def name(word: str) -> str:
        """The name of a program without its folder and its ending."""
        return word.rpartition("/")[2].removesuffix(".exe")

    def found(self) -> "Iterator[Found]":
        """The secrets among the words, in any order."""
        letters: tuple[dict[str, tuple[str, str]], str] | None = None
        for at, word in enumerate(self.words):
            name = self.name(self.low[at])
            if name in LETTERS:
                letters = LETTERS[name]
            if name in PLACES:
                yield from self._placed(at, name)
            if word[:1] == "-" and len(word) > 1:
                yield from self._option(at, word)
                if letters and word[:2] != "--":
                    yield from self._lettered(at, word, *letters)
            elif word.partition(":")[0].lower() in _SLASHED:
                head = len(word.partition(":")[0]) + 1
                yield from self._judged(self._behind(at, head), heuristics.likely, _PASSWORD)
            elif word[:1] == "{":
                yield from self._fields_of_json(at)
            else:
                yield from self._assigned(at, word)
                yield from self._paired(at, word)

    def _option(self, at: int, word: str) -> "Iterator[Found]":
        """`--password V`, `--password=V`, `-pass pass:V`, `--user ben:V`, `--body V` of a secret."""
        name, sign, _ = word.partition("=")
        if self.stores and word[:2] in _VALUES and len(word) > len("-b"):
            yield from self._stored(self._behind(at, len("-b")))
            return
        if not sign and name.endswith(":"):
            name = name[:-1]
        low = name.lower()
        value = self._behind(at, len(name) + 1) if sign else self._next(at)
        if value is None:
            return
        if low[1:2] in ("D", "d", "P", "p") and sign and low[:2] != "--" and secret_name(low[2:]):
            yield from self._judged(value, self._set_value, secret_name(low[2:]))
        if self.text(*bare(self.data, *value)).startswith("pass:"):
            begin, end = bare(self.data, *value)
            yield from self._judged((begin + len("pass:"), end), heuristics.argument, _PASSWORD)
        elif low in _PAIRS:
            web = any(
                ":" in LETTERS[one][0].get("a", LETTERS[one][0].get("u", ("",)))[0]
                for one in self.low
                if one in LETTERS
            )
            yield from self._behind_sign(
                value, ":", heuristics.argument if web else heuristics.likely
            )
        elif low in _VALUES and self.stores:
            yield from self._stored(value)
        elif low.endswith(_COMMAND_TAILS) and secret_name(
            low.removesuffix("command").removesuffix("cmd")
        ):
            yield from self._spoken_inside(value)
        elif low in _VARIABLES:
            yield from self._several(value)
        elif low == "--key":
            yield from self._judged(value, heuristics.drawn_value, _SECRET)
        elif secret_name(name) and not heuristics.about(low):
            yield from self._judged(value, self._option_value(low), secret_name(name))

    def _option_value(self, name: str) -> "Callable[[str], bool]":
        if plain(name):
            return heuristics.random if "secret" in name else heuristics.likely
        if secret_name(name) == _PASSWORD:
            return self._set_value
        return heuristics.likely

    def _set_value(self, value: str) -> bool:
        """A value behind a name that says password: a plain word, too, where nobody explains an option."""
        if value.isalpha() and (value.islower() or value.istitle()):
            return (
                self.known
                and not self.prose
                and len(value) >= _SHORTEST_WORD
                and heuristics.argument(value)
            )
        return heuristics.likely(value) or (not self.prose and heuristics.argument(value))

    def _lettered(
        self, at: int, word: str, secrets: "dict[str, tuple[str, str]]", others: str
    ) -> "Iterator[Found]":
        """`-pV`, `-p V`, `-su ben:V`: a letter, alone or at the end of a cluster."""
        for place, letter in enumerate(word[1:], 1):
            sign, needed = secrets.get(letter, ("", ""))
            if letter in others or not letter.isalpha():
                return
            if letter not in secrets or (needed and needed not in self.low):
                continue
            glued = len(word) > place + 1
            if (sign == "+" and (glued or place > 1)) or (sign == "=" and not glued):
                return
            value = self._behind(at, place + 1) if glued else self._next(at)
            if value is None:
                return
            if sign in ("", "=", "+"):
                yield from self._judged(value, heuristics.argument, _PASSWORD)
            else:
                yield from self._behind_sign(value, sign, heuristics.argument)
            return

    def _fields_of_json(self, at: int) -> "Iterator[Found]":
        """`-d '{"password": "V"}'`."""
        for field in pattern(_JSON_FIELD).finditer(self.data, *self.spans[at]):
            kind = secret_name(self.text(*field.span(1)))
            if kind:
                yield from self._judged(field.span(2), self._variable, kind)

    def _assigned(self, at: int, word: str) -> "Iterator[Found]":
        """`NAME=V` before a program, behind `export`, and as a field or a setting of one."""
        if "=" not in word:
            return
        if self.low[at - 1] in _VARIABLES and at:
            return
        for begin, end in self._fields(bare(self.data, *self.spans[at])):
            name, sign, value = self.text(begin, end).partition("=")
            kind = secret_name(name)
            span = bare(self.data, begin + len(name.encode()) + 1, end)
            if not sign or not value:
                continue
            if kind and not heuristics.about(name):
                shell = name.isupper() or _EXPORTS.intersection(self.low[:at])
                judge = self._variable if shell or self.known or self.stores else heuristics.likely
                if len(self.words) > 1 or shell:
                    yield from self._judged(span, judge, kind)
            elif self.stores and name.lower() not in _BESIDE:
                yield from self._judged(span, heuristics.likely, _SECRET)

    def _variable(self, value: str) -> bool:
        """The value of a variable or a field: a plain word only if long."""
        return heuristics.argument(value) and not (
            value.isalpha() and value.islower() and len(value) < 8
        )

    def _fields(self, span: "Span") -> "Iterator[Span]":
        """The fields of a word: user=ben,password=V and user=ben&password=V, and `host=… password=V`."""
        begin, end = span
        if self.data[begin:end].count(b"=") == 1:
            yield span
            return
        for at in range(begin, end):
            if self.data[at] in b",&; ?":
                yield begin, at
                begin = at + 1
        yield begin, end

    def _several(self, span: "Span") -> "Iterator[Found]":
        """The fields in the value of an option that sets variables."""
        for begin, end in self._fields(bare(self.data, *span)):
            name, sign, _ = self.text(begin, end).partition("=")
            kind = secret_name(name)
            if not sign or (not kind and not self.stores) or heuristics.about(name):
                continue
            if kind or name.lower() not in _BESIDE:
                value = bare(self.data, begin + len(name.encode()) + 1, end)
                yield from self._judged(value, self._variable, kind or _SECRET)

    def _paired(self, at: int, word: str) -> "Iterator[Found]":
        """`password V`, `db.password V`, `//host/:_authToken V`: the name of a setting, and its value."""
        kind = secret_name(word)
        if kind and not heuristics.about(word) and _SETS.intersection(self.low[:at]):
            value = self._next(at)
            if value is not None:
                simple = kind == _SECRET and word.isalpha() and word.islower()
                judge = heuristics.strong_password if simple else self._set_value
                yield from self._judged(value, judge, kind)
        elif kind and self.words[at + 1 : at + 2] == ["="] and word[0] == "$":
            yield from self._judged(self._next(at), self._variable, kind)

    def _placed(self, at: int, program: str) -> "Iterator[Found]":
        """The argument at the place where a command takes a secret."""
        for words, place, sign in PLACES[program]:
            last = self._follows(at, words)
            if last is None:
                continue
            others = LETTERS.get(program, ({}, ""))[1]
            left = place
            skip = False
            for next_at in range(last + 1, len(self.words)):
                word = self.words[next_at]
                if word[:1] == "-":
                    skip = len(word) == 2 and word[1] in others
                    continue
                if skip:
                    skip = False
                    continue
                left -= 1
                if not left:
                    value = bare(self.data, *self.spans[next_at])
                    if sign:
                        at_host = self.data.rfind(b"@", *value)
                        value = (value[0], at_host if at_host > 0 else value[1])
                        yield from self._behind_sign(value, sign, heuristics.argument)
                    else:
                        yield from self._judged(value, heuristics.argument, _PASSWORD)
                    break

    def _follows(self, at: int, words: "list[str]") -> "int | None":
        """The index of the last of some words that stand behind a program, options aside, or nothing."""
        last = at
        for word in words:
            if word[0] == "-":
                if not any(
                    have[:1] == "-" and have[1:2] != "-" and word[1] in have
                    for have in self.low[at + 1 :]
                ):
                    return None
                continue
            last += 1
            while last < len(self.low) and self.low[last][:1] == "-":
                # Another word than this is the option's value.
                is_value = last + 2 < len(self.low) and not self._is(last + 1, word)
                last += 2 if is_value and "=" not in self.low[last] else 1
            if last >= len(self.low) or not self._is(last, word):
                return None
        return last

    def _is(self, at: int, word: str) -> bool:
        return self.low[at] == word or self.low[at].startswith(word + ".")

    def read(self, before: "Command | None") -> "Iterator[Found]":
        """What is given on standard input to a program that reads a secret there."""
        if self.given is None and before is None:
            spoken = None
        elif self.given is not None:
            spoken = bare(self.data, *self.given)
        else:
            spoken = _said(self.data, before)
        if spoken is not None and self._reads():
            yield from self._spoken(spoken)
        if self.target is not None and self.low[0] in _SPEAKERS:
            name = self.text(*bare(self.data, *self.target))
            value = _said(self.data, None, self)
            if value is not None and secret_name(
                name.rpartition("/")[2].rpartition(".")[0] or name
            ):
                yield from self._judged(value, heuristics.likely, _SECRET)

    def _reads(self) -> bool:
        if self.stores:
            return True
        for word in self.low:
            name = self.name(word)
            if name in READERS and not READERS[name]:
                return True
            if word.endswith(("stdin", "-fd")) and (
                secret_name(word.removesuffix("stdin")[:-1]) or "pass" in word
            ):
                return True
        programs = [one for one in map(self.name, self.low) if one in READERS]
        for program in programs:
            for word in READERS[program]:
                if word == "-S":
                    if any(
                        have[:1] == "-" and have[1:2] != "-" and "S" in have for have in self.words
                    ):
                        return True
                elif word in self.low:
                    return True
        return False

    def _spoken(self, span: "Span") -> "Iterator[Found]":
        """A value on standard input: alone, behind a user's name, or twice."""
        text = self.text(*span)
        if any("chpasswd" in one for one in self.low) and ":" in text:
            yield from self._behind_sign(span, ":", heuristics.argument)
            return
        at = span[0]
        for part in text.split("\\n"):
            end = at + len(part.encode())
            yield from self._judged((at, end), heuristics.argument, _PASSWORD)
            at = end + 2

    def _spoken_inside(self, span: "Span") -> "Iterator[Found]":
        """`--password-command 'echo V'`."""
        begin, end = bare(self.data, *span)
        for command in commands(self.data, begin, end):
            value = _said(self.data, command)
            if value is not None:
                yield from self._judged(value, heuristics.argument, _PASSWORD)

    def _stored(self, span: "Span") -> "Iterator[Found]":
        """The value of a secret that is stored: alone, as NAME=V, or JSON, which other rules read."""
        text = self.text(*bare(self.data, *span))
        if (
            "=" in text.strip("=")
            and text.partition("=")[0].replace("_", "").replace("-", "").isalnum()
        ):
            yield from self._several(span)
        elif text[:1] not in "{[":
            yield from self._judged(bare(self.data, *span), heuristics.argument, _SECRET)

    def _behind_sign(
        self, span: "Span", sign: str, judge: "Callable[[str], bool]"
    ) -> "Iterator[Found]":
        """The part of ben:V behind the sign."""
        begin, end = bare(self.data, *span)
        at = self.data.find(sign.encode(), begin, end)
        if begin < at < end - 1 and self.data[begin : begin + 1] not in b"/.":
            yield from self._judged(bare(self.data, at + 1, end), judge, _PASSWORD)

    def _judged(self, span: "Span", judge: "Callable[[str], bool]", kind: str) -> "Iterator[Found]":
        begin, end = bare(self.data, *span)
        value = self.text(begin, end)
        if (" " not in value or heuristics.passphrase(value)) and value and judge(value):
            yield begin, end, kind

    def _behind(self, at: int, characters: int) -> "Span":
        """The rest of a word behind a number of characters."""
        begin, end = self.spans[at]
        inner = bare(self.data, begin, end)
        head = self.words[at][:characters].encode()
        return inner[0] + len(head), inner[1]

    def _next(self, at: int) -> "Span | None":
        """The next word, unless it is an option."""
        if at + 1 == len(self.words) or self.words[at + 1][:1] == "-":
            return None
        if self.words[at + 1] in ("=", ":=") and at + 2 < len(self.words):
            at += 1
        return self.spans[at + 1]


def _said(data: bytes, command: "Command | None", line: "_Line | None" = None) -> "Span | None":
    """The last argument of echo or printf."""
    spans = command.words if command else line.spans if line else []
    for at, span in enumerate(spans):
        begin, end = bare(data, *span)
        if data[begin:end].decode("utf-8", "replace") in _SPEAKERS:
            return bare(data, *spans[-1]) if at + 1 < len(spans) else None
    return None
