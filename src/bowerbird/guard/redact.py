"""Replaces secrets in a text visibly by ``[REDACTED:kind]``."""

from bowerbird.core.errors import BadConfig
from bowerbird.core.pattern import late
from bowerbird.core.value import Value
from bowerbird.guard import registry
from bowerbird.guard.detection import PRIVATE_KEY, Detection
from bowerbird.guard.secrets import find

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

_MARK = "[REDACTED:"
# Maximum length of a kind in a mark. Only complete marks are skipped: anybody can write the beginning of
# one before a secret.
_LONGEST_KIND = 40
_KIND_CHARS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-")
# The minimum length of any secret; gaps between two marks are usually shorter.
_SHORTEST = 8
# The result of a redaction is scanned again until nothing is found, so that a second run changes nothing.
# No text is known that needs more rounds; the limit keeps the time linear.
_ROUNDS = 8
_HASH = "sha256:"
_SHORTEST_PREFIX = 8
_WHOLE_HASH = 64
_HEX = frozenset("0123456789abcdef")


_WHOLE_MARK = late(r"\[REDACTED:[a-z0-9-]{1,40}\]")


def without_marks(text: str) -> str:
    """The text without the marks of redacted secrets: two that share one say nothing of the same."""
    return _WHOLE_MARK.sub(" ", text) if _MARK in text else text


class Allow(Value):
    """Exceptions from redaction: kinds, and single values by the prefix of their SHA-256."""

    __slots__ = ("kinds", "prefixes")

    def __init__(self, kinds: frozenset[str] = frozenset(), prefixes: tuple[str, ...] = ()) -> None:
        self.kinds = kinds
        self.prefixes = prefixes

    @classmethod
    def parse(cls, entries: "Iterable[str]", where: str = "call") -> "Allow":
        """Parses entries such as ``jwt`` and ``sha256:9f86d081884c``; empty ones are ignored.

        Raises BadConfig, naming their origin, for an unknown kind or an invalid hash.
        """
        kinds: set[str] = set()
        prefixes: list[str] = []
        for entry in entries:
            name = entry.strip().lower()
            if name.startswith(_HASH):
                prefixes.append(_prefix(name, entry, where))
            elif name:
                kinds.add(_kind(name, entry, where))
        return cls(frozenset(kinds), tuple(prefixes))

    def lets(self, kind: str, value: str) -> bool:
        """Whether this value of this kind is exempt."""
        if kind in self.kinds:
            return True
        return bool(self.prefixes) and _digest(value).startswith(self.prefixes)


ALLOW_NOTHING = Allow()


class Redacted(Value):
    """A redacted text, and the locations of the secrets in the original."""

    __slots__ = ("findings", "text")

    def __init__(self, text: str, findings: tuple[Detection, ...] = ()) -> None:
        self.text = text
        self.findings = findings

    def values(self, text: str) -> dict[str, str]:
        """The secrets as they stand in the original `text`, each with its mark."""
        return {text[one.start : one.end]: f"{_MARK}{one.kind}]" for one in self.findings}

    @property
    def counts(self) -> dict[str, int]:
        """The number of secrets by kind; the lines of one private key count as one."""
        counts: dict[str, int] = {}
        for index, finding in enumerate(self.findings):
            before = self.findings[index - 1] if index else None
            if finding.kind == PRIVATE_KEY and before is not None and before.kind == PRIVATE_KEY:
                continue
            counts[finding.kind] = counts.get(finding.kind, 0) + 1
        return counts


def redact(text: str, allow: Allow = ALLOW_NOTHING) -> Redacted:
    """The text with every secret replaced by its kind; line numbers stay the same.

    A text without secrets is returned unchanged. A second run changes nothing.
    """
    findings: list[Detection] = []
    pending = list(_unmarked(text))
    # Between secrets the same few words often stand again: a list of accounts, a log.
    known: dict[str, list[Detection]] = {}
    for _ in range(_ROUNDS):
        left: list[tuple[int, int]] = []
        for start, end in pending:
            part = text[start:end]
            there = known.get(part)
            if there is None:
                there = known[part] = find(part)
            if not there:
                continue
            found = [
                Detection(finding.kind, start + finding.start, start + finding.end)
                for finding in there
            ]
            found = [one for one in found if not allow.lets(one.kind, text[one.start : one.end])]
            if found:
                findings += found
                left += _between(found, start, end)
        if not left:
            break
        pending = left
    if not findings:
        return Redacted(text)
    findings.sort(key=lambda finding: finding.start)
    return Redacted("".join(_parts(text, findings)), tuple(findings))


def marks_in(text: str) -> int:
    """How many secrets were replaced in a text."""
    return len(_WHOLE_MARK.findall(text)) if _MARK in text else 0


def was_redacted(text: str) -> bool:
    """Whether a text held a secret, which was replaced."""
    return _MARK in text


