"""Recognises what an agent proposed or found out, and a person accepted for good in their next prompt.

Where the choice was between what a question named, the answer is kept behind that question: "go with the
job, we can watch that" says of nothing what it decides.

What is kept is the proposal in the agent's words, without what only leads to it ("I'd suggest that"), or
the option that was picked. That an answer accepts it and changes nothing is told by its form; that it is
to last by the regression of a person's own statements, and by what they say with their yes. Where a
person says that it is good to know, the end of the message is kept as a fact.
"""

import re

from bowerbird.core.excerpt import stem
from bowerbird.core.language import content_words
from bowerbird.core.past import asks_of_the_past
from bowerbird.core.text import words
from bowerbird.sessions.learn.lasting_features import CLASSES
from bowerbird.sessions.learn.lasting_statements import (
    LEAST,
    Statement,
    lasting,
    may_order,
    plain,
    refers_only,
)
from bowerbird.sessions.learn.open_work import OPEN
from bowerbird.sessions.learn.phrasing import is_order
from bowerbird.sessions.learn.prompt_sentences import ALWAYS, as_sentence, typed_sentences
from bowerbird.sessions.learn.unmeant import unmeant

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bowerbird.sessions.learn.lasting_statements import Encode

# What an answer begins with that accepts. This and what follows: in English, German, French, Spanish,
# Italian, Portuguese and Dutch.
_ACCEPTS = re.compile(
    r"^\W*(?:yes|yeah|yep|yup|ok(?:ay)?|sure|agreed?|fine|right|good|great|perfect|exactly|absolutely"
    r"|i (?:do|agree)|no objections?|(?:that )?(?:sounds|looks) (?:good|fine|great)|makes sense|love it"
    r"|nice"
    r"|i (?:really )?(?:like|love) (?:that|it|this)|gefällt mir|ça me plaît|me gusta|mi piace|gostei"
    r"|do (?:it|that|so)|(?:let'?s )?(?:go (?:with|for)|do|use)|ja|gut|gern|passt|einverstanden|genau"
    r"|oui|d'accord|parfait|sí|vale|perfecto|de acuerdo|sì|va bene|d'accordo|perfetto|sim|combinado"
    r"|perfeito|prima|goed|akkoord)\b|^\N{THUMBS UP SIGN}",
    re.IGNORECASE,
)
# A yes with a change, or with a doubt.
_CHANGES = re.compile(
    r"\?|\b(?:but|except|only|instead|unless|aber|nur|außer|mais|sauf|seulement|pero|solo|excepto"
    r"|ma|però|tranne|mas|exceto|maar|alleen|behalve)\b",
    re.IGNORECASE,
)
# What is said of something that one did not know and wants to keep.
_KEEPS = re.compile(
    r"\b(?:(?:good|useful|important|worth) to (?:know|remember)|worth (?:knowing|remembering|noting)"
    r"|(?:remember|note|write) (?:that|this|it)(?: down)?(?=\s*(?:[,.!;:–—-]|for\b|$))"
    r"|gut zu wissen|merk(?:e)? dir das|bon à savoir|à retenir|(?:bueno|bien) (?:es )?saberlo"
    r"|es bueno saberlo|apúntalo|buono a sapersi|bene a sapersi|goed om te weten|bom saber)\b",
    re.IGNORECASE,
)
# What leads to a proposal.
_PROPOSES = re.compile(
    r"\b(?:(?:i(?:'d| would)?|my) (?:suggest(?:ion)?|propos(?:e|al)|recommend(?:ation)?)"
    r"(?: (?:is|would be))?|(?:suggestion|proposal|recommendation):|(?:shall|should) (?:i|we)"
    r"|(?:how|what) about|would it (?:make sense|be ok(?:ay)?|help) (?:to|if)"
    r"|(?:i|we)(?:'d| would| could|'ll)|ich (?:würde vorschlagen|schlage vor)"
    r"|(?:ich|wir) (?:würden?|könnten?)|(?:je|on|nous) (?:pourrai\w+|pourrions)|podr(?:ía|íamos)"
    r"|propo(?:rre|ne)i|potre(?:i|mmo)|(?:eu )?sugiro|poder(?:ia|íamos)|(?:ik|we) (?:zou(?:den)?|stel)"
    r"|soll(?:t?en|te)? (?:ich|wir)|wäre es ok(?:ay)?,? wenn|(?:je|nous) (?:propos\w+|suggèr\w+)"
    r"|est-ce (?:que je|qu'on)|propongo|sugiero|te parece (?:bien )?si)"
    r"[\s,:]*(?:(?:that|dass|que|to|we|i|wir|ich|de)\b\s*)*",
    re.IGNORECASE,
)
# To which of several an agent inclines, without saying of what: "lean to the job" is no order.
_INCLINES = re.compile(
    r"(?:lean|tend|incline|vote|opt|go|pick|choose|take)\b(?:\s(?:to|towards?|for|with))?"
    r"\s(?:the|that|this)\b(?:\s\S+){0,2}$",
    re.IGNORECASE,
)
# What stands before it and is needed to understand it.
_SETS_SCENE = re.compile(
    r"[:,]$|^(?:when(?:ever)?|if|for|in|on|to|with|before|after|at|wenn|für|bei|vor|nach|pour|quand"
    r"|dans|para|cuando|en)\b",
    re.IGNORECASE,
)
# A question that only asks whether to do what was proposed before it.
_REFERS = re.compile(
    r"\b(?:that|this|so|like it|das|ça|cela|eso|así|agree|with you|vous va)\W*(?:way|now|machen)?\W*\?$"
    r"|^\W*(?:is (?:that )?)?(?:ok(?:ay)?|alright|fine|good)\b.{0,20}\?$",
    re.IGNORECASE,
)
# What says that something is to last: with a yes that is certain; of a proposal it adds to the log odds.
_LASTS = re.compile(
    rf"\b(?:{ALWAYS}|everywhere|convention|rule|standard|stick (?:with|to)|keep (?:it|that|doing)"
    r"|from (?:the |this )?(?:next )?\w+ on|überall|grundsätzlich|partout|ovunque|overal)\b",
    re.IGNORECASE,
)
_LASTING = 3.0
# The least sum of what a person may have meant for good: found by prompts, and not told
# (`benchmarks/learning.md`).
_TENTATIVE = -1.25
# An item of a list of options, also of one in a sentence, and how one is named by its place.
_OPTION = re.compile(r"^\s*(?:[-*•]|(?P<mark>\d|[A-Ha-h])[.)])\s+(?P<text>\S.*)$")
_INLINE = re.compile(
    r"(?:^|[\s(])\(?(?P<mark>\d|[A-Ha-h])\)\s+(?P<text>\S.*?)(?=[\s,;.]+(?:(?:and|or|und|oder|ou|o)\s+)?\(?"
    r"(?:\d|[A-Ha-h])\)\s|[.;]?\s*$|\.\s+[A-Z])"
)
# Options in a sentence each: "Celery: more features. RQ: simpler."
_NAMED = re.compile(
    r"(?:^|(?<=[.;]\s))(?P<text>[A-Z][\w.+-]*(?: [\w.+-]+)?: [^.;:?\n]{3,})(?=[.;]|$)"
)
# What an answer said before it changed its mind: "B… no wait, A".
_MIND = re.compile(
    r"^.{0,40}?\b(?:no,? wait|wait,? no|no,? actually|or rather|nein,? (?:doch|warte|moment)"
    r"|non,? attends|no,? espera|no,? aspetta|nee,? wacht)\b[\s,.:–—-]*",
    re.IGNORECASE,
)
_PLACES = ("first|1|former|erste|premi\\w+|primer\\w*", "second|2|zweite|deuxi\\w+|segund\\w+")
_THIRD = "third|3|dritte|troisi\\w+|tercer\\w*"
_LAST = "last|latter|letzte|dernier|últim\\w+"
# What changes an option, behind its mark.
_AMENDING = (
    r"\s+(?:(?:but|aber|mais|pero|ma|mas|maar)\s+)?(?:with|without|for|at|in|on|mit|ohne|bei|avec|sans|con"
    r"|sin|senza|com|sem|met|zonder)\s"
)
_AMENDS = re.compile(rf"[\s,)–—-]*?(?P<words>{_AMENDING}+\S.*)$", re.IGNORECASE)
_NAME_ENDS = re.compile(r"[:–—(,]")
# With which an answer picks an option, and what stands before its reason.
_PICKS = re.compile(
    r"\W*(?:(?:ok(?:ay)?|yes|let['’]?s|i(?:['’]d| would)?(?: rather)?|prefer|take|use|pick|do|go|with|for"
    r"|we(?:['’]ll)?|think|like|please|lieber|nimm|nehmen|nehme|ich|wir|dann|prends|on|prend|plutôt|prefiero|usa|toma|mejor|option|variante?"
    r"|number|nummer|numéro|nr|the|die|den|das|der|la|le|el)\b\W*)*",
    re.IGNORECASE,
)
_BECAUSE = re.compile(
    r"(,|;|(?<=\b[A-Ha-h\d])\.\s|\s[–—-]|\s(?=(?:because|since|weil|denn|parce|car|porque)\b))\s*"
    r"(?:because|since|weil|denn|parce que|car|porque)?\s*"
)
# A question that names what there is to choose from; and one on the next step, or on what the agent does.
_CHOICE = re.compile(
    r"(?:\b(?:or|oder|ou|oppure)\b|\so\s|\sof\s(?:een|de|het|via|met|per)\s)[^,;:]*\?$",
    re.IGNORECASE,
)
_OF_A_STEP = re.compile(
    r"\b(?:now|first|later|here|jetzt|zuerst|erst|später|maintenant|d'abord|plus tard|ahora|primero|luego"
    r"|adesso|ora|prima|dopo|agora|primeiro|depois|nu|eerst)(?=\s*(?:[,?.!]|$|\b(?:or|oder|ou|o|of)\b))"
    r"|^(?:should|shall|soll|dois|devo|debo|zal)[\s-](?:i|ich|je|ik)\b"
    r"|^(?:do you )?want \S+ to\b|\bwould you (?:like|prefer|rather)\b",
    re.IGNORECASE,
)
_FEW = 2
_FEWEST_OF_REASON = 3
# An answer of more words does more than pick.
_MOST_OF_PICK = 6
# In words and in characters: less is left of a question that refers to the proposal before it.
_FEWEST = 4
_LONGEST = 320


