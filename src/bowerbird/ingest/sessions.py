"""Deduplicates sessions: of several files with the same conversation, the fullest is indexed.

Agents save a session again when it is resumed, and people copy its folder. A conversation is identified
by its session, its first text and the time of that: a sub-agent's part has the session of its caller, and
begins with its own task.
"""

import os

from bowerbird.core.ids import text_hash
from bowerbird.core.value import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.document import Document, Piece
    from bowerbird.core.ports.store import Store

# Readers whose files contain the id of their session.
_SAYS = frozenset(("claude-code", "codex", "gemini", "openclaw", "opencode"))


class _Conversation(Record):
    """How a conversation begins, and its length: passages, then characters."""

    first: bytes
    when: int | None
    full: tuple[int, int]

    def is_same(self, other: "_Conversation") -> bool:
        return self.first == other.first and (
            None in (self.when, other.when) or self.when == other.when
        )


class Sessions:
    """The sessions that are stored or added by this run, by project."""

    def __init__(self, store: "Store") -> None:
        self._store = store
        self._paths: dict[tuple[int, str], dict[str, _Conversation | None]] | None = None

    def settled(
        self, project: int, document: "Document", pieces: "list[Piece]"
    ) -> tuple[str, list[str]]:
        """A path of the same conversation that is at least as full, or empty; and the less full paths.

        A file that is at least as full as all others is recorded.
        """
        if document.source not in _SAYS or not document.session or not pieces:
            return "", []
        known = self._known(project, document.session)
        full = (len(pieces), sum(len(piece.text) for piece in pieces))
        mine = _Conversation(text_hash(pieces[0].text), pieces[0].occurred, full)
        lesser = []
        for path in [path for path in known if path != document.path]:
            theirs = known[path] = known[path] or self._read(project, path)
            if theirs is None or not theirs.is_same(mine) or not os.path.isfile(path):
                continue
            if theirs.full >= mine.full:
                return path, []
            lesser.append(path)
        for path in lesser:
            del known[path]
        known[document.path] = mine
        return "", lesser

    def _known(self, project: int, session: str) -> "dict[str, _Conversation | None]":
        if self._paths is None:
            self._paths = {}
            for its, name, path in self._store.documents.sessions():
                self._paths.setdefault((its, name), {})[path] = None
        return self._paths.setdefault((project, session), {})

    def _read(self, project: int, path: str) -> _Conversation | None:
        found = self._store.documents.opening(project, path)
        return None if found is None else _Conversation(found[0], found[1], found[2])
