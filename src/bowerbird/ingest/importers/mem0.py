"""Reads mem0: what `get_all` returns, saved as JSON, or the history that it keeps of all memories."""

import os

from bowerbird.ingest.dates import moment
from bowerbird.ingest.importers.gathering import Gathering, loaded, tags_of, texts
from bowerbird.ingest.importers.rows import has_table, rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from bowerbird.core.migrated import Found

_COLUMNS = ("memory_id", "old_memory", "new_memory", "event")
_KEPT = (
    "id",
    "hash",
    "user_id",
    "agent_id",
    "run_id",
    "actor_id",
    "role",
    "metadata",
    "updated_at",
)
_LARGEST = 1 << 30


def accepts(path: str) -> bool:
    """Whether a path is a list of memories, a history, or the folder with one."""
    file = _file(path)
    return has_table(file, "history", _COLUMNS) or bool(
        file.endswith(".json")
        and os.path.isfile(file)
        and _listed(Gathering("mem0", file, _LARGEST).text(file))
    )


def places(home: str, _here: str, environment: "Mapping[str, str]") -> "Iterator[str]":
    """Where it keeps the history."""
    yield os.path.join(environment.get("MEM0_DIR") or os.path.join(home, ".mem0"), "history.db")


def read(path: str, most: int) -> "Found":
    """Each memory that was not deleted, with its history where that is known."""
    file = _file(path)
    gathering = Gathering("mem0", file, most)
    if file.endswith(".json"):
        listed = _listed(gathering.text(file))
        several = len({one.get("user_id") for one in listed}) > 1
        for one in listed:
            kept = {name: one[name] for name in _KEPT if one.get(name)}
            gathering.add(
                f"memory {one.get('id', '')}",
                # Its texts leave out whom they are about, which a list of one user says by itself.
                f"{one['user_id']}: {_said(one)}" if several and one.get("user_id") else _said(one),
                kept,
                tags=tags_of(texts(one.get("categories"))),
                session=str(one.get("run_id") or ""),
                expires=one.get("expiration_date") or None,
                occurred=moment(one.get("created_at")),
            )
        return gathering.found()
    histories: dict[str, list[dict[str, Any]]] = {}
    for row in rows(file, "history", ""):
        histories.setdefault(str(row["memory_id"]), []).append(row)
    for id, events in histories.items():
        last = events[-1]
        if last.get("event") == "DELETE" or last.get("is_deleted") or not last.get("new_memory"):
            continue
        history = [
            {"event": one.get("event"), "text": one.get("new_memory"), "at": one.get("created_at")}
            for one in events[:-1]
        ]
        first = next((one["created_at"] for one in events if one.get("created_at")), None)
        kept = {"id": id} | ({"history": history} if history else {})
        gathering.add(f"memory {id}", str(last["new_memory"]), kept, occurred=moment(first))
    return gathering.found()


def _file(path: str) -> str:
    return os.path.join(path, "history.db") if os.path.isdir(path) else path


def _said(one: "dict[str, Any]") -> str:
    found = one.get("memory") or one.get("data")
    return found if isinstance(found, str) else ""


def _listed(text: str) -> "list[dict[str, Any]]":
    """The memories of a list, or of an answer that holds it."""
    found = loaded(text)
    if isinstance(found, dict):
        found = found.get("results") or found.get("memories")
    if not isinstance(found, list):
        return []
    return [one for one in found if isinstance(one, dict) and _said(one)]
