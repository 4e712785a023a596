"""Conversations that a framework keeps here: exact items, in order, found again by what was said.

A turn is a memory of the kind `context` that fades like others. What tools returned is kept as it is
and not searched; turns after it may repeat what others wrote and are trusted like files of others.
"""

from time import time

from bowerbird.core.ids import new_id
from bowerbird.surfaces.adapters.shared import below, fitting, metadata_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.core.memory import Memory

# Days after which an unused turn counts half.
_HALF_LIFE = 30.0
_AFTER_TOOLS = ("imported",)
_TOOL = "tool"


class Turn:
    """One item of a conversation: who said what, and the item as the framework has it."""

    __slots__ = ("data", "role", "text")

    def __init__(self, role: str, text: str, data: "Any") -> None:
        """`role` is user, assistant or tool."""
        self.role = role
        self.text = text
        self.data = data


class Conversation:
    """The turns whose keys begin with `start`, which ends with a slash."""

    __slots__ = ("_heard", "_memory", "_session", "_start")

    def __init__(self, memory: "Memory", start: str, session: str) -> None:
        self._memory = memory
        self._start = start
        self._session = session
        # Whether a tool has returned something; None: not looked up yet.
        self._heard: bool | None = None

    def add(self, turn: Turn, id: str = "") -> None:
        """Keep a turn after the others; one of the same id is kept once."""
        if self._heard is None:
            self._heard = any(one.get("role") == _TOOL for one in self._metadata())
        self._heard = self._heard or turn.role == _TOOL
        said = "what a tool returned" if turn.role == _TOOL else f"{turn.role}: {turn.text}"
        self._memory.remember(
            fitting(said, turn.role),
            key=self._start + (id or new_id(round(time() * 1000))),
            kind="context",
            session=self._session,
            half_life=_HALF_LIFE,
            pinned=False,
            metadata={"role": turn.role, "item": turn.data},
            lineage=_AFTER_TOOLS if self._heard else (),
        )

    def items(self, most: "int | None" = None) -> "list[Any]":
        """The latest items, in order."""
        found: list[Any] = []
        for one in self._metadata():
            if most is not None and len(found) >= most:
                break
            found.append(one.get("item"))
        return found[::-1]

    def pop(self) -> "Any":
        """Take the latest item away and return it; None if there is none."""
        for entry in below(self._memory, self._start):
            self._memory.forget(entry.id, "taken back by its session")
            return metadata_in(entry).get("item")
        return None

    def clear(self) -> None:
        """Forget all turns."""
        if ids := [entry.id for entry in below(self._memory, self._start)]:
            self._memory.forget_all(ids, "cleared by its session")
        self._heard = False

    def _metadata(self) -> "Any":
        return (metadata_in(entry) for entry in below(self._memory, self._start))
