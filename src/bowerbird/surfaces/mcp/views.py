"""The structured data of each result: tables (`core.value`) with descriptions of their fields.

A verb without one returns its whole result.
"""

from bowerbird.core.graph import RULE, Node, Spoken
from bowerbird.core.memories import Plain
from bowerbird.core.packs import PackedFile
from bowerbird.core.recalled import plain
from bowerbird.core.shaped import Answer, brief
from bowerbird.core.types import PASSAGE
from bowerbird.core.value import Advice, iso
from bowerbird.core.version import VERSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from bowerbird.core.answers import Status
    from bowerbird.core.code_map import CodeMap
    from bowerbird.core.graph import Impact, Reached
    from bowerbird.core.packs import Pack
    from bowerbird.core.types import Entry
    from bowerbird.core.usages import References, Usage
    from bowerbird.core.value import Table

# Maximum characters of another memory's summary in a decision.
_SUMMARY = 160
# Maximum characters of a text in a list.
_EXCERPT_OF_A_ROW = 300
# Maximum number of memories that pruning lists, and of places in one file; the rest are counted.
LISTED = 30
# Kinds of notes that contain the store's path, which no model needs.
_WITH_PATHS = frozenset(("missing", "uncounted"))
_TRUST = "full: the user's word; normal: an agent's, the project's files; imported, low: check"
_RELEVANT = "0 to 1; below 0.3 is rarely an answer"


def lines(entry: "Entry") -> str:
    """First and last line of a passage; empty for a memory."""
    return "" if entry.start_line is None else f"{entry.start_line}-{entry.end_line}"


def _notes(answer: "Answer | Pack") -> "Sequence[str]":
    """The notes of an answer, without the one on a missing store, which an empty answer implies."""
    trace = (answer.hits if isinstance(answer, Answer) else answer).trace
    return [Advice(f"{name}: ", note) for name, note in trace.notes if note.kind != "missing"]


def _read(answer: "Answer") -> list[str]:
    read = [f"read {word!r} as {read!r}" for word, read in answer.hits.corrected.items()]
    return [*read, *_notes(answer)]


def _status_notes(found: "Status") -> list[str]:
    return [note for note in found.notes if note.kind not in _WITH_PATHS]


def _expires(entry: "Entry") -> str | None:
    expires = entry.details.fields.expires if entry.details else None
    return None if expires is None else iso(expires)


def _fields(name: str, empty: "Any" = None) -> "Any":
    """A getter of a field that only memories have."""
    return lambda shown: getattr(shown.entry.details.fields, name) if shown.entry.details else empty


def _since(name: str) -> "Any":
    """A getter of when something became of a memory."""
    return lambda shown: getattr(shown.entry.details, name) if shown.entry.details else None


def _others() -> "Table":
    """The plain fields of memories that have no row of their own, without what no model needs."""
    return tuple(
        (
            name,
            f"{one.shape.rstrip('?')}-",
            _fields(name),
            (one.given or {})["meaning"].capitalize(),
        )
        for name, one in Plain.DECLARED.items()
        if name not in {"files", "modules", "commit", "work_unit"}
    )


def _why(entry: "Entry") -> str:
    return entry.details.reason if entry.details and entry.state != "active" else ""


def _location(where: str) -> "Table":
    """The fields of an entry's location; `where` is the prefix of its attributes."""
    return (
        ("path", "text-", f"{where}path", "Source file"),
        ("lines", "text-", lambda one: lines(one.entry), "First and last line"),
        ("speaker", "text-", f"{where}speaker"),
        ("audience", "text-", f"{where}audience"),
        ("created", "moment", f"{where}created", "When it was written or said, UTC"),
        ("valid_from", "moment-", f"{where}valid_from", "It holds from then on"),
        ("valid_to", "moment-", f"{where}valid_to", "It holds until then"),
    )


_ABOUT = "Other memories about the same; the newest first"
_LINKED: "Table" = (
    ("relation", "text", "relation", "It replaces that one, is newer or older"),
    ("id", "text"),
    ("text", "text-", "text", "What that one says; empty: it is in this answer"),
    ("trust", "text-", lambda one: one.trust if one.text else "", _TRUST),
    ("speaker", "text-", lambda one: one.speaker if one.text else ""),
    ("created", "moment-", lambda one: one.created if one.text else None),
)
_STALE = "What it is about that changed, moved or went: check before you rely on it"


def _astray(anchors: "Sequence[Any]") -> list[str]:
    return [str(one) for one in anchors if one.state != "fresh"]


