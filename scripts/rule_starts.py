"""Tells where a rule's keyword and its value are in a match, from the pattern."""

from itertools import product
from re import _constants as of  # type: ignore[attr-defined]
from re import _parser as parser
from typing import Any

# Patterns that may begin in more ways are not followed: none of the rules that begin with a keyword
# needs as many.
_MOST = 4_096


def begins_with(pattern: str, keywords: "tuple[bytes, ...]") -> bool:
    """Whether a match always begins with a keyword, in upper or lower case."""
    words = tuple(keyword.decode("latin-1") for keyword in keywords)
    begun, _ = _begun(parser.parse(pattern), max(map(len, words)))
    return 0 < len(begun) <= _MOST and all(one.lower().startswith(words) for one in begun)


def head_width(pattern: str) -> int:
    """The most bytes of a match before the value, which is the only group or the whole match."""
    head = parser.parse("")
    for kind, what in parser.parse(pattern):
        if kind is of.SUBPATTERN and what[0] is not None:
            return int(head.getwidth()[1])
        head.append((kind, what))
    return 0


def _begun(parsed: "Any", length: int) -> "tuple[set[str], bool]":
    """The texts with which matches begin, as far as they are literal, and whether that is all of it."""
    begun, whole = {""}, True
    for kind, what in parsed:
        if kind is of.AT:
            continue
        after, whole = _ways(kind, what, length)
        begun = {one + more for one, more in product(begun, after)}
        if not whole or min(map(len, begun)) >= length or len(begun) > _MOST:
            return begun, False
    return begun, whole


def _ways(kind: "Any", what: "Any", length: int) -> "tuple[set[str], bool]":
    if kind is of.LITERAL:
        return {chr(what)}, True
    if kind is of.SUBPATTERN:
        return _begun(what[-1], length)
    if kind is of.BRANCH:
        ways = [_begun(one, length) for one in what[1]]
        return set().union(*(begun for begun, _ in ways)), all(whole for _, whole in ways)
    if kind is of.IN and all(one is of.LITERAL for one, _ in what):
        return {chr(char) for _, char in what}, True
    return {""}, False
