"""Documents and memories whose words go to the tables of this backend."""

from bowerbird.core.text import searchable
from bowerbird.storage.postgres.nouns.index import add, add_wholes
from bowerbird.storage.sqlite.nouns.documents import Documents
from bowerbird.storage.sqlite.nouns.memories import Memories, context_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import apsw

    from bowerbird.core.memories import Fields


def words_of(connection: "apsw.Connection", condition: str, values: "Sequence[Any]") -> "list[Any]":
    """Entries as the index is given them, by column."""
    found = connection.execute(
        "SELECT e.id, e.text, e.context || ' ' || e.speaker, coalesce(d.name, ''),"
        " coalesce((SELECT group_concat(t.name, ' ') FROM tag t"
        " WHERE t.entry = e.id AND t.present = 1), '')"
        " FROM entry e JOIN facet f ON f.id = e.id LEFT JOIN document d ON d.id = f.document"
        f" WHERE {condition}",
        values,
    )
    return [(row, *map(searchable, texts)) for row, *texts in found]


class PostgresDocuments(Documents):
    """Documents of a project with their passages, vectors and words."""

    def merge(self, *, begin: bool) -> bool:  # noqa: ARG002 nothing is begun
        """Nothing is merged here: the server keeps its indexes itself."""
        return False

    def _index(
        self, texts: "Sequence[tuple[int, str, str, str, str]]", wholes: "Sequence[tuple[int, str]]"
    ) -> None:
        add(self._connection, texts)
        add_wholes(self._connection, wholes)


class PostgresMemories(Memories):
    """Memories of all projects."""

    def _index(self, *memories: "tuple[int, str, Fields]") -> None:
        rows: list[tuple[int, str, str, str, str]] = []
        for row, text, fields in memories:
            context, tags = context_of(text, fields), " ".join(sorted(fields.tags))
            rows.append((row, searchable(text), searchable(context), "", searchable(tags)))
        add(self._connection, rows)
