"""Which text an edit replaced, and with what, from the tool calls of each agent. Pure."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

# Argument names of the old and the new text: Claude Code and Gemini, OpenCode, OpenClaw, and others.
_NAMES = (
    ("old_string", "new_string"),
    ("oldString", "newString"),
    ("oldText", "newText"),
    ("old_str", "new_str"),
)
# Arguments in which Codex passes patches; the header of a file, of a hunk, and the end of a patch.
_PATCHES = ("input", "patch", "patchText")
_FILE = "*** "
_HUNK = "@@"
# Per call. A call with more replacements gives no evidence about any one place.
_MOST = 50


def changes(given: "Mapping[str, Any]") -> list[tuple[str, str]]:
    """Return pairs of replaced and new text; none for a file that was written whole."""
    found: list[tuple[str, str]] = []
    several = given.get("edits")
    for one in [given, *(several if isinstance(several, list) else ())][:_MOST]:
        for before, after in _NAMES:
            old, new = (one.get(before), one.get(after)) if isinstance(one, dict) else (None, None)
            if isinstance(old, str) and isinstance(new, str):
                found.append((old, new))
                break
    for name in _PATCHES:
        text = given.get(name)
        if isinstance(text, str) and _FILE in text:
            found += _hunks(text)
    return found[:_MOST]


def _hunks(patch: str) -> list[tuple[str, str]]:
    found = []
    old: list[str] = []
    new: list[str] = []
    for line in [*patch.split("\n"), _HUNK]:
        if line.startswith((_FILE, _HUNK)):
            if old != new:
                found.append(("\n".join(old), "\n".join(new)))
            old, new = [], []
        elif line[:1] == "-":
            old.append(line[1:])
        elif line[:1] == "+":
            new.append(line[1:])
        else:
            old.append(line[1:])
            new.append(line[1:])
    return found
