"""The explanations in a message: passages that say why, what is wrong or what was decided. Pure.

A passage is a paragraph, or an item of a list with its sub-items; what follows a colon belongs to it.
Its worth is the sum of a few properties: whether it is labelled as a cause, gives a reason, names code,
or only reports what was done. `benchmarks/notes.py` measures what the weights find.
"""

import re

from bowerbird.core.value import Record
from bowerbird.guard.privacy import private

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_CODE = re.compile(r"(?s)```.*?(?:```|\Z)")
_HEADING = re.compile(r"^\s*(?:#{1,6}\s+(?P<marked>.+?)|\*\*(?P<bold>[^*]+?)\*\*:?)\s*$")
_ITEM = re.compile(r"^(?P<in>\s*)(?:[-*•+]|\d+[.)])\s+(?P<text>.+)$")
_ROW = re.compile(r"^\s*(?:\||>|---|===|\$ )")
_NUMBERED = re.compile(r"(?i)^(?:(?:step|fix|bug|issue|problem)?\s*#?\d+[.):]\s*)")
_ENDS = re.compile(r"(?<=[.!?])[\"')*`]*\s+(?=[^\W\d_a-z]|[`*\"(])")
_LINK = re.compile(r"https?://")
_NAME = re.compile(
    r"`[^`]+`|\"[^\"\n]{3,60}\"|\w:[a-z]\w+|\w[_/]\w[\w./]*|\w\.\w{2,}|\b[a-z]+[A-Z]\w*"
    r"|\b[A-Z]+[a-z]+[A-Z]\w*|--\w[\w-]+"
)
# What an explanation is called, in a heading or a label.
_LABEL = re.compile(
    r"(?i)\b(?:root cause|cause|problem|issue|bug|reason|why|fix(?:ed)?|solution"
    r"|key (?:insight|point)|insight|decision|trade-?offs?|rationale|caveat|limitation|gotcha|lesson"
    r"|important|note|resolved|clarif\w+)\b"
)
# The same in a sentence.
_SAYS_CAUSE = re.compile(
    r"(?i)\b(?:the (?:root cause|cause|problem|issue|bug|reason|culprit|key|error|failure)"
    r" (?:is|was|here is)|this (?:is|was) (?:because|caused)|this cause[sd]|that'?s (?:why|because)"
    r"|turns out|it seems that|found (?:it|the bug|another)|in fact|actually)\b"
)
REASON = re.compile(
    r"(?i)\b(?:because|since(?! v?\d)|so that|so (?:the|it|a|an|we|they|no)|otherwise|due to"
    r"|in order to|to (?:avoid|prevent|ensure)|instead|rather than|but|even (?:if|though|when)"
    r"|which (?:would|is|was|means|broke|caused)|without|unless|must|cannot|can't"
    r"|(?:does|do|did|was|were|is)(?:n't| not)|never|only|always|requires?|expects?)\b"
)
# Headings of reports, and of what is ahead or optional.
_REPORT = re.compile(
    r"(?i)^(?:verification|test(?:s| results?| coverage.*)?|results?|next steps?.*|status"
    r"|files? (?:changed|modified|created).*|usage|how to .*|benefits?|positives?|strengths?"
    r"|suggestions?.*|options?\b.*|alternatives?.*|example.*|overview|tests added|impact.*|questions?"
    r"|all user messages|pending tasks?|current work|optional next step)$"
)
# Headings of what is proposed, and of faults that are found, but not mended yet.
_PROPOSED = re.compile(
    r"(?i)\b(?:best|proposed|suggest\w*|recommend\w*|options?|approach(?:es)?|plan)\b"
)
_FAULTS = re.compile(
    r"(?i)\b(?:issues?|missing|gaps?|critical|important|minor|concerns?|review|improvements?"
    r"|findings?|severity|fix needed)\b"
)
# Passages that report what was done.
_DID = re.compile(
    r"(?i)^(?:[✅✓❌]\s*)?(?:(?:now|also|then|just) )?(?:i(?:'ve| have)? )?(?:successfully )?"
    r"(?:added|updated|created|removed|changed|renamed|moved|deleted|replaced|verified|refactored"
    r"|extracted|documented|implemented|enhanced|cleaned|modified|wrote|ran|tests?"
    r"|all (?:tests|checks))\b"
)
_DID_LISTED = re.compile(
    r"[;:] (?:Added|Updated|Created|Removed|Changed|Renamed|Moved|Fixed|Replaced|Verifies|Adds|Updates)\b"
)
_DID_ALL = re.compile(r"(?i)^(?:fixed|updates?|changes?) (?:in|to|for|\w+ ?)\b")
# Passages that tell how the work goes, or of a passing state of unfinished code.
_NARRATES = re.compile(
    r"(?i)^(?:we (?:have|need|should|now)|i (?:think|believe|was|am)\b|the (?:tests?|build|lint\w*)"
    r" (?:is|are|fails?|failed|failing))"
)
_UNFINISHED = re.compile(
    r"(?i)\b(?:missing|unused|wrong|undefined)(?: `?\w+`?)? (?:imports?|variables?)\b"
    r"|\b(?:syntax|compil\w+|typecheck) errors?\b|\bmy (?:test|edit|change|mistake)\b"
)
# Sentences that are left out of a passage: plans, addresses and praise.
_ASIDE = re.compile(
    r"(?i)^(?:if you\b|alternatively|that said\b|(?:now )?let(?:'s| \w+)\b|i'll|i will|i'm going"
    r"|i need to|i should|now i|would you|want me|should (?:i|we)\b|do you|shall|next,|done\b"
    r"|perfect|great|good\b|excellent|addressed (?:all|both)|all (?:clean|pass\w*)\b"
    r"|the \w+ is (?:now )?complete|yes\b[.!,]|no problem|got it"
    r"|fixed[.!]|ah\b|looking at|here'?s|here is|i (?:see|understand)\b|you (?:we|a)re\b|you'?re\b"
    r"|all (?:\w+ )?tests|tests? pass|(?:now )?(?:the )?(?:build|lint\w*|tests?) (?:is|are|pass)"
    r"|ready to|you can (?:now )?see|the change is|thanks|sorry|i(?:'ve| have)? (?:now |found and )?"
    r"(?:updated|fixed|completely|successfully)"
    r"|this is (?:a |the )?(?:great|good|correct|much)"
    r"|(?:i )?(?:found|can see|see) (?:it|the (?:bug|issue|problem|root cause))(?: now)?[.!:]?$)"
    r"|\bas you (?:said|described|suggested|noted|pointed)\b"
)
# Words that only lead to a sentence.
_LEADS = re.compile(
    r"(?i)^(?:(?:so|to summari[sz]e(?: the \w+)?|interesting|actually|right|well|however|but|and|also|ah"
    r"|ok(?:ay)?|found (?:it|the (?:bug|issue|root cause))"
    r"|i (?:found|can see|see) (?:and fixed )?the (?:bug|issue|problem)(?: now)?)"
    r"\b[,.!:—–-]*\s+)+"
)
# Places in files, which move; and alternatives that nobody chose yet.
_PLACE = re.compile(r"\w\.\w{1,5}`?:\d+|\blines? \d+", re.IGNORECASE)
OPTIONS = re.compile(r"(?i)\b(?:fix )?suggest(?:ion|ed)s?\b|\boptions?(?: \d|:| [a-c]\b)")
_MAYBE = re.compile(
    r"(?i)\b(?:maybe|perhaps|might|possibly|probably|likely|could be|seems?|appears?|i think"
    r"|would be|could|consider)\b"
)
# Where a passage leans on what was said before it, and where it cannot be understood without that.
_LEANS = re.compile(
    r"(?i)^(?:at line \d+|(?:that|this|it)'s|this|that|these|those|it|they|both|each|he|she|which"
    r"|so|but|and|also|however|instead|now|then|the (?:fix|change|function|test|key|solution|old"
    r"|new|original|refactoring))\b"
)
_DANGLES = re.compile(
    r"(?i)^(?:at line \d+|(?:that|this|it)'s|this|that|these|those|it|they|now"
    r"|the (?:fix|refactoring|change)) "
)
# Headings that say nothing about their passages.
_PLAIN = re.compile(
    r"(?i)(?:the )?(?:summary|fix|changes?|changes made|summary of .*|problem|root cause|solution"
    r"|notes?|issues? fixed|issue|.*issues \(\d+\))"
)
_FEWEST_WORDS = 7
_FEWEST_IN_SENTENCE = 3
_LONGEST = 420
_LONGEST_TITLED = 160
# What a label and a stated cause add, three names, and each of up to three reasons.
_LABELLED = 1.0
_CAUSE = 1.0
_NAMED = 0.5
_REASONED = 0.5
_MOST_COUNTED = 3
# What a report takes away, a passage that dangles, supposes or tells how the work goes, and each place.
_REPORTED = 1.0
_DANGLING = 1.5
_SUPPOSED = 1.0
_NARRATED = 1.5
_PLACED = 0.5


