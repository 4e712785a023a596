"""Checks the texts that a caller gives to a verb, in every interface by the same rule."""

from bowerbird.core.errors import BadInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

# Arguments that count something, whatever the verb, and characters of a wrong one that are shown.
_COUNTS = frozenset({"limit", "budget", "offset"})
_SHOWN = 40
# In characters: more than any field takes. A field with a bound of its own checks that, too.
LONGEST = 1_000_000


def require_text(name: str, value: str, most: int = LONGEST) -> None:
    """Raise BadInput for a text that is no Unicode, holds NUL, or has more than `most` characters."""
    if len(value) > most:
        raise BadInput(
            f"{name}: {len(value):,} characters are too long",
            f"give at most {most:,}; a longer text is a file to index",
        )
    if "\0" in value:
        raise BadInput(
            f"{name}: it contains the character NUL, at position {value.index(chr(0))}",
            "give a text without it",
        )
    if not value.isascii() and not _is_unicode(value):
        raise BadInput(
            f"{name}: it contains half a character (a lone surrogate), so it is not valid Unicode",
            "give it as valid UTF-8; a file with such a name has to be renamed",
        )


def _is_unicode(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def names_of(verb: "Callable[..., Any]") -> tuple[tuple[str, ...], str]:
    """The names of a method's positional parameters, without `self`, and of the rest (`*paths`)."""
    code = verb.__code__
    count, named = code.co_argcount, code.co_kwonlyargcount
    takes_rest = code.co_flags & _VARARGS
    return code.co_varnames[1:count], code.co_varnames[count + named] if takes_rest else ""


# The flag of a code object that takes `*arguments`.
_VARARGS = 0x04


def require_texts(
    names: tuple[str, ...], rest: str, given: "tuple[Any, ...]", named: "dict[str, Any]"
) -> None:
    """Check all texts among the arguments of a call, also those in lists. Raises BadInput."""
    for at, value in enumerate(given):
        _require(names[at] if at < len(names) else rest, value)
    for name, value in named.items():
        _require(name, value)


def _require(name: str, value: "Any") -> None:
    if isinstance(value, str):
        if name in _COUNTS:
            raise BadInput(f"{name} cannot be {value[:_SHOWN]!r}", "give it a whole number")
        require_text(name, value)
    elif isinstance(value, list | tuple | set | frozenset):
        for one in value:
            if isinstance(one, str):
                require_text(name, one)
    elif hasattr(value, "__fspath__"):
        path = value.__fspath__()
        if isinstance(path, str):
            require_text(name, path)
