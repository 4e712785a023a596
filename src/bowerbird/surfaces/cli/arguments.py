"""Parses a command line by the fields of a verb.

argparse alone would take a seventh of the time of `bower status`, and need a second description of each
field.
"""

from types import SimpleNamespace

from bowerbird.core.errors import UsageError, nearest
from bowerbird.core.given import LONGEST, require_text
from bowerbird.surfaces.fields import TYPED, Field, typed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from bowerbird.surfaces.fields import Verb

FORMATS = ("auto", "json", "text", "markdown")


def _every(name: str, shape: str, meaning: str, *option: str, **more: "Any") -> Field:
    return Field(name, shape, meaning, option=option, group="options of every command", **more)


# Options of every command, before or after its name.
GLOBALS = (
    _every(
        "store",
        "text",
        "the store file; else BOWER_STORE, else your data folder",
        "--store",
        "--db-path",
        metavar="PATH",
    ),
    _every("project", "text", "use this project, not the folder's", metavar="NAME"),
    _every(
        "format",
        "text",
        "auto is text on a terminal, JSON in a pipe",
        choices=FORMATS,
        default="auto",
    ),
    _every("quiet", "flag", "only the answer, no remarks", "-q", "--quiet", default=False),
    _every("verbose", "flag", "more detail; tracebacks", "-v", "--verbose", default=False),
    _every("version", "flag", "show the version", default=False),
    _every("help", "flag", "show this help", "-h", "--help", default=False),
)


def arguments(verb: "Verb") -> tuple[Field, ...]:
    """All arguments of a command: its verb's fields, and the global options it does not redefine."""
    own = {field.name for field in verb.fields}
    return (*verb.at(TYPED), *(field for field in GLOBALS if field.name not in own))


def names_of(field: Field) -> tuple[str, ...]:
    """The names of an argument: its options, or its name in capitals if it is positional."""
    names = field.option or ("--" + field.name.replace("_", "-"),)
    return (*names, *("--no-" + name[2:] for name in names)) if _either(field) else names


def is_option(field: Field) -> bool:
    """Whether it is an option rather than a positional argument."""
    return names_of(field)[0].startswith("-")


def metavar(field: Field) -> str:
    """The placeholder for its value in the help; empty if it takes none."""
    if field.shape == "flag":
        return ""
    return field.metavar or names_of(field)[0].lstrip("-").upper()


def options(fields: "Iterable[Field]") -> dict[str, Field]:
    """Options by each of their names."""
    return {name: field for field in fields if is_option(field) for name in names_of(field)}


def meaning(field: Field) -> str:
    """Its description in the help."""
    text = ": ".join(filter(None, (field.meaning, ", ".join(field.choices))))
    text += "; - reads it from stdin" if field.piped else ""
    return f"{text}; repeatable" if is_option(field) and field.shape in _SEVERAL else text


def read(verb: "Verb", words: "Sequence[str]") -> SimpleNamespace:
    """The arguments of a verb, by field name. Raises UsageError."""
    line = _Line(verb)
    rest = [*reversed(words)]
    texts: list[str] = []
    while rest:
        word = rest.pop()
        if word == "--":
            texts += reversed(rest)
            break
        option = line.option(word)
        if option is None:
            texts.append(word)
            continue
        line.assign(texts)
        texts = []
        line.take(*option, rest)
    line.assign(texts)
    return line.end()


