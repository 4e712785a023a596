"""The difference that a change makes to an agent's file: our entries counted, and its lines.

A changed line may hold entries of others too: a comma after the last server, or a whole file on one line.
Their values may be keys, so everything but names and our own values is masked.
"""

import difflib
import re

from bowerbird.surfaces.installer.own_entries import document, own_entries

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from bowerbird.agents.agent import File

# Stands for a value of others.
MASK = "…"
# Strings, comments to the end of the line, and bare words, with what makes a string or word a name.
_TOKEN = re.compile(
    r"""(?P<text>"(?:[^"\\]|\\.)*"?|'[^']*'?)(?P<named>\s*[:=])?"""
    r"""|(?P<remark>//.*|/\*.*|\#.*)"""
    r"""|(?P<word>[^\s"'\[\]{},:=]+)(?P<key>(?=\s*=|[\w.-]*\]))?"""
)
_PLAIN = frozenset(("true", "false", "null"))


def summary(before: bytes | None, after: bytes | None, file: "File") -> str:
    """The entries that come and go: ``+1 server, +9 hooks``."""
    if file.source:
        return "unchanged" if before == after else f"{'-' if after is None else '+'}1 plugin file"
    old, new = _own(before, file), _own(after, file)
    parts = []
    for noun, is_server in (("server", True), ("hook", False)):
        was = {path: one for path, one in old.items() if (path == file.server) == is_server}
        now = {path: one for path, one in new.items() if (path == file.server) == is_server}
        if len(was) != len(now):
            more = len(now) - len(was)
            parts.append(f"{more:+d} {noun}{'s' if abs(more) > 1 else ''}")
        elif was != now:
            parts.append(f"{len(now)} {noun}{'s' if len(now) > 1 else ''} updated")
    return ", ".join(parts) or "format only"


def lines(before: bytes | None, after: bytes | None, file: "File") -> list[str]:
    """The removed and added lines without context; values that are not ours are masked."""
    if file.source:
        return list(_changed(before, after))
    entries = [_own(before, file), _own(after, file)]
    own = {text for one in entries for text in _strings(one)}
    own |= {str(part) for one in entries for path in one for part in path}
    changed = _changed(before, after)
    return [one if one.startswith("@@") else one[0] + _masked(one[1:], own) for one in changed]


def _changed(before: bytes | None, after: bytes | None) -> "Iterator[str]":
    old, new = ((one or b"").decode("utf-8").splitlines() for one in (before, after))
    # Most of a large file is the same before and after; to compare 400,000 lines takes a second.
    fewer = min(len(old), len(new))
    head = next((at for at in range(fewer) if old[at] != new[at]), fewer)
    fewer -= head
    tail = next((at for at in range(fewer) if old[-at - 1] != new[-at - 1]), fewer)
    old, new = old[head : len(old) - tail], new[head : len(new) - tail]
    for tag, *places in difflib.SequenceMatcher(None, old, new).get_opcodes():
        if tag == "equal":
            continue
        first, last, start, end = places
        yield f"@@ -{_place(first + head, last - first)} +{_place(start + head, end - start)} @@"
        yield from (f"-{line}" for line in old[first:last])
        yield from (f"+{line}" for line in new[start:end])


def _place(at: int, count: int) -> str:
    """The place of some lines as in a unified difference, where none stand behind the line before."""
    if count == 1:
        return str(at + 1)
    return f"{at + 1 if count else at},{count}"


def _own(content: bytes | None, file: "File") -> "dict[tuple[str | int, ...], Any]":
    if not content:
        return {}
    return own_entries(document(content.decode("utf-8"), file.format), file)


def _strings(value: "Any") -> "Iterator[str]":
    """All names and values of a structure, as text."""
    if isinstance(value, dict):
        for key, one in value.items():
            if isinstance(key, str):
                yield key
            yield from _strings(one)
    elif isinstance(value, list):
        for one in value:
            yield from _strings(one)
    else:
        yield str(value)


def _masked(line: str, own: set[str]) -> str:
    def shown(found: "re.Match[str]") -> str:
        text = found["text"]
        if text is not None:
            named = found["named"] or ""
            quote = text[0]
            whole = named or _unquoted(text) in own
            return (text if whole else f"{quote}{MASK}{quote}") + named
        if found["remark"] is not None:
            return found["remark"][0] + MASK
        word = found["word"]
        return word if found["key"] is not None or word in own or word in _PLAIN else MASK

    return _TOKEN.sub(shown, line)


def _unquoted(text: str) -> str:
    body = text[1:-1]
    return body if text[0] == "'" else re.sub(r"\\(.)", r"\1", body)
