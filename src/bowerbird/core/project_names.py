"""Names of projects that nobody can take for another one's: without invisible or look-alike letters."""

import re

from bowerbird.core.errors import BadInput

# Letters of other alphabets that look like Latin ones, in this order.
_ALIKE = "авсԁеһіјӏорԛѕԝхуАВСЕНІЈКМОРЅТХΑΒΕΖΗΙΚΜΝΟΡΤΥΧνο"
_LATIN = "abcdehijlopqswxyABCEHIJKMOPSTXABEZHIKMNOPTYXvo"
_TO_LATIN = str.maketrans(_ALIKE, _LATIN)
# Printable, and invisible behind a letter.
_SELECTORS = re.compile("(?<=\\w)[\ufe00-\ufe0f]")
_WORD = re.compile(r"[^\W\d_]+")


def visible(name: str) -> str:
    """A name without the characters that are not seen, such as those a folder of an archive can have."""
    if name.isascii() and name.isprintable():
        return name.strip()
    shown = "".join(char if char.isprintable() else " " for char in _SELECTORS.sub("", name))
    return " ".join(shown.split())


def require_distinct(name: str) -> None:
    """Raises BadInput if a name looks like another: by invisible characters, or mixed alphabets."""
    if name.isascii() and name.isprintable() and name == name.strip():
        return
    if visible(name) != name:
        raise BadInput(
            f"a project cannot be called {name!a}: not all of its characters can be seen",
            f"without them it is {visible(name)!a}" if visible(name) else "give it a name",
        )
    for word in _WORD.findall(name):
        alike = [char for char in word if char in _ALIKE]
        plain = word.translate(_TO_LATIN)
        if alike and plain.isascii() and any(char.isascii() for char in word):
            codes = ", ".join(f"{char} (U+{ord(char):04X})" for char in dict.fromkeys(alike))
            raise BadInput(
                f"{name!a} has letters that only look Latin: {codes}",
                f"write it in one alphabet: {name.replace(word, plain)}",
            )
