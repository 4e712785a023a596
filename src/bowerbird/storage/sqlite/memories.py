"""Curated beliefs: a memory is the head of its immutable versions, and every move is audited."""

import json

from bowerbird.core.ids import new_id, text_hash
from bowerbird.core.types import MEMORY, STATES, TRUSTS
from bowerbird.storage.sqlite.sketch import sketch

TYPE_CHECKING = False
if TYPE_CHECKING:
    import apsw

    from bowerbird.core.clock import Clock
    from bowerbird.core.types import Belief, Vector
    from bowerbird.storage.sqlite.words import Words


class Memories:
    """Memories of all projects, written with their version and their audit row at once."""

    def __init__(
        self, connection: "apsw.Connection", words: "Words", clock: "Clock", replica: str
    ) -> None:
        self._connection = connection
        self._words = words
        self._clock = clock
        self._replica = replica

    def same_text(self, project: int, text: str) -> str | None:
        """The id of this project's active memory with the same normal form of text, or None."""
        row = self._connection.execute(
            "SELECT e.uid FROM entry e JOIN facet f ON f.id = e.id WHERE e.hash = ? AND f.family = ?"
            " AND f.project = ? AND f.state = ?",
            (text_hash(text), MEMORY, project, STATES.index("active")),
        ).fetchone()
        return str(row[0]) if row else None

    def add(self, project: int, belief: "Belief", vector: "Vector", model: int) -> str:
        """Write a new memory with its first version and return its id. Inside a transaction."""
        now = self._clock()
        uid, version = new_id(now), new_id(now)
        hlc = f"{now:013d}-0000-{self._replica}"
        row = next(self._connection.execute("SELECT coalesce(max(id), 0) + 1 FROM facet"))[0]
        bits = sketch(vector.values) if vector.norm else None
        self._connection.execute(
            "INSERT INTO facet VALUES (?, ?, ?, ?, ?, ?, ?, NULL, 0, 0, ?)",
            (
                row,
                project,
                MEMORY,
                belief.kind,
                TRUSTS.index(belief.trust),
                STATES.index("active"),
                now,
                bits,
            ),
        )
        # Before the entry: its trigger puts the tags into the word index.
        self._connection.executemany(
            "INSERT INTO tag VALUES (?, ?, 1, ?, ?)",
            ((row, name, self._replica, hlc) for name in belief.tags),
        )
        self._connection.execute(
            "INSERT INTO entry VALUES (?, ?, ?, ?, '', '', ?, ?, NULL, NULL)",
            (row, uid, text_hash(belief.text), belief.text, belief.summary, belief.origin),
        )
        self._connection.execute(
            "INSERT INTO vector VALUES (?, ?, ?, ?, ?)",
            (row, model, vector.values, vector.norm, vector.norm),
        )
        self._connection.execute(
            "INSERT INTO memory (id, head, scope, audience, source, agent, session, taint,"
            " importance, confidence, decay_rate, pinned, verified, needs_review, updated,"
            " accessed, keywords, metadata, replica, hlc)"
            " VALUES (?, ?, 'global', 'personal', ?, ?, ?, 0, ?, 1.0, 0.01, 0, 0, 0, ?, ?, '[]',"
            " ?, ?, ?)",
            (
                row,
                version,
                belief.origin,
                belief.actor,
                belief.session,
                belief.importance,
                now,
                now,
                json.dumps(belief.metadata),
                self._replica,
                hlc,
            ),
        )
        fields = json.dumps({"kind": belief.kind, "tags": belief.tags})
        self._connection.execute(
            "INSERT INTO version VALUES (?, ?, '[]', ?, ?, ?, ?, 'created', ?, ?, ?)",
            (
                version,
                uid,
                text_hash(belief.text),
                belief.text,
                fields,
                belief.actor,
                now,
                self._replica,
                hlc,
            ),
        )
        self._words.add([belief.text])
        self.audit("created", uid, belief.actor, belief.origin)
        return uid

    def average_importance(self) -> float:
        """The mean importance of all memories; 0 where there are none."""
        row = next(self._connection.execute("SELECT coalesce(avg(importance), 0) FROM memory"))
        return float(row[0])

    def audit(
        self, action: str, entry: str, actor: str, reason: str, old: str | None = None
    ) -> None:
        """Write down who did what to an entry, and why. Inside the transaction that does it."""
        self._connection.execute(
            "INSERT INTO audit (at, action, entry, actor, reason, old) VALUES (?, ?, ?, ?, ?, ?)",
            (self._clock(), action, entry, actor, reason, old),
        )
