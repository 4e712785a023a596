"""What a query needs to know of the store's words."""

import json

from bowerbird.core.types import DIGEST, MEMORY
from bowerbird.storage.postgres.nouns.index import Phrases
from bowerbird.storage.sqlite.nouns.filters import ALL, opposed, where
from bowerbird.storage.sqlite.nouns.words import REWORDING, Words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from bowerbird.core.query import Filter

_COUNTED = """
SELECT w.term, w.entries::text, 1 FROM json_each(?) j CROSS JOIN word w ON w.term = j.value
UNION ALL SELECT key, value, 0 FROM meta WHERE key IN ('entries', 'words', 'generation', 'contextual',
    'rewording')
UNION ALL SELECT 'memories', count(*)::text, 0 FROM facet WHERE family = ?
UNION ALL SELECT 'digests', count(*)::text, 0 FROM facet WHERE kind = ?
UNION ALL SELECT provider || '/' || name || '@' || revision || ' (' || dims || ' dims)', id::text, 2
    FROM model
UNION ALL SELECT 'opposed', ({opposed})::int::text, 0
"""


class PostgresWords(Words):
    """Counts of folded words over all entries of a tenant."""

    def known_forms(
        self, terms: "Iterable[str]", others: "Iterable[str]" = ()
    ) -> tuple[set[str], dict[str, int]]:
        """Those words that any entry holds in any form that shares their stem; and counts of others."""
        wanted = list(terms)
        phrases = Phrases(wanted)
        found = self._connection.execute(
            f"SELECT DISTINCT at FROM ({phrases.sql}) hit", phrases.values
        )
        return {wanted[int(at)] for (at,) in found}, self.counts(others)

    def counted(self, terms: "Iterable[str]", filter: "Filter") -> tuple[dict[str, int], int, int]:
        """The counts of some words, how many entries there are, and the sum of all words' counts."""
        opposes, values = opposed(filter) or ALL
        found = self._connection.execute(
            _COUNTED.format(opposed=opposes), (json.dumps(list(terms)), MEMORY, DIGEST, *values)
        )
        kinds: tuple[dict[str, Any], ...] = ({}, {}, {})
        for name, value, kind in found:
            kinds[kind][name] = int(value) if value.isdigit() else value
        facts, counts, models = kinds
        self.whole = REWORDING not in facts
        if self._snapshot.reads:
            self._snapshot.facts |= facts
            self._snapshot.models = models
            self._snapshot.conditions[filter] = where(filter) if facts["opposed"] else ALL
        return counts, int(facts["entries"]), int(facts["words"])
