"""The people who share a store, and hashes of their tokens."""

from bowerbird.core.team import Member, MemberToken

TYPE_CHECKING = False
if TYPE_CHECKING:
    import apsw

_MEMBER = "m.name, m.role, m.trust, m.joined, m.gone, m.made_by, m.login"
_COLUMNS = "hash, member, label, created, expires, revoked, made_by"


class Members:
    """The tables `member` and `member_token` of one store."""

    def __init__(self, connection: "apsw.Connection") -> None:
        self._connection = connection

    def all(self) -> list[Member]:
        """Everybody, those who left included, by name."""
        found = self._connection.execute(f"SELECT {_MEMBER} FROM member m ORDER BY m.name")
        return [Member(*row) for row in found]

    def get(self, name: str) -> Member | None:
        """One of them, or None."""
        found = self._connection.execute(
            f"SELECT {_MEMBER} FROM member m WHERE m.name = ?", (name,)
        ).fetchone()
        return Member(*found) if found else None

    def by_login(self, login: str) -> Member | None:
        """The one with that login who did not leave, or None."""
        found = self._connection.execute(
            f"SELECT {_MEMBER} FROM member m WHERE m.login = ? AND m.gone IS NULL", (login,)
        ).fetchone()
        return Member(*found) if found else None

    def put(self, member: Member) -> None:
        """Write a member in place of the one of that name. Inside a transaction."""
        one = member
        self._connection.execute(
            "INSERT INTO member (name, role, trust, joined, gone, made_by, login)"
            " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (name)"
            " DO UPDATE SET role = ?2, trust = ?3, joined = ?4, gone = ?5, made_by = ?6, login = ?7",
            (one.name, one.role, one.trust, one.joined, one.gone, one.made_by, one.login),
        )

    def tokens(self) -> list[MemberToken]:
        """All tokens, by member, the oldest first."""
        found = self._connection.execute(
            f"SELECT {_COLUMNS} FROM member_token ORDER BY member, created, label"
        )
        return [MemberToken(*row) for row in found]

    def add_token(self, token: MemberToken) -> None:
        """Keep a new token. Inside a transaction."""
        self._connection.execute(
            f"INSERT INTO member_token ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                token.hash,
                token.member,
                token.label,
                token.created,
                token.expires,
                token.revoked,
                token.made_by,
            ),
        )

    def revoke(self, member: str, label: str, at: int) -> int:
        """Revoke a member's tokens of that label, or all for an empty one; how many were valid.

        Inside a transaction.
        """
        valid = "member = ?1 AND revoked IS NULL AND (?2 = '' OR label = ?2)"
        ((count,),) = self._connection.execute(
            f"SELECT count(*) FROM member_token WHERE {valid}", (member, label)
        )
        self._connection.execute(
            f"UPDATE member_token SET revoked = ?3 WHERE {valid}", (member, label, at)
        )
        return int(count)

    def holder(self, hash: str, now: int) -> Member | None:
        """The member with that token, if it is neither revoked nor expired and they did not leave."""
        found = self._connection.execute(
            f"SELECT {_MEMBER} FROM member_token t JOIN member m ON m.name = t.member"
            " WHERE t.hash = ?1 AND t.revoked IS NULL AND m.gone IS NULL"
            " AND (t.expires IS NULL OR t.expires > ?2)",
            (hash, now),
        ).fetchone()
        return Member(*found) if found else None
