"""Parses what people write for a file, a symbol in it, or a symbol alone."""

import re

# `src/a.py:12` and `src/a.py:12-30` have line numbers.
_LINES = re.compile(r"\d+(-\d+)?")
# What counts as a name of code in a text: in backticks, with dots, with parentheses, or in snake_case or
# CamelCase.
_QUOTED = re.compile(r"`([^`\n]{2,200})`")
_FILE = re.compile(r"(?<![\w/.\\-])[\w.\\/-]*[\w-]{2}\.[A-Za-z]\w{0,5}(?![\w/])")
# A symbol of a file, as answers write it: `src/a.py:check`.
_OF_FILE = re.compile(_FILE.pattern.removesuffix(r"(?![\w/])") + r"(?::{1,2}|#)([A-Za-z_$][\w$.]*)")
_NAME = re.compile(
    r"\b(?:[A-Za-z_]\w*(?:(?:\.|::|#)[A-Za-z_]\w*)+|_*[A-Za-z]\w*_\w+|_+[A-Za-z]\w{2,}"
    r"|[a-z]+[a-z0-9]*[A-Z]\w*|[A-Z][a-z0-9]+[A-Z]\w*|[A-Za-z_]\w*(?=\(\)))"
)
_WHOLE = re.compile(r"[A-Za-z_$][\w$]*(?:(?:\.|::|#)[A-Za-z_$][\w$]*)*(?:\(\))?")


def parted(target: str) -> tuple[str, str]:
    """The path and the symbol of a target; either may be empty.

    Accepts ``src/a.py:Store.open``, ``src/a.py#Store.open``, ``src/a.py::Store::open``, backslashes and a
    drive letter; ``src/a.py:12`` is the file.
    """
    target = target.strip()
    drive = target[:2] if re.match(r"[A-Za-z]:[\\/]", target) else ""
    rest = target[len(drive) :]
    for mark in ("::", "#", ":"):
        path, found, name = rest.partition(mark)
        if found and path and (mark == ":" or "." in path):
            break
    else:
        path, name = rest, ""
    if _LINES.fullmatch(name):
        name = ""
    return drive + slashed(path), dotted(name)


def slashed(path: str) -> str:
    """A path with forward slashes."""
    return path.replace("\\", "/") if "\\" in path else path


def dotted(name: str) -> str:
    """A symbol's name with dots as separators, as in nodes."""
    return name.strip().removesuffix("()").replace("::", ".").replace("#", ".").strip(".")


def spoken_of(text: str) -> tuple[list[str], list[str]]:
    """The files and the symbols that a text appears to name, each once, in order."""
    quoted = [one.strip() for one in _QUOTED.findall(text)]
    files = [one for one in quoted if _FILE.fullmatch(one)]
    files += _FILE.findall(text)
    names = [dotted(one) for one in _OF_FILE.findall(text)]
    names += [dotted(one) for one in quoted if _WHOLE.fullmatch(one) and one not in files]
    names += [dotted(one) for one in _NAME.findall(text) if one not in files]
    return list(dict.fromkeys(map(slashed, files))), list(dict.fromkeys(filter(None, names)))
