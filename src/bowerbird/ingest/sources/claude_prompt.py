"""Which text in a user's record of Claude Code a person may have typed. Learning and indexing ask here.

The program records much in the name of the user: instructions of skills, results of tools, messages of
chats, selections in an editor, output of commands. Typed is the first text of a record that does not say
otherwise; how far, guard/typed.py decides.
"""

import re

from bowerbird.core.value import Record
from bowerbird.ingest.fields import table_at, tables_at, text_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# The sources of prompts that a person typed into the program; older versions record none. With any other,
# such as that of `claude -p`, which appends what is piped into it, only the first line is known to be.
_TYPED = frozenset(("", "typed"))
# The model's own proposal of a prompt.
_PROPOSED = "suggestion_accepted"
# Marks of records that the program wrote.
_OF_PROGRAM = ("isMeta", "isApiErrorMessage", "isVisibleInTranscriptOnly", "isSynthetic")
# Fields of records that a tool or a skill put into the conversation.
_OF_TOOL = ("sourceToolUseID", "sourceToolAssistantUUID", "planContent")
_BY_HUMAN = "human"
# What the program records of its own commands, such as /exit: the command, its output, and what it tells
# the model of both. Of a command that is given words, these are a person's.
_RECORDED = re.compile(r"(?s)<(system-reminder|command-[a-z]+|local-command-[a-z]+)>(.*?)</\1>")
_ARGUMENTS = "command-args"
_CAVEAT = "Caveat: The messages below were generated"
# Kinds of origins that are the program itself, or agents whose calls are judged by themselves.
_OWN_ORIGINS = frozenset((_BY_HUMAN, "task-notification", "coordinator"))


class Prompt(Record):
    """The texts of a user's record: what may be typed, and the rest.

    `one_line`: only the first line of it may be. `recap`: the rest is the agent's summary of the session
    before a compaction. `others`: it is a message of somebody else.
    """

    text: str = ""
    rest: str = ""
    one_line: bool = False
    recap: bool = False
    others: bool = False


def prompt_of(record: "dict[str, Any]") -> Prompt:
    """The texts of a user's record; both are empty if it holds none."""
    texts = _texts(record)
    if record.get("isCompactSummary") is True:
        return Prompt(rest="\n".join(texts), recap=True)
    first = next((at for at, one in enumerate(texts) if not one.startswith("<")), None)
    if first is None or not _may_be_typed(record):
        return Prompt(rest="\n".join(texts), others=_is_message(record))
    rest = "\n".join(texts[:first] + texts[first + 1 :])
    source = record.get("promptSource") or ""
    return Prompt(texts[first], rest, one_line=source not in _TYPED)


def without_records(text: str) -> str:
    """A text without what the program put in; a command with its arguments stays whole."""
    if text.startswith(_CAVEAT):
        return ""
    bare = _RECORDED.sub("", text).strip()
    given = any(one[1] == _ARGUMENTS and one[2].strip() for one in _RECORDED.finditer(text))
    return text if given and not bare else bare


def _texts(record: "dict[str, Any]") -> list[str]:
    message = table_at(record, "message")
    parts = [part for part in tables_at(message, "content") if part.get("type") == "text"]
    found = (text_at(message, "content"), *(text_at(part, "text") for part in parts))
    return [one.strip() for one in found if one.strip()]


def _may_be_typed(record: "dict[str, Any]") -> bool:
    """Whether a record says, or did not yet say, that a person wrote it."""
    if any(record.get(mark) is True for mark in (*_OF_PROGRAM, "isSidechain")):
        return False
    if _origin(record) != _BY_HUMAN or record.get("promptSource") == _PROPOSED:
        return False
    if any(record.get(name) for name in _OF_TOOL):
        return False
    # Text beside a tool's result came with it.
    return not any(
        part.get("type") == "tool_result"
        for part in tables_at(table_at(record, "message"), "content")
    )


def _origin(record: "dict[str, Any]") -> str:
    return text_at(table_at(record, "origin"), "kind") if record.get("origin") else _BY_HUMAN


def _is_message(record: "dict[str, Any]") -> bool:
    """Whether a record holds what somebody else wrote to the agent."""
    return _origin(record) not in _OWN_ORIGINS
