"""The base of every value type, and words that are more than a text: advice and notes.

Plain ``__slots__`` classes: a module of frozen slotted dataclasses costs a cold command 33 ms of
CPU, these cost 0.4 (twenty of them, CPython 3.11).
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Self


class Value:  # noqa: PLW1641 what may change is no key
    """A bag of named fields that compares, prints and copies by its fields."""

    __slots__: tuple[str, ...] = ()

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self.__slots__)

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__slots__)
        return f"{type(self).__name__}({fields})"

    def replace(self, **changes: "Any") -> "Self":
        """A copy with some fields changed. Raises TypeError for a field that is not there."""
        fields = {name: getattr(self, name) for name in self.__slots__}
        fields.update(changes)
        return type(self)(**fields)

    def to_dict(self) -> "dict[str, Any]":
        """The fields as a dictionary, in the order in which they are declared."""
        return {name: getattr(self, name) for name in self.__slots__}


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
        return hash(tuple(getattr(self, name) for name in self.__slots__))


class Do:
    """A verb with its arguments: what advice tells to do, as data."""

    __slots__ = ("arguments", "named", "verb")

    def __init__(self, verb: str, *arguments: str, **named: "str | bool") -> None:
        self.verb = verb
        self.arguments = arguments
        self.named = named

    def command(self) -> str:
        """As it is typed on a command line."""
        options = [
            f"--{name.replace('_', '-')}" + ("" if value is True else f" {value}")
            for name, value in self.named.items()
        ]
        return " ".join(("bower", self.verb, *self.arguments, *options))


class Advice(str):
    """Words that may hold verbs as data, so that each door names them in its own terms.

    Read as a text it speaks of the command line.
    """

    __slots__ = ("parts",)
    parts: "tuple[str | Do, ...]"

    def __new__(cls, *parts: "str | Do") -> "Self":
        """Words and verbs one after another; advice among them brings its own along."""
        told = "".join(one.command() if isinstance(one, Do) else one for one in parts)
        self = super().__new__(cls, told)
        inner = (one.parts if isinstance(one, Advice) else (one,) for one in parts)
        self.parts = tuple(part for several in inner for part in several)
        return self

    def by(self, name: "Callable[[Do], str]") -> str:
        """The same words, each verb as `name` says."""
        return "".join(name(part) if isinstance(part, Do) else part for part in self.parts)


class Note(Advice):
    """A remark that goes with an answer; `kind` says what it is about, so that nobody reads its words.

    missing: there is no store yet. project: a project was named that the store does not know. asked: a
    stage was left out as the asker wished. degraded: something could not be done. damaged: something
    was left out because it is damaged. unnoted: what was shown could not be noted. uncounted: uses could
    not be counted.
    """

    __slots__ = ("kind",)
    kind: str

    def __new__(cls, kind: str, *parts: "str | Do") -> "Self":
        """A kind, and words as in any advice."""
        self = super().__new__(cls, *parts)
        self.kind = kind
        return self
