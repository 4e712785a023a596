"""The speakers of rows in memory, for long-lived processes: each row is read on first use.

Entries are wide: reading a word of each of 100,000 takes longer than all that `columns.py` reads.
"""

import json
from itertools import compress

import numpy as np

from bowerbird.core.types import Facts
from bowerbird.storage.sqlite.search.candidates import SAID

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Self

    import apsw
    from numpy.typing import NDArray

    from bowerbird.storage.sqlite.resident.columns import Columns, Offsets

# Rows that are read together, because they share one page or two: at 10,000 entries .1 ms a question
# after the first 25 instead of .5; at 100,000 4.7 ms at first and .6 after 200 questions, instead of 2
# and 1.3.
_TOGETHER = 8
_READ = (
    f"SELECT e.id, {SAID} FROM json_each(?) j"
    f" CROSS JOIN entry e ON e.id BETWEEN j.value AND j.value + {_TOGETHER - 1}"
)


class Speakers:
    """For each offset of some columns: the speaker, the characters, and whether it ends by asking.

    What nobody said has no characters.

    A row takes 9 bytes once requested. Columns, because looking up the 250 rows of a question in a
    dictionary of 10,000 takes .15 ms of cache misses.
    """

    def __init__(
        self, connection: "apsw.Connection", columns: "Columns", before: "Self | None" = None
    ) -> None:
        """Nothing is read yet but what was `before`, of a store that only grew since."""
        self.columns = columns
        self._connection = connection
        # By their numbers; 0 is a speaker that was not read yet.
        self.names: list[str] = before.names if before else [""]
        self.numbers: dict[str, int] = before.numbers if before else {}
        count = len(columns)
        self.speakers: NDArray[Any] = _longer(before.speakers if before else None, count, np.int32)
        self.characters: NDArray[Any] = _longer(
            before.characters if before else None, count, np.int32
        )
        self.asks: NDArray[Any] = _longer(before.asks if before else None, count, np.bool_)

    def facts(self, rows: "Sequence[int]") -> Facts:
        """The facts about some rows that ranking reads."""
        here, offsets = self._read(rows)
        columns = self.columns
        characters = self.characters[offsets]
        spoken = offsets[characters > 0]
        said = list(compress(here, characters.tolist()))
        names = map(self.names.__getitem__, self.speakers[spoken].tolist())
        return Facts(
            columns.homes(here, offsets),
            dict(zip(said, names, strict=True)),
            dict(zip(said, self.characters[spoken].tolist(), strict=True)),
            dict(zip(here, columns.created[offsets].tolist(), strict=True)),
            set(compress(said, self.asks[spoken].tolist())),
        )

    def forget(self, offsets: "Offsets") -> None:
        """These are read again when they are asked for."""
        self.speakers[offsets] = 0

    def _read(self, rows: "Sequence[int]") -> "tuple[Sequence[int], Offsets]":
        """Those of some rows that are here, and their offsets, all loaded."""
        here, offsets = self.columns.found(rows)
        new = offsets[self.speakers[offsets] == 0]
        if len(new):
            firsts = np.unique(self.columns.rows[new] // _TOGETHER) * _TOGETHER
            asked = json.dumps(firsts.tolist())
            found, speakers, characters, asks = zip(
                *self._connection.execute(_READ, (asked,)), strict=True
            )
            new = self.columns.offsets(found)
            self.speakers[new] = list(map(self._number, speakers))
            self.characters[new] = characters
            self.asks[new] = asks
        return here, offsets

    def _number(self, name: str) -> int:
        number = self.numbers.setdefault(name, len(self.names))
        if number == len(self.names):
            self.names.append(name)
        return number


def _longer(before: "NDArray[Any] | None", count: int, kind: "type") -> "NDArray[Any]":
    """An array grown to a length, its first numbers unchanged."""
    found: NDArray[Any] = np.zeros(count, kind)
    if before is not None:
        found[: len(before)] = before
    return found
