"""Parses the links of a note to other documents, and resolves them.

Obsidian's ``[[Note]]``, ``[[folder/Note#Heading|shown]]`` and ``![[Note]]``, and Markdown's
``[shown](../note.md#heading)``. Links to the web or within the same note are left out.
"""

import os
import re
from urllib.parse import unquote

from bowerbird.core.value import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

# Maximum links kept for one document: an index page has hundreds.
_MOST_LINKS = 10_000
_WIKI = re.compile(r"(!?)\[\[([^\[\]\n|]{1,1024}+)(?:\|[^\[\]\n]{0,1024}+)?\]\]")
# In angle brackets a target may contain blanks; a title may follow it.
_MARKDOWN = re.compile(
    r"(!?)\[[^\[\]\n]{0,1024}+\]\((?:<([^<>\n]{1,1024}+)>|((?:[^\s()<>]|\([^\s()<>]{0,200}+\)){1,1024}+))"
)
_REFERENCE = re.compile(r" {0,3}\[[^\[\]\n]{1,200}\]:[ \t]+<?([^\s<>]{1,1024})")
_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:")
_CODE = re.compile(r"`[^`\n]{1,500}+`")
# Extensions that a link to a note may omit.
_NOTES = (".md", ".markdown", ".mdx")


class Link(Record):
    """A link: the target as written without its heading, the heading, and the line.

    `wiki` is true for Obsidian's form, which names a note anywhere; the other is a path relative to the
    note's folder. `embeds` is true if the target is shown in place of the link.
    """

    target: str
    heading: str
    line: int
    wiki: bool
    embeds: bool


def links(lines: "Sequence[str]", without: "Collection[int]" = ()) -> tuple[Link, ...]:
    """The links of a note to other documents, in order, without those in code or `without`."""
    found: list[Link] = []
    for number, line in enumerate(lines):
        if ("](" not in line and "[[" not in line and "]:" not in line) or number in without:
            continue
        bare = _CODE.sub("", line) if "`" in line else line
        for link in _of_line(bare, number + 1):
            if len(found) == _MOST_LINKS:
                return tuple(found)
            found.append(link)
    return tuple(found)


def _of_line(line: str, number: int) -> "Iterator[Link]":
    for match in _WIKI.finditer(line):
        target, _, heading = match.group(2).partition("#")
        # In a table the bar is escaped by a backslash.
        target = target.strip().removesuffix("\\").strip()
        if target:
            heading = heading.removesuffix("\\").strip()
            yield Link(target, heading, number, wiki=True, embeds=bool(match.group(1)))
    for match in _MARKDOWN.finditer(line):
        yield from _path(match.group(2) or match.group(3), number, embeds=bool(match.group(1)))
    if reference := _REFERENCE.match(line):
        yield from _path(reference.group(1), number, embeds=False)


def _path(written: str, number: int, *, embeds: bool) -> "Iterator[Link]":
    if _SCHEME.match(written) or written.startswith(("//", "#")):
        return
    target, _, heading = written.partition("#")
    target = unquote(target.partition("?")[0])
    if target and "\0" not in target:
        yield Link(target, unquote(heading), number, wiki=False, embeds=embeds)


class Notes:
    """The documents that links can resolve to, by path, file name and alias."""

    def __init__(
        self, paths: "Iterable[str]", aliases: "Mapping[str, Sequence[str]] | None" = None
    ) -> None:
        """`paths` are the paths of all documents of a project; `aliases` are further names, by path."""
        self._paths = set(paths)
        self._named: dict[str, list[str]] = {}
        for path in sorted(self._paths):
            for name in _names(path):
                self._named.setdefault(name, []).append(path)
        self._aliases: dict[str, list[str]] = {}
        for path, names in (aliases or {}).items():
            for name in names:
                self._aliases.setdefault(name.strip().lower(), []).append(path)

    def meant(self, link: Link, note: str) -> str:
        """The path of the document that a link resolves to; empty if there is none or several.

        First by path, relative to the note's folder; then, as in Obsidian, the only file with that name
        or path ending; then the only one with that alias.
        """
        direct = os.path.normpath(os.path.join(os.path.dirname(note), link.target.lstrip("/")))
        for ending in ("", *_NOTES):
            if direct + ending in self._paths:
                return direct + ending
        if not link.wiki and not link.target.startswith("/"):
            return ""
        wanted = os.path.normpath(link.target.lstrip("/")).lower()
        named = self._named.get(os.path.basename(wanted), [])
        ending = os.sep + wanted
        fitting = [path for path in named if any(_ends(name, ending) for name in _forms(path))]
        if not fitting and link.wiki:
            fitting = self._aliases.get(link.target.lower(), [])
        return fitting[0] if len(set(fitting)) == 1 else ""


def _ends(path: str, ending: str) -> bool:
    return (os.sep + path).endswith(ending)


def _forms(path: str) -> "Iterator[str]":
    """The forms of a path in links, in lower case: a note's with and without its extension."""
    path = path.lower()
    yield path
    bare, ending = os.path.splitext(path)
    if ending in _NOTES:
        yield bare


def _names(path: str) -> "Iterator[str]":
    return (os.path.basename(form) for form in _forms(path))
