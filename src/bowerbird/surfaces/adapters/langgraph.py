"""LangGraph's long-term memory: a BaseStore whose items are memories of a project.

    from bowerbird import Bowerbird
    from bowerbird.surfaces.adapters.langgraph import BowerbirdStore

    store = BowerbirdStore(Bowerbird.open(project="shop", resident=True))
    graph = builder.compile(store=store)

An item is exactly what was put under its namespace and key: secrets are removed, nothing is merged. Its
text is found by every other agent of the project, and a search finds by words and by meaning without an
index of LangGraph's own: those that bear on the query come first, with their relevance as the score, the
others after them without one.
"""

import asyncio
import json
from datetime import UTC, datetime
from itertools import islice
from time import time

from bowerbird.core.draft import LONGEST
from bowerbird.surfaces.adapters.shared import (
    KEPT,
    as_agent,
    at,
    below,
    key_in,
    key_of,
    metadata_in,
    missing,
    parts_of,
)

try:
    from langgraph.store.base import (
        BaseStore,
        GetOp,
        Item,
        ListNamespacesOp,
        PutOp,
        SearchItem,
        SearchOp,
        TTLConfig,
        get_text_at_path,
        tokenize_path,
    )
except ImportError as error:
    raise missing("langgraph", "langgraph") from error

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from langgraph.store.base import MatchCondition, Op, Result

    from bowerbird.core.memory import Memory
    from bowerbird.core.types import Entry

_MINUTE = 60_000
# The most hits of a query; the items after them are listed.
_HITS = 50
_START = "langgraph/"
_OPERATORS = {
    "$eq": lambda value, other: value == other,
    "$ne": lambda value, other: value != other,
    "$gt": lambda value, other: float(value) > float(other),
    "$gte": lambda value, other: float(value) >= float(other),
    "$lt": lambda value, other: float(value) < float(other),
    "$lte": lambda value, other: float(value) <= float(other),
}


class BowerbirdStore(BaseStore):
    """A store over a `Bowerbird`, or over a `Client` of a server.

    `ttl` as for LangGraph's own stores: minutes after which an item ends, and whether reading it starts
    them anew. Values are JSON; metadata of any depth up to 32.
    """

    supports_ttl = True
    __slots__ = ("_memory", "ttl_config")

    def __init__(self, memory: "Memory", *, ttl: "TTLConfig | None" = None) -> None:
        self._memory = as_agent(memory, "langgraph", reads=False)
        self.ttl_config = ttl

    def batch(self, ops: "Iterable[Op]") -> "list[Result]":
        """Reads as it is before the batch, then the last put of each key."""
        asked = list(ops)
        results: list[Result] = [self._read(op) for op in asked]
        last = {(op.namespace, op.key): op for op in asked if isinstance(op, PutOp)}
        for op in last.values():
            self._put(op)
        return results

    async def abatch(self, ops: "Iterable[Op]") -> "list[Result]":
        """The same, on a thread."""
        return await asyncio.to_thread(self.batch, list(ops))

    def _read(self, op: "Op") -> "Result":
        match op:
            case GetOp():
                return self._get(op)
            case SearchOp():
                return self._search(op)
            case ListNamespacesOp():
                return self._namespaces(op)
            case PutOp():
                return None
        raise ValueError(f"unknown operation {op!r}")

    def _get(self, op: GetOp) -> Item | None:
        found = at(self._memory, _key(op.namespace, op.key))
        if found is None:
            return None
        self._refresh(found, refresh=op.refresh_ttl)
        return Item(**_item(found))

    def _search(self, op: SearchOp) -> list[SearchItem]:
        found = (
            (entry, score)
            for entry, score in self._ranked(_prefix(op.namespace_prefix), op.query)
            if _matches(_value(entry), op.filter or {})
        )
        page = list(islice(found, op.offset, op.offset + op.limit))
        for entry, _ in page:
            self._refresh(entry, refresh=op.refresh_ttl)
        return [SearchItem(**_item(entry), score=score) for entry, score in page]

    def _ranked(self, start: str, query: str | None) -> "Iterator[tuple[Entry, float | None]]":
        """The items that bear on a query, the best first, then the others."""
        seen: set[str] = set()
        if query and query.strip():
            hits = self._memory.query(query, fields=[f"key={start}*"], limit=_HITS)
            for hit in hits:
                seen.add(hit.id)
                yield self._memory.get(hit.id), hit.relevance
        for entry in below(self._memory, start, KEPT[:1]):
            if entry.id not in seen:
                yield entry, None

    def _namespaces(self, op: ListNamespacesOp) -> list[tuple[str, ...]]:
        conditions = op.match_conditions or ()
        spaces = {_place(entry)[0] for entry in below(self._memory, _START, KEPT[:1])}
        found = (one for one in spaces if all(_meets(one, wanted) for wanted in conditions))
        cut = sorted({one[: op.max_depth] for one in found})
        return cut[op.offset : op.offset + op.limit]

    def _put(self, op: PutOp) -> None:
        key = _key(op.namespace, op.key)
        if op.value is None:
            found = at(self._memory, key)
            if found is not None:
                self._memory.forget(found.id, "deleted by its owner")
            return
        self._memory.remember(
            _text(op),
            key=key,
            metadata={"value": op.value, **({} if op.ttl is None else {"ttl": op.ttl})},
            expires=None if op.ttl is None else _end(op.ttl),
        )

    def _refresh(self, entry: "Entry", *, refresh: bool) -> None:
        ttl = metadata_in(entry).get("ttl")
        if refresh and ttl is not None:
            self._memory.edit(entry.id, expires=_end(ttl), reason="it was read")


