"""The base of every value type, and words that are more than a text: advice, notes and remarks.

A module of twenty frozen slotted dataclasses costs a cold command 33 ms of CPU, since each is compiled
when it is declared (CPython 3.11). Of these none is, until many values of it were made.
"""

import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Any, Self, dataclass_transform

    Table = tuple[Any, ...]

else:

    def dataclass_transform(**_: bool) -> "Callable[[type], type]":
        """Does nothing at run time: type checkers read the fields off the class."""
        return lambda cls: cls


# The most characters of a name, and of any other short text, that a caller gives.
NAME = 200
TEXT = 1_000
# The shape of a field in a table of a record that names no other, by its declared type.
_SHAPES = {
    str: "text",
    int: "whole",
    float: "number",
    bool: "flag",
    **dict.fromkeys((tuple[str, ...], "tuple[str, ...]"), "texts"),
    **dict.fromkeys((dict[str, int], "dict[str, int]", "Mapping[str, int]"), "counts"),
}
# Decimal places in output: more would claim more precision than was measured.
_DIGITS = {"score": 4, "share": 2, "ms": 3}


class Value:  # noqa: PLW1641 what may change is no key
    """A bag of named fields that compares, prints and copies by its fields.

    A value that crosses an interface has a TABLE: a row for each serialised field, with its name, its
    shape, and the source of its value, if not under that name (`entry.text`, or a function). Interfaces
    serialise and describe it by its table, and a client decodes it by it (`core.decode`). A shape
    is the type of another value, its name if it is not imported here, a list of either or of a table, or
    one of the words text, texts, whole, number, score, share and ms (numbers of four, of two and of three
    digits, the last of milliseconds), flag, moment (UTC milliseconds, serialised as ISO 8601), data,
    counts and words (objects of anything, of whole numbers, of texts). A trailing `?` means that it may
    be null, `-` that it is left out if empty; in a list it follows the type. A row without a name puts
    the fields of another value beside its own. In a record a row may be a declared field's name alone:
    its type then tells the shape. There `*` stands for all declared fields in order, those with a row
    of their own by that.
    """

    __slots__: tuple[str, ...] = ()
    TABLE: "Table" = ()

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self.__slots__)

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__slots__)
        return f"{type(self).__name__}({fields})"

    def replace(self, **changes: "Any") -> "Self":
        """A copy with some fields changed. Raises TypeError for a field that is not there."""
        for name in self.__slots__:
            if name not in changes:
                changes[name] = getattr(self, name)
        return type(self)(**changes)

    def raw_dict(self) -> "dict[str, Any]":
        """The fields unchanged, in the order of declaration; interfaces serialise by `as_dict`."""
        return {name: getattr(self, name) for name in self.__slots__}

    def as_dict(self) -> "dict[str, Any]":
        """The value as every interface serialises it, by its table."""
        return tabled(self.TABLE or tuple((name, "") for name in self.__slots__), self)


def _rows(table: "Table", types: "Mapping[str, Any]", names: "Iterable[str]") -> "Iterator[Any]":
    """A record's table with the shapes that its declaration tells."""
    own = {row[0]: row for row in table if row[0] in types} if "*" in table else {}
    for row in table:
        if row == "*":
            yield from (own.get(name) or (name, _shape(types[name])) for name in names)
        elif isinstance(row, str):
            yield row, _shape(types[row])
        elif row[0] not in own:
            yield row


def _shape(declared: "Any") -> "Any":
    """The shape of a declared type: as `_SHAPES` says, or a list of other values."""
    shape = _SHAPES.get(declared)
    return [declared.__args__[0]] if shape is None else shape


def iso(moment: int) -> str:
    """UTC milliseconds as ISO 8601."""
    seconds, ms = divmod(moment, 1000)
    fraction = f".{ms:03d}" if ms else ""
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds)) + fraction + "Z"


def optional(shape: "Any") -> bool:
    """Whether a field of that shape is left out where there is nothing."""
    return isinstance(shape, (str, list)) and shape[-1:] in ("-", ["-"])


def tabled(table: "Table", value: object) -> "dict[str, Any]":
    """A value serialised by a table."""
    data: dict[str, Any] = {}
    for name, shape, *where in table:
        way = where[0] if where else name
        found: Any = way(value) if callable(way) else value
        for step in () if callable(way) else way.split("."):
            found = getattr(found, step)
        if not name:
            data |= {} if found is None else found.as_dict()
        elif found in (None, "", ()) and optional(shape):
            continue
        elif isinstance(shape, list) and isinstance(shape[0], tuple):
            data[name] = [tabled(shape[0], one) for one in found]
        else:
            data[name] = _serialised(found, shape)
    return data


