"""Reads claude-mem: what it observed in sessions, and what it summed up of them.

From its database, or from what its export script writes.
"""

import os

from bowerbird.ingest.dates import moment
from bowerbird.ingest.importers.gathering import Gathering, loaded, tags_of, texts
from bowerbird.ingest.importers.rows import has_table, rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from bowerbird.core.migrated import Found

_TABLE, _COLUMNS = "observations", ("memory_session_id", "project", "title", "created_at_epoch")
_WHEN = "created_at_epoch"
# Its types of observation that say the same as a kind of ours; the others are told by their wording.
_KINDS = {"decision": "decision"}
# What of a summary outlives its session, and how the memory begins.
_LASTING = {"learned": "", "completed": "Done: ", "next_steps": "Next: "}
# What is kept of an observation in its memory's metadata.
_KEPT = ("id", "type", "project", "subtitle", "content_hash", "prompt_number", "relevance_count")


def accepts(path: str) -> bool:
    """Whether a path is its database, its folder, or an export."""
    file = _file(path)
    return has_table(file, _TABLE, _COLUMNS) or bool(_exported(file))


def places(home: str, _here: str, environment: "Mapping[str, str]") -> "Iterator[str]":
    """Where it keeps its database."""
    folder = environment.get("CLAUDE_MEM_DATA_DIR") or os.path.join(home, ".claude-mem")
    yield os.path.join(folder, "claude-mem.db")


def read(path: str, most: int) -> "Found":
    """Each observation, and what each summary learned."""
    file = _file(path)
    gathering = Gathering("claude-mem", file, most)
    exported = _exported(file, gathering)
    if exported:
        observed, summed = exported.get("observations"), exported.get("summaries")
    else:
        observed, summed = rows(file, _TABLE, "id"), rows(file, "session_summaries", "id")
    for row in _tables(observed):
        _observation(row, gathering)
    for row in _tables(summed):
        _summary(row, gathering)
    return gathering.found()


def _file(path: str) -> str:
    return os.path.join(path, "claude-mem.db") if os.path.isdir(path) else path


def _exported(path: str, gathering: "Gathering | None" = None) -> "dict[str, Any]":
    if not (path.endswith(".json") and os.path.isfile(path)):
        return {}
    found = loaded((gathering or Gathering("claude-mem", path, 1 << 30)).text(path))
    return found if isinstance(found, dict) and isinstance(found.get(_TABLE), list) else {}


def _tables(value: "Any") -> "list[dict[str, Any]]":
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _observation(row: "dict[str, Any]", gathering: Gathering) -> None:
    title, said = _text(row, "title"), _text(row, "narrative") or _text(row, "text")
    body = said or "\n".join(f"- {fact}" for fact in texts(row.get("facts")))
    gathering.add(
        f"observation {row.get('id')}",
        f"{title}\n\n{body}" if title and body else title or body,
        {name: row[name] for name in _KEPT if row.get(name) not in (None, "")},
        kind=_KINDS.get(_text(row, "type")),
        tags=tags_of(texts(row.get("concepts"))),
        files=tuple(_within(texts(row.get("files_modified")) or texts(row.get("files_read")))),
        summary=title or None,
        session=_text(row, "memory_session_id"),
        occurred=_when(row),
    )


def _summary(row: "dict[str, Any]", gathering: Gathering) -> None:
    for name, begins in _LASTING.items():
        said = _text(row, name)
        gathering.add(
            f"summary {row.get('id')} {name}",
            f"{begins}{said}" if said else "",
            {"id": row.get("id"), "project": _text(row, "project"), "of": name},
            session=_text(row, "memory_session_id"),
            occurred=_when(row),
        )


def _when(row: "dict[str, Any]") -> "int | None":
    return moment(row.get(_WHEN)) or moment(row.get("created_at"))


def _within(files: list[str]) -> "Iterator[str]":
    """Those of the files that lie in the project."""
    return (one for one in files if not os.path.isabs(one) and not one.startswith(("..", "~")))


def _text(row: "dict[str, Any]", name: str) -> str:
    found = row.get(name)
    return found.strip() if isinstance(found, str) else ""
