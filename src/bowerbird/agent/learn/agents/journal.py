"""The hooks' journal: a line of JSON an event, of whatever agent.

Less stands in it than in a transcript: no output of what worked, and of what failed its first lines.
What was typed is cut, and nothing that was said is in it.
"""

from bowerbird.agent.learn.collector import Collector
from bowerbird.agent.learn.failing import denied, shown, stopped
from bowerbird.core.events import (
    CALLED,
    FAILED,
    PROMPTED,
    SAID,
    STARTED,
    STOPPED,
    SUB_STOPPED,
    Event,
)
from bowerbird.ingest.sources.reading import text_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Journal:
    """The steps of one session, line by line."""

    def __init__(self) -> None:
        self.collector = Collector()

    @staticmethod
    def knows(record: "dict[str, Any]") -> bool:
        """Whether a record is a line of a journal."""
        return all(name in record for name in ("at", "agent", "what", "event"))

    def name(self, stem: str) -> None:
        """The session is called like its file, without the agent in front."""
        self.collector.session = stem.removeprefix(self.collector.agent + "-")

    def take(self, line: int, record: "dict[str, Any]") -> None:
        """The next event."""
        what = text_at(record, "what")
        at = record["at"] if isinstance(record.get("at"), int) else 0
        collector, sub = self.collector, text_at(record, "sub")
        collector.agent = collector.agent or text_at(record, "agent")
        if what in (STARTED, PROMPTED, CALLED, FAILED):
            collector.place("", text_at(record, "cwd"))
        if what == PROMPTED and (text := text_at(record, "text")):
            collector.typed(text, at, line, sub)
        elif what in (CALLED, FAILED):
            self._called(record, at, line, sub)
        elif what in (STOPPED, SUB_STOPPED) and (text := text_at(record, "text")):
            # A turn is over: what the agent said last.
            name = text_at(record, "event")
            collector.add(Event(collector.agent, name, SAID, sub=sub, text=text), at, line)

    def _called(self, record: "dict[str, Any]", at: int, line: int, sub: str) -> None:
        error = text_at(record, "error")
        wrong = isinstance(record.get("exit"), int) and record["exit"] != 0
        if stopped(error):
            self.collector.interrupted(at, line, sub)
            return
        given: dict[str, Any] = {
            name: record[name] for name in ("command", "paths", "pattern") if record.get(name)
        }
        wrong = wrong and not denied(error)
        event = Event(
            *(self.collector.agent, text_at(record, "event"), FAILED if wrong else CALLED),
            cwd=self.collector.here,
            sub=sub,
            tool=text_at(record, "tool"),
            given=given,
            answer=error,
            use=text_at(record, "use"),
        )
        self.collector.add(event, at, line, shown(error) if wrong else "", failed=wrong)
