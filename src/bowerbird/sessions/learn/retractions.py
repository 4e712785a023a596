"""Retractions: what a person takes back that an earlier session kept, such as "forget the tabs rule".

And what holds until something happens, or while it lasts, once they say that this is over: "Tom is back".

Code has rules too ("remove the no-console rule from the linter"), so only words that are said to
somebody who remembers count: to forget or unlearn something, or that it no longer applies.
"""

import re

from bowerbird.core.excerpt import stem
from bowerbird.core.language import content_words
from bowerbird.core.text import words
from bowerbird.lifecycle.other_value import PARTS, leans, without_part
from bowerbird.lifecycle.slots import slot, within
from bowerbird.lifecycle.word_classes import EXCEPTING, REJECTS
from bowerbird.lifecycle.wording import wording
from bowerbird.sessions.learn.prompt_sentences import typed_sentences

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Protocol, TypeVar

    from bowerbird.core.types import Entry

    class _Said(Protocol):
        @property
        def text(self) -> str: ...

    Said = TypeVar("Said", bound=_Said)
    # How near the words of a subject are to the nearest of each of some texts, from 0 to 1.
    Met = Callable[[str, Sequence[str]], Sequence[float]]

_RULE = (
    r"(?:rule|convention|preference|instruction|guideline|policy|note|reminder|memory|requirement"
    r"|regel|vorgabe|règle|consigne|regla)s?"
)
_SAID = (
    r"(?:(?:what|everything|all|whatever) (?:i|we)(?:['’]ve| have)? (?:said|told you|asked)"
    r"|(?:tout )?ce que (?:je t['’]|j['’])ai dit|(?:todo )?lo que (?:te )?(?:dije|he dicho)"
    r"|(?:alles )?wat ik (?:je )?(?:zei|heb gezegd|gezegd heb|heb verteld)"
    r"|(?:tutto )?quello che (?:ti )?ho detto|(?:tudo )?o que (?:eu )?(?:te )?(?:disse|falei))"
)
_ABOUT = (
    r"(?:about|on|for|with|regarding|that (?:we|you|i)|to|mit|für|über|sur|de|des|du|sobre|con"
    r"|over|van|met|su|sul|sulla|di)"
)
_THE = r"(?:the|that|this|my|our|your|any|die|das|la|le|les|el|de|het|il)"
_SUBJECT = r"[^,.;:!?]{2,60}"
_OVER = (
    r"(?:no longer (?:applies|holds|counts)|(?:doesn't|does not) (?:apply|hold|count) any ?more"
    r"|is (?:off|gone|obsolete|nonsense|rubbish|dropped|history|no longer (?:valid|true|needed))"
    r"|gilt (?:ab (?:jetzt|sofort) )?nicht mehr|ist (?:vom tisch|hinfällig)|entfällt|fällt weg"
    r"|vervalt|geldt niet meer|non vale più|ya no (?:vale|se aplica)|já não vale"
    r"|ne s'applique plus)"
)
_FORGET = r"forget|unlearn|vergiss|oublie|olvida|dimentica|esqueça|vergeet"
# Words that soften a request.
_LIGHTLY = r"maar|gerust|mal|bitte|einfach|ruhig|donc|please|pure|por favor"
_UNTRUE = (
    r"stimmt (?:so )?nicht mehr|is(?:n['’]t| not) true any ?more|n['’]est plus vrai|ya no es cierto"
)
# Such as: take the old decision out of memory. It says nothing else.
_FROM_MEMORY = re.compile(
    r"(?i)\b(?:aus (?:dem|deinem) gedächtnis|(?:from|out of|in) (?:your |the )?memory"
    r"|de (?:ta|la) mémoire|de (?:tu|la) memoria|dalla memoria)\W*$"
)
_TAKES_OUT = re.compile(
    r"(?i)\b(?:nimm|lösch\w*|entfern\w*|streich\w*|remove|delete|take|drop|erase|clear|enlève|retire"
    r"|supprime|quita|borra|elimina|togli|cancella)\b"
)
# What was said of a thing, without naming it a rule.
_THING = (
    r"(?:das|die sache|alles|den kram) (?:mit|über|von|zu[mr]?)|(?:the|that) (?:thing|stuff|bit|part)"
    r" (?:about|with|on)|(?:l['’]histoire|ce que j['’]ai dit) (?:de|du|des|avec|sur)|lo (?:de|del|de la)"
    r"|quello (?:di|del|della)|dat (?:met|over|van)"
)
_RETRACTS = (
    # Such as: forget (about) the tabs rule; unlearn the rule about tabs; forget what I said about tabs.
    re.compile(
        rf"(?<!n't )(?<!not )(?<!never )\b(?:{_FORGET})(?: (?:about|{_LIGHTLY}))?,? "
        rf"(?:{_THE} (?P<before>{_SUBJECT}?) {_RULE}\b|{_THE} {_RULE} {_ABOUT} (?P<after>{_SUBJECT})"
        rf"|{_SAID} {_ABOUT} (?P<said>{_SUBJECT})"
        rf"|(?:alles,? )?was ich (?:dir )?(?:über|zu[mr]?|von) (?P<told>{_SUBJECT}?)"
        r" (?:gesagt|erzählt) hab\w*)",
        re.IGNORECASE,
    ),
    # Such as: vergiss das mit dem Zugang von Jonas; das mit dem Logging gilt nicht mehr.
    re.compile(
        rf"(?<!n't )(?<!not )(?<!never )\b(?:{_FORGET}|streiche?|scrap|scratch)"
        rf"(?: (?:{_LIGHTLY}))? (?:{_THING})"
        rf" (?P<said>{_SUBJECT})"
        rf"|^(?:\w+,? )?(?:{_THING}) (?P<told>{_SUBJECT}?) (?:{_OVER}|{_UNTRUE})"
        r"(?! (?:auf|in|seit|since|on)\b)"
        rf"|\bwas ich (?:dir )?(?:über|zu[mr]?|von) (?P<german>{_SUBJECT}?) (?:gesagt|erzählt) hab\w*,?"
        rf" (?:{_OVER}|{_UNTRUE})"
        # Of two words at least: "forget about the tests" may be said of the task.
        rf"|\bforget about (?:{_THE}) (?P<english>\w+ (?!for now|today|first|yet)\w[^,.;:!?]{{0,50}})$",
        re.IGNORECASE,
    ),
    # Such as: scrap what I said about tabs. Of a linter's rule nobody says that they said it.
    re.compile(
        rf"\b(?:scrap|scratch|ignore|disregard|drop|strike|take back) {_SAID} {_ABOUT}"
        rf" (?P<said>{_SUBJECT})",
        re.IGNORECASE,
    ),
    # Such as: the tabs rule no longer applies; our rule about tabs is off.
    re.compile(
        rf"\b{_THE} (?:(?P<before>{_SUBJECT}?) {_RULE}|{_RULE} {_ABOUT} (?P<after>{_SUBJECT}?)) {_OVER}",
        re.IGNORECASE,
    ),
)


