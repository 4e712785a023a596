"""Arguments as they are mostly given, read without argparse.

Loading argparse and building a parser is a seventh of what `bower status` costs. So each verb tells its
options to a `Plain` first, which reads what is plain and leaves everything else, errors and help
among it, to the parser: what both read is the same.
"""

from types import SimpleNamespace

from bowerbird.core.errors import UsageError, nearest
from bowerbird.surfaces import TYPED, typed

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Collection, Iterator, Sequence
    from typing import Any

    from bowerbird.surfaces import Field, Verb

FORMATS = ("auto", "json", "text", "markdown")
# The global options, known before a parser exists because they may stand before the verb.
GLOBAL_WITH_VALUE = ("--store", "--db-path", "--project", "--format")
GLOBAL_FLAGS = ("--quiet", "-q", "--verbose", "-v", "--version", "--help", "-h")
# How each kind of option is read; the others are argparse's.
_ACTIONS = frozenset(("store", "store_true", "append", "yes_no"))


class Plain:
    """Stands for an `argparse.ArgumentParser` while a verb tells its options."""

    def __init__(self) -> None:
        self._options: dict[str, tuple[str, dict[str, Any]]] = {}
        self._positional: tuple[str, dict[str, Any]] | None = None
        self._defaults: dict[str, Any] = {}
        self._exclusive: list[set[str]] = []
        self._known = True

    def add_argument_group(self, _title: str) -> "Plain":
        """Groups matter to the help alone."""
        return self

    def add_mutually_exclusive_group(self) -> "_Exclusive":
        """A group of which one may be given."""
        self._exclusive.append(set())
        return _Exclusive(self, self._exclusive[-1])

    def add_argument(self, *names: str, **named: "Any") -> str:
        """Note one argument, by the names of argparse; where its value goes."""
        action = named.get("action", "store")
        self._known &= action in _ACTIONS
        if not names[0].startswith("-"):
            self._known &= self._positional is None
            self._positional = (names[0], named)
            return names[0]
        long = next((name for name in names if name.startswith("--")), names[0])
        place = str(named.get("dest") or long.lstrip("-").replace("-", "_"))
        self._defaults[place] = named.get("default", False if action == "store_true" else None)
        for name in names:
            self._options[name] = (place, named)
            if action == "yes_no":
                self._options["--no-" + name[2:]] = (place, named)
        return place

    def read(self, words: "Sequence[str]") -> SimpleNamespace | None:
        """The options, or None where a parser has to look."""
        found = dict(self._defaults)
        texts: list[str] = []
        given: set[str] = set()
        ended = False
        rest = iter(words)
        for word in rest:
            if _is_text(word):
                if ended:
                    return None  # texts apart from each other
                texts.append(word)
            else:
                ended = bool(texts)
                place = self._take(word, rest, found)
                if place is None:
                    return None
                given.add(place)
        if not self._known or any(len(given & group) > 1 for group in self._exclusive):
            return None
        return SimpleNamespace(**found) if self._fit(texts, found) else None

    def _take(self, word: str, rest: "Iterator[str]", found: "dict[str, Any]") -> str | None:
        """Read one option with its value; where it went, None where it is not plain."""
        name, equals, value = word.partition("=")
        if name not in self._options:
            return None
        place, named = self._options[name]
        action = named.get("action", "store")
        if action in {"store_true", "yes_no"}:
            found[place] = not name.startswith("--no-") or action == "store_true"
            return None if equals else place
        if not equals:
            value = next(rest, "--")
        if value == "--" or not (equals or _is_text(value)):
            return None
        try:
            said = named.get("type", str)(value)
        except ValueError:
            return None
        found[place] = [*(found[place] or ()), said] if action == "append" else said
        return place if said in named.get("choices", (said,)) else None

    def _fit(self, texts: "list[str]", found: "dict[str, Any]") -> bool:
        """Put what stands without a name where it belongs; whether it fits."""
        if self._positional is None:
            return not texts
        place, named = self._positional
        number = named.get("nargs")
        if "choices" in named or "type" in named or ("default" in named and not texts):
            return False
        found[place] = texts if number in {"*", "+"} else next(iter(texts), None)
        if number == "*":
            return True
        return bool(texts) if number == "+" else len(texts) == 1


def _is_text(word: str) -> bool:
    """Whether a word is no option's name; `-` alone is standard input."""
    return word in {"", "-"} or not word.startswith("-")


