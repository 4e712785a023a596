"""Org: sections by heading stars, with the tags and title of the file."""

import re

from bowerbird.core.text import clean
from bowerbird.ingest.dates import moment
from bowerbird.ingest.sources.reading import Reading, parted_tags
from bowerbird.ingest.sources.sections import sectioned

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bowerbird.ingest.chunk import Size
    from bowerbird.ingest.sources.reading import Material

_HEADING = re.compile(r"(\*{1,30})[ \t]+(\S.*)$")
# Parts of a heading beside its title: task state, priority, tags.
_STATE = re.compile(r"(?:TODO|DONE|NEXT|WAITING|CANCELLED)[ \t]+(?=\S)")
_PRIORITY = re.compile(r"\[#\w\][ \t]*")
_HEADING_TAGS = re.compile(r"[ \t]+:[\w@#%:]{1,200}:[ \t]*$")
_KEYWORD = re.compile(r"#\+(title|filetags|date):[ \t]*(.*)$", re.IGNORECASE)
# The date of a file is in brackets: <2024-05-01 Wed> or [2024-05-01].
_DATE = re.compile(r"\d{4}-\d\d-\d\d")


class Org:
    """Org files of Emacs: the headings above a text are its context."""

    name = "org"

    def accepts(self, material: "Material") -> bool:
        """Whether the suffix is Org's."""
        return material.suffix == ".org"

    def read(self, material: "Material", size: "Size") -> Reading:
        """Pieces within sections, in the order of the file."""
        lines = clean(material.text).split("\n")
        said = _said(lines)
        title = said.get("title", "")
        tags = parted_tags(said.get("filetags", "").replace(":", " "))
        date = _DATE.search(said.get("date", ""))
        when = moment(date.group()) if date else None
        pieces = sectioned(lines, _headings(lines), size, title, occurred=when)
        first = next((name for _, _, name in _headings(lines)), "")
        return Reading(pieces, title=title or first, tags=tags)


def _headings(lines: "Sequence[str]") -> "Iterator[tuple[int, int, str]]":
    """Index, depth and title of each heading. Within blocks, Org escapes leading stars by a comma."""
    for number, line in enumerate(lines):
        if line[:1] == "*" and (found := _HEADING.match(line)):
            title = _STATE.sub("", found.group(2), count=1)
            bare = _HEADING_TAGS.sub("", _PRIORITY.sub("", title, count=1)).strip()
            yield number, len(found.group(1)), bare


def _said(lines: "Sequence[str]") -> dict[str, str]:
    """The file's keywords above the first text or heading."""
    said: dict[str, str] = {}
    drawer = False
    for line in lines:
        bare = line.strip()
        drawer = bare.upper() == ":PROPERTIES:" or (drawer and bare.upper() != ":END:")
        if found := _KEYWORD.match(bare):
            said.setdefault(found.group(1).lower(), found.group(2).strip())
        elif bare and not drawer and bare[0] not in ":#":
            break
    return said