# What ends a rule and may say what holds instead: the sentence is kept, too.
_OVER_NOW = (
    r"(?:no longer (?:applies|apply|holds?|counts?)|(?:doesn['’]?t|does not|don['’]?t|do not)"
    r" (?:apply|hold|count) any ?more|(?:gilt|gelten) (?:ab (?:jetzt|sofort) )?nicht mehr"
    r"|ne s['’]appliquent? plus|ya no (?:se aplica|vale)n?|non vale più|geldt niet meer|já não vale)"
)
_REVOKES = (
    # Such as: the 100 line limit for functions doesn't apply any more.
    re.compile(rf"(?:^|[,;:]\s*)(?:{_THE} )?(?P<subject>{_SUBJECT}?)\s{_OVER_NOW}", re.IGNORECASE),
    # Such as: I changed my mind about the docstrings, by the way.
    re.compile(
        r"\bchanged (?:my|our) minds? (?:about|on|regarding) (?P<subject>[^,.;:!?]{2,60}?)"
        r"(?= (?:btw|by the way)\b|[,.;:!?]|$)"
        r"|\b(?:changé d'avis (?:sur|pour|concernant)|cambiado de (?:opinión|idea) (?:sobre|con)"
        r"|cambiato idea su\w*|mudei de ideia sobre) (?P<other>[^,.;:!?]{2,60})",
        re.IGNORECASE,
    ),
    # Such as: das mit den 80 Zeichen kannst du vergessen; you can forget about the 80 characters.
    re.compile(
        rf"\b(?:das|die sache) mit (?P<subject>{_SUBJECT}?)"
        r"\s(?:kannst du|könnt ihr|können wir|hat sich|ist)\s(?:wieder )?"
        r"(?:vergessen|erledigt|vom tisch|hinfällig)"
        rf"|\byou can forget about (?P<other>{_SUBJECT})",
        re.IGNORECASE,
    ),
)
# Such as: you may use emojis in the changelog again. It ends a prohibition.
_PERMITS = re.compile(
    r"\b(?:you|we|one) (?:may|can|are allowed to|are free to) (?P<subject>[^,.;:!?]{2,60}?) again\b"
    r"|(?:^|[,;:]\s*)(?P<other>[^,.;:!?]{2,60}?) (?:is|are) (?:allowed|permitted) again\b"
    # "The tests are ok again" permits nothing.
    r"|(?:^|[,;:]\s*)(?!the \w+ (?:is|are)\b)(?P<more>[^,.;:!?]{2,60}?)"
    r" (?:is|are) (?:fine|ok(?:ay)?) again\b"
    # "You can use them, I don't care any more" says with other words that it was not so before.
    r"|\b(?:you|we|one) (?:may|can) (?P<free>[^,.;:!?]{2,60}?)(?: now)?\s?[,;:–—-]\s?"
    r"(?:i|we) (?:don['’]?t|do not) (?:care|mind) any ?(?:more|longer)\b"
    r"|\b(?:du darfst|ihr dürft|wir dürfen|man darf) (?:\w+ )?wieder (?P<german>[^,.;:!?]{2,60})"
    r"|\b(?:tu peux|vous pouvez|on peut) (?:de|à) nouveau (?P<french>[^,.;:!?]{2,60})",
    re.IGNORECASE,
)

