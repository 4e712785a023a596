"""Finds the secrets among the arguments of shell commands: a grammar of commands, not a rule an option.

A value is a secret for one of six reasons: the name of its option, variable or setting says so; its
option is a letter by which a program takes a password; it stands behind a user's name; a command about
secrets stores it; it stands where a program takes one; it is given to a program that reads one.
"""

from functools import cached_property
from itertools import islice

from bowerbird.guard import command_words as words
from bowerbird.guard import heuristics
from bowerbird.guard.automaton import pattern
from bowerbird.guard.programs import LETTERS, NAMES, PLACES, READERS, TYPERS
from bowerbird.guard.said import given, lines, said, tells, without_tail
from bowerbird.guard.secret_names import plain, secret_name, with_stems
from bowerbird.guard.shell import Command, bare, commands, line_around, line_below, quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Span = tuple[int, int]
    Found = tuple[int, int, str]

_PASSWORD = "password"  # noqa: S105 the name of a kind
_SECRET = "secret"  # noqa: S105 likewise
# How deep commands are quoted in others: JSON, `sh -c`, `ssh host '…'`.
_DEEPEST = 3
# Ends of an option's name behind which a command follows that prints the password.
_PRINTS = ("command", "cmd", "eval")
# How many lines of a here-document for a server are read.
_MOST_SAID = 8
_AT_HOST = r"^(?:[\w.-]*[/:\\])*[\w.-]+:([^\s:/@]{6,})@[\w.-]+"
_JSON_FIELD = r"\"([\w.-]+)\\{0,3}\"\s?:\s?\\{0,3}\"([^\"\\\n]+)"
# Minimum lengths of a password that is a word, behind an option and in a variable.
_SHORTEST_WORD = 6
_SHORTEST_SET = 8
# A password of several words, in quotes where nothing but a secret stands.
_MOST_WORDS = 6
_QUOTES = (b"'", b'"')
# What stands before a quoted word: the quote, or the backslashes before it.
_OPENERS = b"'\"\\"
# A command names a program that takes a secret, and perhaps some that run it: at most 4 in 1,500 commands
# of ten people. A line with more is a list of names, which would be read anew for each.
_MOST_PROGRAMS = 8
# A letter as an option: -p.
_LETTER = 2


def secrets(data: bytes, at: int, start: int, stop: int) -> "tuple[list[Found], int]":
    """The secrets in the command line around a place in a block, and where that line ends."""
    begin, end = line_around(data, at, start, stop)
    found = list(_within(data, begin, end, 0))
    # A here-document, and not a here-string, which stands in the line itself.
    if b"<<" in data[begin:end].replace(b"<<<", b""):
        found += _below(data, begin, end, stop)
    return found, end


def _below(data: bytes, begin: int, end: int, stop: int) -> "Iterator[Found]":
    """The lines below a command that reads a secret from there, or that says them to a server."""
    for command in commands(data, begin, end):
        if command.below and command.words:
            yield from _Line(data, command).given_below(end, stop)


def _within(
    data: bytes, begin: int, end: int, depth: int, known: bool = False
) -> "Iterator[Found]":
    around = known
    nested = depth < _DEEPEST and any(quote in data[begin:end] for quote in _QUOTES)
    for command in commands(data, begin, end):
        if not command.words:
            continue
        line = _Line(data, command)
        line.known |= around
        yield from line.found()
        if around and tells(" ".join(line.words)):
            yield from line.last()
        yield from line.read(command)
        if command.into and command.into.words:
            yield from _Line(data, command.into).substituted(command)
        for at, word in enumerate(line.words) if nested else ():
            if " " in word:
                for inner in quoted(data, *line.spans[at]):
                    yield from _within(data, *inner, depth + 1, line.known)


