"""Reads the evidence of a memory: the sessions it was learned from, and their lines if still there."""

import os

from bowerbird.core.learned import Evidence, Quoted
from bowerbird.core.types import beside
from bowerbird.guard.redact import redact
from bowerbird.host.places import folder
from bowerbird.sessions.learn.ledger import read_digests
from bowerbird.sessions.learn.transcript import recorded_session
from bowerbird.sessions.observe.calls import command
from bowerbird.wiring.reach import allowed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.core.config import Config
    from bowerbird.core.ports.store import Store
    from bowerbird.core.types import Entry
    from bowerbird.sessions.learn.steps import Step

# Characters of a line that are quoted. Cut after redaction, because half of a secret is not detected.
_LONGEST = 600
# Folder and file suffix of the archives that `bower rescue` writes.
_RESCUED = "rescued"
_PACKED = ".gz"


def evidence(config: "Config", store: "Store", entry: "Entry") -> Evidence:
    """The evidence of a memory; references in its metadata must be confirmed by the learning ledger.

    Writers of memories control that metadata, and it must not give them access to files.
    """
    details = entry.details
    fields = None if details is None else details.fields
    said: Any = {} if fields is None else fields.metadata.get("learned")
    said = said if isinstance(said, dict) else {}
    commit = fields.commit if fields is not None else ""
    key, session = str(said.get("key", "")), entry.session or ""
    digests = read_digests(store).values()
    # What somebody learned before others came is their own since then; the ledger names the project.
    own = [one for one in digests if one.project == beside(entry.project)]
    kept = [one.session for one in own if key in one.kept]
    # A memory whose text a person edited no longer names a session, but keeps its key.
    session = session or (kept[-1] if kept else "")
    if session not in kept:
        return Evidence("", session, (), commit, "", missing="it was not learned from a session")
    named = {str(one) for one in said.get("sessions", ())}
    taught = tuple(
        one.session for one in own if key in one.kept or key in one.again or one.session in named
    )
    path = str(said.get("transcript", ""))
    numbers = tuple(one for one in said.get("lines", ()) if isinstance(one, int))
    taught_by = Evidence(str(said.get("signal", "")), session, taught, commit, path)
    for file in (path, _archived(path)):
        try:
            found = recorded_session(file) if file else None
        except OSError:
            continue
        if found is not None and found.id == session:
            clean = allowed(config)
            quoted = (
                Quoted(step.line, who, _cut(redact(text, clean).text), step.at or None)
                for step in found.steps
                if step.line in numbers
                for who, text in [_quoted(step)]
            )
            lines = tuple(quoted)
            missing = "" if lines else "no single line of a transcript is its source"
            return taught_by.replace(transcript=file, lines=lines, missing=missing)
    return taught_by.replace(missing="the transcript is gone, and no archive holds it")


def _quoted(step: "Step") -> tuple[str, str]:
    event = step.event
    if not event.tool:
        who = {"user": "user", "assistant": "agent"}.get(event.name, event.what)
        return who, event.text
    typed = command(event.given) or " ".join((*step.paths, str(event.given.get("pattern", ""))))
    answer = event.answer if isinstance(event.answer, str) else ""
    return event.tool, f"{typed.strip()}\n{answer}".strip()


def _cut(text: str) -> str:
    """A text, or the words of its beginning that fit, with a mark."""
    if len(text) <= _LONGEST:
        return text
    return text[:_LONGEST].rsplit(None, 1)[0][: _LONGEST - 1] + "…"


def _archived(path: str) -> str:
    """The path of a transcript's archive; empty if there is none."""
    name = os.path.basename(path).removesuffix(_PACKED) + _PACKED
    top = os.path.join(folder("data", os.environ), _RESCUED)
    for where, _, names in os.walk(top):
        if name in names:
            return os.path.join(where, name)
    return ""
