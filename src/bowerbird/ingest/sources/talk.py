"""Collects a conversation while it is read: turns, and the tool calls that belong to them."""

from bowerbird.guard.trust import TAINTED
from bowerbird.ingest.sources.turns import Turn, Turns, call, result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.core.document import Piece
    from bowerbird.ingest.trail import Trail

USER = "user"
ASSISTANT = "assistant"
# The note of a user's turn that the program put there: files, instructions, the output of commands.
PUT_IN = "put in"


class Talk:
    """Collects turns in the order of a file.

    A tool call belongs to the answer that it follows, and its result to the call, wherever it is in the
    file.
    """

    def __init__(self, trail: "Trail | None" = None) -> None:
        """`trail` knows what the session had read at each turn."""
        self._trail = trail
        self._turns = Turns()
        self._callers: dict[str, Turn] = {}

    def say(self, speaker: str, text: str, line: int, occurred: int | None, note: str = "") -> None:
        """Adds a turn of its own, unless the text is empty or no turn is kept any more."""
        if not text or text.isspace() or self._turns.cut:
            return
        turn = self._turns.new(speaker, line, occurred, note)
        if speaker == ASSISTANT:
            turn.say(text)
            self._limit(turn, text)
        elif self._trail is None:
            turn.say(text)
        elif speaker == USER and not note:
            found = self._trail.prompted(text)
            turn.say(found.text)
            turn.say(found.rest, trust=TAINTED)
        else:
            turn.say(text, trust=self._trail.unknown(text))

    def call(self, id: str, name: str, arguments: "Any", line: int, occurred: int | None) -> None:
        """Adds a tool call; `id` is how its result will refer to it."""
        if self._turns.cut:
            return
        turn = self._turns.last
        if turn is None or turn.speaker != ASSISTANT:
            turn = self._turns.new(ASSISTANT, line, occurred)
        said = call(name, arguments)
        turn.say(said, line)
        if id:
            self._callers[id] = turn
        if self._trail is not None:
            turn.trust = turn.trust or self._trail.called(id, name, arguments, occurred or 0)

    def result(
        self, id: str, text: str, line: int, occurred: int | None, *, failed: bool = False
    ) -> None:
        """Adds a tool result; if its call is not in the file, as a turn of the tool."""
        if self._turns.cut:
            # What was said in between was not weighed, so a late result is not believed.
            if caller := self._callers.get(id):
                caller.say(result(text, failed=failed), line, TAINTED)
            return
        turn = self._callers.get(id) or self._turns.new("tool", line, occurred)
        trust = self._trail.answered(id, text) if self._trail is not None else ""
        turn.say(result(text, failed=failed), line, trust)
        self._limit(turn)

    def _limit(self, turn: Turn, text: str = "") -> None:
        """Limits a turn of the agent to the trust of what the session had read."""
        if self._trail is not None:
            turn.trust = turn.trust or self._trail.trust_of(text)

    def pieces(self) -> "list[Piece]":
        """The pieces of all turns."""
        return self._turns.pieces()

    @property
    def cut(self) -> bool:
        """Whether there were more turns than the maximum."""
        return self._turns.cut