def accepted(message: str, answer: str, encode: "Encode | None") -> Statement | None:
    """Return what an agent's message proposed for good, if the answer accepts it as it is; else None."""
    if encode is None or not message:
        return None
    said = typed_sentences(answer) or [answer.strip()]
    if unmeant(said):
        return None
    kept = next((one for one in said if _KEEPS.search(one) and not one.endswith("?")), "")
    if kept and (text := _found_out(message)):
        return Statement(text, "fact", accepts=kept)
    options = _options(message)
    answered = " ".join(_MIND.sub("", answer).split())
    picked, changed = _chosen(options, answered if _MIND.match(answer) else said[0])
    accepts = bool(picked or _ACCEPTS.match(answer)) and not _CHANGES.search(said[0])
    if not (changed or accepts):
        return None
    if picked and not changed and (text := _over_others(picked, options, answered)):
        return Statement(as_sentence(text), "decision", tentative=True, accepts=said[0])
    # Who amends an option has decided.
    certain = bool(changed or _LASTS.search(said[0]) or CLASSES["from now"].search(said[0]))
    text, sentence = (picked, "") if picked else _proposed(message)
    if not text and certain and refers_only(said[0]):
        text = _done(message)
    if not text or len(text) > _LONGEST:
        return None
    text = as_sentence(text.rstrip(" ?"))
    (found,) = lasting([text], text, encode, least=-float("inf")) or (None,)
    if found is None:
        return None
    odds = found.odds + _LASTING * bool(_LASTS.search(sentence))
    if not certain and odds < _TENTATIVE:
        return None
    kind = "decision" if changed else found.kind
    return Statement(text, kind, tentative=not certain and odds < LEAST, accepts=said[0])