class _Line:
    """A simple command with its words as texts."""

    def __init__(self, data: bytes, command: Command) -> None:
        self.data = data
        self.spans = command.words
        self.given = command.given
        self.target = command.target
        self.words = [
            (
                self.text(*bare(data, begin, end))
                if data[begin] in _OPENERS
                else data[begin:end].decode("utf-8", "replace")
            )
            for begin, end in command.words
        ]
        self.low = [one.lower() for one in self.words]
        # Without the folder and the ending of a program.
        self.names = [
            (one.rpartition("/")[2] if "/" in one else one).removesuffix(".exe") for one in self.low
        ]
        # Function words make it prose that speaks of an option.
        self.prose = not heuristics.SMALL_WORDS.isdisjoint(self.low)
        self.known = not NAMES.isdisjoint(self.names)
        self.login = "login" in self.low
        self.user = not words.USERS.isdisjoint(self.words)
        self.containers = not words.CONTAINERS.isdisjoint(self.names)
        self.client = not words.CLIENTS.isdisjoint(self.names)
        # Whether a verb that makes, checks or changes a password was met.
        self.makes = False

    # What follows costs a pass over the words each, and most lines need none of it.

    @cached_property
    def sets(self) -> int:
        """From this word on names stand before values."""
        sets = words.SETS
        return next(
            (at for at, word in enumerate(self.low) if word[:3] == "set" or word in sets),
            len(self.low),
        )

    @cached_property
    def exports(self) -> int:
        """From this word on variables are set for the shell."""
        exports = words.EXPORTS
        return next((at for at, word in enumerate(self.low) if word in exports), len(self.low))

    @cached_property
    def user_glued(self) -> bool:
        """Whether a user's name stands in one word with its option."""
        return any(
            one[:2] == "-u" and one not in words.USERS and one[_LETTER:].isalpha()
            for one in self.words
        )

    @cached_property
    def web(self) -> bool:
        """Whether users of a program are names with passwords, not groups."""
        return any(
            ":" in sign for one in LETTERS.keys() & self.low for sign, _ in LETTERS[one][0].values()
        )

    @cached_property
    def verbs(self) -> "list[str]":
        """The words as verbs: functions:config:set is config:set."""
        return [*self.low, *(":".join(one.split(":")[-2:]) for one in self.low if ":set" in one)]

    @cached_property
    def about(self) -> "frozenset[str]":
        """The words that say that the command is about secrets."""
        return words.ABOUT.intersection(self.verbs)

    @cached_property
    def stores(self) -> bool:
        """Whether the command stores a secret."""
        return bool(self.about and words.STORES.intersection(self.verbs))

    def text(self, begin: int, end: int) -> str:
        return self.data[begin:end].decode("utf-8", "replace")

    def found(self) -> "Iterator[Found]":
        """The secrets among the words, in any order."""
        letters: tuple[dict[str, tuple[str, str]], str] | None = None
        named = with_stems(self.low)
        last = len(self.words) - 1
        programs = sum(one in NAMES for one in self.names) <= _MOST_PROGRAMS
        for at, word in enumerate(self.words):
            name = self.names[at]
            if programs and name in NAMES:
                letters = LETTERS.get(name, letters)
                if name in PLACES:
                    yield from self._placed(at, name)
                if name in TYPERS:
                    yield from self._typed(at)
            first = word[:1]
            if first == "-" and len(word) > 1:
                yield from self._option(at, word)
                if letters and word[:2] != "--":
                    yield from self._lettered(at, word, *letters)
            elif first == "/" and self.low[at].partition(":")[0] in words.SLASHED:
                name, sign, _ = word.partition(":")
                value = self._behind(at, len(name) + 1) if sign else self._next(at)
                # Beside a user's name, written as this, it is no date and no path.
                beside = any(one.startswith(("/u:", "/user:")) for one in self.low)
                judge = heuristics.argument if beside else heuristics.likely
                yield from self._judged(value, judge, _PASSWORD)
            elif first == "{":
                yield from self._fields_of_json(at)
            else:
                kind = secret_name(word) if self.low[at] in named else ""
                # Most words are none of these, and to ask that in a call took a tenth of a text's time.
                if (
                    kind
                    or "=" in word
                    or "@" in word
                    or (self.makes and at == last)
                    or (self.client and ":" in word)
                    or (self.login and self.low[at - 2 : at - 1] == ["login"])
                ):
                    yield from self._plain(at, word, kind)

    def last(self) -> "Iterator[Found]":
        """What a quoted line tells a server: lftp -e 'user ben V'."""
        yield from self._judged(self.spans[-1], heuristics.strong_password, _PASSWORD)

    def _plain(self, at: int, word: str, kind: str) -> "Iterator[Found]":
        """A word that is no option: an assignment, a setting, an account, what stands behind a login."""
        if "=" in word:
            yield from self._assigned(at, word)
        if kind:
            yield from self._paired(at, word, kind)
            self.makes = self.makes or (kind == _PASSWORD and not self.prose and _makes(word))
        elif self.makes and at + 1 == len(self.words):
            judge = heuristics.argument if " " in word else heuristics.likely
            yield from self._judged(self.spans[at], judge, _PASSWORD)
        if "@" in word:
            yield from self._at_host(at, word)
        if self.client and ":" in word:
            yield from self._header("", self.spans[at])
        if self.login and self.low[at - 2 : at - 1] == ["login"]:
            # A user's name, and then the password.
            yield from self._judged(self.spans[at], heuristics.strong_password, _PASSWORD)

    def _option(self, at: int, word: str) -> "Iterator[Found]":
        """`--password V`, `--password=V`, `-pass pass:V`, `-Dpassword=V`, `--body V` of a secret."""
        name, sign, _ = word.partition("=")
        if (
            name[:2] in words.BESIDE_USERS
            and len(word) > _LETTER
            and self.user_glued
            and not secret_name(word)
        ):
            # Glued as the user's name is: -uroot -pV.
            yield from self._judged(self._behind(at, _LETTER), heuristics.likely, _PASSWORD)
            return
        if self.stores and word[:2] in words.VALUES and len(word) > _LETTER:
            yield from self._stored(self._behind(at, _LETTER))
            return
        if not sign:
            name = name.removesuffix(":")
        # What is glued to a letter is no name: -p"$MYSQL_PWD".
        glued = "$" in name or '"' in name or "'" in name
        value = self._behind(at, len(name) + 1) if sign else self._next(at)
        if value is None or glued:
            return
        begin, end = bare(self.data, *value)
        if self.data.startswith((b"$(", b"`"), begin, end):
            if secret_name(name) or (name in words.BESIDE_USERS and (self.known or self.user)):
                yield from self._printed((begin, end))
        elif self.data.startswith(b"pass:", begin, end):
            yield from self._judged((begin + len("pass:"), end), heuristics.argument, _PASSWORD)
        else:
            yield from self._valued(at, name, value)

    def _valued(self, at: int, name: str, value: "Span") -> "Iterator[Found]":
        """An option and its value: of a command about secrets, of variables, and by its name."""
        low = name.lower()
        if low in words.VALUES and self.stores:
            yield from self._stored(value)
        elif name in words.GIVEN and (
            self.makes or not (self.prose or words.PASSWORDS.isdisjoint(self.low[1:at]))
        ):
            yield from self._judged(value, heuristics.likely, _PASSWORD)
        elif low in words.VARIABLES:
            yield from self._several(value)
        elif low in words.APART and any(map(secret_name, self.words[1:at])):
            yield from self._judged(value, self._set_value, _SECRET)
        elif low in words.ENCRYPTS:
            judge = heuristics.argument if "qpdf" in self.names else heuristics.strong_password
            for span in self.spans[at + 1 : at + 3]:
                yield from self._judged(span, judge, _PASSWORD)
        elif low.endswith(_PRINTS) and secret_name(without_tail(low)):
            yield from self._printed(value)
        else:
            yield from self._named(name, value)

    def _named(self, name: str, value: "Span") -> "Iterator[Found]":
        """The value of an option that says what it is, stands beside a user's name, or is a header."""
        low = name.lower()
        if low in words.PAIRS or name in words.PAIR_LETTERS:
            yield from self._account(low, value)
            return
        if name in words.HEADERS or (name in words.COOKIES and "curl" in self.names):
            yield from self._header(name, value)
            return
        # Properties of Java and Gradle: -Dpassword=V, -PnexusPassword=V.
        kind = secret_name(
            low[_LETTER:] if name[1:2] in ("D", "P") and len(name) > _LETTER else name
        )
        if name in words.BESIDE_USERS and not self.containers:
            judge = heuristics.likely if self.user else heuristics.signed_password
            yield from self._judged(value, judge, _PASSWORD)
        elif low == "--key" or low.endswith((".login", ".auth")):
            yield from self._judged(value, heuristics.drawn_value, _SECRET)
        elif kind and not heuristics.about(low) and not self._is_field(value, plain(low)):
            yield from self._judged(value, self._option_value(low), kind)

    def _is_field(self, span: "Span", plain: bool) -> bool:
        """Whether a value names what it is about: `--secret id=npmrc,src=…`, or is a call's argument.

        In code an option stands in a list of arguments: ("--password", required=True, …).
        """
        name, sign, value = self.text(*bare(self.data, *span)).partition("=")
        named = bool(sign and value.strip("=")) and name.isalpha() and name.islower()
        return named and (plain or value[-1] == ",")

    def _account(self, name: str, value: "Span") -> "Iterator[Found]":
        """`--user ben:V`, `-u ben:V`."""
        if name in words.PAIRS:
            yield from self._behind_sign(
                value, ":", heuristics.argument if self.web else heuristics.likely
            )
        elif not self.containers:
            yield from self._behind_sign(value, ":", heuristics.strong_password)

    def _header(self, name: str, span: "Span") -> "Iterator[Found]":
        """`-H "X-Api-Key: V"`, `-H "Authorization: Bearer V"`, `-b "session=V"`."""
        begin, end = bare(self.data, *span)
        sign = "=" if name in words.COOKIES else ":"
        if self.text(begin, end).lower().startswith("cookie:"):
            begin, sign = begin + len("cookie:"), "="
        field, found, value = self.text(begin, end).partition(sign)
        low = field.strip().lower()
        named = words.SESSIONS if sign == "=" else words.AUTHORIZING
        if not found or not (low in named or secret_name(field)):
            return
        value = value.lstrip()
        if value[:1] in ("'", '"') and value[-1] == value[0]:  # Authorization:"Bearer V"
            value, end = value[1:-1], end - 1
        scheme, blank, rest = value.partition(" ")
        if blank and scheme.lower() in words.SCHEMES:
            value = rest
        at = end - len(value.lstrip().encode())
        yield from self._judged((at, end), heuristics.likely, _SECRET)

    def _option_value(self, name: str) -> "Callable[[str], bool]":
        if plain(name):
            return heuristics.random if "secret" in name else heuristics.likely
        if secret_name(name) == _PASSWORD:
            return self._set_value
        return heuristics.likely

    def _set_value(self, value: str) -> bool:
        """A value behind a name that says password; a plain word, too, where no option is explained."""
        several = value.lower().split()
        if len(several) > 1 and self.known and not self.prose:
            # In quotes, to a program that takes a password.
            return heuristics.argument(value)
        if heuristics.SMALL_WORDS.intersection(several):
            return False
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
        # Several words in quotes are read as a command of their own.
        quotes = bare(self.data, *self.spans[at]) != self.spans[at]
        if (" " in word and quotes) or " " in word.partition("=")[0]:
            return
        if self.low[at - 1] in words.VARIABLES and at:
            return
        for begin, end in self._fields(bare(self.data, *self.spans[at])):
            name, sign, value = self.text(begin, end).partition("=")
            kind = secret_name(name)
            span = bare(self.data, begin + len(name.encode()) + 1, end)
            if not sign or not value:
                continue
            if kind and not heuristics.about(name):
                shell = name.isupper() or name.startswith("$env:") or at > self.exports
                # A setting's name with dots, behind an option, is no code either.
                setting = "." in name and self.words[at - 1][:1] == "-" and at
                sure = shell or setting or self.known or self.stores
                judge = self._variable if sure else heuristics.likely
                if len(self.words) > 1 or shell:
                    yield from self._judged(span, judge, kind)
            elif name.endswith("_AUTH") or (self.stores and self._stores_as(name.lower())):
                yield from self._judged(span, heuristics.likely, _SECRET)

    def _stores_as(self, name: str) -> bool:
        """Whether a field of what is stored is secret: each of a secret, and a key among settings."""
        return name not in words.BESIDE and (
            not words.SETTINGS.issuperset(self.about) or name.endswith("key")
        )

    def _variable(self, value: str) -> bool:
        """The value of a variable or a field: a plain word only if long, and no name such as test_key."""
        word = value.islower() and value.replace("_", "").isalpha()
        return heuristics.argument(value) and not (
            word and ("_" in value or len(value) < _SHORTEST_SET)
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
            # In code it is a call's: python -c "print(api_key=…)".
            if not sign or "(" in name or (not kind and not self.stores) or heuristics.about(name):
                continue
            if kind or name.lower() not in words.BESIDE:
                value = bare(self.data, begin + len(name.encode()) + 1, end)
                yield from self._judged(value, self._variable, kind or _SECRET)

    def _paired(self, at: int, word: str, kind: str) -> "Iterator[Found]":
        """`password V`, `db.password V`, `//host/:_authToken V`: the name of a setting, and its value."""
        if at > self.sets and not heuristics.about(word):
            value = self._next(at)
            if value is not None:
                simple = kind == _SECRET and word.isalpha() and word.islower()
                judge = heuristics.strong_password if simple else self._set_value
                yield from self._judged(value, judge, kind)
        elif "_" in word and word.islower() and not self.prose and not heuristics.about(word):
            # A field of a program's own grammar: input_pw V.
            yield from self._judged(self._next(at), heuristics.likely, kind)
        elif self.words[at + 1 : at + 2] == ["="] and word[0] == "$":
            yield from self._judged(self._next(at), self._variable, kind)

    def _at_host(self, at: int, word: str) -> "Iterator[Found]":
        """`ben:V@host`, and no image with its digest."""
        account = pattern(_AT_HOST).search(word.encode()) if "@" in word and ":" in word else None
        if account and "@sha" not in word:
            begin = bare(self.data, *self.spans[at])[0]
            span = begin + account.start(1), begin + account.end(1)
            yield from self._judged(span, heuristics.strong_password, _PASSWORD)

    def _placed(self, at: int, program: str) -> "Iterator[Found]":
        """The argument at the place where a command takes a secret."""
        plain: list[int] = []
        read = -1
        # A last place is counted from the end, and then each word has to be read.
        most = max(place for _, place, _ in PLACES[program])
        most = most if all(place for _, place, _ in PLACES[program]) else len(self.words)
        for wanted, place, sign in PLACES[program]:
            last = self._follows(at, wanted)
            if last is None:
                continue
            if last != read:
                plain, read = list(islice(self._plain_from(last + 1, program), most)), last
            if len(plain) < place or not plain:
                continue
            value = bare(self.data, *self.spans[plain[place - 1]])
            if sign:
                at_host = self.data.rfind(b"@", *value)
                value = (value[0], at_host if at_host > 0 else value[1])
                yield from self._behind_sign(value, sign, heuristics.argument)
            else:
                judge = heuristics.argument if wanted else self._behind_name(at, plain[place - 1])
                yield from self._judged(value, judge, _PASSWORD)

    def _behind_name(
        self, at: int, place: int, judge: "Callable[[str], bool]" = heuristics.argument
    ) -> "Callable[[str], bool]":
        """How a word is judged that stands behind the name of a program, and no more words of it.

        Within a line that may be a word as any other (“use Argon2 with …”, “a keystroke available?”):
        unless it is quoted, only what is a password by its looks.
        """
        opens = self.data[self.spans[place][0]] in _OPENERS
        return (
            judge if opens or at == 0 or self.low[at - 1] == "sudo" else heuristics.strong_password
        )

    def _plain_from(self, start: int, program: str) -> "Iterator[int]":
        """The indices of the words from one on that are neither an option nor the value of one.

        Whether a long option takes the next word is not known: it does if plain words follow that.
        """
        others = LETTERS.get(program, ({}, ""))[1]
        maybe: list[int] = []
        before = ""
        for at in range(start, len(self.words)):
            word = self.words[at]
            if word[:1] == "-" or (word[:1] == "/" and ":" in word):
                before = word
                continue
            taken, before = before, ""
            if (len(taken) == _LETTER and taken[1] in others) or taken.endswith("-salt"):
                continue
            if taken[:2] == "--" and "=" not in taken:
                maybe.append(at)
                continue
            maybe = []
            yield at
        yield from maybe[:1]

    def _follows(self, at: int, wanted: "list[str]") -> "int | None":
        """The index of the last of some words that stand behind a program, options aside, or nothing."""
        last = at
        for word in wanted:
            if word[0] == "-":
                if not self._has(word):
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

    def read(self, command: "Command") -> "Iterator[Found]":
        """What is given on standard input to a program that reads a secret there, or sends it on."""
        spoken = given(self.data, command)
        if spoken:
            if self._reads():
                for span in spoken:
                    yield from self._spoken(span)
            elif not words.TALKERS.isdisjoint(self.names):
                for span in spoken:
                    yield from self._said_to_a_server(span)
            elif self.names[0] == "read" and secret_name(self.words[-1]):
                yield from self._judged(spoken[0], heuristics.likely, _SECRET)
            elif self.given is not None and self.names[0] not in words.FILTERS:
                yield from self._judged(spoken[0], heuristics.strong_password, _PASSWORD)
        if self.target is not None and self.low[0] in words.SPEAKERS:
            yield from self._written(self.target, said(self.data, command))

    def _written(self, target: "Span", texts: "list[Span]") -> "Iterator[Found]":
        """`echo V > token.txt`, a name and V in `auth.txt`: a file that is called after a secret."""
        name = self.text(*bare(self.data, *target)).rpartition("/")[2]
        if texts and (secret_name(name) or secret_name(name.rpartition(".")[0])):
            yield from self._judged(texts[-1], heuristics.likely, _SECRET)
        elif self._keeps_login():
            # Behind the user's name, on a line or in a word of its own.
            told = [line for text in texts for line in lines(self.data, text)]
            if len(told) > 1:
                yield from self._judged(told[-1], heuristics.likely, _PASSWORD)

    def given_below(self, end: int, stop: int) -> "Iterator[Found]":
        """The first line of a here-document, and of one for a server a few more."""
        if self._reads():
            yield from self._spoken(line_below(self.data, end, stop))
        elif self.target is not None and self._keeps_login():
            # A user's name, and then the password.
            first = line_below(self.data, end, stop)
            second = line_below(self.data, first[1], stop)
            if first[0] < first[1] and b" " not in self.data[slice(*first)].strip():
                yield from self._judged(second, heuristics.argument, _PASSWORD)
        elif not words.TALKERS.isdisjoint(self.names):
            for _ in range(_MOST_SAID):
                begin, end = line_below(self.data, end, stop)
                if begin < end:
                    yield from self._said_to_a_server((begin, end))

    def _keeps_login(self) -> bool:
        """Whether the file that is written is called after a login: auth.txt, credentials."""
        path = self.text(*bare(self.data, *self.target)) if self.target else ""
        name = path.rpartition("/")[2].lower()
        return any(one in name for one in ("auth", "cred", "pass", "login", "pwd"))

    def substituted(self, command: "Command") -> "Iterator[Found]":
        """`--password-file=<(echo V)`, `-p $(echo V)`: what a command says in place of a value."""
        at = command.behind - 1
        if self.words[at] == "$":
            at -= 1
        # Of `--from-file=password=` the last.
        name = self.words[at].rstrip("$").rstrip("=").rpartition("=")[2]
        low = without_tail(name.lower())
        says = secret_name(low) or "-pass" in low or (self.known and low == "--key")
        if says or (self.words[at] in words.BESIDE_USERS and (self.known or self.user)):
            for span in said(self.data, command):
                yield from self._spoken(span)

    def _said_to_a_server(self, span: "Span") -> "Iterator[Found]":
        """`AUTH V`, `USER ben` and `PASS V`, `a1 LOGIN ben V`, or the value alone, line by line."""
        for begin, end in lines(self.data, span):
            last = self.data.rfind(b" ", begin, end) + 1
            if last <= begin:
                yield from self._judged((begin, end), heuristics.strong_password, _PASSWORD)
            elif tells(self.text(begin, end)):
                yield from self._judged((last, end), heuristics.likely, _PASSWORD)

    def _reads(self) -> bool:
        """Whether the command reads a secret from standard input."""
        return (
            self.stores
            or any(map(self._asks, self.low))
            or any(
                not READERS[one] or any(map(self._has, READERS[one]))
                for one in self.names
                if one in READERS
            )
        )

    def _asks(self, word: str) -> bool:
        """`--password-stdin`, `-pass stdin`, `password_stdin`, `--passphrase-fd`."""
        return ("stdin" in word or word.endswith("-fd")) and "pass" in word

    def _has(self, wanted: str) -> bool:
        """Whether a word is among the words, or a letter in one of the clusters."""
        if len(wanted) > _LETTER or wanted[0] != "-":
            return wanted in self.low
        return any(one[:1] == "-" and one[1:2] != "-" and wanted[1] in one for one in self.words)

    def _spoken(self, span: "Span") -> "Iterator[Found]":
        """A value on standard input: alone, behind a user's name, or twice."""
        text = self.text(*span)
        if any("chpasswd" in one for one in self.low) and ":" in text:
            yield from self._behind_sign(span, ":", heuristics.argument)
            return
        for begin, end in lines(self.data, span):
            told = tells(self.text(begin, end))
            value = self.data.rfind(b" ", begin, end) + 1 if told else begin
            yield from self._judged((value, end), heuristics.argument, _PASSWORD)

    def _printed(self, span: "Span") -> "Iterator[Found]":
        """`--password-command 'echo V'`."""
        begin, end = bare(self.data, *span)
        for command in commands(self.data, begin, end):
            for value in said(self.data, command):
                yield from self._judged(value, heuristics.argument, _PASSWORD)

    def _typed(self, at: int) -> "Iterator[Found]":
        """`send-keys V Enter`, `input text V`: a word that is typed into something else."""
        name, (verbs, judge) = at, TYPERS[self.names[at]]
        if verbs:
            at = next((one for one in range(at, len(self.low)) if self.low[one] in verbs), -1)
            if at < 0:
                return
        skip = False
        for place in range(at + 1, len(self.words)):
            word = self.words[place]
            if skip or word[:1] == "-":
                skip = not skip and len(word) == _LETTER and word[1] in "tspNcX"
                continue
            by = judge if verbs else self._behind_name(name, place, judge)
            for begin, end in lines(self.data, bare(self.data, *self.spans[place])):
                yield from self._judged((begin, end), by, _PASSWORD)

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

    def _judged(
        self, span: "Span | None", judge: "Callable[[str], bool]", kind: str
    ) -> "Iterator[Found]":
        if span is None:
            return
        begin, end = bare(self.data, *bare(self.data, *span))
        value = self.text(begin, end)
        if value and (" " not in value or self._several_words(value, judge)) and judge(value):
            yield begin, end, kind

    def _several_words(self, value: str, judge: "Callable[[str], bool]") -> bool:
        """Whether several words may be one password."""
        for_secrets = judge in (heuristics.argument, self._variable, self._set_value)
        sure = for_secrets and len(value.split()) <= _MOST_WORDS
        return sure or heuristics.passphrase(value)

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


def _makes(word: str) -> bool:
    """Whether a word is a verb about passwords: hash-password, change_password, user:password."""
    return "=" not in word and any(
        word.partition(sign)[0] in words.MAKES for sign in "-_:" if sign in word
    )