# What holds otherwise in a case alone is over in no other: "changed my mind about the short answers: when
# it's about SQL do explain".
_IN_A_CASE = re.compile(
    r"\s*[:,;–—-]\s*(?:but |aber |mais |pero |ma |mas |maar )?(?:when|whenever|if|for|wenn|falls|bei|für"
    r"|quand|si|pour|cuando|para|quando|se|per|als|voor)\s",
    re.IGNORECASE,
)
# Such as: no more data-testids; keine Freitags-Deploys mehr. It ends what asks for that by two words.
_NO_MORE = re.compile(
    r"\bkeine?[nm]? (?P<subject>[^,.;:!?]{3,40}?) mehr\b|\bno more (?P<other>[^,.;:!?]{3,40})"
    r"|\bno (?P<english>[^,.;:!?]{3,40}?) any ?more\b|\bplus (?:de |d['’])(?P<french>[^,.;:!?]{3,40})"
    r"|\bno más (?P<spanish>[^,.;:!?]{3,40})",
    re.IGNORECASE,
)

# A subject that is said to be back, over or there now.
_OVER_BY = re.compile(
    r"(?i)(?:^|[,;.!:]\s*)((?:\S+\s){1,6}?(?:is|are|was|has been|have been|ist|sind|est|está)"
    r"|(?:\S+\s){0,5}?\w+(?=['’]s\s))(?:['’]s)?"
    r"\s(?:now |finally |jetzt |endlich )?(back|here again|over|out|done|finished|released|merged|live"
    r"|shipped|wieder (?:da|zurück)|zurück|vorbei|fertig|draußen|de retour|fini\w*|terminad\w)\b"
    r"(?! (?:by|on|in|next|tomorrow|of)\b)"
)
# How near the words of a subject are to those of the memory that it names in other words, and how much
# nearer than to those of any other, as the contextual model reads them. Of 16 subjects in four languages
# that share few words with their memory 10 reach both, all right, of 17 of which no memory is none: the
# nearest of those ("Mondays" to Fridays) have .56 and .52.
_NEAR = 0.57
_NEARER = 0.2
_FEWEST_LETTERS = 4
# Words of a subject that a memory holds, of a subject that is not said to be a rule.
_FEWEST = 2
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
    (
        "back",
        "again",
        "return",
        "over",
        "out",
        "don",
        "done",
        "finish",
        "finis",
        "releas",
        "da",
        "zuruck",
    )
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


