"""JSON by the standard library's C parser and encoder, without importing its package.

`json` loads regular expressions, which are not needed here; together they take .65 of a bare interpreter:
a third of a hook that only records. On an interpreter without `_json` (it is CPython's own), the package
is used.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

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


def _refused(value: object) -> None:
    raise TypeError(f"{type(value).__name__} is nothing that JSON knows")


def _built() -> "tuple[Callable[[str, int], tuple[Any, int]], Callable[[Any, int], Any]]":
    try:
        from _json import encode_basestring, make_encoder, make_scanner  # start-up: see above
    except ImportError:
        import json  # start-up: another interpreter than CPython

        write = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
        return json.JSONDecoder().raw_decode, lambda value, _level: write(value)

    class _Context:
        """The context object that the C scanner reads its options from."""

        strict = True
        object_hook = None
        object_pairs_hook = None
        parse_float = float
        parse_int = int
        parse_constant = float

    sort, skip, infinite = False, False, True
    writer = make_encoder(None, _refused, encode_basestring, None, ":", ",", sort, skip, infinite)
    return make_scanner(_Context), writer  # type: ignore[arg-type]


_parse, _write = _built()
