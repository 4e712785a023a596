"""Dialogues as text: one turn a line, with the speaker before a colon."""

import re
from collections import Counter

from bowerbird.core.text import clean
from bowerbird.ingest.sources.reading import Reading
from bowerbird.ingest.sources.turns import Turn, Turns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.ingest.chunk import Size
    from bowerbird.ingest.sources.reading import Material

_SUFFIXES = {"", ".md", ".markdown", ".txt", ".log"}
_SPEAKER = re.compile(r"(?:\*\*|__)?([A-Z][\w'-]{0,40}(?: [A-Z][\w'-]{0,40})?)(?:\*\*|__)?: ?\S")
# A dialogue has at least four turns by two to twelve people who each speak more than once, and three of
# four lines begin a turn; a note with a few `Key: value` lines does not.
_TURNS = 4
_MOST_PEOPLE = 12
_SHARE = 0.75


class Dialogue:
    """Minutes, chat logs, interviews: ``Caroline: Hey Mel!`` on a line of its own."""

    name = "dialogue"

    def accepts(self, material: "Material") -> bool:
        """Whether nearly every line begins with one of a few names."""
        if material.suffix not in _SUFFIXES:
            return False
        lines = [line for line in material.text.split("\n") if line and not line.isspace()]
        found = Counter(match.group(1) for line in lines if (match := _SPEAKER.match(line)))
        people = {name: count for name, count in found.items() if count > 1}
        turns = sum(people.values())
        return turns >= _TURNS and 1 < len(people) <= _MOST_PEOPLE and turns >= _SHARE * len(lines)

    def read(self, material: "Material", _size: "Size") -> Reading:
        """One piece for each turn; lines that begin no turn belong to the previous one."""
        turns = Turns()
        turn: Turn | None = None
        for number, line in enumerate(clean(material.text).split("\n"), 1):
            match = _SPEAKER.match(line)
            if match or turn is None:
                turn = turns.new(match.group(1) if match else "", number)
            turn.say(line, number)
        return Reading(turns.pieces(), session=material.stem, cut=turns.cut)