def revoked(prompts: "Iterable[str]", kept: "Sequence[Entry]") -> "list[tuple[str, Entry]]":
    """Return the memories that a sentence ends, each behind it, though it may say more.

    It says of what they are about that this no longer applies, that they changed their mind about it, or
    allows again what a memory forbids.
    """
    found: dict[str, tuple[str, Entry]] = {}
    forbids = [one for one in kept if any(word.negates for word in wording(one.text).words)]
    asks = [one for one in kept if one not in forbids]
    said = [(one, prompt) for prompt in prompts for one in typed_sentences(prompt)]
    for sentence, prompt in said:
        if sentence.endswith("?"):
            continue
        ends = [(match, kept) for form in _REVOKES for match in form.finditer(sentence)]
        ends += [(match, forbids) for match in _PERMITS.finditer(sentence)]
        for match, some in ends:
            if _IN_A_CASE.match(sentence, match.end()):
                continue
            named = next(filter(None, match.groupdict().values()))
            subject = " ".join(word.text for word in wording(named).words if not word.small)
            memory = named_by(subject, some, in_part=True, fewest=_FEWEST)
            if memory is not None:
                found.setdefault(memory.id, (sentence, memory))
        for match in _NO_MORE.finditer(sentence):
            named = next(filter(None, match.groupdict().values()))
            if len(_stems(named)) >= _FEWEST:
                memory = named_by(named, asks, in_part=False)
            else:
                memory = _of_the_prompt(named, prompt, kept) if _begins(sentence, match) else None
            if memory is not None:
                found.setdefault(memory.id, (sentence, memory))
    return [*found.values()]


def _begins(sentence: str, match: "re.Match[str]") -> bool:
    return (
        not sentence[: match.start()].strip() or sentence[: match.start()].rstrip()[-1] in ",;:–—-"
    )


def _of_the_prompt(named: str, prompt: str, kept: "Sequence[Entry]") -> "Entry | None":
    """Return the memory that asks for a thing, and is about something else that the prompt names.

    "Refunds go out as vouchers, not cash" for "refunds as real money after all, no more vouchers".
    """
    thing = _content(named)
    others = [one for one in _content(prompt) if not _held([one], thing)]
    about = [one for one in kept if _held(_content(one.text), others)]
    memory = named_by(named, about, in_part=False)
    if memory is None or not thing:
        return None
    words = wording(memory.text).words
    at = next((n for n, word in enumerate(words) if _alike(word.text, thing[0])), 0)
    denied = any(word.negates for word in words[max(0, at - _FEWEST) : at])
    return None if denied else memory


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
    waits = _stems(_until_over(until[1])) if until is not None else set()
    if waits & subject and waits <= said | _BACK:
        return True
    lasts = _WHILE.search(text) or _AWAY.search(text)
    return lasts is not None and bool(subject & _stems(lasts[1]))


def _until_over(clause: str) -> str:
    """A condition up to the word that says that something is over: "nobody …" may follow it at once."""
    said = clause.split()
    over = (at for at, one in enumerate(said, 1) if _stems(one) & _BACK)
    return " ".join(said[: next(over, len(said))])


def beside(sentence: str) -> str:
    """Return the clause behind what a sentence takes back: it may say what holds instead."""
    ends = [found.end() for form in _RETRACTS for found in form.finditer(sentence)]
    _, comma, clause = sentence[max(ends, default=len(sentence)) :].partition(", ")
    return "" if not comma or _FROM_MEMORY.search(clause) else clause.strip()


def put_instead(
    text: str, sentences: "Iterable[str]", kept: "Sequence[Entry]"
) -> "tuple[Entry, str] | None":
    """Return the memory that one of some sentences takes back before it says a text instead of that.

    And the words that name what it is about.

    None if the text only says why ("we've dropped Linear"), or a part of the memory is taken back alone.
    """
    for sentence in sentences:
        if text and text in beside(sentence):
            for subject, said in _subjects(sentence):
                memory = named_by(subject, kept, in_part=said)
                if memory is None or without_subject(memory.text, subject):
                    continue
                if not all(within(word, slot(memory.text)) for word in slot(text).content):
                    return memory, subject
    return None