def _prefix(namespace: tuple[str, ...]) -> str:
    return _START + "".join(f"{key_of(part)}/" for part in namespace)


def _key(namespace: tuple[str, ...], key: str) -> str:
    """As the key of a namespace, with a sign that none of its parts has."""
    return f"{_prefix(namespace)}:{key_of(key)}"


def _place(entry: "Entry") -> tuple[tuple[str, ...], str]:
    """The namespace and the key of an item."""
    _, *namespace, key = parts_of(key_in(entry))
    return tuple(namespace), key[1:]


def _value(entry: "Entry") -> "dict[str, Any]":
    value: dict[str, Any] = metadata_in(entry).get("value", {})
    return value


def _item(entry: "Entry") -> "dict[str, Any]":
    namespace, key = _place(entry)
    updated = entry.details.updated if entry.details is not None else entry.created
    return {
        "namespace": namespace,
        "key": key,
        "value": _value(entry),
        "created_at": datetime.fromtimestamp(entry.created / 1000, UTC),
        "updated_at": datetime.fromtimestamp(updated / 1000, UTC),
    }


def _text(op: PutOp) -> str:
    """What of an item is found: the fields that `index` names, or all of it; without one its key."""
    value = op.value or {}
    if op.index is False:
        return op.key or "an item"
    if op.index is None:
        said = [f"{name}: {_said(one)}" for name, one in value.items()]
    else:
        said = [text for path in op.index for text in get_text_at_path(value, tokenize_path(path))]
    return "\n".join(said).strip()[:LONGEST] or op.key or "an item"


def _said(value: "Any") -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _end(minutes: float) -> int:
    return round(time() * 1000 + minutes * _MINUTE)


def _meets(namespace: tuple[str, ...], wanted: "MatchCondition") -> bool:
    path = tuple(wanted.path)
    if len(path) > len(namespace):
        return False
    own = namespace[: len(path)] if wanted.match_type == "prefix" else namespace[-len(path) :]
    return all(sought in ("*", part) for sought, part in zip(path, own, strict=True))


def _matches(value: "Any", wanted: "Any") -> bool:
    """Whether a value has all that a filter names, by equality or by operators such as $gte."""
    if not isinstance(wanted, dict):
        return bool(value == wanted)
    if any(name.startswith("$") for name in wanted):
        return all(_operator(name)(value, other) for name, other in wanted.items())
    return isinstance(value, dict) and all(
        _matches(value.get(name), other) for name, other in wanted.items()
    )


def _operator(name: str) -> "Any":
    if name not in _OPERATORS:
        raise ValueError(f"unknown operator {name}: one of {', '.join(_OPERATORS)}")
    return _OPERATORS[name]
