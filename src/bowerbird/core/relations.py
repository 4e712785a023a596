"""The kinds of relation between memories, one row each."""

import posixpath
from unicodedata import category

from bowerbird.core.errors import BadInput, UnknownName

# The prefix of a target that is a file.
FILE = "file:"
# Maximum length of a path; most systems allow no longer one.
_LONGEST_PATH = 4_096
# Control characters, lone surrogates, and separators of lines and paragraphs.
_NO_PART_OF_A_NAME = frozenset(("Cc", "Cs", "Zl", "Zp"))
_AS = f"write it as seen from the project's folder: {FILE}src/auth.py"

# The relation of the source to the target.
RELATIONS = {
    "causes": "brings the other about",
    "informs": "helps to understand the other",
    "contradicts": "cannot hold together with the other",
    "supersedes": "replaces the other",
    "example_of": "is a case of the other",
    "prerequisite_for": "comes before the other",
    "led_to": "was followed by the other",
    "related_to": "is about something near",
    "required_with": "goes together with the other",
    "conflicts_with": "cannot be done together with the other",
    "validates": "shows that the other holds",
    "derived_from": "was derived from the other",
}
# Those that say the same from either end.
MUTUAL = frozenset(("conflicts_with", "contradicts", "related_to"))


def relation_kind(name: str) -> str:
    """The kind of that name. Raises UnknownName with the nearest known one."""
    if name not in RELATIONS:
        raise UnknownName.among("relation", name, list(RELATIONS))
    return name


def file_target(target: str) -> str:
    """The file of a relation in its stored form: relative to the project's folder, with slashes.

    Raises BadInput for a name that no such file can have.
    """
    path = target.removeprefix(FILE).strip()
    if not path or path.strip("./") == "":
        raise BadInput("the file has no name", _AS)
    if len(path) > _LONGEST_PATH:
        raise BadInput(f"the file's name has {len(path):,} characters", _AS)
    if any(category(char) in _NO_PART_OF_A_NAME for char in path):
        raise BadInput("the file's name holds a line end, a control or half a character", _AS)
    whole = posixpath.normpath(path.replace("\\", "/"))
    if whole.startswith(("/", "../", "~")) or whole[1:3] == ":/":
        raise BadInput(f"{path} leads out of the project", _AS)
    return FILE + whole