def _serialised(found: "Any", shape: "Any") -> "Any":
    if shape == "flag":
        return bool(found)
    if isinstance(found, Value):
        return found.as_dict()
    if isinstance(found, (tuple, list)):
        return [_serialised(one, "") for one in found]
    if found is None or shape.__class__ is not str:
        return found
    if shape.startswith("moment"):
        return iso(found)
    digits = _DIGITS.get(shape.rstrip("?-"))
    return found if digits is None else round(found, digits)


class _Fresh:
    """Stands for a default that each value makes for itself."""

    __slots__ = ("make",)

    def __init__(self, make: "Callable[[], Any]") -> None:
        self.make = make

    def __set_name__(self, owner: "type[_Declared]", name: str) -> None:
        owner._made = {**owner._made, name: self.make}  # noqa: SLF001 its own class


def fresh(make: "Callable[[], Any]") -> "Any":
    """The default of a declared field that is made anew for each value: what can change is not shared."""
    return _Fresh(make)


_FUNCTION = type(fresh)
# Values of a class after which its initialiser is compiled, which takes as long as it saves with so many.
_MANY = 100


class _Declared(Value):
    """A value whose fields are said once, in its class, with their types and defaults.

    One initialiser serves all classes. In a class of many values it is replaced by one that is compiled
    for its fields and takes a third of the time. A name in capitals is no field.
    """

    __slots__: tuple[str, ...] = ()
    # Found with the first value of a class: of most classes that a command loads it makes none.
    _needed: "frozenset[str] | None" = None
    _known: frozenset[str] = frozenset()
    _made: "dict[str, Callable[[], Any]]" = {}  # noqa: RUF012 replaced by subclasses, never changed
    # How many values are still made by the common initialiser: in a list, since CPython forgets what it
    # knows of a class when an attribute of it is set. And how the compiled one sets a field.
    _left: "list[int]" = []  # noqa: RUF012 each class has its own
    _SET = "self.{name}"

    def __init_subclass__(cls) -> None:
        own = [name for name in cls.__annotations__ if not name.isupper()]
        cls.__slots__ = (*cls.__slots__, *own)
        cls._needed, cls._left = None, [_MANY]
        for name in own:
            default = cls.__dict__.get(name)
            if default.__class__ is _FUNCTION:  # as an attribute of a class it would be a method
                setattr(cls, name, staticmethod(default))
        if "__init__" not in cls.__dict__:
            cls.__init__ = _Declared.__init__  # type: ignore[method-assign]
        if str in map(type, cls.TABLE):
            cls.TABLE = tuple(_rows(cls.TABLE, cls.__annotations__, own))

    def __init__(self, *given: "Any", **named: "Any") -> None:
        count = len(given) + len(named)
        needed = self._needed
        if needed is None:
            needed = self._learn_fields()
            # CPython lays out all values as the first: complete, they take less than half the memory.
            for name in self.__slots__:
                object.__setattr__(self, name, getattr(self, name, None))
        if given:
            named.update(zip(self.__slots__, given, strict=False))
        if len(named) != count or not needed <= named.keys() <= self._known:
            takes = ", ".join(self.__slots__)
            raise TypeError(f"{type(self).__name__} takes {takes}, not {given!r} and {named!r}")
        if self._made:
            for name, make in self._made.items():
                if name not in named:
                    named[name] = make()
        self.__dict__.update(named)
        self._left[0] = left = self._left[0] - 1
        if not left:
            self._compile()

    @classmethod
    def _learn_fields(cls) -> frozenset[str]:
        """The fields without a default, after noting them and all fields for later values."""
        mro = cls.__mro__
        with_default = {name for one in mro[: mro.index(_Declared)] for name in one.__dict__}
        cls._known = frozenset(cls.__slots__)
        cls._needed = needed = cls._known - with_default
        return needed

    @classmethod
    def _compile(cls) -> None:
        """Gives the class an initialiser of its own, as it would be written by hand."""
        needed = cls._needed or frozenset()
        names = sorted(cls.__slots__, key=needed.__contains__, reverse=True)
        if (*names,) != cls.__slots__:
            return  # a field without a default after one with: no signature says that
        usual = {name: getattr(cls, name) for name in names if name not in needed}
        takes = ", ".join(name if name in needed else f"{name}=usual[{name!r}]" for name in names)
        lines = [f"def __init__(self, {takes}):"]
        for name in names:
            own = f"{name}.make() if {name}.__class__ is Fresh else " if name in cls._made else ""
            lines.append(f" {cls._SET.format(name=name)} = {own}{name}")
        made: dict[str, Any] = {}
        exec("\n".join(lines), {"usual": usual, "Fresh": _Fresh}, made)  # noqa: S102 our own names
        cls.__init__ = made["__init__"]  # type: ignore[method-assign]


