"""Cuts a Markdown text into its statements: each item of a list and each paragraph. Pure."""

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_HEADING = re.compile(r"#{1,6}\s+(.*?)\s*#*$")
_ITEM = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?")
_FENCE = re.compile(r"\s*(```|~~~)")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_RULE = re.compile(r"\s*([-*_=]\s*){3,}$")
# A table row, a quote, an embedded file.
_NO_STATEMENT = re.compile(r"\s*(\||!\[|<[a-z/])")
# Fewer words are a label.
_FEWEST_WORDS = 2


def items(text: str) -> "Iterator[tuple[str, str]]":
    """Each statement with the heading above it; code belongs to the statement before it."""
    section = ""
    said: list[str] = []
    fence = ""
    for line in (*_COMMENT.sub("", text).split("\n"), ""):
        opens = _FENCE.match(line)
        if fence or opens:
            said.append(line)
            if opens and (not fence or opens[1] == fence):
                fence = "" if fence else opens[1]
            continue
        heading = _HEADING.match(line)
        item = _ITEM.match(line)
        ends = not line.strip() or heading or _RULE.match(line) or _NO_STATEMENT.match(line)
        if ends or item:
            yield from _whole(section, said)
            said = []
        if heading:
            section = heading[1].strip("*_` ")
        elif not ends:
            said.append(line[item.end() :] if item else line.strip())
    yield from _whole(section, said)


def _whole(section: str, said: list[str]) -> "Iterator[tuple[str, str]]":
    text = "\n".join(said).strip()
    if len(text.split()) >= _FEWEST_WORDS and not _FENCE.match(text):
        yield section, text