class Passage(Record):
    """A passage: its `heading` (empty: none), its `text` in one line, its `worth`, its `place`."""

    heading: str
    text: str
    worth: float = 0.0
    place: int = 0


def explanations(message: str, *, mended: bool) -> "list[Passage]":
    """Return the passages of a message that explain something, in their order, each with its worth.

    `mended`: something was changed, so that what it calls a fault is none any more.
    """
    found = []
    for place, one in enumerate(passages(message)):
        proposed = _PROPOSED.search(one.heading) or (not mended and _FAULTS.search(one.heading))
        text = said(one.text)
        worth = 0.0 if proposed else _worth(one.heading, text)
        if worth > 0:
            found.append(one.replace(text=text, worth=worth, place=place))
    return found


def said(text: str) -> str:
    """Return what a passage says, without plans and praise, up to a length."""
    kept = ""
    for whole in sentences(text.replace("**", "")):
        one = _LEADS.sub("", whole)
        if _ASIDE.search(one) or one.endswith("?") or len(one.split()) < _FEWEST_IN_SENTENCE:
            continue
        if len(kept) + len(one) > _LONGEST:
            # Of a long list its first items.
            one = one[: _LONGEST - len(kept)].rpartition("; ")[0]
            kept = f"{kept} {one}".strip()
            break
        kept = f"{kept} {one}".strip()
    return kept.rstrip(" :;")


