"""The explanations in a message: passages that say why, what is wrong or what was decided. Pure.

A passage is a paragraph, or what stands below one heading, up to a length: a cause, its sign and its cure
are often the items of one list. What follows a colon belongs to it. Which of them are worth keeping,
`noteworthy.py` says.
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
LABEL = re.compile(
    r"(?i)\b(?:root cause|cause|problem|issue|bug|reason|why|fix(?:ed)?|solution"
    r"|key (?:insight|point)|insight|decision|trade-?offs?|rationale|caveat|limitation|gotcha|lesson"
    r"|important|note|resolved|clarif\w+)\b"
)
# What a block is called that says why something was wrong, or what was decided.
_CAUSE = re.compile(r"(?i)(?:the )?(?:root |real |actual |underlying )?causes?\b")
_DECISION = re.compile(r"(?i)(?:the |design |key )*(?:decisions?|trade-?offs?|rationale)\b")
# The same in a sentence.
SAYS_CAUSE = re.compile(
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
# Headings of what is proposed.
_PROPOSED = re.compile(
    r"(?i)\b(?:best|proposed|suggest\w*|recommend\w*|options?|approach(?:es)?|plan)\b"
)
# Passages that report what was done.
DID = re.compile(
    r"(?i)^(?:[✅✓❌]\s*)?(?:(?:now|also|then|just) )?(?:i(?:'ve| have)? )?(?:successfully )?"
    r"(?:added|updated|created|removed|changed|renamed|moved|deleted|replaced|verified|refactored"
    r"|extracted|documented|implemented|enhanced|cleaned|modified|wrote|ran|tests?"
    r"|all (?:tests|checks))\b"
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
# Alternatives that nobody chose yet.
OPTIONS = re.compile(r"(?i)\b(?:fix )?suggest(?:ion|ed)s?\b|\boptions?(?: \d|:| [a-c]\b)")
SUPPOSES = re.compile(
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
_STOPS = ".:;!?,"
_FEWEST_IN_SENTENCE = 3
# In characters.
LONGEST = 560
_LONGEST_LABEL = 40
_LONGEST_TITLED = 160


class Passage(Record):
    """A passage: its `heading` (empty: none), its `text` in one line, and its `place` in the message."""

    heading: str
    text: str
    place: int = 0


def said(text: str) -> str:
    """Return what a passage says, without plans and praise, up to a length."""
    kept = ""
    for whole in sentences(text.replace("**", "")):
        one = _LEADS.sub("", whole)
        if _ASIDE.search(one) or one.endswith("?") or len(one.split()) < _FEWEST_IN_SENTENCE:
            continue
        if len(kept) + len(one) > LONGEST:
            # Of a long list its first items.
            one = one[: LONGEST - len(kept)].rpartition("; ")[0]
            kept = f"{kept} {one}".strip()
            break
        kept = f"{kept} {one}".strip()
    return kept.rstrip(" :;")


def is_unfit(heading: str, text: str) -> bool:
    """Whether a passage is not to be kept, whatever it says."""
    return bool(
        private(text)
        or OPTIONS.search(text)
        or _PROPOSED.search(heading)
        or _LINK.search(text)
        or (_DANGLES.match(text) and not _NAME.search(heading))
    )


def is_report(heading: str) -> bool:
    """Whether a heading is that of a report, or of what is ahead."""
    return bool(_REPORT.match(heading))


def inline_label(text: str) -> str:
    """Return what a text calls itself before a colon; empty if it does not."""
    return text.partition(":")[0] if ":" in text[:_LONGEST_LABEL] else ""


def is_decision(one: Passage) -> bool:
    """Whether a passage is labelled as a decision."""
    return bool(_DECISION.match(one.heading) or _DECISION.match(inline_label(one.text)))


def says_why(one: Passage) -> bool:
    """Whether a passage is labelled as a cause, or as a decision whose reason it gives."""
    cause = _CAUSE.match(one.heading) or _CAUSE.match(inline_label(one.text))
    decided = is_decision(one) and REASON.search(one.text)
    return bool((cause or decided) and not SUPPOSES.search(one.text))


def dangles(text: str) -> bool:
    """Whether a passage begins by what only the one before it names."""
    return bool(_LEANS.match(text))


def standing(one: Passage) -> str:
    """Return a passage as a text that is understood alone: with its heading, if it needs it."""
    head = _NUMBERED.sub("", one.heading)
    first = one.text.split()[0]
    text = one.text[:1].upper() + one.text[1:] if first.isalpha() and first.islower() else one.text
    needed = _LEANS.match(text) or _NAME.search(head) or len(text) < _LONGEST_TITLED
    return f"{head}: {text}" if head and needed and not _PLAIN.fullmatch(head) else text


def passages(message: str) -> "Iterator[Passage]":
    """Yield the passages of a message, without code, tables and quotations."""
    whole: Passage | None = None
    for one in _pieces(message):
        if whole is not None and one.heading and one.heading == whole.heading:
            between = " " if whole.text[-1] in _STOPS else "; "
            text = f"{whole.text}{between}{one.text}"
            if len(text) <= LONGEST:
                whole = Passage(whole.heading, text)
                continue
        if whole is not None:
            yield whole
        whole = one
    if whole is not None:
        yield whole


def _pieces(message: str) -> "Iterator[Passage]":
    """Yield the paragraphs of a message, and the items of its lists with their sub-items."""
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
            between = " " if kept[-1] in _STOPS or not item else "; "
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
