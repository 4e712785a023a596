"""Retractions: what a person takes back that an earlier session kept, such as "forget the tabs rule".

And what holds until something happens, or while it lasts, once they say that this is over: "Tom is back".

Code has rules too ("remove the no-console rule from the linter"), so only words that are said to
somebody who remembers count: to forget or unlearn something, or that it no longer applies.
"""

import re

from bowerbird.core.excerpt import stem
from bowerbird.core.language import content_words
from bowerbird.core.text import words
from bowerbird.sessions.learn.prompt_sentences import typed_sentences

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bowerbird.core.types import Entry

_RULE = (
    r"(?:rule|convention|preference|instruction|guideline|policy|note|reminder|memory|requirement"
    r"|regel|vorgabe|règle|consigne|regla)s?"
)
_SAID = r"(?:what|everything|all|whatever) (?:i|we)(?:'ve| have)? (?:said|told you|asked)"
_ABOUT = (
    r"(?:about|on|for|with|regarding|that (?:we|you|i)|to|mit|für|über|sur|de|des|du|sobre|con)"
)
_THE = r"(?:the|that|this|my|our|your|any|die|das|la|le|les|el)"
_SUBJECT = r"[^,.;:!?]{2,60}"
_OVER = (
    r"(?:no longer (?:applies|holds|counts)|(?:doesn't|does not) (?:apply|hold|count) any ?more"
    r"|is (?:off|gone|obsolete|no longer (?:valid|true|needed))|gilt nicht mehr|ne s'applique plus)"
)
_RETRACTS = (
    # Such as: forget (about) the tabs rule; unlearn the rule about tabs; forget what I said about tabs.
    re.compile(
        r"(?<!n't )(?<!not )(?<!never )\b(?:forget|unlearn|vergiss|oublie|olvida)(?: about)? "
        rf"(?:{_THE} (?P<before>{_SUBJECT}?) {_RULE}\b|{_THE} {_RULE} {_ABOUT} (?P<after>{_SUBJECT})"
        rf"|{_SAID} {_ABOUT} (?P<said>{_SUBJECT}))",
        re.IGNORECASE,
    ),
    # Such as: scrap what I said about tabs. Of a linter's rule nobody says that they said it.
    re.compile(
        rf"\b(?:scrap|scratch|ignore|disregard|drop|strike) {_SAID} {_ABOUT} (?P<said>{_SUBJECT})",
        re.IGNORECASE,
    ),
    # Such as: the tabs rule no longer applies; our rule about tabs is off.
    re.compile(
        rf"\b{_THE} (?:(?P<before>{_SUBJECT}?) {_RULE}|{_RULE} {_ABOUT} (?P<after>{_SUBJECT}?)) {_OVER}",
        re.IGNORECASE,
    ),
)


# A subject that is said to be back, over or there now.
_OVER_BY = re.compile(
    r"(?i)(?:^|[,;.!:]\s*)((?:\S+\s){1,6}?(?:is|are|was|has been|have been|ist|sind|est|está))"
    r"\s(?:now |finally |jetzt |endlich )?(back|here again|over|out|done|finished|released|merged|live"
    r"|shipped|wieder (?:da|zurück)|zurück|vorbei|fertig|draußen|de retour|fini\w*|terminad\w)\b"
    r"(?! (?:by|on|in|next|tomorrow|of)\b)"
)
_NOT_OVER = re.compile(
    r"(?i)\b(?:until|till|when|once|if|as soon as|after|not|bis|sobald|wenn|quand|cuando)\b"
)
_UNTIL = re.compile(r"(?i)\b(?:until|till|before|bis|jusqu'à ce que|hasta que)\s([^.;!?]+)")
_WHILE = re.compile(r"(?i)\b(?:while|as long as|solange|während|tant que|mientras)\s([^.,;!?]+)")
_AWAY = re.compile(
    r"(?i)(?:^|[.;!?]\s)((?:\S+\s){1,4}?)(?:is|are|ist|sind|est|está)\s(?:\w+ ){0,2}?"
    r"(?:away|ill|sick|on (?:\w+ )?(?:holidays?|vacation|leave)|out of office|krank|weg|im urlaub"
    r"|en congé)\b"
)
_IS = re.compile(r"(?i)\b(?:is|are|has|have|ist|sind|hat|est|a|sont|está|están|ha)\b")
# Words for being back, which a condition and its end say differently.
_BACK = frozenset(
    ("back", "again", "return", "over", "out", "don", "done", "finish", "releas", "da", "zuruck")
)