def chosen_of(asked: str, message: str, answer: str, encode: "Encode | None") -> Statement | None:
    """Return what an answer chooses for good of what a question names, with both and the reason.

    The question is the one that ends the agent's message, or one of the prompt before, which is `asked`
    and on which the message only gave advice. None if it is no such choice, or gives no reason.
    """
    said = typed_sentences(answer)
    if encode is None or not 0 < len(said) <= _FEW or unmeant(said) or "?" in answer:
        return None
    question, own = _question(asked, message)
    yes = _ACCEPTS.match(said[0])
    behind = said[0][yes.end() :] if yes else ""
    chosen = plain(behind.lstrip(", ") if behind.startswith(",") else said[0])
    clause, _, why = (*_BECAUSE.split(chosen, maxsplit=1), "", "")[:3]
    names, picks = ({*map(stem, content_words(tuple(words(text))))} for text in (question, clause))
    for_now = CLASSES["this moment"].search(f"{question} {answer}") or OPEN.search(answer)
    if not question or names.isdisjoint(picks) or for_now:
        return None
    why = plain(said[1]) if len(said) == _FEW else why
    reasoned = len(why.split()) >= _FEWEST_OF_REASON and not (may_order(why) or is_order(why))
    # What is recognised as lasting needs no reason; and what speaks of "us" says of what it is.
    lasts = any(one.at == 0 for one in lasting(said, answer, encode))
    lasts = lasts and not any(CLASSES[one].search(chosen) for one in ("every", "ours", "mine"))
    if not (lasts or (reasoned and not _OF_A_STEP.search(question))):
        return None
    text = f"{as_sentence(question).rstrip(' ?')}: {chosen.rstrip(' .!')}"
    text += f". {as_sentence(why)}" if len(said) == _FEW and reasoned else "."
    if len(text) > _LONGEST:
        return None
    return Statement(text, "decision", accepts="" if own else said[0])