_EXCERPT: "Table" = (
    ("id", "text"),
    ("type", "text", "kind", "Type of memory, or passage"),
    ("text", "text", brief, "What of it matched"),
    ("cut", "flag-", lambda hit: brief(hit) != hit.text, "There is more; memory_get has it"),
    ("relevance", "share", "relevance", _RELEVANT),
    ("trust", "text", "entry.trust", _TRUST),
    ("disputed", "text-", "entry.disputed", "Who disputes it; it may be wrong"),
    ("tags", "texts-", "entry.tags"),
    *_location("entry."),
    ("also_in", "texts-", "also", "Other locations of the same text"),
    ("linked", [_LINKED, "-"], "linked", _ABOUT),
    ("stale", "texts-", lambda hit: _astray(hit.entry.anchors), _STALE),
)
_ROW: "Table" = (
    ("id", "text"),
    ("type", "text", "kind"),
    (
        "text",
        "text",
        lambda one: one.text[:_EXCERPT_OF_A_ROW],
        "Its beginning; memory_get has the rest",
    ),
    ("trust", "text", "trust", _TRUST),
    ("state", "text"),
    ("tags", "texts-"),
    ("path", "text-", "path", "Source file"),
    ("created", "moment", "created", "When it was written or said, UTC"),
    ("valid_from", "moment-", "valid_from", "It holds from then on"),
    ("valid_to", "moment-", "valid_to", "It holds until then"),
)
_CITED: "Table" = (
    ("id", "text"),
    ("type", "text", "kind"),
    ("text", "text"),
    ("citation", "text", "citation", "File and lines, or type and id"),
    ("relevance", "share", "relevance", _RELEVANT),
    ("trust", "text", "trust", _TRUST),
    *(row for row in _location("") if row[0] != "lines"),
    ("also_in", "texts-", "also", "Other locations of the same text"),
    ("linked", [_LINKED, "-"], "linked", _ABOUT),
    ("stale", "texts-", lambda item: _astray(item.anchors), _STALE),
)
_CLOSE: "Table" = (
    ("id", "text"),
    ("relation", "text"),
    ("summary", "text", lambda match: match.summary[:_SUMMARY]),
)
_FADED: "Table" = (
    ("id", "text"),
    ("type", "text", "kind"),
    ("summary", "text", lambda one: one.summary[:_SUMMARY]),
    ("reason", "text", "reason", "Why"),
)
_PATTERN: "Table" = (
    ("id", "text-"),
    ("text", "text"),
    ("examples", "texts", lambda one: one.examples[:LISTED], "Ids of its first examples"),
)


def _uses(*, of_tests: bool) -> "Any":
    """The lines that use a definition, a text a file: as rows they take four times the tokens."""

    def said(found: "References") -> list[str]:
        return [
            f"{one.path}: {_listed([_use(usage) for usage in one.usages])}"
            for one in found.files
            if one.test is of_tests
        ]

    return said


def _use(one: "Usage") -> str:
    within = f" in {one.name}" if one.name else ""
    return f"{one.line} {one.kind}{within}{' (guessed)' if one.origin == RULE else ''}"


def _reached(*, by_tests: bool) -> "Any":
    """What an impact reaches, a text a file, the nearest first."""

    def said(found: "Impact") -> list[str]:
        files: dict[str, list[str]] = {}
        for one in found.reached:
            if one.test is by_tests:
                files.setdefault(one.node.path, []).append(_step(one))
        return [f"{path}: {_listed(steps)}" for path, steps in files.items()]

    return said


def _listed(parts: "Sequence[str]") -> str:
    """The first parts, and how many more there are: one file alone must not fill an answer."""
    left = len(parts) - LISTED
    return ", ".join((*parts[:LISTED], *((f"{left} more",) if left > 0 else ())))


def _step(one: "Reached") -> str:
    """How many steps away, by which edge, and what; a file itself has no name."""
    name = f" {one.node.kind} {one.node.name} {one.node.start_line}" if one.node.name else ""
    return f"{one.depth} {one.edge}{name}{' (guessed)' if one.origin == RULE else ''}"


def _mapped(found: "CodeMap") -> list[str]:
    """A text a file, with its definitions and the lines at which they begin."""
    return [
        f"{one.path}: "
        + ", ".join(f"{each.kind} {each.name} {each.start_line}" for each in one.symbols)
        for one in found.files
    ]


