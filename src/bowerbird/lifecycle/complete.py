"""Validates a draft and fills in its missing fields: a pure function from a draft to a belief."""

from bowerbird.core.draft import LONGEST, Draft
from bowerbird.core.errors import BadInput, NotAPerson, UnknownName
from bowerbird.core.life import AUDIENCES, SCOPES
from bowerbird.core.memories import (
    LONGEST_CITATION,
    LONGEST_HALF_LIFE,
    PRIORITIES,
    Belief,
    Fields,
    Plain,
)
from bowerbird.core.normal import normal_hash
from bowerbird.core.origins import START_CONFIDENCE, UNSEEN, origin_of, source_of
from bowerbird.core.payloads import validated
from bowerbird.core.text import clean, fold, normal_tags, segment, summarise, words
from bowerbird.core.types import RECORDS
from bowerbird.core.value import Advice, Do, Record
from bowerbird.core.when import moment
from bowerbird.guard.redact import redact, redact_fields
from bowerbird.guard.trust import TAINTED, trust_of
from bowerbird.lifecycle.classify import classify
from bowerbird.lifecycle.content import has_no_content
from bowerbird.lifecycle.dated import UNDATED, dated
from bowerbird.lifecycle.importance import importance

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from bowerbird.code.anchoring import Anchoring
    from bowerbird.core.kinds import Kind, Kinds
    from bowerbird.guard.redact import Allow

_QUARANTINED = "it came from outside, or after something from outside was read"
# Characters of a caller's key.
LONGEST_KEY = 1_000
# Nesting depth of metadata: Python's JSON encoder fails on much deeper structures.
DEEPEST = 32
_MOST_BITS = 1000
# What a field of a shape has to be, and what to give instead.
_TYPES: "dict[str, tuple[type | tuple[type, ...], str]]" = {
    "text": (str, "give a text"),
    "data": (dict, "give names with their values"),
    "number": ((int, float), "give a number from 0 to 1"),
}
# The same of fields that only drafts have, or that have a shape of their own.
_OWN_TYPES = {
    **dict.fromkeys(("text", "origin", "source", "session", "actor", "author"), _TYPES["text"]),
    "half_life": ((int, float), "give a number of days"),
    "occurred": (int, "give UTC milliseconds"),
}
_LISTS = dict.fromkeys(
    ("tags", *(name for name, one in Fields.DECLARED.items() if one.shape == "texts"))
)
_WANTED = {
    name: _TYPES[one.shape.rstrip("?")]
    for name, one in {**Draft.DECLARED, **Fields.DECLARED}.items()
    if one.given is not None and one.shape.rstrip("?") in _TYPES
} | _OWN_TYPES
# The end of the year 9999, the last ISO date, in UTC milliseconds; a store can hold more.
_LATEST = 253_402_300_799_999
_EXPIRES = "give a date to come such as 2030-01-31, or an age: 12h, 30d, 2w, 3mo, 1y"

_SINCE = "give the day from which on it holds, such as 2024-03-15, or an age: 7d, 2w, 3mo"


class Completed(Record):
    """A belief, the reason for its kind, and the types of secrets that were redacted."""

    belief: Belief
    kind_reason: str
    redacted: tuple[str, ...]


def complete(draft: "Draft", allow: "Allow", now: int, kinds: "Kinds") -> Completed:
    """Returns the completed draft; keywords are added during admission, since they need word counts.

    Raises BadInput for an invalid text or value, UnknownName for an unknown name.
    """
    _require_types(draft)
    cleaned = _Cleaned(allow)
    text = cleaned.text(_text(draft.text, named=bool(draft.key))).strip()
    chosen, kind_reason = (draft.kind, "as was said") if draft.kind else classify(text)
    its = kinds.get(chosen)
    origin = draft.origin or (origin_of(draft.source) if draft.source else "agent")
    tainted = draft.tainted or TAINTED in draft.lineage
    if draft.verified and origin != "user":
        raise NotAPerson(
            "only a person can verify a memory", "type it on a terminal, or leave that out"
        )
    source = cleaned.name(draft.source) or source_of(origin)
    sure = START_CONFIDENCE.get(source, 1.0) if draft.confidence is None else draft.confidence
    fields = _fields(draft, text, its, cleaned, now, sure, waits=tainted or origin in UNSEEN)
    belief = Belief(
        text=text,
        hash=normal_hash(text),
        fields=fields,
        importance=_importance(draft, text, its),
        origin=origin,
        source=source,
        trust=trust_of(origin, lineage=draft.lineage, tainted=tainted),
        session=cleaned.name(draft.session),
        actor=cleaned.name(draft.actor) or origin,
        half_life=fields.half_life or None,
        tainted=tainted,
        occurred=None if draft.occurred is None else min(draft.occurred, now),
    )
    return Completed(belief, kind_reason, tuple(cleaned.secrets))


