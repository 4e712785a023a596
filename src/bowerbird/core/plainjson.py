"""JSON by the standard library's C parser and encoder, without importing its package.

`json` loads regular expressions, which are not needed here; together they take .65 of a bare interpreter:
a third of a hook that only records; without them 6 million instructions, of 150 of a cold `status`. On an
interpreter without `_json` (it is CPython's own), the package is used.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    _Parse = Callable[[str, int], tuple[Any, int]]
    _Write = Callable[[Any, int], Any]

_BLANKS = " \t\n\r"


def loads(text: str) -> "Any":
    """The value of a JSON text. Raises ValueError, and RecursionError for one that is too deep."""
    given = text.strip(_BLANKS)
    try:
        value, end = _parse(given, 0)
    except StopIteration:
        end = -1
    if end != len(given):
        raise ValueError("no JSON")
    return value


def dumps(value: "Any") -> str:
    """A value as JSON in one line, without blanks, every character as it is. Raises TypeError."""
    return "".join(_write(value, 0))


def spaced(value: "Any") -> str:
    """The same with blanks after commas and colons, as `json.dumps` has them. Raises TypeError."""
    return "".join(_space(value, 0))


def escaped(value: "Any") -> str:
    """A value as `json.dumps` writes it, with everything beyond ASCII escaped. Raises TypeError."""
    return "".join(_escape(value, 0))


def _refused(value: object) -> None:
    raise TypeError(f"{type(value).__name__} is nothing that JSON knows")


def _built() -> "tuple[_Parse, _Write, _Write, _Write]":
    try:
        from _json import (  # start-up: see above
            encode_basestring,
            encode_basestring_ascii,
            make_encoder,
            make_scanner,
        )
    except ImportError:
        import json  # start-up: another interpreter than CPython

        def written(**options: "Any") -> "Callable[[Any, int], Any]":
            write = json.JSONEncoder(**options).encode
            return lambda value, _level: write(value)

        compact = written(ensure_ascii=False, separators=(",", ":"))
        return json.JSONDecoder().raw_decode, compact, written(ensure_ascii=False), written()

    class _Context:
        """The context object that the C scanner reads its options from."""

        strict = True
        object_hook = None
        object_pairs_hook = None
        parse_float = float
        parse_int = int
        parse_constant = float

    sort, skip, infinite = False, False, True

    def writer(quoted: "Any", colon: str, comma: str) -> "_Write":
        made: _Write = make_encoder(
            None, _refused, quoted, None, colon, comma, sort, skip, infinite
        )
        return made

    return (
        make_scanner(_Context),  # type: ignore[arg-type]
        writer(encode_basestring, ":", ","),
        writer(encode_basestring, ": ", ", "),
        writer(encode_basestring_ascii, ": ", ", "),
    )


_parse, _write, _space, _escape = _built()
