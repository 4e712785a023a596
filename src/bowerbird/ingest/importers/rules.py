"""Reads rules files of coding agents: CLAUDE.md, AGENTS.md, .cursorrules, and those of Windsurf."""

import os

from bowerbird.core.kept_block import without_block
from bowerbird.core.text import fold, words
from bowerbird.ingest.frontmatter import block
from bowerbird.ingest.importers.gathering import Gathering
from bowerbird.ingest.importers.items import items

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bowerbird.core.migrated import Found

_NAMES = (
    "CLAUDE.md",
    "CLAUDE.local.md",
    "AGENTS.md",
    "GEMINI.md",
    ".cursorrules",
    ".windsurfrules",
    ".clinerules",
    ".github/copilot-instructions.md",
)
_FOLDERS = (".cursor/rules", ".windsurf/rules", ".claude/rules", ".clinerules")
_ENDS = (".md", ".mdc", ".txt")
_FENCE = "---"
_LONGEST_BLOCK = 20
# Above this many characters a heading is no label of what stands below it.
_LONGEST_LABEL = 60
# Words that say of a rule only that it is one: a heading of these is no label either, nor is the title.
_OF_RULES = frozenset(
    "rule rules convention conventions guideline guidelines instruction instructions note notes general"
    " preference preferences important project our my the and coding agent agents claude house ground"
    " regeln regel konventionen hinweise vorgaben regles consignes reglas regole regels".split()
)


def accepts(path: str) -> bool:
    """Whether a path is a rules file, a folder of them, or a project with any."""
    return any(True for _ in files(path))


def places(home: str, here: str, _environment: "Mapping[str, str]") -> "Iterator[str]":
    """The project's, and those for all projects."""
    yield here
    yield os.path.join(home, ".claude", "CLAUDE.md")
    yield os.path.join(home, ".codex", "AGENTS.md")


def read(path: str, most: int) -> "Found":
    """Each rule: an item of a list or a paragraph, with the heading above it; a kept block is no rule."""
    gathering = Gathering("rules", path, most)
    kept_blocks = False
    for file in files(path):
        text = gathering.text(file)
        lines = without_block(text).split("\n")
        kept_blocks = kept_blocks or without_block(text) != text
        fields, size = _fields(lines)
        # Of a file of one subject, which stands in a folder of them, the title names that.
        whole = not os.path.dirname(os.path.abspath(file)).endswith(_FOLDERS)
        title = next((one[2:].strip() for one in lines if whole and one.startswith("# ")), "")
        name = os.path.relpath(file, path) if os.path.isdir(path) else os.path.basename(file)
        kept = {"file": name}
        for field in ("description", "globs", "alwaysApply", "trigger"):
            if fields.get(field):
                kept[field] = ", ".join(fields[field])
        modified = os.stat(file).st_mtime_ns // 1_000_000 if os.path.isfile(file) else None
        for number, (section, said) in enumerate(items("\n".join(lines[size:])), 1):
            label = f"{section}: " if _names_a_subject(section, title) else ""
            where = {"section": section} if section else {}
            gathering.add(f"{name} {number}", label + said, kept | where, occurred=modified)
    return gathering.found(or_nothing=kept_blocks)


def _names_a_subject(heading: str, title: str) -> bool:
    """Whether a heading says what the rules below it are about, and is not the title of the file."""
    said = {*words(fold(heading))}
    return 0 < len(heading) <= _LONGEST_LABEL and heading != title and not said <= _OF_RULES


def _fields(lines: "list[str]") -> "tuple[dict[str, list[str]], int]":
    """The fields before the rules; Cursor's are often no YAML: `globs: *.ts`."""
    fields, size = block(lines)
    if size or lines[0].strip() != _FENCE or _FENCE not in map(str.strip, lines[1:_LONGEST_BLOCK]):
        return fields, size
    end = [line.strip() for line in lines].index(_FENCE, 1)
    parted = (line.partition(":") for line in lines[1:end])
    return {name.strip(): [said.strip()] for name, _, said in parted if said.strip()}, end + 1


def files(path: str) -> "Iterator[str]":
    """The rules files at a path."""
    if os.path.isfile(path):
        base, folder = os.path.basename(path), os.path.dirname(os.path.abspath(path))
        known = {os.path.basename(name) for name in _NAMES}
        if base in known or base.endswith(".mdc") or folder.endswith(_FOLDERS):
            yield path
        return
    if not os.path.isdir(path):
        return
    own = (os.path.join(path, name) for name in _NAMES)
    yield from (one for one in own if os.path.isfile(one))
    folders = [os.path.join(path, name) for name in _FOLDERS]
    if os.path.abspath(path).endswith(_FOLDERS):
        folders.append(path)
    for folder in folders:
        for here, below, names in os.walk(folder):
            below.sort()
            yield from (os.path.join(here, one) for one in sorted(names) if one.endswith(_ENDS))