def anchored(belief: "Belief", code: "Anchoring", *, everywhere: bool) -> "Belief":
    """Returns a belief with anchors to the files and symbols that it mentions; none if quarantined."""
    fields = belief.fields
    # A record of what happened does not become wrong when the code changes.
    if fields.state == "quarantined" or fields.kind in RECORDS:
        return belief
    found = code.taken(fields.files, belief.text, fields.commit, everywhere=everywhere)
    rows = tuple(one.row for one in found)
    return belief.replace(fields=fields.replace(anchors=rows)) if rows else belief


class _Cleaned:
    """Redacts the texts of a draft, and counts the secrets by type."""

    def __init__(self, allow: "Allow") -> None:
        self._allow = allow
        self.secrets: dict[str, int] = {}

    def text(self, given: str) -> str:
        redacted = redact(given, self._allow)
        self.secrets.update(redacted.counts)
        return redacted.text

    def name(self, given: "str | None") -> str:
        """Returns a short field's value, cleaned and redacted; empty for None."""
        return self.text(clean(given)) if given else ""

    def fields(self, given: "dict[str, Any]", what: str) -> "dict[str, Any]":
        fields, redacted = redact_fields(_json(given, what), self._allow)
        self.secrets.update(redacted.counts)
        return fields


def _fields(
    draft: "Draft",
    text: str,
    its: "Kind",
    cleaned: _Cleaned,
    now: int,
    confidence: float,
    *,
    waits: bool,
) -> Fields:
    """Returns the fields of a draft; quarantined if it `waits` for review. Raises as `complete` does."""
    within("confidence", confidence)
    _require_key(draft.key, cleaned)
    metadata = cleaned.fields(draft.metadata or {}, "metadata")
    payload = validated(its, draft.payload)
    payload = cleaned.fields(payload, "payload") if payload else payload
    names = cleaned.fields({name: getattr(draft, name) for name in _LISTS}, "the draft")
    summary = summarise(cleaned.name(draft.summary) if draft.summary else text)
    citation = _citation(draft, cleaned)
    said = "" if draft.verified else cleaned.name(draft.review).strip()
    # A reason that was given says more, unless the text itself came from outside.
    told = draft.tainted and said
    why = _QUARANTINED if waits and not told else ""
    review = "; ".join(filter(None, (said, why)))
    # A record tells what happened, whatever days its words name.
    told_at = now if draft.occurred is None else min(draft.occurred, now)
    holds = UNDATED if its.name in RECORDS else dated(text, told_at)
    expires, begins = expiry(draft.expires, now), holds.start
    if draft.valid_from is not None:
        begins = _valid_from(draft.valid_from, now)
        if expires is not None and expires <= begins:
            raise BadInput(
                f"it would expire ({draft.expires}) before it holds ({draft.valid_from})",
                "let it expire later, or hold earlier",
            )
    return Fields(
        kind=its.name,
        state="quarantined" if waits else "active",
        summary=summary,
        tags=tuple(normal_tags(names["tags"])),
        keywords=_names([fold(word) for word in names["keywords"]]),
        confidence=confidence,
        expires=expires,
        valid_from=begins,
        valid_to=holds.end,
        metadata=metadata,
        payload=payload,
        scope=among("scope", draft.scope or its.scope, SCOPES),
        audience=among("audience", draft.audience or AUDIENCES[0], AUDIENCES),
        needs_review=bool(review),
        review=review,
        priority=among("priority", draft.priority, PRIORITIES) if draft.priority else "",
        pinned=bool(draft.key if draft.pinned is None else draft.pinned),
        verified=bool(draft.verified),
        author=cleaned.name(draft.author),
        citation=citation or summarise(summary, LONGEST_CITATION),
        half_life=_half_life(draft.half_life, its),
        **{name: _plain(name, draft, names, cleaned) for name in Plain.DECLARED},
    )


def _plain(name: str, draft: "Draft", names: "dict[str, list[str]]", cleaned: _Cleaned) -> "Any":
    """Returns a plain field's value, cleaned. Raises BadInput and UnknownName for an invalid one."""
    declared, value = Plain.DECLARED[name], getattr(draft, name)
    about = declared.given or {}
    match declared.shape.rstrip("?"):
        case "texts":
            return _names(names[name])
        case "data":
            return value and cleaned.fields(value, name)
        case "flag":
            return bool(value)
        case "text":
            text = cleaned.name(value)
            return among(name, text, about["choices"]) if text and "choices" in about else text
    return within(name, value, about.get("low", 0.0), about.get("high", 1.0))


def _citation(draft: "Draft", cleaned: _Cleaned) -> str:
    """Returns the citation, or an empty text if none was given. Raises BadInput if it is too long."""
    citation = " ".join(cleaned.name(draft.citation).split())
    if len(citation) > LONGEST_CITATION:
        raise BadInput(
            f"the citation has {len(citation)} characters", f"{LONGEST_CITATION} are the most"
        )
    return citation