class _Exclusive:
    """A group of options of which one may be given."""

    def __init__(self, plain: Plain, group: set[str]) -> None:
        self._plain = plain
        self._group = group

    def add_argument(self, *names: str, **named: "Any") -> None:
        """Note one of them."""
        self._group.add(self._plain.add_argument(*names, **named))


def add_arguments(parser: "argparse.ArgumentParser | Plain", verb: "Verb") -> None:
    """The arguments of a command: the fields of its verb, and the options of every one."""
    groups: dict[str, Any] = {"": parser}
    for field in verb.at(TYPED):
        if field.group not in groups:
            groups[field.group] = parser.add_argument_group(field.group)
        group = groups[field.group]
        if field.apart:
            group = groups.setdefault(field.apart, None) or group.add_mutually_exclusive_group()
            groups[field.apart] = group
        names, named = _argument(field)
        group.add_argument(*names, **named)
    add_globals(parser, own={field.name for field in verb.fields})


def _argument(field: "Field") -> "tuple[tuple[str, ...], dict[str, Any]]":
    """A field as argparse is told of it."""
    names = field.option or ("--" + field.name.replace("_", "-"),)
    told = ": ".join(filter(None, (field.meaning, ", ".join(field.choices))))
    told += "; - reads it from stdin" if field.piped else ""
    named: dict[str, Any] = {"help": told}
    if field.choices:
        named["choices"] = field.choices
    if not names[0].startswith("-"):
        named |= {"metavar": names[0]} | ({"nargs": field.words} if field.words else {})
        return (field.name,), named
    named["dest"] = field.name
    if field.shape == "flag":
        named["action"] = "yes_no" if field.default is None else "store_true"
        return names, named
    named["metavar"] = field.metavar or names[0].lstrip("-").upper()
    if field.shape in {"texts", "data"}:
        named |= {"action": "append", "help": f"{told}; repeatable"}
    if field.shape in _NUMBERS:
        named["type"] = _NUMBERS[field.shape]
    return names, named


def given(options: "Any", verb: "Verb") -> "dict[str, Any]":
    """What was typed of a verb's fields."""
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


_NUMBERS = {"whole": int, "number": float}


def add_globals(
    parser: "argparse.ArgumentParser | Plain", own: "Collection[str]" = frozenset()
) -> None:
    """The options that every verb takes, before it or after it, but for those of its own."""
    group = parser.add_argument_group("options of every command")
    group.add_argument(
        "--store",
        "--db-path",
        metavar="PATH",
        help="the store file; else BOWER_STORE, else your data folder",
    )
    if "project" not in own:
        group.add_argument(
            "--project", metavar="NAME", help="work in this project, not the folder's"
        )
    group.add_argument(
        "--format",
        choices=FORMATS,
        default="auto",
        metavar="FORMAT",
        help="auto, json, text or markdown; auto is text on a terminal, JSON in a pipe",
    )
    group.add_argument("-q", "--quiet", action="store_true", help="the answer alone, no remarks")
    group.add_argument("-v", "--verbose", action="store_true", help="more detail; tracebacks")
    group.add_argument("--version", action="store_true", help="show the version")
    group.add_argument("-h", "--help", action="store_true", help="show this help")


def split(arguments: "list[str]") -> "tuple[list[str], str | None, list[str]]":
    """The options before the verb, the verb, and the rest. Raises UsageError."""
    i = 0
    while i < len(arguments):
        word = arguments[i]
        name = word.partition("=")[0]
        if not word.startswith("-") or word == "-":
            return arguments[:i], word, arguments[i + 1 :]
        if name in GLOBAL_WITH_VALUE:
            if "=" not in word and i + 1 == len(arguments):
                raise UsageError(f"{name} needs a value", "see bower help")
            i += 1 if "=" in word else 2
        elif word in GLOBAL_FLAGS:
            i += 1
        else:
            known = [*GLOBAL_WITH_VALUE, *GLOBAL_FLAGS]
            near = nearest(name, known)
            raise UsageError(
                f"unknown option: {name}",
                f"did you mean {near}?" if near else "options of a command stand after it",
            )
    return arguments, None, []


def asked_format(arguments: "list[str]") -> str:
    """The format that the arguments ask for, even when they are otherwise wrong."""
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
    """Whether a flag stands among the options, before any ``--``."""
    for word in arguments:
        if word == "--":
            return False
        if word in names:
            return True
    return False