def retracted(prompts: "Iterable[str]") -> list[tuple[str, str, bool]]:
    """Return what a person takes back by naming it.

    That is the sentence, the words that name it, and whether they say that they said it, and not that it
    is a rule: then a part of the words may do.
    """
    return [
        (sentence, subject, said)
        for prompt in prompts
        for sentence in typed_sentences(prompt)
        for subject, said in _subjects(sentence)
    ]


def fulfilled(prompts: "Iterable[str]", kept: "Sequence[Entry]") -> "list[tuple[str, Entry]]":
    """Return the memories whose condition is over by what a person says, each behind that sentence.

    "Until Tom is back" ends with a sentence that says as much; "while Tom is away", or that he is, with
    one that says of the same subject that it is back, or over.
    """
    found: dict[str, tuple[str, Entry]] = {}
    for sentence in (one for prompt in prompts for one in typed_sentences(prompt)):
        clauses = [] if sentence.endswith("?") else _OVER_BY.findall(sentence)
        for clause, over in clauses:
            if _NOT_OVER.search(clause):
                continue
            subject, said = _stems(clause), _stems(f"{clause} {over}")
            for one in kept:
                if subject and _ended(one.text, subject, said):
                    found.setdefault(one.id, (sentence, one))
    return [*found.values()]


def holds_until(sentence: str) -> bool:
    """Return whether a sentence holds until something is so, or while it is."""
    clause = _UNTIL.search(sentence) or _WHILE.search(sentence)
    return clause is not None and bool(_IS.search(clause[1]))


def _ended(text: str, subject: set[str], said: set[str]) -> bool:
    """Return whether a memory waits for what was said, or holds while its subject is away."""
    until = _UNTIL.search(text)
    waits = _stems(until[1]) if until is not None else set()
    if waits & subject and waits <= said | _BACK:
        return True
    lasts = _WHILE.search(text) or _AWAY.search(text)
    return lasts is not None and bool(subject & _stems(lasts[1]))


def retracts(sentence: str) -> bool:
    """Return whether a sentence takes back what it names."""
    return any(form.search(sentence) for form in _RETRACTS)


def named_by(subject: str, kept: "Sequence[Entry]", *, in_part: bool) -> "Entry | None":
    """Return the memory that holds all words of a subject, in any form, or `in_part` half of them.

    None if there is none, or several hold as many: what was said on "72 chars per line" is the only one
    on "the line length".
    """
    asked = _stems(subject)
    held = [(_held(_stems(one.text), asked), one) for one in kept]
    most = max((number for number, _ in held), default=0)
    found = [one for number, one in held if number == most]
    least = -(-len(asked) // 2) if in_part else len(asked)
    return found[0] if len(found) == 1 and most >= least > 0 else None


def _held(told: set[str], asked: set[str]) -> int:
    """How many stems are there, or a longer or shorter one of the same word: squash, squashing."""
    return sum(any(a.startswith(b) or b.startswith(a) for b in told) for a in asked)


def _subjects(sentence: str) -> "Iterator[tuple[str, bool]]":
    for form in _RETRACTS:
        for found in form.finditer(sentence):
            yield next(filter(None, found.groups())), bool(found.groupdict().get("said"))


def _stems(text: str) -> set[str]:
    return {stem(word) for word in content_words(tuple(words(text)))}
