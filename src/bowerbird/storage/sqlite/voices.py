"""Who says what in memory, for processes that stay: read of each row when it is first asked for.

Entries are wide: reading a word of each of 100,000 takes longer than all that `columns.py` reads.
"""

import json
from itertools import compress

import numpy as np

from bowerbird.core.types import Facts
from bowerbird.storage.sqlite.candidates import ASKS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    import apsw

    from bowerbird.storage.sqlite.columns import Columns, Places

# Rows that are read together, for they stand on one page or two: at 10,000 entries .1 ms a question after
# the first 25 instead of .5; at 100,000 4.7 ms at first and .6 after 200 questions, instead of 2 and 1.3.
_TOGETHER = 8
_READ = (
    f"SELECT e.id, e.speaker, length(e.text), {ASKS} FROM json_each(?) j"
    f" CROSS JOIN entry e ON e.id BETWEEN j.value AND j.value + {_TOGETHER - 1}"
)


class Voices:
    """Of each place of some columns who speaks, in how many characters, and whether it asks.

    A row takes 9 bytes once it was asked for. Columns, because looking up the 250 rows of a question in
    a dictionary of 10,000 takes .15 ms: none of it is near the processor.
    """

    def __init__(self, connection: "apsw.Connection", columns: "Columns") -> None:
        self.columns = columns
        self._connection = connection
        # By their numbers; 0 is whoever was not read yet.
        self._names = [""]
        self._numbers: dict[str, int] = {}
        self._speakers = np.zeros(len(columns), np.int32)
        self._characters = np.zeros(len(columns), np.int32)
        self._asks = np.zeros(len(columns), np.bool_)

    def grow(self, columns: "Columns") -> None:
        """Go on over the columns of a store that only grew since."""
        more = np.zeros(len(columns) - len(self.columns), np.int32)
        self.columns = columns
        self._speakers = np.append(self._speakers, more)
        self._characters = np.append(self._characters, more)
        self._asks = np.append(self._asks, more.astype(np.bool_))

    def facts(self, rows: "Sequence[int]") -> Facts:
        """What ranking asks of some rows."""
        here, places = self._read(rows)
        columns = self.columns
        documents = columns.documents[places].tolist()
        names = map(self._names.__getitem__, self._speakers[places].tolist())
        return Facts(
            {row: one if one >= 0 else None for row, one in zip(here, documents, strict=True)},
            dict(zip(here, columns.ordinals[places].tolist(), strict=True)),
            dict(zip(here, names, strict=True)),
            dict(zip(here, self._characters[places].tolist(), strict=True)),
            dict(zip(here, columns.created[places].tolist(), strict=True)),
            set(compress(here, self._asks[places].tolist())),
            columns.code(here, places),
        )

    def _read(self, rows: "Sequence[int]") -> "tuple[Sequence[int], Places]":
        """Those of some rows that are here, and where they stand, all of them read."""
        here, places = self.columns.found(rows)
        new = places[self._speakers[places] == 0]
        if len(new):
            firsts = np.unique(self.columns.rows[new] // _TOGETHER) * _TOGETHER
            asked = json.dumps(firsts.tolist())
            found, speakers, characters, asks = zip(
                *self._connection.execute(_READ, (asked,)), strict=True
            )
            new = self.columns.places(found)
            self._speakers[new] = list(map(self._number, speakers))
            self._characters[new] = characters
            self._asks[new] = asks
        return here, places

    def _number(self, name: str) -> int:
        number = self._numbers.setdefault(name, len(self._names))
        if number == len(self._names):
            self._names.append(name)
        return number
