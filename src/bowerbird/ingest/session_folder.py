"""Finds the folder in which a session was held, near the beginning of its transcript.

Agents keep the sessions of all projects in one folder, so that its path says nothing. Only transcripts in
these folders count: one that came with a checkout must not name another project.
"""

import json
import os
import re

from bowerbird.core.value import Record
from bowerbird.guard.redact import ALLOW_NOTHING, redact
from bowerbird.ingest.contents import COMPRESSED, beginning
from bowerbird.ingest.fields import table_at, text_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_ENDINGS = (".jsonl", ".json", *COMPRESSED)
# Bytes that are searched, first few, then many: bookkeeping and pasted text may come first.
_FIRST = 1 << 16
_MOST = 1 << 21
# A session exported by OpenCode is one object, which begins with its metadata.
_DIRECTORY = re.compile(r'"directory"\s*:\s*("(?:[^"\\]|\\.){0,4096}")')
_LONGEST = 4096
# The keys of a folder, one of which a record must have to be parsed.
_KEYS = ('"cwd"', '"directories"', '"directory"')


class SessionFolder(Record):
    """The folder of a session, and the remote of its repository if the transcript has it."""

    folder: str
    remote: str = ""


def session_folder(path: str) -> SessionFolder | None:
    """Where the session in a file was held; None if it is no transcript or does not say."""
    if not path.endswith(_ENDINGS):
        return None
    for most in (_FIRST, _MOST):
        try:
            data = beginning(path, most)
        except OSError:
            return None
        found = _first_folder(data.decode("utf-8", "replace"))
        if found is not None or len(data) < most or data[:1] != b"{":
            return found
    return None


def _first_folder(text: str) -> SessionFolder | None:
    for line in text.split("\n"):
        try:
            named = line.startswith("{") and any(key in line for key in _KEYS)
            record = json.loads(line) if named else None
        except (ValueError, RecursionError):
            continue
        if isinstance(record, dict) and (found := _of_record(record)) is not None:
            return found
    if '"info"' in text[:_LONGEST] and (match := _DIRECTORY.search(text)):
        try:
            return _safe(json.loads(match[1]))
        except ValueError:
            return None
    return None


def _of_record(record: "dict[str, Any]") -> SessionFolder | None:
    """The folder in a record of Claude Code, Codex, OpenClaw or Gemini."""
    if "sessionId" in record or "parentUuid" in record:
        folders = record.get("directories")
        named = folders[0] if isinstance(folders, list) and folders else ""
        return _safe(text_at(record, "cwd") or named)
    kind = text_at(record, "type")
    if kind == "session_meta":
        payload = table_at(record, "payload")
        return _safe(text_at(payload, "cwd"), text_at(table_at(payload, "git"), "repository_url"))
    if kind == "session" and "version" in record:
        return _safe(text_at(record, "cwd"))
    return _safe(text_at(table_at(record, "info"), "directory"))


def _safe(folder: "Any", remote: str = "") -> SessionFolder | None:
    """An absolute path without invalid characters or secrets; else None."""
    if not isinstance(folder, str) or not os.path.isabs(folder) or len(folder) > _LONGEST:
        return None
    if not folder.isprintable() or redact(folder, ALLOW_NOTHING).counts:
        return None
    return SessionFolder(
        os.path.normpath(folder), remote[:_LONGEST] if remote.isprintable() else ""
    )
