"""The sentences of a commit message that say why. Pure.

A message is read whole: its subject says what was done, so a reason needs neither to stand alone nor to
contain an identifier. A reason is a sentence that says so (“because”, “so that”, “otherwise”), or one of
a paragraph that states how things are, and not what was changed.
"""

import re

from bowerbird.guard.privacy import private
from bowerbird.sessions.learn.phrasing import is_order

_MOST = 3
_LONGEST = 400
_FEWEST_WORDS = 4
_MOST_WORDS = 60
_CODE = re.compile(r"(?s)```.*?(?:```|\Z)")
# Headings, tables, quotations, and tasks that are ticked off.
_ASIDE = re.compile(r"^\s*(?:#|\||>|---|===|\$ |[-*] \[[ xX]\])|:$")
_ITEM = re.compile(r"^\s*(?:[-*•+]|\d+[.)])\s+")
_ENDS = re.compile(r"(?<=[.!?])[\"')*]*\s+(?=[^\W\d_a-z]|[`*\"(])")
_LINK = re.compile(r"https?://")
# Subjects that say nothing about the project.
_NOISE = re.compile(
    r"(?i)^(?:merge\b|wip\b|fixup!|squash!|amend!|address\b.*\b(?:review|comments?|feedback)"
    r"|(?:pr|code|review)\b.*\b(?:comments?|feedback|nits?)|nits?\b|(?:init(?:ial)?|first)\b)"
)
# A reason that is said in so many words.
_EXPLICIT = re.compile(
    r"(?i)\b(?:because|since(?! v?\d)|so that|otherwise|due to|in order to"
    r"|as (?:the|it|this|that|we|they)\b.* (?:is|are|was|were|has|have|can|cannot|does)"
    r"|to (?:avoid|prevent|work around|keep|make sure|ensure)|ensur(?:es?|ing)|prevent(?:s|ing)"
    r"|avoid(?:s|ing)|so (?:the|it|a|an|they|we)\b|instead of|rather than|without|no longer|cannot"
    r"|can't|must|(?:do|does|did|is|was|were)(?: not|n't)|mean(?:s|t|ing)|previously"
    r"|fail(?:s|ed|ing)?|caus(?:es?|ed|ing)|broke(?:n)?|lost|breaking"
    r"|which (?:broke|caused|made|meant|led|fails?|failed)|weil|damit|sonst|wegen|parce que|sinon"
    r"|afin|porque|para que)\b"
)
# The same in a subject, followed by the reason.
_BECAUSE = re.compile(
    r"(?i)\w.* (?:because|since|so that|otherwise|instead of|rather than|weil|parce que|porque)"
    r"(?: \S+){3}"
)
# Sentences on the change itself, its tests, its follow-up, or the person who made it.
_OF_CHANGE = re.compile(
    r"(?i)^(?:this|these|it|they|also|now|adds?|fix(?:es)?|removes?|updates?|changes?|moves?|tests?"
    r"|all tests|the (?:change|commit|patch|fix|tests?|new)|see|part of|follow-?up|no functional"
    r"|first|second"
    r"|finally|additionally|furthermore|we now|i)\b|\b(?:follow-?up|todo|next commit|later commit)\b"
    r"|\btests? (?:pass|are|now|cover|added)\b|^[a-z]+ed\b|\b(?:is|are) (?:now|added|removed|moved"
    r"|updated|renamed|replaced|changed|tested|covered)\b"
)
# Tidiness of the code is visible in the code itself.
_TIDY = re.compile(
    r"(?i)\b(?:duplicat\w+|for consistency|consistent naming|readab\w+|clarity|clean(?:s|ed)? ?up"
    r"|cleaner|tidy|lint\w*|typos?)\b"
)
# A finite verb: a line with neither one nor a full stop is a heading or part of a list.
_VERB = re.compile(
    r"(?i)\b(?:is|are|was|were|has|have|had|does|do|did|must|may|can|cannot|can't|will|won't|doesn't"
    r"|don't|didn't|isn't|aren't|wasn't|needs?|means?|fails?|failed|causes?|caused|requires?|returns?"
    r"|returned|uses?|used|runs?|falls?|gets?|got|happens?|works?|depends?|relies|expects?|keeps?|kept"
    r"|reads?|calls?|checks?|treats?|skips?|sets?|takes?|took|kills?|killed|breaks?|broke|crashes"
    r"|crashed|times? out|timed out|rejects?|limits?|refuses?|refused|sends?|expires?|contains?|holds?"
    r"|lost|loses|ignores?|ignored|hides?|hid|hangs?|hung|allows?|supports?|goes|costs?)\b"
)
# Where a sentence refers to the one before it.
_REFERS = re.compile(r"(?i)^(?:otherwise|that|this|these|it|they|so|therefore|sonst|sinon)\b")


def reasons(subject: str, body: str) -> str:
    """Return one to three sentences of a message that hold its reason; empty if there is none.

    `body` has one line for each paragraph or item. If the subject alone gives the reason, it is
    the subject itself.
    """
    if _NOISE.match(subject) or _is_unfit(subject):
        return ""
    said = [*_sentences(body)]
    kept: list[str] = []
    for at, (sentence, in_list) in enumerate(said):
        if not _is_reason(sentence, in_list=in_list):
            continue
        if _REFERS.match(sentence) and at and said[at - 1][0] not in kept:
            kept.append(said[at - 1][0])
        kept.append(sentence)
    text = ""
    for sentence in kept[:_MOST]:
        longer = f"{text} {_ended(sentence)}".strip()
        if len(longer) > _LONGEST:
            break
        text = longer
    if text:
        return text
    return _ended(subject) if _BECAUSE.search(subject) else ""


def _sentences(body: str) -> "list[tuple[str, bool]]":
    """Return the sentences of a body that may be quoted, and whether each is in a list."""
    found = []
    for line in _CODE.sub("\n", body).split("\n"):
        if _ASIDE.search(line.rstrip()):
            continue
        item = _ITEM.match(line)
        text = line[item.end() :] if item else line
        for part in _ENDS.split(text.replace("**", "")):
            sentence = " ".join(part.split())
            if _FEWEST_WORDS < len(sentence.split()) <= _MOST_WORDS and not _is_unfit(sentence):
                found.append((sentence, bool(item)))
    return found


def _is_unfit(text: str) -> bool:
    return private(text) or bool(_LINK.search(text)) or "?" in text


def _is_reason(sentence: str, *, in_list: bool) -> bool:
    if _TIDY.search(sentence):
        return False
    if _EXPLICIT.search(sentence):
        return True
    if in_list or _OF_CHANGE.search(sentence) or is_order(sentence):
        return False
    # One that begins in lower case may be the rest of a subject that was wrapped.
    whole = sentence.endswith(".") and not sentence[0].islower()
    return whole or bool(_VERB.search(sentence))


def _ended(sentence: str) -> str:
    return sentence if sentence[-1] in ".!" else sentence + "."