class Frozen(Value):
    """A value whose fields are set once, so that it can be a key. They hold what cannot change either."""

    __slots__: tuple[str, ...] = ()

    def __setattr__(self, name: str, value: object) -> None:
        if hasattr(self, name):
            raise AttributeError(
                f"{type(self).__name__} is frozen: take a copy by replace({name}=…)"
            )
        object.__setattr__(self, name, value)

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen: {name} stays")

    def __hash__(self) -> int:
        return hash(self.key())

    def key(self, ignored: str = "") -> "tuple[Any, ...]":
        """The fields in order, all but one: by them values are the same that differ in that one."""
        return tuple([getattr(self, name) for name in self.__slots__ if name != ignored])


@dataclass_transform()
class Record(_Declared):
    """A value with declared fields."""


@dataclass_transform(frozen_default=True)
class FrozenRecord(_Declared, Frozen):
    """A value with declared fields that are set once, so that it can be a key."""

    _SET = "self.__dict__[{name!r}]"

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen: take a copy by replace({name}=…)")


# What people are told to type for a verb, where that is not its name.
TYPED_AS = {"curate": "remember"}


class Do:
    """A verb with its arguments: an advised action, as data."""

    __slots__ = ("arguments", "named", "verb")

    def __init__(self, verb: str, *arguments: str, **named: "str | bool") -> None:
        self.verb = verb
        self.arguments = arguments
        self.named = named

    def command(self) -> str:
        """As it is typed on a command line."""
        named = {f"--{name.replace('_', '-')}": value for name, value in self.named.items()}
        flags = [name for name, value in named.items() if value is True]
        options = [f"{name} {value}" for name, value in named.items() if value is not True]
        verb = TYPED_AS.get(self.verb, self.verb)
        return " ".join(("bower", verb, *flags, *self.arguments, *options))


class Advice(str):
    """Words that may hold verbs as data, so that each interface names them in its own terms.

    Read as a text it speaks of the command line.
    """

    __slots__ = ("parts",)
    parts: "tuple[str | Do, ...]"

    def __new__(cls, *parts: "str | Do") -> "Self":
        """Words and verbs one after another; advice among them brings its own along."""
        text = "".join(one.command() if isinstance(one, Do) else one for one in parts)
        self = super().__new__(cls, text)
        inner = (one.parts if isinstance(one, Advice) else (one,) for one in parts)
        self.parts = tuple(part for several in inner for part in several)
        return self

    def by(self, name: "Callable[[Do], str]") -> str:
        """The same words, each verb as `name` says."""
        return "".join(name(part) if isinstance(part, Do) else part for part in self.parts)


class Note(Advice):
    """A remark that accompanies an answer; `kind` says what it is about, so nobody parses its words.

    missing: there is no store yet. project: a project was named that the store does not know. asked: a
    stage was left out as the asker wished. degraded: something could not be done. damaged: something
    was left out because it is damaged. order: hits are not sorted by relevance. unnoted: what was shown
    could not be noted. uncounted: uses could not be counted. then: the answer is of another day.
    untrusted: nothing was returned because what fits is trusted too little. nothing_then: no session is
    on record of the time that was asked for. undigested: some of that time have no digest. kinds: of a
    kind that was asked for there is more.
    """

    __slots__ = ("kind",)
    kind: str

    def __new__(cls, kind: str, *parts: "str | Do") -> "Self":
        """A kind, and words as in any advice."""
        self = super().__new__(cls, *parts)
        self.kind = kind
        return self


class Remark(Value):
    """A note as interfaces return it: its `kind`, its words, and `by`, the stage or part that made it."""

    __slots__ = ("by", "kind", "text")
    TABLE = (("kind", "text"), ("text", "text"), ("by", "text-"))

    def __init__(self, kind: str, text: str, by: str = "") -> None:
        self.kind = kind
        self.text = text
        self.by = by

    @classmethod
    def of(cls, value: "Any") -> "list[Self]":
        """The remarks of a value that has `notes`."""
        return [cls(note.kind, note) for note in value.notes]


def spoken(data: "Any", say: "Callable[[Advice], str]") -> "Any":
    """A serialised value, with all its advice in the terms of an interface."""
    if isinstance(data, dict):
        return {key: spoken(one, say) for key, one in data.items()}
    if isinstance(data, list):
        return [spoken(one, say) for one in data]
    return say(data) if isinstance(data, Advice) else data
