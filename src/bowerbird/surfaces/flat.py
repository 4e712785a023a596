"""Entries and hits as the flat dictionaries of the envelope."""

from bowerbird.core.clock import iso
from bowerbird.core.text import count_tokens, summarise
from bowerbird.core.types import SHORT_ID

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.core.answers import Entries, Hit, Hits, Pack
    from bowerbird.core.memories import Details
    from bowerbird.core.types import Entry
    from bowerbird.surfaces.answer import Answer

# Characters of a digest's few words; with file and lines about ten tokens a hit.
DIGEST_CHARS = 32
# Characters of a compact hit's summary; with place and cost about thirty tokens.
COMPACT_CHARS = 64


def number(value: float) -> float:
    """A score as it is shown: four digits after the point."""
    return round(value, 4)


def flat_entry(entry: "Entry") -> "dict[str, Any]":
    """Every field of an entry that means something outside its store; a memory has more of them."""
    return _common(entry) | (_of_memory(entry.details) if entry.details is not None else {})


def _of_memory(details: "Details") -> "dict[str, Any]":
    fields = details.fields
    return {
        "confidence": fields.confidence,
        "expires": None if fields.expires is None else iso(fields.expires),
        "scope": fields.scope,
        "audience": fields.audience,
        "files": list(fields.files),
        "modules": list(fields.modules),
        "keywords": list(fields.keywords),
        "payload": fields.payload,
        "metadata": fields.metadata,
        "current_confidence": number(details.current_confidence),
        "effective_importance": number(details.effective_importance),
        "reason": details.reason,
        "priority": fields.priority,
        "pinned": fields.pinned,
        "verified": fields.verified,
        "citation": fields.citation,
        "commit": fields.commit,
        "work_unit": fields.work_unit,
        "needs_review": fields.needs_review,
        "review": fields.review,
        "origin": details.origin,
        "source": details.source,
        "agent": details.agent,
        "updated": iso(details.updated),
        "accessed": iso(details.accessed),
        "access_count": details.access_count,
        "version": details.version,
        "previous": details.previous,
    }


def _common(entry: "Entry") -> "dict[str, Any]":
    return {
        "id": entry.id,
        "family": entry.family,
        "kind": entry.kind,
        "text": entry.text,
        "summary": entry.summary,
        "path": entry.path,
        "start_line": entry.start_line,
        "end_line": entry.end_line,
        "context": entry.context,
        "speaker": entry.speaker,
        "session": entry.session,
        "project": entry.project,
        "trust": entry.trust,
        "state": entry.state,
        "tags": list(entry.tags),
        "importance": None if entry.importance is None else number(entry.importance),
        "created": iso(entry.created),
    }


def flat_entries(entries: "Entries") -> "dict[str, Any]":
    """A list of entries, with what is to be said of it."""
    data: dict[str, Any] = {"entries": [flat_entry(one) for one in entries], "count": len(entries)}
    notes = [note for note in entries.notes if note.kind != "missing"]
    return data | {"notes": notes} if notes else data


def flat_answer(answer: "Answer", degraded: "list[str]") -> "dict[str, Any]":
    """The answer to a query, its hits in the shape that was asked for."""
    flat = {"full": flat_hit, "compact": compact_hit, "digest": digest_hit}[answer.shape]
    hits = answer.hits
    data = {
        "query": hits.query,
        "results": [flat(hit) for hit in hits],
        "total_found": hits.total_found,
        "took_ms": hits.took_ms,
        "model_used": hits.model,
        "corrected": hits.corrected,
        **({"budget": answer.budget, "spent": answer.spent} if answer.budget else {}),
        "degraded": degraded,
    }
    if answer.explain:
        data["trace"] = flat_trace(hits)
    return data


def flat_pack(pack: "Pack", nonce: str, degraded: "list[str]") -> "dict[str, Any]":
    """What was packed for a task; `nonce` marks it as data wherever it is shown."""
    return {
        "task": pack.task,
        "phase": pack.phase,
        "budget": pack.budget,
        "spent": pack.spent,
        "nonce": nonce,
        "items": [
            {
                "id": item.id,
                "kind": item.kind,
                "text": item.text,
                "tokens": item.tokens,
                "citation": item.citation,
                "path": item.path,
                "relevance": number(item.relevance),
                "trust": item.trust,
                "speaker": item.speaker,
                "review": item.review,
                "created": iso(item.created),
            }
            for item in pack
        ],
        "took_ms": pack.took_ms,
        "degraded": degraded,
    }


def flat_hit(hit: "Hit") -> "dict[str, Any]":
    """A hit with its scores beside the fields of its entry."""
    entry = hit.entry
    return {
        "id": entry.id,
        "family": entry.family,
        "kind": entry.kind,
        "text": entry.text,
        "snippet": hit.snippet,
        "score": number(hit.score),
        "relevance": number(hit.relevance),
        "bm25": number(hit.bm25),
        "semantic": number(hit.semantic),
        "graph": number(hit.graph),
        "path": entry.path,
        "start_line": entry.start_line,
        "end_line": entry.end_line,
        "context": entry.context,
        "speaker": entry.speaker,
        "session": entry.session,
        "project": entry.project,
        "trust": entry.trust,
        "tags": list(entry.tags),
        "needs_review": bool(entry.review),
        "review": entry.review,
        "created": iso(entry.created),
    }


def compact_hit(hit: "Hit") -> "dict[str, Any]":
    """One line of a hit, and what the whole would cost."""
    entry = hit.entry
    return {
        "id": entry.id,
        "kind": entry.kind,
        "path": entry.path,
        "start_line": entry.start_line,
        "end_line": entry.end_line,
        "relevance": number(hit.relevance),
        "trust": entry.trust,
        "summary": few_words(entry, COMPACT_CHARS),
        "tokens": count_tokens(entry.text),
    }


def digest_hit(hit: "Hit") -> "dict[str, Any]":
    """Where a hit stands, or its short id, and a few words."""
    entry = hit.entry
    place: dict[str, Any] = {"id": entry.id[:SHORT_ID]}
    if entry.path is not None:
        place |= {"path": entry.path, "start_line": entry.start_line, "end_line": entry.end_line}
    return {**place, "trust": entry.trust, "summary": few_words(entry, DIGEST_CHARS)}


def few_words(entry: "Entry", limit: int) -> str:
    """The summary of a memory, the heading or first sentence of a passage, cut at a word."""
    if entry.summary:
        return summarise(entry.summary, limit)
    if entry.context and entry.text.startswith("#"):
        return summarise(entry.context.rpartition(" > ")[2], limit)
    return summarise(entry.text, limit)


def flat_trace(hits: "Hits") -> "dict[str, Any]":
    """The stages, and what each added to the score of each hit."""
    return {
        "stages": [stage.to_dict() for stage in hits.trace.stages],
        "hits": [
            {
                "id": hit.id,
                "score": hit.score,
                "contributions": hits.trace.contributions(hit.entry.row),
            }
            for hit in hits
        ],
    }