def redact_fields(
    fields: "dict[str, Any]", allow: Allow = ALLOW_NOTHING
) -> "tuple[dict[str, Any], Redacted]":
    """The same for the values of JSON fields: sentences alone, then all together with their names."""
    import json  # start-up: not needed for a single text

    told: list[Detection] = []
    parted = redact_sentences(fields, allow, told)
    given = json.dumps(parted, ensure_ascii=False, default=str)
    redacted = redact(given, allow)
    within = redacted.findings
    redacted.findings += tuple(told)
    if not within:
        return parted if told else fields, redacted
    try:
        cleaned = json.loads(redacted.text)
    except ValueError:
        # An escape sequence was cut in two, so each value is redacted separately.
        cleaned = _each(json.loads(given), allow)
    return cleaned, redacted


def redact_sentences(
    value: "Any", allow: Allow = ALLOW_NOTHING, found: "list[Detection] | None" = None
) -> "Any":
    """A JSON value whose texts of several words are redacted; what they held is added to `found`.

    Within JSON a sentence has marks around it that no sentence has.
    """
    if isinstance(value, str) and " " in value:
        alone = redact(value, allow)
        if found is not None:
            found += alone.findings
        return alone.text
    if isinstance(value, dict):
        return {key: redact_sentences(one, allow, found) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [redact_sentences(one, allow, found) for one in value]
    return value


def _kind(name: str, entry: str, where: str) -> str:
    known = registry.kinds()
    if name in known:
        return name
    import difflib  # start-up: used only after a mistake

    # Kinds of the same provider first: by letters alone, aws-kye is nearest to xai-key.
    near = [kind for kind in known if kind.startswith(name.partition("-")[0] + "-")]
    near = near or difflib.get_close_matches(name, known, n=1)
    remedy = f"did you mean {' or '.join(near)}?" if near else f"known: {', '.join(known)}"
    raise BadConfig(f"guard.allow names {entry!r}, which is no kind of secret ({where})", remedy)


def _prefix(name: str, entry: str, where: str) -> str:
    digits = name.removeprefix(_HASH).strip()
    if _SHORTEST_PREFIX <= len(digits) <= _WHOLE_HASH and _HEX.issuperset(digits):
        return digits
    raise BadConfig(
        f"guard.allow names {entry!r}, which is no beginning of a SHA-256 ({where})",
        f"give {_HASH} and from {_SHORTEST_PREFIX} to {_WHOLE_HASH} hex digits of the value's hash",
    )


def _digest(value: str) -> str:
    import hashlib  # start-up: OpenSSL is needed only if an exception is configured

    return hashlib.sha256(value.encode("utf-8", "surrogatepass")).hexdigest()


def _each(value: "Any", allow: Allow, name: str = "") -> "Any":
    """Redacts the texts of a value one by one: alone, else together with the field's name."""
    import json  # start-up: not needed for a single text

    if isinstance(value, str):
        alone = redact(value, allow)
        if alone.findings or not name:
            return alone.text
        named = redact(json.dumps({name: value}, ensure_ascii=False), allow)
        return f"{_MARK}{named.findings[0].kind}]" if named.findings else value
    if isinstance(value, list):
        return [_each(one, allow) for one in value]
    if isinstance(value, dict):
        return {redact(key, allow).text: _each(one, allow, key) for key, one in value.items()}
    return value


def _unmarked(text: str) -> "Iterator[tuple[int, int]]":
    """Yields the parts of a text between the marks of earlier redactions."""
    start = 0
    at = text.find(_MARK)
    while at >= 0:
        kind = at + len(_MARK)
        end = text.find("]", kind, kind + _LONGEST_KIND + 1)
        if end > kind and _KIND_CHARS.issuperset(text[kind:end]):
            if at - start >= _SHORTEST:
                yield start, at
            start = end + 1
        at = text.find(_MARK, kind)
    if len(text) - start >= _SHORTEST:
        yield start, len(text)


def _between(found: list[Detection], start: int, end: int) -> "Iterator[tuple[int, int]]":
    for finding in found:
        if finding.start - start >= _SHORTEST:
            yield start, finding.start
        start = finding.end
    if end - start >= _SHORTEST:
        yield start, end


def _parts(text: str, findings: list[Detection]) -> "Iterator[str]":
    at = 0
    before = ""
    for finding in findings:
        gap = text[at : finding.start]
        yield gap
        # The lines of a private key get one mark; what was between them stays.
        if not (finding.kind == before == PRIVATE_KEY and not any(map(str.isalnum, gap))):
            yield f"{_MARK}{finding.kind}]"
        before = finding.kind
        at = finding.end
        # The full stop of the sentence stays: of a secret that ends so it tells nothing.
        if text[at - 1] == "." and (at == len(text) or text[at].isspace()):
            at -= 1
    yield text[at:]