def _require_key(key: str, cleaned: _Cleaned) -> None:
    """Raises BadInput for a key by which the memory would not be found again."""
    if key != cleaned.name(key).strip() or len(key) > LONGEST_KEY or key.endswith("*"):
        raise BadInput(
            f"{key!r:.60} cannot be a key",
            f"give up to {LONGEST_KEY:,} characters without a secret, a space around or a * at the end",
        )


def _require_types(draft: "Draft") -> None:
    """Raises BadInput for a field whose value has the wrong type."""
    for name, (wanted, remedy) in _WANTED.items():
        given = getattr(draft, name)
        if given is not None and not isinstance(given, wanted):
            raise BadInput(f"{name} is a {type(given).__name__}", remedy)
    if draft.text is None:
        raise BadInput("the text is empty", "give what to remember, in one to three sentences")


def _text(given: str, *, named: bool) -> str:
    """Returns the cleaned text. Raises BadInput if it is empty, too long or without content.

    What its caller `named` is got by its key, whatever it says.
    """
    text = clean(given).strip()
    if not text:
        raise BadInput("the text is empty", "say what to keep, in one to three sentences")
    if len(text) > LONGEST:
        raise BadInput(
            f"the text has {len(text):,} characters; a memory holds {LONGEST:,}",
            Advice("write it to a file and take that in with: ", Do("index", "FILE")),
        )
    if not named and has_no_content(words(segment(fold(text)))):
        raise BadInput(
            f"{summarise(text, LONGEST_CITATION)!r} as a whole text contains nothing to search for",
            "say what it is about, in a sentence: the tests need Redis (an edit gives it anew)",
        )
    return text


def _importance(draft: "Draft", text: str, its: "Kind") -> float:
    given = within("importance", draft.importance)
    return importance(text, its, draft.priority, draft.confidence) if given is None else given


def expiry(given: "str | int | None", now: int) -> int | None:
    """Converts an ISO date or time, an age from `now`, or milliseconds to UTC milliseconds.

    A date means its end; a time without a zone is local. Raises BadInput for anything else, and for
    times in the past. None stays None: it never expires.
    """
    if given is None:
        return None
    try:
        found = moment(given, now, ahead=True, end_of_day=True) if isinstance(given, str) else given
    except ValueError as error:
        raise BadInput(f"{given!r} is not a time", _EXPIRES) from error
    if type(found) is not int or found > _LATEST:
        raise BadInput(f"expires {given!s:.40} is not a time", _EXPIRES)
    if found <= now:
        raise BadInput(f"expires {given} has passed already", _EXPIRES)
    return found


def _valid_from(given: "str | int", now: int) -> int:
    """Returns since when, or from when on, a draft holds. Raises BadInput for what is no time."""
    try:
        found = moment(given, now) if isinstance(given, str) else given
    except ValueError as error:
        raise BadInput(f"{given!r} is not a time", _SINCE) from error
    if type(found) is not int or not -_LATEST <= found <= _LATEST:
        raise BadInput(f"valid_from {given!s:.40} is not a time", _SINCE)
    return found


def within(what: str, number: float | None, low: float = 0.0, high: float = 1.0) -> float | None:
    """Returns a number within bounds, or None. Raises BadInput for any other."""
    if number is not None and not low <= number <= high:
        raise BadInput(f"{what} cannot be {number}", f"give it a number from {low:g} to {high:g}")
    return number


def _half_life(given: float | None, its: "Kind") -> float:
    """Returns the half-life of an unused memory's confidence, in days; 0: never. Raises BadInput."""
    if given is None:
        return its.half_life or 0.0
    if not 0.0 <= given <= LONGEST_HALF_LIFE:
        raise BadInput(
            f"half_life cannot be {given}", f"give days from 0, never, to {LONGEST_HALF_LIFE:,}"
        )
    return float(given)


def among(what: str, name: str, known: "Iterable[str]") -> str:
    """Returns `name` if it is among the `known` ones. Raises UnknownName otherwise."""
    known = list(known)
    if name not in known:
        raise UnknownName.among(what, name, known)
    return name


def _names(given: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name.strip() for name in given if name.strip()))


def _json(value: "Any", what: str, depth: int = 0) -> "Any":
    """Returns a value that JSON can represent, with every text cleaned. Raises BadInput for others."""
    if isinstance(value, str):
        return clean(value)
    if value is None or isinstance(value, (bool, int, float)):
        if isinstance(value, float) and value - value != 0.0:
            raise BadInput(f"{what} holds {value}", "JSON knows no infinite numbers")
        if isinstance(value, int) and value.bit_length() > _MOST_BITS:
            # Python refuses to convert integers of thousands of digits to text.
            raise BadInput(f"{what} holds a number of more than 300 digits", "give it as a text")
        return value
    if depth < DEEPEST and isinstance(value, (list, tuple)):
        return [_json(one, what, depth + 1) for one in value]
    if depth < DEEPEST and isinstance(value, dict):
        return {clean(str(key)): _json(one, what, depth + 1) for key, one in value.items()}
    raise BadInput(
        f"{what} holds a {type(value).__name__} or is too deep", "give what JSON can hold"
    )
