"""The hooks' journal: one JSON line per event, for any agent.

It holds less than a transcript: no output of successful calls, and only the first lines of an error.
Prompts are truncated, and the agent's messages are missing.
"""

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
from bowerbird.ingest.fields import text_at
from bowerbird.sessions.learn.collector import Collector
from bowerbird.sessions.learn.failures import no_result, shown, stopped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Journal:
    """Converts one session's journal into steps, line by line."""

    def __init__(self, collector: "Collector | None" = None) -> None:
        self.collector = collector or Collector()

    @staticmethod
    def knows(record: "dict[str, Any]") -> bool:
        """Return whether a record is a line of a journal."""
        return all(name in record for name in ("at", "agent", "what", "event"))

    def name(self, stem: str) -> None:
        """Set the session's id from the file name, without the agent's prefix."""
        self.collector.session = stem.removeprefix(self.collector.agent + "-")

    def take(self, line: int, record: "dict[str, Any]") -> None:
        """Process the next event."""
        what = text_at(record, "what")
        at = record["at"] if isinstance(record.get("at"), int) else 0
        collector, sub = self.collector, text_at(record, "sub")
        collector.agent = collector.agent or text_at(record, "agent")
        if what in (STARTED, PROMPTED, CALLED, FAILED):
            collector.identify("", text_at(record, "cwd"))
        collector.on(text_at(record, "branch"))
        if what == PROMPTED and (text := text_at(record, "text")):
            collector.typed(text, at, line, sub)
        elif what in (CALLED, FAILED):
            self._called(record, at, line, sub)
        elif what in (STOPPED, SUB_STOPPED) and (text := text_at(record, "text")):
            # The end of a turn carries the agent's last message.
            name = text_at(record, "event")
            collector.add(Event(collector.agent, name, SAID, sub=sub, text=text), at, line)

    def _called(self, record: "dict[str, Any]", at: int, line: int, sub: str) -> None:
        error = text_at(record, "error")
        # Records of before the mark have only the event.
        wrong = "failed" in record or (record.get("what") == FAILED and not no_result(error))
        if stopped(error):
            self.collector.interrupted(at, line, sub)
            return
        given: dict[str, Any] = {
            name: record[name] for name in ("command", "paths", "pattern") if record.get(name)
        }
        event = Event(
            self.collector.agent,
            text_at(record, "event"),
            FAILED if wrong else CALLED,
            cwd=self.collector.here,
            sub=sub,
            tool=text_at(record, "tool"),
            given=given,
            answer=error or f"{text_at(record, 'commit') or text_at(record, 'stored')} ",
            use=text_at(record, "use"),
        )
        self.collector.add(
            event,
            at,
            line,
            shown(error) if wrong else "",
            failed=wrong,
            foreign=text_at(record, "external"),
        )
