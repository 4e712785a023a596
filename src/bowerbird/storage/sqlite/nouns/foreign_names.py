"""The names that sessions first heard from others, as hashes: what they are is nowhere written."""

from hashlib import blake2b

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    import apsw

# Bytes of a hash: of a million names none is taken for another.
_BYTES = 8
# Variables of one statement.
_MOST = 500


class ForeignNames:
    """The table `foreign_name` of one store; `projects` are ids."""

    def __init__(self, connection: "apsw.Connection") -> None:
        self._connection = connection

    @property
    def any(self) -> bool:
        """Whether there are any."""
        sql = "SELECT EXISTS (SELECT 1 FROM foreign_name)"
        return bool(next(self._connection.execute(sql))[0])

    def known(self, project: str, names: "Collection[str]") -> set[str]:
        """Those of some names that came to a project, by its uid, from others."""
        by_hash = {_hashed(one): one for one in names}
        wanted = [*by_hash]
        found: set[str] = set()
        for start in range(0, len(wanted), _MOST):
            part = wanted[start : start + _MOST]
            rows = self._connection.execute(
                f"SELECT name FROM foreign_name WHERE project = {_PROJECT} AND name IN"
                f" ({','.join('?' * len(part))})",
                (project, *part),
            )
            found.update(by_hash[bytes(row[0])] for row in rows)
        return found

    def add(self, project: int, names: "Collection[str]", at: int) -> None:
        """Store names, those of a project by its number. Inside a transaction."""
        rows = ((project, _hashed(one), at) for one in sorted(names))
        self._connection.executemany("INSERT OR IGNORE INTO foreign_name VALUES (?, ?, ?)", rows)

    def drop(self, project: int, names: "Collection[str]") -> None:
        """These names are the user's own from now on. Inside a transaction."""
        rows = ((project, _hashed(one)) for one in names)
        self._connection.executemany(
            "DELETE FROM foreign_name WHERE project = ? AND name = ?", rows
        )


_PROJECT = (
    "coalesce((SELECT id FROM project WHERE uid = ?1),"
    " (SELECT project FROM alias WHERE uid = ?1 ORDER BY id DESC LIMIT 1))"
)


def _hashed(name: str) -> bytes:
    return blake2b(name.encode("utf-8", "replace"), digest_size=_BYTES).digest()
