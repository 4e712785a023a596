"""Names of projects that nobody can take for another one's: without invisible or look-alike letters."""

import re
import unicodedata

from bowerbird.core.errors import BadInput
from bowerbird.core.text import ALIKE, to_latin

# Printable, and invisible behind a letter.
_SELECTORS = re.compile("(?<=\\w)[\ufe00-\ufe0f]")
# Letters of the Latin alphabet in another form, which Unicode does not decompose.
_FORMS = re.compile(r"LATIN (?:LETTER SMALL CAPITAL|SMALL LETTER SCRIPT) ([A-Z])$")
# What a shell adds to a folder's name, or puts before it.
_OF_PATHS = re.compile(r"^(?:\.[/\\]+)+|[/\\]+$")
_WORD = re.compile(r"[^\W\d_]+")


def visible(name: str) -> str:
    """A name without the characters that are not seen, such as those a folder of an archive can have."""
    if name.isascii() and name.isprintable():
        return name.strip()
    shown = "".join(char if char.isprintable() else " " for char in _SELECTORS.sub("", name))
    return " ".join(shown.split())


def is_plain(name: str) -> bool:
    """Whether a name needs no closer look: of visible ASCII, and no path."""
    return (
        name.isascii()
        and name.isprintable()
        and name == name.strip()
        and not _OF_PATHS.search(name)
    )


def require_distinct(name: str) -> None:
    """Raises BadInput if a name looks like another.

    By invisible characters, by another form of Latin letters, by mixed alphabets, or by the slash that a
    shell adds to a folder's name.
    """
    if is_plain(name):
        return
    if visible(name) != name:
        raise BadInput(
            f"a project cannot be called {name!a}: not all of its characters can be seen",
            f"without them it is {visible(name)!a}" if visible(name) else "give it a name",
        )
    bare = _OF_PATHS.sub("", name)
    if bare != name:
        raise BadInput(
            f"a project cannot be called {name!a}: that is a folder",
            f"write its name: {bare}" if bare else "give it a name",
        )
    plain = [_latin_form(char) for char in name]
    if any(plain):
        forms = [char for char, one in zip(name, plain, strict=True) if one]
        latin = "".join(one or char for char, one in zip(name, plain, strict=True))
        raise _only_looks(name, forms, latin)
    for word in _WORD.findall(name):
        alike = [char for char in word if char in ALIKE]
        if alike and (latin := to_latin(word)) != word:
            raise _only_looks(name, alike, name.replace(word, latin))


def _only_looks(name: str, alike: list[str], plain: str) -> BadInput:
    codes = ", ".join(f"{char} (U+{ord(char):04X})" for char in dict.fromkeys(alike))
    return BadInput(
        f"{name!a} has letters that only look Latin: {codes}", f"write it in one alphabet: {plain}"
    )


def _latin_form(char: str) -> str:
    """The Latin letter or digit of which a character is another form: full width, bold."""
    if char.isascii():
        return ""
    plain = unicodedata.normalize("NFKC", char)
    if plain.isascii():
        return plain
    form = _FORMS.match(unicodedata.name(char, ""))
    return form.group(1).lower() if form else ""