def _question(asked: str, message: str) -> tuple[str, bool]:
    """Return the question with several answers before a prompt, and whether a person asked it."""
    ends = typed_sentences(message)[-1:]
    if ends and ends[0].endswith("?") and _CHOICE.search(ends[0]):
        return plain(ends[0]), False
    for one in map(plain, typed_sentences(asked)):
        if (
            one.endswith("?")
            and _CHOICE.search(one)
            and not (asks_of_the_past(one) or may_order(one))
        ):
            return one, True
    return "", True


def _chosen(options: "Sequence[tuple[str, str]]", answer: str) -> tuple[str, str]:
    """Return the option that an answer picks, and how it changes it, or why; empty for none."""
    if len(options) < _FEW:
        return "", ""
    picked, changed = _picked(options, answer)
    if not changed or CLASSES["this moment"].search(answer) or answer.endswith("?"):
        reasoned, why = _reason(options, answer)
        return (reasoned, why) if why else (picked, "")
    return f"{picked.rstrip(' .;')}, {changed}", changed


def _reason(options: "Sequence[tuple[str, str]]", answer: str) -> tuple[str, str]:
    """Return the option that an answer picks, with the reason it gives, and that; empty without one.

    It may be named by a word that only it has: "the outbox one, Kafka is too heavy for us".
    """
    moment = CLASSES["this moment"].search(answer) or "?" in answer or OPEN.search(answer)
    clause, _, why = (*_BECAUSE.split(answer, maxsplit=1), "", "")[:3]
    named = clause[_led(clause) :]
    # "As a rule" says for how long, and no reason.
    moment = moment or _LASTS.search(why) or CLASSES["from now"].search(why)
    if moment or len(why.split()) < _FEWEST_OF_REASON or len(named.split()) >= _FEWEST:
        return "", ""
    own = [{*content_words(tuple(words(text)))} for _, text in options]
    first = next(iter(words(named)), "")
    found = [text for (_, text), mine in zip(options, own, strict=True) if first in mine]
    text = found[0] if len(found) == 1 else "" if found else _picked(options, clause)[0]
    why = why.strip(" .!")
    return (f"{text.rstrip(' .;')}: {why}", why) if text else ("", "")


def _over_others(picked: str, options: "Sequence[tuple[str, str]]", answer: str) -> str:
    """Return an option that an answer only names, beside those that it is not; empty if they are long."""
    names = [_NAME_ENDS.split(text)[0].strip(" .;`*") for _, text in options]
    others = [one for one, (_, text) in zip(names, options, strict=True) if text != picked]
    short = all(len(one.split()) < _FEWEST for one in names)
    if not short or len(answer.split()) > _MOST_OF_PICK or _LASTS.search(answer):
        return ""
    return f"{picked.rstrip(' .;')} (chosen, not {', '.join(others)})"


def _led(answer: str) -> int:
    """Return where an answer names what it picks."""
    lead = _PICKS.match(answer)
    return lead.end() if lead else 0


