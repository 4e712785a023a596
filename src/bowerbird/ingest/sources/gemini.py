"""Sessions of Gemini CLI: a JSON Lines log that is replayed; older ones are a single object.

A message with a known id replaces the earlier one; ``$rewindTo`` removes a message and all that follow. A
list of messages in ``$set`` is what remains in the model's context: what it omits was said all the same,
so it only adds and replaces.
"""

from bowerbird.ingest.dates import moment
from bowerbird.ingest.fields import table_at, tables_at, text_at
from bowerbird.ingest.sources.reading import LineFinder, Reading
from bowerbird.ingest.sources.talk import ASSISTANT, PUT_IN
from bowerbird.ingest.sources.turns import one_line, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.ingest.chunk import Size
    from bowerbird.ingest.sources.reading import Material

_SPEAKERS = {"user": "user", "gemini": ASSISTANT}
_NOTICES = frozenset(("info", "warning", "error"))
_FAILED = frozenset(("error", "cancelled"))


class Gemini:
    """One session, in either form."""

    name = "gemini"

    def accepts(self, material: "Material") -> bool:
        """Whether the file begins with the metadata of a Gemini session."""
        if material.suffix == ".jsonl":
            return any(_describes_session(record) for record in material.sample[:1])
        return material.suffix == ".json" and (
            _describes_session(material.whole) and isinstance(material.whole.get("messages"), list)
        )

    def read(self, material: "Material", _size: "Size") -> Reading:
        """One piece for each turn, several for a long one."""
        log = _Log()
        if material.suffix == ".json":
            log.describe(material.whole)
            finder = LineFinder(material.text)
            for message in tables_at(material.whole, "messages"):
                log.put(message, finder.next(text_at(message, "id")))
        else:
            for line, record in material.records():
                log.apply(record, line)
        return log.reading(material)


def _describes_session(record: "dict[str, Any]") -> bool:
    return bool(text_at(record, "sessionId")) and "projectHash" in record


class _Log:
    """The messages by id, in the order of their first occurrence, with the line of the last."""

    def __init__(self) -> None:
        self._messages: dict[str, tuple[int, dict[str, Any]]] = {}
        self._session = ""
        self._title = ""
        self._unknown = 0

    def describe(self, facts: "dict[str, Any]") -> None:
        self._session = self._session or text_at(facts, "sessionId")
        self._title = text_at(facts, "summary") or self._title

    def put(self, message: "dict[str, Any]", line: int) -> None:
        if text_at(message, "type") in _SPEAKERS:
            self._messages[text_at(message, "id") or f"#{len(self._messages)}"] = (line, message)
        elif text_at(message, "type") not in _NOTICES:
            self._unknown += 1

    def apply(self, record: "dict[str, Any] | None", line: int) -> None:
        if record is None:
            self._unknown += 1
        elif "$rewindTo" in record:
            self._rewind(text_at(record, "$rewindTo"))
        elif "$set" in record or _describes_session(record):
            facts = table_at(record, "$set") if "$set" in record else record
            self.describe(facts)
            for message in tables_at(facts, "messages"):
                self.put(message, line)
        else:
            self.put(record, line)

    def _rewind(self, target: str) -> None:
        # From the end: copying the log for each of many small rewinds would take quadratic time.
        while target in self._messages:
            self._messages.popitem()

    def reading(self, material: "Material") -> Reading:
        talk = material.talk()
        for line, message in self._messages.values():
            when = moment(message.get("timestamp"))
            # The displayed content is what the person typed; the content may include whole files.
            shown, content = _text(message.get("displayContent")), message.get("content")
            speaker = _SPEAKERS[message["type"]]
            if shown or speaker == ASSISTANT or not isinstance(content, list):
                talk.say(speaker, shown or _text(content), line, when)
            else:
                talk.say(speaker, _text(content[:1]), line, when)
                talk.say(speaker, _text(content[1:]), line, when, PUT_IN)
            for one in tables_at(message, "toolCalls"):
                id = text_at(one, "id")
                talk.call(id, text_at(one, "name"), one.get("args"), line, when)
                failed = text_at(one, "status") in _FAILED
                talk.result(id, _result(one.get("result")), line, when, failed=failed)
        return Reading(
            talk.pieces(),
            title=one_line(self._title),
            session=one_line(self._session) or material.stem,
            unknown=self._unknown,
            cut=talk.cut,
        )


def _text(content: "Any") -> str:
    """A text, a part, or a list of parts."""
    return text_of([content] if isinstance(content, dict) else content)


def _result(result: "Any") -> str:
    """The text of a tool's result: plain, or from the response that was sent to the model."""
    if isinstance(result, str):
        return result
    parts = {"parts": result if isinstance(result, list) else [result]}
    answers = [
        table_at(table_at(part, "functionResponse"), "response")
        for part in tables_at(parts, "parts")
    ]
    return "\n".join(text_at(answer, "output", "error") for answer in answers) or _text(result)