class _Line:
    """The state of parsing a command line."""

    def __init__(self, verb: "Verb") -> None:
        fields = arguments(verb)
        self._program = f"bower {verb.name}"
        self._known = options(fields)
        self._positional = [field for field in fields if not is_option(field)]
        self._waiting = [*self._positional]
        self._found: dict[str, Any] = {field.name: _absent(field) for field in fields}
        # Of each group of exclusive options, the first that was given.
        self._first: dict[str, Field] = {}
        self._surplus: list[str] = []

    def option(self, word: str) -> tuple[str, str | None] | None:
        """The name of an option, and its value if it is in the same word; None for other words."""
        name, sign, value = word.partition("=")
        if not word.startswith("-") or word == "-":
            return None
        if name in self._known:
            return name, value if sign else None
        if word[:2] in self._known:
            return word[:2], word[2:]
        if " " in word or word[1:].replace(".", "", 1).isdecimal():
            return None
        return word, None

    def take(self, name: str, value: str | None, rest: list[str]) -> None:
        """Parses an option, whose value may be the next word of `rest`."""
        field = self._known.get(name)
        if field is None:
            self._surplus.append(name)
        elif field.shape == "flag":
            self._put(field, not (_either(field) and name.startswith("--no-")))
            if value and name[1] != "-" and "-" + value[0] in self._known:
                self.take("-" + value[0], value[1:] or None, rest)  # -qv
            elif value is not None:
                raise self._wrong(f"{_called(field)} takes no value: {value!r}")
        else:
            if value is None and (not rest or rest[-1] == "--" or self.option(rest[-1])):
                raise self._wrong(f"{_called(field)}: it needs a value")
            self._put(field, self._read(field, rest.pop() if value is None else value))

    def assign(self, texts: list[str]) -> None:
        """Assigns adjacent positional arguments to their fields."""
        while texts and self._waiting:
            field = self._waiting.pop(0)
            several = field.words in {"*", "+"}
            said = [self._read(field, one) for one in (texts if several else texts[:1])]
            self._found[field.name] = said if several else said[0]
            texts = texts[len(said) :]
            if not texts and self._waiting and self._waiting[0].words in {"*", "?"}:
                del self._waiting[0]  # its position has passed
        self._surplus += texts

    def end(self) -> SimpleNamespace:
        """The result. Raises UsageError for missing or surplus arguments."""
        missing = [_called(one) for one in self._waiting if one.words in {"", "+"}]
        named = {one.name: one for one in self._known.values() if one.needed}
        missing += [_called(one) for one in named.values() if self._found[one.name] is None]
        if missing:
            raise self._wrong(f"missing: {', '.join(missing)}")
        if self._surplus:
            raise self._too_much()
        return SimpleNamespace(**self._found)

    def _put(self, field: Field, value: "Any") -> None:
        other = self._first.setdefault(field.apart, field) if field.apart else field
        if other is not field:
            raise self._wrong(f"{_called(field)}: not allowed with {_called(other)}")
        if field.shape in _SEVERAL:
            value = [*(self._found[field.name] or ()), value]
        self._found[field.name] = value

    def _read(self, field: Field, text: str) -> "Any":
        try:
            value = _NUMBERS.get(field.shape, str)(text)
        except ValueError:
            raise self._wrong(f"{_called(field)} takes a number, not {text!r}") from None
        if not text.isascii() or len(text) > LONGEST:
            require_text(_called(field), text)
        if field.name == "store" and not text:
            raise UsageError("--store is empty", "give the path of the store file, or leave it out")
        if field.choices and value not in field.choices:
            near = nearest(text, field.choices)
            remedy = f"did you mean {near}?" if near else f"known: {', '.join(field.choices)}"
            raise UsageError(f"{_called(field)} cannot be {text!r}", remedy)
        return value

    def _too_much(self) -> UsageError:
        first = self._surplus[0].split(" ")[0]
        is_option = first.startswith("-")
        message = f"unknown option: {first}" if is_option else ""
        message = message or f"one text too many: {' '.join(self._surplus)}"
        if not self._positional:
            return UsageError(
                message, f"{self._program} takes options alone; see {self._program} --help"
            )
        if not is_option:
            remedy = "put a text of several words in quotes, and options before or after all of it"
            return UsageError(message, remedy)
        near = nearest(first.partition("=")[0], [*self._known])
        return UsageError(message, f"did you mean {near}?") if near else self._wrong(message)

    def _wrong(self, message: str) -> UsageError:
        return UsageError(message, f"see {self._program} --help")


# Parsers of numbers, and the shapes that can be given repeatedly.
_NUMBERS = {"whole": int, "number": float}
_SEVERAL = frozenset(("texts", "data"))


def _either(field: Field) -> bool:
    """Whether it is a flag with a negated form."""
    return field.shape == "flag" and field.default is None


def _absent(field: Field) -> "Any":
    """The value of an argument that is not given."""
    if field in GLOBALS:
        return field.default
    if field.words == "*":
        return []
    return None if field.shape != "flag" or _either(field) else False


def _called(field: Field) -> str:
    return "/".join(names_of(field))


def given(options: "Any", verb: "Verb") -> "dict[str, Any]":
    """The given values of a verb's fields."""
    found: dict[str, Any] = {}
    for field in verb.at(TYPED):
        value = getattr(options, field.name)
        if (
            value is None
            or (field.words and value == [])
            or (field.shape == "flag" and value is False and field.default is not None)
        ):
            continue
        if field.shape == "flag" and field.default:
            value = False  # --no-fuzzy
        elif field.words in {"*", "+"} and field.shape == "text":
            value = " ".join(value)
        elif field.shape == "texts" and not field.words:
            value = typed(value, whole=field.whole)
        found[field.name] = tuple(value) if isinstance(value, list) else value
    return found


def split(arguments: "list[str]") -> "tuple[list[str], str | None, list[str]]":
    """The options before the verb, the verb, and the rest. Raises UsageError."""
    known = options(GLOBALS)
    i = 0
    while i < len(arguments):
        word = arguments[i]
        name, sign, _ = word.partition("=")
        if not word.startswith("-") or word == "-":
            return arguments[:i], word, arguments[i + 1 :]
        if name not in known or (sign and not metavar(known[name])):
            near = nearest(name, [*known])
            raise UsageError(
                f"unknown option: {name}",
                f"did you mean {near}?" if near else "options of a command follow it",
            )
        alone = not sign and bool(metavar(known[name]))
        if alone and i + 1 == len(arguments):
            raise UsageError(f"{name} needs a value", "see bower help")
        i += 1 + alone
    return arguments, None, []


def asked_format(arguments: "list[str]") -> str:
    """The requested format, even if the arguments are otherwise invalid."""
    found = "auto"
    for i, word in enumerate(arguments):
        if word == "--":
            break
        if word.startswith("--format="):
            found = word.partition("=")[2]
        elif word == "--format" and i + 1 < len(arguments):
            found = arguments[i + 1]
    return found if found in FORMATS else "auto"


def flag_given(arguments: "list[str]", *names: str) -> bool:
    """Whether a flag is given before any ``--``."""
    for word in arguments:
        if word == "--":
            return False
        if word in names:
            return True
    return False