def _found_out(message: str) -> str:
    """Return the last sentences of a message that state something, as many as fit; empty for none."""
    found = ""
    for sentence in reversed(typed_sentences(message)):
        text = as_sentence(sentence.rstrip(" ;,"))
        if sentence.endswith("?") or _PROPOSES.search(sentence):
            continue
        if len(text) + len(found) >= _LONGEST:
            break
        found = f"{text} {found}".strip()
    return found if len(found.split()) >= _FEWEST else ""


def _done(message: str) -> str:
    """Return the last sentence of a message that says what the agent did or does; empty for none."""
    said = [one for one in typed_sentences(message) if not one.endswith("?")]
    return said[-1] if said and len(said[-1].split()) > _FEWEST else ""


def _proposed(message: str) -> tuple[str, str]:
    """Return the last proposal of a message, without what leads to it, and the sentence it stands in.

    What follows it states something, or asks for assent alone.
    """
    sentences = typed_sentences(message)
    while sentences and _only_asks(sentences[-1]):
        sentences.pop()
    for sentence in reversed(sentences):
        led = _PROPOSES.search(sentence)
        text = sentence[led.end() :].strip() if led else ""
        if led and _INCLINES.match(text.rstrip(" .!?")):
            return "", ""
        if led and len(text.split()) >= _FEWEST:
            before = plain(sentence[: led.start()])
            return f"{before} {text}" if _SETS_SCENE.search(before) else text, sentence
        if sentence.endswith("?"):
            return "", ""
    return "", ""


def _only_asks(sentence: str) -> bool:
    """Return whether a sentence only asks whether to do what was proposed before it."""
    led = _PROPOSES.search(sentence)
    alone = led is not None and not sentence[led.end() :].strip(" ?.!")
    short = len(re.findall(r"\w+", sentence)) < _FEWEST
    return sentence.endswith("?") and (alone or short or bool(_REFERS.search(sentence)))


def _options(message: str) -> "Sequence[tuple[str, str]]":
    """Return the items of the last list of a message: the mark of each, and its text."""
    lists: list[list[tuple[str, str]]] = [[]]
    for line in message.split("\n"):
        if item := _OPTION.match(line):
            lists[-1].append((item["mark"] or "", " ".join(item["text"].split())))
        elif line.strip() and lists[-1]:
            lists.append([])
        inline = [(one["mark"], one["text"]) for one in _INLINE.finditer(line)]
        inline = inline or [("", one["text"]) for one in _NAMED.finditer(line)]
        if len(inline) > 1:
            lists[-1:] = [inline, []]
    return next((one for one in reversed(lists) if one), [])


def _picked(options: "Sequence[tuple[str, str]]", answer: str) -> tuple[str, str]:
    """Return the option that an answer names first, by its mark, its place or its name; empty for none.

    With it come the words behind that, by which the answer changes it: "2, with 90 seconds".
    """
    found = []
    for at, (mark, text) in enumerate(options):
        named = [_NAME_ENDS.split(text.replace("`", "").replace("*", ""))[0].strip()]
        ways = [re.escape(one) for one in named if one and len(one.split()) <= _FEWEST]
        # "The simpler one": by a word that no other option has.
        own = {*words(text)}.difference(*(words(other) for _, other in options if other != text))
        ways += [rf"the {re.escape(one)} (?:one|option|variant)" for one in sorted(own)]
        # "Yes, with a cache" picks no option A.
        ways += [
            rf"{mark}(?=\W*$|[,.;:!)]|\s[–—-]|{_AMENDING})" if mark.isalpha() else mark
        ] * bool(mark)
        # "Run the tests first" picks none.
        places = [*(*_PLACES, _THIRD)[at : at + 1], *[_LAST] * (at == len(options) - 1)]
        ways += [rf"(?<=^.{{{_led(answer)}}})(?:{one})" for one in places]
        # A long item without a mark has no name; and "1 or more" picks none.
        named_by = rf"\b(?:{'|'.join(ways)})\b(?!\s+or\b)"
        if ways and (match := re.search(named_by, answer, re.IGNORECASE)):
            changed = _AMENDS.match(answer[match.end() :])
            found.append((match.start(), text, changed["words"].strip(" .!") if changed else ""))
    _, text, changed_by = min(found, default=(0, "", ""))
    return text, changed_by