# The table of each verb.
VIEWS: "dict[str, Table]" = {
    "query": (
        ("hits", [_EXCERPT], "distinct"),
        ("notes", "texts", _read, "What was read differently or could not be searched"),
    ),
    "context": (
        ("items", [_CITED]),
        ("budget", "whole"),
        ("spent", "whole", "spent", "Tokens of all items"),
        ("ratio", "number-", "ratio", "Times the planned steps that such work took"),
        ("step_limit", "whole-", "step_limit", "Steps that the work may take"),
        ("files", [PackedFile, "-"], "files", "Files that other sessions needed"),
        ("session", "data-", "so_far", "What the session was given, kept and noted"),
        ("notes", "texts", _notes),
    ),
    "impact": (
        ("target", "text"),
        ("direction", "text"),
        ("found", [Node]),
        ("candidates", [Node, "-"], "candidates", "What an ambiguous name may mean"),
        (
            "reached",
            "texts",
            _reached(by_tests=False),
            "By file, nearest first: steps, edge, definition, line",
        ),
        ("tests", "texts-", _reached(by_tests=True), "The same of tests"),
        ("run", "texts-", "run", "Tests to run, as a runner takes them"),
        ("memories", [Spoken, "-"], "memories", "Memories that mention it"),
        ("unresolved", "counts-", "unresolved", "Names that resolve to nothing in the project"),
        ("stale", "texts-", "stale", "Files left out: changed since they were indexed"),
        ("more", "whole", "more", "What the limit left out"),
        ("notes", "texts"),
    ),
    "references": (
        ("target", "text"),
        ("found", [Node, "-"]),
        ("candidates", [Node, "-"], "candidates", "What an ambiguous name may mean"),
        ("uses", "texts-", _uses(of_tests=False), "By file: line, kind, definition around it"),
        ("tests", "texts-", _uses(of_tests=True), "The same in tests"),
        ("total", "whole"),
        ("more", "whole", "more", "Uses beyond the limit"),
        ("stale", "texts-", "stale", "Files left out: changed since they were indexed"),
        ("notes", "texts"),
    ),
    "map": (
        ("code", "texts", _mapped, "By file, most used first: kind, name, line"),
        ("more", "whole", "more", "Definitions beyond the budget"),
        ("notes", "texts"),
    ),
    "get": (
        ("id", "text", "entry.id"),
        ("type", "text", "entry.kind"),
        ("text", "text", "entry.text"),
        ("trust", "text", "entry.trust", _TRUST),
        ("state", "text", "entry.state", "active, or why it is not searched"),
        ("reason", "text", lambda shown: _why(shown.entry), "Why it is not active any more"),
        ("tags", "texts", "entry.tags"),
        ("importance", "score-", "entry.importance"),
        ("confidence", "number-", _fields("confidence")),
        ("needs_review", "flag-", _fields("needs_review")),
        ("expires", "text-", lambda shown: _expires(shown.entry)),
        ("stale_at", "moment-", _since("stale_at"), "Doubted since"),
        ("deprecated_at", "moment-", _since("deprecated_at"), "Deprecated since"),
        ("files", "texts-", _fields("files"), "Files it is about"),
        ("stale", "texts-", lambda shown: _astray(shown.entry.anchors), _STALE),
        ("modules", "texts-", _fields("modules"), "Modules it is about"),
        *_others(),
        ("payload", "data-", _fields("payload"), "Structure that some types carry"),
        (
            "author",
            "text-",
            lambda shown: shown.entry.details.agent if shown.entry.details else "",
            "Agent that stored it",
        ),
        ("context", "text", "entry.context", "Headings above it"),
        *_location("entry."),
        ("linked", [_LINKED, "-"], "entry.linked", _ABOUT),
    ),
    "list": (
        ("entries", [_ROW], "entries"),
        ("notes", "texts", lambda found: [*found.entries.notes]),
    ),
    "curate": (
        ("id", "text"),
        (
            "decision",
            "text",
            "decision",
            "created, known, superseded (an older one) or quarantined (a person looks)",
        ),
        ("type", "text", "kind"),
        ("reason", "text"),
        ("note", "text", "note", "What lowered its trust, and how a person raises it"),
        ("redacted", "texts", "redacted", "Kinds of secrets that were redacted"),
        ("matched", [_CLOSE], "matched", "Similar memories"),
    ),
    "forget": (
        ("id", "text", lambda done: done.forgotten[0].id),
        ("summary", "text", lambda done: done.forgotten[0].summary),
        ("state", "text", lambda _: "deleted"),
    ),
    "revert": (
        ("id", "text"),
        ("state", "text"),
        ("reason", "text", "reason", "What was undone"),
        ("memories", "texts", "memories", "Ids of all memories that it changed"),
        ("others", "texts", "others", "What became of others"),
    ),
    "prune": (
        ("dry_run", "flag"),
        ("pruned", "whole", "pruned", "Memories that went, or would"),
        ("remaining", "whole", "remaining", "Memories in force afterwards"),
        (
            "memories",
            [_FADED],
            lambda done: done.leaving[:LISTED],
            "The first memories that were pruned, or would be",
        ),
    ),
    "consolidate": (
        ("dry_run", "flag"),
        ("compressed", "whole", "compressed", "Memories that became examples, or would"),
        ("patterns", [_PATTERN], lambda done: done.patterns[:LISTED], "The first patterns"),
    ),
    "status": (
        ("project", "text"),
        ("memories", "whole", "total_memories"),
        ("passages", "whole", "total_passages", "Pieces of indexed files"),
        ("documents", "whole", "total_documents", "Indexed files"),
        (
            "by_type",
            "counts",
            lambda found: {kind: n for kind, n in found.by_type.items() if kind != PASSAGE},
        ),
        ("healthy", "flag", "index_healthy", "The index matches the texts"),
        ("notes", "texts", _status_notes, "What to know or do"),
        ("version", "text", lambda _: VERSION, "Of Bowerbird"),
    ),
}


def lean(value: "Any", always: tuple[str, ...] = ()) -> "Any":
    """The value without hidden characters and without empty fields, except those of `always`."""
    if isinstance(value, dict):
        return {
            plain(key): lean(one)
            for key, one in value.items()
            if key in always or not _says_nothing(one)
        }
    if isinstance(value, list):
        return [lean(one) for one in value]
    return plain(value) if isinstance(value, str) else value


def _says_nothing(value: "Any") -> bool:
    return value is None or value is False or value in ("", [], {})