def _worth(heading: str, text: str) -> float:
    named = names(text)
    if not named or len(text.split()) < _FEWEST_WORDS or _is_unfit(heading, text):
        return 0.0
    reasons = len({one.lower() for one in REASON.findall(text)})
    worth = _NAMED * min(named, _MOST_COUNTED) / _MOST_COUNTED
    worth += _REASONED * (min(reasons, _MOST_COUNTED) if reasons else -1)
    label = text.partition(":")[0] if ":" in text[:40] else ""
    worth += _LABELLED * bool(_LABEL.search(heading) or _LABEL.search(label))
    worth += _CAUSE * bool(_SAYS_CAUSE.search(text))
    listed = _DID_LISTED.search(text)
    if listed or _DID.match(text) or _DID.match(heading) or _DID_ALL.match(heading):
        worth -= _REPORTED if reasons else 1.5 * _REPORTED
    worth -= _PLACED * len(_PLACE.findall(text))
    worth -= _DANGLING * bool(_DANGLES.match(text) and not _NAME.search(heading))
    worth -= _NARRATED * bool(_NARRATES.match(text) or _UNFINISHED.search(text))
    return worth - _SUPPOSED * bool(_MAYBE.search(text))


def _is_unfit(heading: str, text: str) -> bool:
    """Whether a passage is no explanation at all, or not to be kept."""
    return bool(
        private(text) or OPTIONS.search(text) or _LINK.search(text) or _REPORT.match(heading)
    )


def standing(one: Passage) -> str:
    """Return a passage as a text that is understood alone: with its heading, if it needs it."""
    head = _NUMBERED.sub("", one.heading)
    first = one.text.split()[0]
    text = one.text[:1].upper() + one.text[1:] if first.isalpha() and first.islower() else one.text
    needed = _LEANS.match(text) or _NAME.search(head) or len(text) < _LONGEST_TITLED
    return f"{head}: {text}" if head and needed and not _PLAIN.fullmatch(head) else text


def passages(message: str) -> "Iterator[Passage]":
    """Yield the passages of a message, without code, tables and quotations."""
    heading, kept = "", ""
    margin = 0
    for line in [*_CODE.sub("\n", message).split("\n"), ""]:
        plain = line.strip()
        titled = _HEADING.match(line)
        item = None if titled else _ITEM.match(line)
        deep = len(item["in"]) if item else len(line) - len(line.lstrip())
        inside = item is None or kept.endswith(":") or deep > margin
        if kept and plain and not titled and inside and not _ROW.match(line):
            margin = -1 if item and kept.endswith(":") else margin  # all items that it announces
            between = " " if kept[-1] in ".:;!?," or not item else "; "
            kept += between + (item["text"] if item else plain)
            continue
        if not plain and kept.endswith(":"):
            continue  # what it announces follows behind an empty line
        if kept:
            yield Passage(heading, kept)
            kept = ""
        if titled:
            title = (titled["marked"] or titled["bold"]).replace("**", "").strip(" :")
            heading = _NUMBERED.sub("", title)
        elif plain and not _ROW.match(line):
            kept, margin = (item["text"] if item else plain).strip(), deep


def names(text: str) -> int:
    """Return the number of different names of code in a text."""
    return len(set(_NAME.findall(text)))


def sentences(text: str) -> list[str]:
    """Return the sentences of a passage."""
    return [one.strip() for one in _ENDS.split(text) if one.strip()]