def without_subject(text: str, subject: str) -> str:
    """Return a memory without the one part that names a subject; empty if the whole is about it.

    "With the Linear ticket in front" of "commits in the imperative, and with the Linear ticket in front".
    """
    asked, parts = _content(subject), PARTS.split(text)
    held = [_held(_content(part), asked) for part in parts]
    most = max(held)
    at = held.index(most)
    # The first part says what all are about; a reason, or what is meant by “spaces, never tabs”, is no
    # rule of its own.
    no_rule = leans(parts[at]) or slot(parts[at]).denies
    if at == 0 or held.count(most) > 1 or no_rule or 2 * most < len(asked):
        return ""
    rest = without_part(text, at)
    about = 2 * _held(_content(rest), asked) < len(asked)
    return rest if about and len(_content(rest)) >= _FEWEST else ""


def without_exception(text: str, sentence: str) -> str:
    """Return a memory without its exception, where what ends it names that; empty if it does not.

    "No more exceptions", "hotfixes wait as well now": the rule holds all the more.
    """
    parts, said = PARTS.split(text), _content(sentence)
    excepting = (
        at for at, part in enumerate(parts) if not EXCEPTING.isdisjoint(_content(part)[:1])
    )
    at = next(excepting, 0)
    return without_part(text, at) if at and _held(_content(parts[at]), said) else ""


def retracts(sentence: str) -> bool:
    """Return whether a sentence takes back what it names."""
    if _FROM_MEMORY.search(sentence) and _TAKES_OUT.search(sentence):
        return True
    return any(form.search(sentence) for form in _RETRACTS)


def named_by(
    subject: str,
    kept: "Sequence[Said]",
    *,
    in_part: bool,
    fewest: int = 1,
    met: "Met | None" = None,
) -> "Said | None":
    """Return the memory that holds all words of a subject, in any form, or `in_part` half of them.

    It holds at least the `fewest`, if the subject has as many. Where none holds them, it is the one that
    is about them in other words, or in another language, as `met` has it.

    None if there is none, or several hold as many: what was said on "72 chars per line" is the only one
    on "the line length".
    """
    asked = _content(subject)
    if _rejecting(subject):
        # What asks for a thing is not what was said of going without it, however near.
        kept, met = [one for one in kept if _rejects_too(one.text, subject)], None
    held = [(_held(_content(one.text), asked), one) for one in kept]
    most = max((number for number, _ in held), default=0)
    found = [one for number, one in held if number == most]
    least = -(-len(asked) // 2) if in_part else len(asked)
    least = max(least, min(fewest, len(asked)))
    if most >= least > 0:
        return found[0] if len(found) == 1 else None
    if met is None or not asked or not kept:
        return None
    near = zip(met(" ".join(asked), [one.text for one in kept]), kept, strict=True)
    (first, nearest), *others = sorted(near, key=lambda some: -some[0])
    clear = not others or first - others[0][0] >= _NEARER
    return nearest if first >= _NEAR and clear else None


def _rejecting(text: str) -> list[str]:
    """The words of a text that turn something down: "skipping" in "skipping the down migrations"."""
    return [
        word.text
        for word in wording(text).words
        if word.negates or any(_alike(word.text, one) for one in REJECTS)
    ]


def _rejects_too(text: str, subject: str) -> bool:
    """Whether a memory turns something down in what it says first, or by the same word."""
    return bool(_rejecting(PARTS.split(text)[0])) or _held(_content(text), _rejecting(subject)) > 0


def _held(told: "Sequence[str]", asked: "Sequence[str]") -> int:
    """How many words are there, or a longer or shorter form of the same: squash, squashing."""
    return sum(any(_alike(one, other) for other in told) for one in asked)


def _alike(one: str, other: str) -> bool:
    if min(len(one), len(other)) < _FEWEST_LETTERS:
        return one == other
    return stem(one) == stem(other) or one.startswith(other) or other.startswith(one)


def _content(text: str) -> list[str]:
    """The words of a text that are no function words."""
    return [*dict.fromkeys(word.text for word in wording(text).words if not word.small)]


def _subjects(sentence: str) -> "Iterator[tuple[str, bool]]":
    for form in _RETRACTS:
        for found in form.finditer(sentence):
            named = found.groupdict()
            said = named.get("said") or named.get("told") or named.get("german")
            yield next(filter(None, found.groups())), bool(said)


def _stems(text: str) -> set[str]:
    return {stem(word) for word in content_words(tuple(words(text)))}
