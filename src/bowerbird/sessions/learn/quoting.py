"""What a lesson may quote: what the agent itself ran and wrote, short, and no prose. Pure.

Memory comes back unasked. Text of a tool, a dependency or a file of others would come back with it, and
could hold instructions, so a lesson says what was done, and an error is identified by its prints alone.
"""

import re

from bowerbird.guard.privacy import private
from bowerbird.sessions.learn.commands import cut_short
from bowerbird.sessions.learn.waivers import WAIVES

_LONGEST_COMMAND = 140
_LONGEST_CODE = 150
_LONGEST_PATH = 120
_PATH = re.compile(r"[\w.@+()\[\]-]+(?:/[\w.@+()\[\]-]+)*")
# Scripts.
_SCRIPT = re.compile(r"<<|[\n`]|\|\s*(?:ba|z|da)?sh\b")
# Texts in quotes of three words and more, which are left out: a message to somebody, a search, a program.
_QUOTED = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'[^']*'")
_FEWEST_WORDS = 3
_LEFT_OUT = '"…"'
# The value of a variable.
_VALUE = re.compile(r"(?<=[A-Z0-9_]=)(?:\$\([^()]*\)|\"[^\"]*\"|'[^']*'|[^\s;&|])+")
# A comment to the end of the line.
_COMMENT = re.compile(r"(?:^|\s)(?:#(?![!\w\[])|//|--\s|/\*).*$")
# Prose inside of code: so many words in a row with nothing but spaces and their punctuation between them.
# A dot without a space is of a name: `.env.test.example`.
_PROSE = re.compile(r"(?:[A-Za-z']{2,}[,.:]* [ ,.:]*){4}[A-Za-z']{2,}")
# Keywords that follow one another in code.
_KEYWORDS = re.compile(
    r"\b(?:public|private|protected|static|final|const|export|default|async|await|return|import|from|def"
    r"|class|function|func|type|if|not|in|is|and|or|else|new|for|as|let|var|select|where)\b"
)


def command(line: str) -> str:
    """Return a command without secrets and texts; empty for a long one, a script, or one machine's.

    Of a variable that seems to hold a secret the name is told.
    """
    text = " ".join(line.split()) if "\n" not in line.strip() else line
    text = _QUOTED.sub(_shortened, text)
    if len(text) > _LONGEST_COMMAND or _SCRIPT.search(text) or _PROSE.search(text):
        return ""
    shown = cut_short(text, _LONGEST_COMMAND)
    shown = _VALUE.sub("…", shown) if private(shown) else shown
    return "" if private(shown) else shown


def _shortened(quoted: "re.Match[str]") -> str:
    return quoted[0] if len(quoted[0].split()) < _FEWEST_WORDS else _LEFT_OUT


def code(lines: "list[str]") -> str:
    """Return lines of code for a quotation, without comments; empty for any that may not be quoted."""
    bare = [_without_comment(one) for one in lines]
    bare = [one for one in bare if one]
    text = "` and `".join(bare)
    if len(text) > _LONGEST_CODE or any("`" in one for one in bare) or private(text):
        return ""
    return "" if _PROSE.search(_KEYWORDS.sub("=", text)) else text


def path(name: str) -> str:
    """Return the path of a file of the project; empty for one that may not be quoted."""
    plain = len(name) <= _LONGEST_PATH and _PATH.fullmatch(name) and ".." not in name
    return name if plain and not private(name) else ""


def _without_comment(line: str) -> str:
    """Return a line of code without its comment; of one that suppresses a finding the directive stays."""
    text = " ".join(line.split())
    found = _COMMENT.search(text)
    if found is None:
        return text
    comment = found[0].strip()
    directive = re.split(r"\s+(?://|#|--)\s", comment)[0] if WAIVES.search(comment) else ""
    return f"{text[: found.start()]} {directive}".strip()
