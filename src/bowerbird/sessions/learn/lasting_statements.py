"""Recognises what a person tells an agent lastingly: rules, preferences, corrections, facts, decisions.

A model that reads a whole prompt says of each sentence whether it is lasting, of which kind, and whether
it states something and asks for nothing (`ContextualEmbedder.told`, fitted by `benchmarks/telling.py`).
A logistic regression on the words and the form of the sentence adds to the first (`lasting_features.py`);
its weights, in `lasting_weights.txt`, were fitted by `benchmarks/said.py`. Both learned from prompts that
several authors wrote for this (`tests/data`). Explicit requests to remember need no model. To state
something is enough where that gives another value to what the person said before; elsewhere it makes a
plain fact tentative.
"""

import re
from functools import cache
from os.path import dirname, join

from bowerbird.core.past import goes_on_with_earlier_work
from bowerbird.core.text import fold
from bowerbird.core.types import TRUSTS
from bowerbird.core.value import Record
from bowerbird.lifecycle.slots import slot
from bowerbird.lifecycle.word_classes import UNSURE
from bowerbird.lifecycle.wording import wording
from bowerbird.sessions.learn.changed_values import (
    PERMITTED,
    changed_value,
    holds_with,
    in_another_language,
    is_about,
    other_of_its_sort,
    reports_change,
    says_all_of,
    told_with,
    with_exception,
)
from bowerbird.sessions.learn.commit_reasons import reasons
from bowerbird.sessions.learn.corrected_values import (
    Typed,
    answers,
    corrected_value,
    other_answer,
)
from bowerbird.sessions.learn.lasting_features import (
    CLASSES,
    EXPLICIT,
    explicitly,
    features,
    file_ruled,
    file_told_of,
    files_named,
    spelled,
)
from bowerbird.sessions.learn.named_places import places_told_of
from bowerbird.sessions.learn.open_work import DONE, OPEN
from bowerbird.sessions.learn.prompt_sentences import (
    ALWAYS,
    EVERYWHERE,
    FROM_NOW,
    as_sentence,
    typed_sentences,
)
from bowerbird.sessions.learn.retractions import beside, holds_until, put_instead, retracts
from bowerbird.sessions.learn.rule_lists import listed_rules
from bowerbird.sessions.learn.unmeant import unmeant
from bowerbird.sessions.substance import same_rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from typing import Protocol

    from bowerbird.core.types import Entry

    class SaidBefore(Protocol):
        """What the same person said for good in earlier prompts."""

        @property
        def entries(self) -> Sequence[Entry]:
            """The memories in their words."""

        def changed_by(self, text: str) -> Entry | None:
            """The memory to whose subject a sentence gives another value; None: it changes none."""

        def near(self, text: str, others: Sequence[str]) -> Sequence[float]:
            """The cosines of a text with some others, as a model reads them."""

        def in_english(self, text: str) -> str:
            """A text of another language word by word in English."""

    class Encode(Protocol):
        """What a model says of sentences."""

        def manner(self, texts: Sequence[str]) -> list[list[float]]:
            """How each of a few texts is said, as vectors of length 1 one after the other."""

        def told(self, sentences: Sequence[str]) -> list[list[float]]:
            """The log odds that each sentence of a text is lasting, of its `KINDS`, that it states."""


FITTED = join(dirname(__file__), "lasting_weights.txt")
# The name of the weight that is of no feature.
CONSTANT = "#constant"
# The largest log odds that the model gives a sentence of the fit: many prompts are decided without it.
MOST = 2.4
# The least log odds of a lasting statement, and of a tentative one: that is kept and found, and told only
# after a review; and of one on a file, which only that file brings (`benchmarks/learning.md`).
LEAST = 0.45
TENTATIVE = -0.5
TENTATIVE_ON_FILE = -1.5
# What is not to be done in a folder or to a file ("don't touch gen/") comes back with that as well, from
# PLAIN on: of 832 real prompts no sentence that names one begins so.
FORBIDS = re.compile(
    r"(?:(?:please|pls|also|and|but|bitte|und|aber)\W+)*(?:don't|do not|never|niemals|ne|no)\s",
    re.IGNORECASE,
)
# The least log odds of what says until when it holds ("until Tom is back"): it is told until a person
# says that this is over (`retractions.py`). Of 9 such rules 8 are kept, of 8 requests with a condition 4.
CONDITIONAL = -1.25
# The least log odds that a sentence states something, of one that changes what was said before
# (`benchmarks/learning.md`).
STATES = -0.5
# A plain fact ("guest sessions expire after 30 minutes") states something with these log odds, is lasting
# with these, and says nothing of its author ("I'm working from home"): it is tentative
# (`benchmarks/learning.md`).
PLAIN_STATES = 1.0
# A prompt that only states something, so surely, is told from these log odds on. Of what three authors in
# no fit wrote, 12 lasting statements and 3 others were tentative: four of those reach it, none of these;
# with -.3 six, but also 8 of 1,052 prompts of the fit that state nothing lasting.
STATED = 0.0
# The same among other sentences. Of the authors in no fit seven lasting statements in prompts of two to
# five sentences were tentative and reach it, and nothing else of theirs or of 832 real prompts.
STATED_AMONG = 0.1
PLAIN = -2.5
# By how much the log odds that it is a rule exceed those that it is a fact, of what asks for something:
# "lass die Tests laufen" is no fact.
RATHER = 1.0
# A prompt that is one plain sentence with a number ("the queue limit is 500 messages") has hardly another
# purpose than to tell that: it is tentative from here on, but not what happened once, or to its author.
# Of 26 such facts 20 are kept (14 without it), of 26 reports of a fault that look like them 3 (1), of 832
# real prompts none more.
NUMBER_STATES = 0.5
NUMBER = -3.25
# A sentence of a prompt whose value the next prompt corrects ("no, 45") is kept with that from here on.
IF_CORRECTED_STATES = 0.0
IF_CORRECTED = -3.5
# A sentence of `_FEWEST_WITHOUT` words or more that states nothing (STATES) and has no explicit words is
# told from these log odds on, else tentative. Of what 832 real prompts gave, 22 told, one reader took 14
# for words on the task at hand: 5 of these wait now, and 3 of 212 lasting statements of four authors.
SURELY = 2.0
KINDS = ("decision", "fact", "gotcha", "preference", "requirement")
# What is told of a file or folder is told again when that is touched; a rule of a folder stays one.
_RULES = ("preference", "requirement")
_FEWEST_WORDS = 3
# Sentences of a prompt that corrects an answer and gives the reason.
_WITH_REASON = 2
_LONGEST = 400
# A sentence of so many words is understood without one before it, even if it begins like one that leans
# on that ("they moved the database, …", "on this machine docker is podman"): of 24 that the authors in
# `tests/data/lasting` wrote, and that are recognised, 23 are lasting statements.
_FEWEST_WITHOUT = 10
_LEAD = re.compile(
    r"^(?:(?:[-*•]|\d+[.)])\s+|(?:ok(?:ay)?|yes|yeah|yep|no(?=[,.:!–—-]| not like)|nope|hm+|well"
    r"|so|and|but"
    r"|(?:change of plans?|planänderung|changement de plan|cambio de planes|cambio di programma"
    r"|mudança de planos)(?=[,:])|ugh|huh|hey"
    r"|wrong(?=[,:–—-])|heads[ -]up(?=[,:])|no wait|i was wrong(?: before)?(?=[,:])"
    r"|(?:small )?correction(?=:)"
    r"|(?:kleine )?korrektur(?=:)"
    # Of a number it is a tax (Dutch).
    r"|btw(?! \d)"
    r"|also|oh|ah|hey|please|pls|by the way|(?:just )?remember(?: that)?|note(?: that)?|important"
    r"|actually|one (?:more )?thing|not like (?:that|this)|fyi|perfect|great"
    r"|(?:i )?love it(?=[,.:!–—-])|nice(?=[,.:!])|wait|stop(?=[,.:!–—-])"
    r"|sure|thanks|sorry|oops|i meant|make (?:it|that)|nein|non|nee|for the record"
    r"|that(?:'s| is|s) (?:wrong|incorrect|not right|not (?:quite )?(?:true|correct))(?=[,:–—-])"
    r"|(?:an?|some|the|my|our|one|two|three|few|couple of|more|house|ground|general|quick|project"
    r"|team"
    r"|first|last| )*(?:rules?|conventions?|things?|points?|notes?)(?: first| of mine| here)*(?=:)"
    rf"|(?:(?:this|that) )?(?:{EVERYWHERE})(?: gilt| vale)?(?=\s*[,:])"
    r"|(?:really|seriously|im ernst|sérieusement|en serio|sul serio|a sério|serieus)(?=:)"
    r"|for your notes|keep in mind(?: that)?|let'?s [\w' ]{3,30}(?=:)|übrigens|und"
    r"|merk dir(?:,? dass)?"
    r"|au fait|por cierto)\b[\s,.:!–—-]*)+",
    re.IGNORECASE,
)
_TAIL = re.compile(
    # What the agent did before it, which holds no longer than the moment.
    r"(?:,\s(?:and |but )?(?:you(?:['’]ve)? (?:just|again)|du hast (?:gerade|eben|schon wieder"
    r"|wieder)"
    r"|tu (?:viens d|as encore)|acabas de|has vuelto a|hai (?:appena|di nuovo)|(?:você|vc) acabou de"
    r"|je hebt (?:net|weer|alweer))\b[^,.;:!?]*"
    # "That's ok" says it.
    r"|(?<!\s)(?<!['’]s)(?<!\bis)(?<!\bare),?\s*(?:please|pls|ok(?:ay)?|thanks?(?: you)?|btw"
    r"|by the way"
    r"|übrigens|au fait|por cierto|trouwens)|,\s*(?:please )?remember (?:that|this|it))"
    r"\s*[.!]*$",
    re.IGNORECASE,
)
_THAT_IS = re.compile(r"that (?:is|was|it|should|must)\b", re.IGNORECASE)
# A request to remember what stands before it: "my boss is Oskar, remember that".
_KEEP_THAT = re.compile(
    r"[,;–—-]+\s*(?:please |bitte |so )?(?:remember (?:that|this|it)|merke? dir (?:das|es)"
    r"|retiens(?:-le| ça| bien)|recuérdalo|apúntalo|ricordatelo|lembra disso|onthoud dat)"
    r"(?: please| bitte)?\W*$",
    re.IGNORECASE,
)
# A page to look at, and not one at which something is: "staging runs at https://…".
_LINK = re.compile(
    r"^\W*https?://|https?://.*https?://"
    r"|\b(?:see|look(?:ing)? at|reads?|checks?|open|visit|follow|fetch|clone|from|per|as in|like"
    r"|siehe"
    r"|schau\w*|lies|öffne|aus|voir|lis|regarde|ver|mira|lee|vedi|guarda|leggi|veja|leia|zie|lees)"
    r"\W+(?:\w+\W+)?https?://",
    re.IGNORECASE,
)
# A sentence about something that was named before; it is kept with the sentence before it.
_LEANS = re.compile(
    r"^(?:\w+ )?(?:das|es|ihn) (?:bloß|ja|nicht|nie|niemals|immer|nur|bitte|so)\b"
    r"|^(?:ask|tell|frag\w*|demande\w*|pregúnta\w*|pregunta\w*|chiedi\w*|pergunt\w*|vraag)[ -]"
    r"(?:him|her|ihn|sie|ihm|lui|leur|le|la|hem|haar)\b"
    r"|^(?:(?:please|always|never|don'?t|do not|just|next time|and)\s+)*(?!hate|love|like)\w+ "
    r"(?:it|them|that|this|these|those)\b(?! (?:when|way|project|repo|folder|directory|codebase"
    r"|workspace|package|is|are|means))"
    # "Please do so in future", "anything bigger is loaded by a DAG".
    r"|^(?:(?:please|and|always|but)\s+)*(?:do so|(?:any|every)(?:thing|one|body) (?:else"
    r"|(?!other|under|over|after|ever|never)[a-z]+er))\b"
    r"|^(?!it['’]?s \S+ (?:who|that)\b)"
    r"(?:(?:it|they|he|she|ours|those|these)(?:'s|'re)?|theyre"
    # "That's exactly how I want tests: …" says it itself.
    r"|that['’]?s(?!\s(?:\w+ly )?(?:how|the way) (?:i|we) [^:]*:))\b",
    re.IGNORECASE,
)
# Such as: it's Terraform these days. It states something, whatever the regression says of so few words.
_IT_IS = re.compile(r"(?:it|that)(?:['’]s| is)\b|(?:das|es) ist\b|c['’]est\b", re.IGNORECASE)
# A sentence that ends with what was named before it: "never run migrations against it".
_REFERS = re.compile(r"^[^,;:]*\w\s(?:it|them|there|that|those|this|these)\W*$", re.IGNORECASE)
# What the sentence before it rules out, or what there is instead of what the agent took: "no moment, no
# dayjs", "we have structlog for that".
_RULES_OUT = re.compile(
    r"(?:(?:,\s)?(?:and |und )?(?:no|kein\w*|pas de|niente|nada de|sem|geen)\s[^\s,;:.?!]+){2,}[.!]*$"
    r"|^(?:we|wir|on|nous|tenemos|abbiamo|temos|we)\b.*\s(?:for|für|pour|para|per|voor)\s"
    r"(?:that|this|ça|cela|eso|questo|isso|dat)\W*$",
    re.IGNORECASE,
)
# A question of so few words only names what the agent did: "print? we have structlog for that".
_FEWEST_OF_QUESTION = 3
# A sentence that only says how often what was said or done before it is to be so: "always like that".
_REFERS_ONLY = re.compile(
    rf"^(?:(?:{ALWAYS}|{FROM_NOW}|yes|ja|oui|sí|sì|sim|and|und|please|bitte|do|make|keep|use|it|that"
    r"|i|let['’]?s|love|great|good|nice|perfect|ok|this|so|like|the|same"
    r"|way|way please|one|everywhere|doing|for|all|of|them|mach\w*|es|das|genau"
    r"|überall"
    r"|auf|diese|dieser|art|weise|fais|faire|ça|cela|comme|partout|le|la|les|hazlo|así|eso|lo"
    r"|hacer|fallo|così"
    r"|farlo|fare|ovunque|faz|assim|isso|em|todo|lugar|doe|doen|zo|dat|het|overal)\b\W*)+$"
    # Nor with where that is to be: "like that in all tests from now on".
    r"|^(?:(?:and|und|et|y|e|en)\W+)?(?:like (?:that|this)|(?:genau )?so|comme ça|así|così|assim|zo)"
    r"\s(?:in|for|für|dans|pour|en|para|per|em|voor)\s[^,;:]*$",
    re.IGNORECASE,
)
# One of the agent's options by its letter or number: nobody else knows what it is.
_OPTION = re.compile(r"(?:option )?(?:[A-H]|\d)[.,):](?: |$)")
# A request for the task at hand, however it goes on, unless explicit words say that it is to last. Of 20
# sentences that 860 real prompts gave 9 were such, none of them lasting; of 267 written ones none.
_REQUEST = re.compile(
    r"^(?:(?:can|could|would|will) (?:you|we)\b|i(?:'d| would) like (?:to (?!see\b)|us\b)|let'?s\b"
    r"|commit (?:the|all|it|this|that|everything|your|my|what)\b"
    r"|looking at\b|i (?:still |can'?t |cannot )?(?:feel|see|find|wonder)\b|consider \w+ing\b"
    r"|(?:ok |und |dann |jetzt )*\w+ mal\b(?![^.]*[,;:]))",
    re.IGNORECASE,
)
# What asks by its first word, though it has no question mark: "op welke poort zit prod".
_ASKS_PLAINLY = re.compile(
    r"(?:.{0,30}:\s)?(?:(?:and|ok|so|und|et|y|e|en|for|from|with|in|on|at|für|von|mit|auf|à|de"
    r"|pour|dans"
    r"|per|da|di|com|op|voor|met|aan|naar|bij|van)\s){0,2}"
    r"(?:who|whose|which|what|where|wer|wen|wem|wessen|welche\w*|was|wo|woher|wohin|qui|quel\w*"
    r"|où|combien"
    r"|quién\w*|cuál\w*|dónde|cuánt\w+|chi|quale|quali|dove|quem|qual|onde|wie|wat|welke?|waar"
    # "What we need is …" asks nothing.
    r"|hoeveel)\s(?!(?:i|we|you|ich|wir|du|man|je|nous|on|ik|wij|yo|noi|eu)\b)"
    rf"(?!.*(?:[,;:]|\b(?:{ALWAYS})\b))[^?]+$",
    re.IGNORECASE,
)
# What is wished for no longer than the session lasts.
_THIS_SESSION = re.compile(
    r"\b(?:in|for|during) this (?:session|chat|conversation)\b|\bin dieser (?:sitzung|session)\b"
    r"|\b(?:dans|pour|pendant) cette (?:session|conversation)\b|\ben esta sesión\b"
    r"|\b(?:in|per) questa (?:sessione|conversazione)\b|\bnesta sessão\b|\bin deze sessie\b",
    re.IGNORECASE,
)
# A question that wants to know something. "Why don't we …?" and "how about …?" may be wishes.
_WANTS_TO_KNOW = re.compile(
    r"(?:(?:ok|and|please|now|bitte)\s+)*(?:explain|describe|tell me|show me|erklär\w*(?: mir)?"
    r"|sag mir|explique(?:-moi)?|dis-moi|explícame|explica|dime|spiega(?:mi)?|dimmi|explique"
    r"|leg uit)\s"
    r"(?:in \w+ (?:words?|sentences?|lines?) )?"
    r"(?:why|how|what|when|where|whether|if|who|which|warum|wieso|wie|was|wann|ob|pourquoi|comment|si"
    r"|ce que|por qué|cómo|qué|perché|come|cosa|por que|como|o que"
    r"|waarom|hoe|wat)\s(?!i (?:like|want))[^:;]*$"
    r"|(?:(?:and|ok|so|und|et|y|e|en)\s+)*(?:who|whose|which|where|when|what(?! about)|how(?! about)"
    r"|wer|wen|wem|wessen|welche\w*|wann|wo|woher|wohin|was|wie|qui|quel\w*|où|quand|comment|combien"
    r"|quién\w*|cuál\w*|dónde|cuándo|cuánt\w+|chi|quale|quali|quando|dove|quant\w+|quem|qual|onde"
    r"|welke?|waar|wanneer|hoeveel)\b[^?]*\?+$",
    re.IGNORECASE,
)
# What somebody else says is to be so.
_OTHER = (
    rf"(?!(?:{ALWAYS}|i|we|you|ich|wir|du|je|nous|tu|on|yo|io|eu|ik|wij|it|that)\b)"
    r"[^\W\d][\w’'-]*\s"
)
_REPORTED = re.compile(
    rf"{_OTHER}(?:{_OTHER})?"
    r"(?:says?|said|thinks?|wrote|writes|claims?|insists?|told (?:me|us)|sagt\w*|meint\w*"
    r"|schreibt|findet"
    r"|dit|pense|dice|dijo|piensa|pensa|disse|acha|diz|zegt|zei|vindt|schreef)\b[\s,:]",
    re.IGNORECASE,
)
# It puts something right and names what that is not: "wrong, the free plan allows 3 seats, not 5".
_CONTRASTS = re.compile(
    r"(?:no|nope|wrong|nein|falsch|stimmt nicht|non|faux|nee|não|incorrecto)\b(?=(?:\W+\S+){4})[^?]*"
    r"\b(?:not|nicht|pas|no|non|niet|não)\s(?:\w+\s){0,3}[^\s,;:?]+\W*$",
    re.IGNORECASE,
)
# A decision for something that has a name or a number: "let's go with Postgres 17 then".
_DECIDES = re.compile(
    r"^(?:(?i:ok(?:ay)?|so|alright|fine|right|yes|then|and|no)\W+)*"
    r"(?i:let['’]?s|let us|we(?:['’]ll| will)) (?i:use|go with|stick with|settle on)\s"
    r"(?:(?i:the|port|version)\s)?(?=[A-Z]\w|\d)[^?]+$"
)
# What is to be done at once: "so jetzt router.py, zieh die logik raus".
_AT_ONCE = re.compile(
    r"(?:(?:so|ok(?:ay)?|und|dann|and|then|gut|alright|et|y|also|weiter)\W+)*"
    r"(?:jetzt|nun|now|maintenant|ahora|adesso|agora|nu)\b",
    re.IGNORECASE,
)
# What begins a correction of the prompt before.
_CORRECTS_LAST = re.compile(
    r"(?:(?:hm+|oh|ah|uh|wait|sorry|oops|äh|nee)\W+)*"
    r"(?:no|nope|nein|doch|non|não|actually|wrong|falsch|faux)\b",
    re.IGNORECASE,
)
# A correction whose second half stands alone: "no, tabs! not spaces".
_CORRECTS_HALF = re.compile(
    r"(?:no|nope|nein|nee|ne|non|não)\b[,\s]+[^,;:.!?]+[!.]+$", re.IGNORECASE
)
_NOT_OTHER = re.compile(
    r"(?:(?:and )?not|(?:und )?(?:nicht|keine?)|pas (?:de |d['’])?|no|non|não|niet|geen)\s"
    r"[^\s,;:?]+(?:\s[^\s,;:?]+)?[.!]*$",
    re.IGNORECASE,
)
# A task, which is no fact, whatever it names.
_ORDER = re.compile(
    r"^(?:add|build|change|convert|copy|create|delete|extend|extract|fix|implement|insert|install"
    r"|move"
    r"|rename|remove|replace|set up|show|update|write|bau\w*|erstell\w*|füge|schreib\w*|änder\w*"
    r"|ajoute"
    r"|crée|écris|añade|crea|escribe)\b",
    re.IGNORECASE,
)
# Since when something is so, and not when it was for once.
_SINCE_NOW = re.compile(
    r"\b(?:as of|as from|since|from|starting|ab|seit|depuis|desde) (?:today|yesterday|tomorrow|now"
    r"|heute|gestern|morgen|aujourd'hui|hier|hoy|ayer)\b"
    r"|\b(?:agreed|decided|settled) (?:today|yesterday|just now)\b",
    re.IGNORECASE,
)
_DAY_OF_CHANGE = re.compile(
    r"\b(?:yesterday|today|gestern|heute|hier (?:soir|matin)|aujourd['’]hui|ayer|hoy|ieri|oggi|ontem|hoje"
    r"|gisteren|vandaag)\b",
    re.IGNORECASE,
)
# A request to commit. The reason that is given with it is that of the change, and holds as long.
_COMMITS = re.compile(
    r"(?:^|\b(?:and|then|please|pls|und|et|y|e|en)\s+)commit\b(?! (?:message|hash|id)\b)",
    re.IGNORECASE,
)
# What takes back what was said just before it; but not "don't forget that …", nor what names its subject.
TAKES_BACK = re.compile(
    r"(?<!n't )(?<!nt )(?<!not )\b(?:(?:forget|vergiss) (?:about )?(?:it|that|this|das|es)"
    r"(?: (?:again|wieder|rule|one|please|bitte))*(?=\s*(?:[,.;:!–—-]|$))"
    r"|(?:forget|ignore|disregard) (?:that rule\b|what i (?:just )?said\b(?! (?:about|on|regarding)\b))"
    r"|(?:scratch|scrap|strike|disregard) (?:that|this)\b|take (?:it|that) back\b"
    r"|(?:wrong|other) (?:repo(?:sitory)?|project|codebase|window|tab|terminal)\b"
    r"|oublie (?:ça|cela)\b|olvida (?:eso|lo)\b|olvídalo\b)",
    re.IGNORECASE,
)
# Requests to remember something; the content follows.
_KEEP = re.compile(
    r"^(?:(?:ok(?:ay)?|so|and|also|oh|hey|please|pls|btw|by the way|for (?:next time|the future))\b"
    r"[\s,:]*)*"
    r"(?:(?:(?:you )?(?:must |should )?(?:always )?rem(?:em|e|m)?ber|memori[sz]e"
    r"|(?:don'?t|do not|never) forget"
    r"|(?:(?:can|could|would|will) you )?(?:please )?(?:(?:make|take) a note|write down|remember)"
    r"(?: somewhere)?|note down|don'?t let me forget|(?:for )?your notes"
    r"|note to self(?: and (?:to )?you)?"
    r"|(?:note|keep in mind|bear in mind)(?= (?:for (?:later|next time|(?:the|all) future)|from)\b)"
    r"|(?:save|store|put|write|add|keep|stick) (?:(?:this|that|it)(?: one)? )?"
    r"(?:(?:in|to|into) (?:your |the )?(?:memory|notes)|somewhere\b[^:,]{0,30}(?=:)))"
    rf"(?: (?:for|from) (?:next time|later|here on|now on|(?:the|all) future|later sessions"
    rf"|future \w+)"
    rf"|(?: this| that)? (?:{EVERYWHERE}))*"
    r"(?: that\b|\s*[:,–—-]| to (?=always\b|never\b|\w+ ))"
    r"|remember (?=(?:the|our|my|we|i|to|in|on|all|every)\b)"
    r"|(?:bitte )?(?:merke? dir|denk daran|vergiss nicht|notiere?(?: dir)?)"
    rf"(?: bitte| für die zukunft| (?:{EVERYWHERE}))*(?:,? dass\b|\s*[:,])"
    r"|(?:retiens|souviens-toi|n'oublie pas)(?: bien)?(?: que\b| qu'|\s*:)"
    r"|(?:recuerda|acuérdate de|no olvides|ten en cuenta|anota)(?: que\b|\s*:)"
    r"|记住|請記住|请记住|覚えておいて)[\s,:，：、。–—-]*",
    re.IGNORECASE,
)
# A request in the form of a question, whose mark is not that of what it asks to remember.
_POLITELY = re.compile(r"\b(?:can|could|would|will) you\b.*\bthat\s*$", re.IGNORECASE)
# A sentence that only asks to remember the one before it.
_KEEP_BEFORE = re.compile(
    r"^(?:(?:and|so|please|pls|bitte)\b[\s,]*)*"
    r"(?:(?:that['’]?s )?(?:good|useful|worth) to (?:know|remember)"
    r"|worth (?:knowing|remembering|noting)|gut zu wissen|bon à savoir|bueno saberlo|buono a sapersi"
    r"|bom saber|goed om te weten|(?:(?:always )?remember|memori[sz]e"
    r"|(?:don'?t|do not) forget|(?:make|take) (?:a )?note of|keep|merke? dir) (?:this|that|it|das))"
    r"(?:,? (?:in mind|in (?:your )?memory|somewhere|please|pls|bitte"
    r"|for (?:later|next time|the future)))*"
    r"(?:,? (?:when(?:ever)?|if|before|wenn|falls|bevor) [^,;:?]{3,60})?\s*[.!]*$",
    re.IGNORECASE,
)
# That what was just done is to go on, behind praise that says what that is: "love that you ask first,
# keep doing that". "Keep going" asks for the rest of the task.
_GOES_ON = re.compile(
    r"(?:^|[,;:.!–—-]\s*|\s)(?:(?:please|so|and|just|yes|always|do|und|bitte|et|y|e|en)\s+)*"
    r"(?:keep (?:(?:doing|going|on|up|at) )?(?:that|this|it|so|like (?:that|this))(?: up| going"
    r"| coming)?"
    r"|keep (?:at it|(?:up )?(?:the good work|(?:that|this) (?:habit|style|way)))"
    r"|(?:continue|carry on|go on|stay|stick|work) (?:like|with|doing|to) (?:that|this|it)(?: way)?"
    r"|more (?:of|like) (?:that|this|those|these)"
    r"|(?:do|write|make) (?:it|that|this|them)(?: like (?:that|this)| (?:this|that) way)?"
    r" (?:every|each) time"
    r"|(?:do|write|make) (?:it|that|this|them)(?: like (?:that|this)| (?:this|that) way)?"
    r" (?:with|for|on|in|at) (?:every|each|all|any)\b[^,;.?]{0,40}"
    r"|(?:always|every time|each time) (?:like (?:that|this)|so)|(?:the )?same (?:every|each"
    r"|next) time"
    r"|(?:mach )?(?:bitte )?(?:immer )?weiter so|so weitermachen|continue comme ça|sigue así"
    r"|continua così"
    r"|continue assim|ga zo door)(?:,? (?:please|pls|bitte|from now on|every time|always))*"
    r"(?=\W*$|,? (?:and |und )?(?:now|then|jetzt)\b)",
    re.IGNORECASE,
)
# Who is praised: "the login works now, great, keep at it" is no praise of how it was done.
_YOU = re.compile(r"\b(?:you\w*|du|dein\w*|tu|t['’]|te|tes|has|hai|você|je|jouw?)\b", re.IGNORECASE)
_THAT_WAY = re.compile(r"\b(?:that|this|these|those|so|ça|así|così|assim|zo|same)\b", re.IGNORECASE)
_PRAISES = re.compile(
    r"\b(?:love|like|liked|loved|appreciate|enjoy|glad|happy|thanks for|thank you for|great|good"
    r"|nice|neat|lovely"
    r"|perfect|excellent|brilliant|exactly|better|helpful|useful|right|gut|toll|super|schön|mag"
    r"|gefällt|prima"
    r"|danke|j['’]aime|bien|bravo|parfait|génial|merci|me gusta|genial|perfecto|mi piace|ottimo"
    r"|gosto|ótimo"
    r"|fijn|mooi|goed)\b",
    re.IGNORECASE,
)
# Words of praise that says what it is of.
_FEWEST_PRAISED = 5
# A wish that says itself that it is for good: "please use pnpm here and never npm". What it adds to the
# log odds, as explicit words do.
_WISHES_FOR_GOOD = re.compile(
    rf"(?:[^?]{{5,60}}, )?please\b(?!.*\b(?:today|for now|this time)\b)[^?]*\b(?:{ALWAYS}|{FROM_NOW}"
    r"|(?:every|each) time|whenever|by default|as a rule)\b",
    re.IGNORECASE,
)
FOR_GOOD = 2.0
# A request that is explicit only for one of a thing that is named: "remember it", "remember to fix that".
_LOST = re.compile(
    r"^(?:\w+\s+){0,3}(?:it|them|that|this|they)\b(?! (?:repo|project|codebase))", re.IGNORECASE
)
_FEWEST_ASKED = 4
# In words, what only gives a value.
_FEW_OF_VALUE = 4
_EVERYWHERE = re.compile(rf"\b(?:{EVERYWHERE})\b", re.IGNORECASE)
# A sentence that begins with it states something, and no task.
_FOR_ALL = re.compile(rf"(?:{EVERYWHERE})(?: gilt| vale)?\s*[,:]", re.IGNORECASE)


# What is said of today is a rule of today.
_OF_TODAY = re.compile(r"(?:today|heute|aujourd['’]hui|hoy|oggi|hoje|vandaag)\b", re.IGNORECASE)


class Statement(Record):
    """What a person stated: the text, its kind of memory, and whether they `asked` to remember it.

    `ends` is the id of the memory of which it corrects a value, if of any. It is `tentative`
    if it may as well be about the task at hand. `about` names the file that it warns of, or
    the folders and types of files that it is of; where one of them is there, it is a `trap` of that.
    `accepts` are the words with which they accepted it, if the agent had proposed it. `instead` is what
    their last prompt stated, if it corrects a value of that.
    """

    text: str
    kind: str
    asked: bool = False
    tentative: bool = False
    ends: str = ""
    about: tuple[str, ...] = ()
    trap: bool = False
    accepts: str = ""
    instead: str = ""


class Lasting(Record):
    """A sentence that states something lasting: its position, its log odds, and its kind of memory.

    `states` are the log odds that it states something at all, `asks` whether it is rather a rule or a
    request than a fact.
    """

    at: int
    odds: float
    kind: str
    states: float
    asks: bool


def statements(
    prompt: str,
    encode: "Encode | None",
    said_before: "SaidBefore | None" = None,
    reply: str = "",
    just_said: "Sequence[Statement]" = (),
    asked: str = "",
) -> list[Statement]:
    """Return the lasting statements of a prompt; without `encode` only explicit requests to remember.

    What changes something that was `said_before` is one, too. `reply` is what the agent wrote and ran
    since the prompt before, which is `asked`. A person may correct its values without naming the
    subject, as they may those of what they had `just_said` there.
    """
    listed = [*_listed(prompt)]
    parts = ((one, beside(one)) for one in _unlisted(typed_sentences(prompt), listed))
    sentences = _halves_together([one for some in parts for one in some if one])
    cancelled = unmeant(sentences)
    # "19:00, sorry" looks like a line of a log.
    if better := _said_better(sentences or [prompt], just_said, reply, said_before, encode):
        return [better]
    heard = f"{asked}\n{reply}"
    answer = _answer(sentences, asked, reply, said_before)
    listed = [] if cancelled else listed
    found = {one.text: one for one in (*listed, *_explicit(sentences, cancelled), *answer)}
    if encode is None:
        return [*found.values()]
    backs = [at for at, sentence in enumerate(sentences) if TAKES_BACK.search(sentence)]
    since = max((_WITH_REASON - 1 if answer else -1, *backs)) + 1
    meant = [at for at in range(since, len(sentences)) if at not in cancelled]
    recognised = _recognised(sentences, prompt, meant, encode)
    for one in sorted(recognised, key=lambda one: one.tentative):
        text = one.text.lower()
        within = [known for known in found if known.lower() in text]
        firm = any(
            found[known].asked or (one.tentative and not found[known].tentative) for known in within
        )
        if not any(text in known.lower() for known in found) and not (within and firm):
            # What leans on the sentence before it is kept with that.
            found = {text: other for text, other in found.items() if text not in within}
            found[one.text] = one
    against = _taking_back(sentences, [*found.values()], just_said, said_before)
    found |= {one.text: one for one in against}
    if said_before is None or not said_before.entries:
        return [*found.values()]
    for text, stated in found.items():
        # "Forget the rule about English commit messages, from now on in German" names its subject there.
        left = [one for one in said_before.entries if not holds_with(text, one.text)]
        known = len(left) < len(said_before.entries)
        over = None if known else put_instead(text, typed_sentences(prompt), left)
        found[text] = (
            _beside(stated, said_before, heard, encode)
            if over is None
            else stated.replace(text=told_with(text, over[1]), kind=over[0].kind)
        )
    return [*found.values(), *_changing(sentences, meant, found, encode, said_before, heard)]


def _listed(prompt: str) -> "Iterator[Statement]":
    """Yield the items of a list that its heading announces as rules, or as facts."""
    if typed_sentences(prompt):
        for text, is_fact in listed_rules(prompt):
            kind = "fact" if is_fact else "requirement"
            yield Statement(text, kind, about=places_told_of(text))


def _unlisted(sentences: list[str], listed: "Sequence[Statement]") -> list[str]:
    """Return the sentences of a prompt without the items that are `listed`, and without headings."""
    items = tuple(one.text.rpartition(": ")[2] for one in listed)
    if not items:
        return sentences
    return [one for one in sentences if not one.endswith((":", *items))]


def _beside(
    stated: Statement, said_before: "SaidBefore", heard: str, encode: "Encode"
) -> Statement:
    """Return a statement as it is kept beside what was said before: it may repeat or change that."""
    text, entries = stated.text, said_before.entries
    held = (one for one in entries if not one.review)
    again = (one for one in held if same_rule(text, one.text) or holds_with(text, one.text))
    if (known := next(again, None)) is not None:
        # In the words that are kept it is known again, and counted.
        return stated.replace(text=known.text, kind=known.kind)
    corrected = corrected_value(text, heard, entries, _typed(text, encode))
    if corrected is None:
        corrected = changed_value(text, entries)
        corrected = corrected or with_exception(text, entries) or says_all_of(text, entries)
    if corrected is not None:
        return _instead_of(*corrected, asked=stated.asked)
    abroad = in_another_language(text, entries, said_before.in_english)
    if abroad is not None:
        return _instead_of(abroad, text, asked=stated.asked)
    over = said_before.changed_by(as_sentence(text))
    if over is not None:
        return _against(over, text, asked=stated.asked)
    replaced = other_of_its_sort(text, entries, said_before.near)
    if replaced is not None:
        return _instead_of(replaced[0], text, asked=stated.asked)
    # Who speaks of what is told again says what holds: the older words alone would be told.
    firm = stated.tentative and is_about(text, entries, said_before.near)
    return stated.replace(tentative=False) if firm else stated


def _answer(
    sentences: "Sequence[str]", asked: str, reply: str, said_before: "SaidBefore | None"
) -> list[Statement]:
    """Return the answer that a prompt gives in place of the agent's, with the reason behind it."""
    answer = other_answer(sentences[0], asked, reply) if sentences else ""
    kept = said_before.entries if answer and said_before is not None else ()
    if not answer or corrected_value(plain(sentences[0]), f"{asked}\n{reply}", kept) is not None:
        return []
    reason = plain(sentences[1]) if len(sentences) == _WITH_REASON else ""
    if reason and not reason.endswith("?") and not CLASSES["this moment"].search(reason):
        answer = f"{answer}. {reason[0].upper()}{reason[1:]}"
    return [Statement(answer, "fact")]


def if_corrected(prompt: str, encode: "Encode | None") -> list[Statement]:
    """Return what a prompt may state, to be kept if the next one corrects it: then it was meant."""
    sentences = typed_sentences(prompt)
    if encode is None or len(sentences) != 1:
        return []
    found = lasting(sentences, prompt, encode, IF_CORRECTED)
    stated = [one for one in found if one.states >= IF_CORRECTED_STATES]
    texts = ((one.kind, _may_state(sentences, one.at)) for one in stated)
    return [Statement(text, kind, tentative=True) for kind, text in texts if text]


def _said_better(
    sentences: "Sequence[str]",
    just_said: "Sequence[Statement]",
    reply: str,
    said_before: "SaidBefore | None",
    encode: "Encode | None",
) -> Statement | None:
    """Return what was just said with the other value that a prompt of one sentence gives it."""
    if len(sentences) != 1 or answers(sentences[0], reply):
        return None
    named = " ".join(one.text for one in just_said)
    typed = _typed(sentences[0], encode) if encode is not None else None
    corrected = corrected_value(plain(sentences[0]), named, just_said, typed)
    if corrected is None:
        return None
    former, text = corrected
    kept = said_before.entries if said_before is not None else ()
    over = next((one.id for one in kept if one.text == as_sentence(former.text)), "")
    return former.replace(text=text, ends=former.ends or over, instead=former.text)


def _taking_back(
    sentences: "Sequence[str]",
    found: "Sequence[Statement]",
    just_said: "Sequence[Statement]",
    said_before: "SaidBefore | None",
) -> "Iterator[Statement]":
    """Yield statements of a prompt that corrects the one before, each in place of what that denies.

    "No, semicolons stay" ends the "no semicolons" of the task that the agent has just done.
    """
    if not (sentences and just_said and _CORRECTS_LAST.match(sentences[0])):
        return
    kept = said_before.entries if said_before is not None else ()
    for one in found:
        for former in just_said:
            ours, theirs = (_denied(text) for text in (one.text, former.text))
            if any(known in theirs and theirs[known] != denied for known, denied in ours.items()):
                over = next((e.id for e in kept if e.text == as_sentence(former.text)), "")
                yield one.replace(ends=one.ends or over, instead=former.text, tentative=False)
                break


def _denied(text: str) -> dict[str, bool]:
    """Return the roots of the words of a text, and whether each stands right behind a denial."""
    said = wording(text).words
    return {
        word.root: bool(at and said[at - 1].negates)
        for at, word in enumerate(said)
        if not word.small
    }


def _explicit(sentences: "Sequence[str]", cancelled: "Collection[int]") -> "Iterator[Statement]":
    """Yield what is asked to be remembered or said of all projects, and the reasons of commits."""
    for at, sentence in enumerate(sentences):
        if at in cancelled:
            continue
        refers = at and _KEEP_BEFORE.match(sentence)
        text = _standing_alone(sentences, at - 1) if refers else _asked(sentence)
        if text and not (refers and text.endswith("?")):
            everywhere = _EVERYWHERE.search(sentence)
            kind = "requirement" if everywhere else _worded(text)
            yield Statement(text, kind, asked=True, about=places_told_of(text))
        elif text := _committed(sentence) or _decided(sentence):
            yield Statement(text, "decision")
        elif _FOR_ALL.match(sentence) and (text := _may_state(sentences, at)):
            yield Statement(text, "requirement")
        elif text := _praised(sentences, at):
            yield Statement(text, "preference")


def _praised(sentences: "Sequence[str]", at: int) -> str:
    """Return praise of what was done together with the wish that it go on; empty if it is none."""
    goes_on = _GOES_ON.search(sentences[at])
    said = sentences[at - 1] if at and goes_on and not goes_on.start() else ""
    if goes_on is None:
        return ""
    wish = sentences[at][: goes_on.end()]
    whole = f"{as_sentence(said)} {as_sentence(wish)}" if said else wish
    before = said or wish[: goes_on.start()]
    beside = f"{sentences[at - 1]} {before}" if at else before
    praised = len(before.split()) >= _FEWEST_PRAISED and _PRAISES.search(beside)
    praised = praised and (_YOU.search(before) or _THAT_WAY.search(goes_on[0]))
    if "?" in whole or len(whole) > _LONGEST:
        return ""
    return whole if praised and not CLASSES["this moment"].search(whole) else ""


def _recognised(
    sentences: "Sequence[str]", prompt: str, meant: "Collection[int]", encode: "Encode"
) -> "Iterator[Statement]":
    """Yield those of the `meant` sentences that are lasting, or may be and have no form of a request."""
    found: dict[int, Statement] = {}
    beside: set[int] = set()
    reports = any(map(reports_change, sentences))
    least = NUMBER if reports or _tells_number(sentences) else PLAIN
    for one in lasting(sentences, prompt, encode, least):
        said = _may_state if one.odds < LEAST else _standing_alone
        text = said(sentences, one.at) if one.at in meant else ""
        holds = one.odds >= CONDITIONAL and holds_until(text)
        holds = holds or (one.states >= STATES and bool(_CONTRASTS.match(sentences[one.at])))
        holds = holds or (one.states >= STATES and reports_change(text))
        least_told = STATED if len(sentences) == 1 else STATED_AMONG
        stated = one.odds >= least_told and one.states >= PLAIN_STATES
        holds = holds or (stated and not files_named(text))
        sentence = sentences[one.at]
        of_today = one.kind in _RULES and _OF_TODAY.match(plain(sentence))
        if of_today or _ASKS_PLAINLY.match(sentence) or _is_of_now(sentence):
            continue
        long = len(text.split()) >= _FEWEST_WITHOUT
        of_task = long and LEAST <= one.odds < SURELY and one.states < STATES
        of_task = of_task and not explicitly(features(sentences, one.at, prompt))
        tentative = (one.odds < LEAST or of_task) and not holds
        doubts = _doubts(sentences[one.at], one.kind)
        tentative = tentative or doubts
        file = file_told_of(text)
        told = least == NUMBER and one.states >= NUMBER_STATES
        # "What time is it in Lima" asks without a question mark, too.
        if CLASSES["mine"].search(text) or CLASSES["past"].search(text) or _asks_for_it(text):
            told = False
        needed = NUMBER if told else _least(one, sentences[one.at], text, file)
        if not text or (one.odds < needed and not holds):
            continue
        asked = bool(CLASSES["remember"].search(sentences[one.at]))
        # What may be about the task at hand comes back with the file that it names.
        if tentative and one.kind == "fact" and _ORDER.match(text):
            continue
        ruled = file_ruled(text)
        alone = (ruled,) if ruled else files_named(text) if tentative else ()
        about = (file,) if file else alone if len(alone) == 1 else places_told_of(text)
        trap = bool(about) and (bool(file) or one.kind not in _RULES)
        found[one.at] = Statement(
            text, one.kind, asked=asked, tentative=tentative, about=about, trap=trap
        )
        if tentative and one.odds >= TENTATIVE and not (doubts or about or may_order(text)):
            beside.add(one.at)
    yield from _with_values(sentences, found, meant, beside)


def may_order(text: str) -> bool:
    """Return whether a text, as `plain`, asks for something that is to be done now."""
    return bool(_ORDER.match(text) or _REQUEST.match(text))


def _doubts(sentence: str, kind: str) -> bool:
    """Return whether a sentence leaves open whether it is to be so: "maybe we should …", "Jo says: …"."""
    first = fold(plain(sentence)).partition(" ")[0].rstrip(",")
    # Who passes on why means it, too.
    reported = _REPORTED.match(sentence) and not CLASSES["because"].search(sentence)
    rules = kind != "fact" or CLASSES["every"].search(sentence)
    return bool(rules and (first in UNSURE or reported))


def _with_values(
    sentences: "Sequence[str]",
    found: "dict[int, Statement]",
    meant: "Collection[int]",
    beside: "Collection[int]",
) -> "Iterator[Statement]":
    """Yield statements, each together with what only gives further values beside it.

    "TLS immer prüfen. timeout 30s. 3 retries": such values have no subject of their own, and are those
    of what is said before them, or, at the beginning, behind them.
    """
    values = {at for at in meant if at not in found and _gives_value(sentences[at])}
    # "5 min. ISO dates. Never local time": as short, and between such.
    values |= {
        at
        for at in meant
        if at not in found
        and len(sentences[at].split()) <= _FEW_OF_VALUE
        and {at - 1, at + 1} <= {*values, *found}
    }
    # What may be for the moment alone is of the same, where it stands beside what is told. Of 49 such
    # sentences of eight authors 41 are lasting statements.
    values |= {*beside}
    told = {at: one for at, one in found.items() if at not in beside}
    # What stands behind a semicolon is of the same statement; and what a prohibition leaves allowed is:
    # "never log the phone number. the courier id is fine".
    values |= {
        at
        for at in meant
        if at - 1 in told and at not in told and _belongs(sentences[at], sentences[at - 1])
    }
    joined: set[int] = set()
    for at, one in told.items():
        if one.tentative:
            yield one
            continue
        before = at
        while before - 1 in values - joined and not any(known < at for known in told):
            before -= 1
        behind = at
        while behind + 1 in values:
            behind += 1
        joined |= {*range(before, behind + 1)}
        whole = as_sentence(one.text)
        # What it leans on is in it.
        parts = [
            whole if place == at else as_sentence(plain(sentences[place]))
            for place in range(before, behind + 1)
            if place == at or plain(sentences[place]).lower() not in whole.lower()
        ]
        yield one if len(parts) == 1 else one.replace(text=" ".join(parts))
    yield from (found[at] for at in beside if at not in joined)


def _belongs(sentence: str, before: str) -> bool:
    """Return whether a sentence goes on with a rule before it, or says what that leaves allowed."""
    if sentence.endswith("?") or may_order(plain(sentence)):
        return False
    allowed = PERMITTED.match(plain(sentence)) and any(one.negates for one in wording(before).words)
    return bool(allowed) or before.rstrip().endswith(";")


def _gives_value(sentence: str) -> bool:
    """Return whether a sentence is a value and what it is of: "timeout 30s", "max 3 redirects"."""
    text = plain(sentence)
    if not 1 < len(text.split()) <= _FEW_OF_VALUE or text.endswith("?") or _ORDER.match(text):
        return False
    # "Then push 2 commits."
    goes_on = any(one.small for one in wording(text).words[:1])
    return not goes_on and any(one[0].isdigit() for one in text.split())


def _is_of_now(sentence: str) -> bool:
    """Return whether a sentence asks for something at once, or says how the work stands, and no more."""
    if any(form.search(sentence) for form in EXPLICIT.values()):
        return False
    if OPEN.search(sentence) or _AT_ONCE.match(sentence) or goes_on_with_earlier_work(sentence):
        return True
    text = plain(sentence)
    done = DONE.match(text)
    # "We're done with Jenkins, everything is built on GitHub Actions now."
    return done is not None and not wording(text[done.end() :]).cues


def _for_now(sentence: str) -> bool:
    # When something changed is no moment for which it holds.
    text = _SINCE_NOW.sub("", sentence)
    if slot(sentence).changes:
        text = _DAY_OF_CHANGE.sub("", text)
    return not reports_change(sentence) and bool(CLASSES["this moment"].search(text))


def _asks_for_it(text: str) -> bool:
    """Return whether a text asks for something, with a question mark or without."""
    return bool(_WANTS_TO_KNOW.match(f"{text.rstrip('.!? ')}?"))


def _tells_number(sentences: "Sequence[str]") -> bool:
    """Return whether a prompt is one sentence that gives a number, in digits or words."""
    return len(sentences) == 1 and any(word.number for word in wording(sentences[0]).words)


def _least(one: "Lasting", sentence: str, text: str, file: str) -> float:
    """Return the log odds that a sentence needs to be lasting or tentative."""
    if file:
        return TENTATIVE_ON_FILE
    if _FOR_ALL.match(sentence):
        return PLAIN
    if FORBIDS.match(spelled(plain(sentence))) and (places_told_of(text) or files_named(text)):
        return PLAIN
    states = one.states >= STATES or CLASSES["corrects"].search(sentence)
    # What asks for something is no fact, though it may state that surely: "lass die Tests laufen".
    plain_fact = one.states >= PLAIN_STATES and not one.asks
    plain_fact = plain_fact and not CLASSES["mine"].search(text)
    return PLAIN if plain_fact else TENTATIVE if states else LEAST


def _changing(
    sentences: "Sequence[str]",
    meant: "Collection[int]",
    found: "Collection[str]",
    encode: "Encode",
    said_before: "SaidBefore",
    heard: str,
) -> "Iterator[Statement]":
    """Yield the `meant` sentences, but those that were found, that change what was said before."""
    left = []
    for at in meant:
        text = plain(sentences[at])
        if any(text in known or known in text for known in found):
            continue
        typed = _typed(sentences[at], encode)
        corrected = corrected_value(text, heard, said_before.entries, typed)
        alone = _may_state(sentences, at)
        if corrected is None and alone:
            corrected = changed_value(alone, said_before.entries)
            corrected = corrected or with_exception(alone, said_before.entries)
        if corrected is not None:
            yield _instead_of(*corrected)
        elif alone or _IT_IS.match(text):
            left.append((sentences[at], alone))
    if not left:
        return
    for sentence, text in left:
        states = not text or _states(sentence, encode) >= STATES
        changing = _changed_by(text, plain(sentence), said_before) if states else None
        if changing is not None:
            yield changing


def _changed_by(text: str, sentence: str, said_before: "SaidBefore") -> Statement | None:
    """Return a sentence as the change of a memory; `text` is empty if it is not understood alone."""
    abroad = in_another_language(text, said_before.entries, said_before.in_english)
    if text and abroad is not None:
        return _instead_of(abroad, text)
    over = said_before.changed_by(as_sentence(text)) if text else None
    if over is not None:
        return _against(over, text)
    replaced = other_of_its_sort(text or sentence, said_before.entries, said_before.near)
    # "It's Terraform these days" is kept in the earlier words.
    kept = text or (replaced[1] if replaced else "")
    return _instead_of(replaced[0], kept) if replaced and kept else None


def _may_state(sentences: "Sequence[str]", at: int) -> str:
    """Return a sentence as a memory, unless its form says that it is about this moment, or asks."""
    sentence = sentences[at]
    text = _standing_alone(sentences, at)
    moment = _for_now(sentence)
    asks = sentence.rstrip().endswith("?") or _REQUEST.search(text)
    # "Don't forget the indentation rule" says no rule.
    content, reminded = CLASSES["remember"].subn("", text)
    mentions = reminded and len(content.split()) < _FEWEST_ASKED
    # Of 26 marked sentences that say what is open 3 are lasting.
    if moment or asks or mentions or retracts(sentence) or OPEN.search(sentence):
        return ""
    return text


def _instead_of(over: "Entry", text: str, *, asked: bool = False) -> Statement:
    """Return a statement that takes the place of a memory, as its sort and as firmly as that was said."""
    return _against(over, text, asked=asked).replace(ends=over.id)


def _against(over: "Entry", text: str, *, asked: bool = False) -> Statement:
    """Return a statement that gives another value than a memory does; admission decides which holds."""
    return Statement(text, over.kind, asked=asked or over.trust == TRUSTS[-1])


def lasting(
    sentences: "Sequence[str]", prompt: str, encode: "Encode", least: float = LEAST
) -> list[Lasting]:
    """Return the sentences that may state something lasting: with log odds of at least so much."""
    weights = regression()
    sentences = [spelled(one) for one in sentences]
    every = [features(sentences, at, prompt) for at in range(len(sentences))]
    certain = [
        max(explicitly(named), FOR_GOOD if _WISHES_FOR_GOOD.match(one) else 0.0)
        for one, named in zip(sentences, every, strict=True)
    ]
    sums = [
        weights.get(CONSTANT, 0.0) + worded(one) + added
        for one, added in zip(every, certain, strict=True)
    ]
    if not any(one + MOST >= least for one in sums):
        return []
    found = []
    for at, (cheap, (read, *kinds, states)) in enumerate(
        zip(sums, encode.told(sentences), strict=True)
    ):
        odds = cheap + read
        moment = not certain[at] and _REQUEST.search(plain(sentences[at]))
        moment = (
            moment or _WANTS_TO_KNOW.match(sentences[at]) or _THIS_SESSION.search(sentences[at])
        )
        if odds >= least and not moment and not retracts(sentences[at]):
            of_kind = dict(zip(KINDS, kinds, strict=True))
            kind = max(KINDS, key=lambda one: of_kind[one])
            asks = kind in _RULES and of_kind[kind] - of_kind["fact"] >= RATHER
            found.append(Lasting(at, odds, kind, states, asks))
    return found


def _typed(sentence: str, encode: "Encode") -> Typed:
    return Typed(sentence, encode.manner, lambda: _states(sentence, encode))


def _states(sentence: str, encode: "Encode") -> float:
    return encode.told([spelled(sentence)])[0][-1]


def refers_only(sentence: str) -> bool:
    """Return whether a sentence says nothing without what was said or done before it."""
    return bool(_REFERS_ONLY.match(sentence.strip()))


@cache
def regression() -> dict[str, float]:
    """The weights of the features, by their names."""
    with open(FITTED, encoding="utf-8") as file:
        lines = (line.rstrip("\n").split("\t") for line in file)
        return {feature: float(value) for feature, value in lines}


def worded(named: "dict[str, float]") -> float:
    """Return the log odds that the features of a sentence add."""
    weights = regression()
    return sum(weights.get(name, 0.0) * value for name, value in named.items())


def _asked(sentence: str) -> str:
    """Return what a sentence explicitly asks to remember, without the request; empty if nothing."""
    asked = _KEEP.match(sentence)
    text = " ".join(_TAIL.sub("", sentence[asked.end() :]).split()) if asked else ""
    if not asked and (behind := _KEEP_THAT.search(sentence)):
        text = plain(sentence[: behind.start()])
    if asked and _POLITELY.search(asked[0]):
        text = text.rstrip("? ")
    whole = len(text.split()) >= _FEWEST_ASKED or not text.isascii()
    fits = whole and len(text) <= _LONGEST and not text.endswith("?")
    return text if fits and not _LOST.search(text) else ""


def _committed(sentence: str) -> str:
    """Return a request to commit that gives the reason of the change; empty if it is none."""
    text = plain(sentence)
    if not _COMMITS.search(text) or CLASSES["this moment"].search(text):
        return ""
    return text if len(text) <= _LONGEST and reasons(text, "") else ""


def _halves_together(sentences: "list[str]") -> list[str]:
    """Return sentences with both halves of a correction as one."""
    if len(sentences) > 1 and _CORRECTS_HALF.match(sentences[0]) and _NOT_OTHER.match(sentences[1]):
        first, second, *others = sentences
        return [f"{first.rstrip('.!')}, {second}", *others]
    return sentences


def _decided(sentence: str) -> str:
    """Return a decision for something by its name; empty if it is none, or for the moment."""
    text = plain(sentence)
    moment = CLASSES["this moment"].search(text) or len(text) > _LONGEST
    return text if _DECIDES.match(sentence) and not moment else ""


def _worded(text: str) -> str:
    """The kind of what was asked to be remembered, by its wording, as no vector is needed for it."""
    named = features([text], 0, text)
    rule = CLASSES["every"].search(text) or CLASSES["must"].search(text)
    return "requirement" if rule and "=past" not in named else "fact"


def _standing_alone(sentences: "Sequence[str]", at: int) -> str:
    """Return a sentence as a memory that is understood alone; empty if that is not possible.

    One that leans on what was named before is kept with the sentence before it, if that states something.
    """
    text = plain(sentences[at])
    before = plain(sentences[at - 1]) if at else ""
    leans = _LEANS.search(text)
    # "Should you not ask before that? Please do so" takes it from the question, and what stands behind a
    # semicolon from before that.
    stands = before.endswith(";") or (before.endswith("?") and "do so" in text.lower())
    if leans and not stands and (not before or before.endswith("?") or _LEANS.search(before)):
        if len(text.split()) < _FEWEST_WITHOUT:
            return ""
    elif leans or (before and _leans_back(text, before)):
        text = f"{before[0].upper()}{before[1:]}{'' if before[-1] in '.!:?;' else '.'} {text}"
    # "In all my projects: answer briefly" says enough as a whole.
    if len(text.split()) < _FEWEST_WORDS and _FOR_ALL.match(sentences[at]):
        text = " ".join(sentences[at].split())
    short = len(text.split()) < _FEWEST_WORDS
    short = short or bool(_OPTION.match(text))
    if short or len(text) > _LONGEST or _LINK.search(text):
        return ""
    if refers_only(sentences[at]) or refers_only(plain(sentences[at])):
        return ""
    return "" if text.count('"') % 2 or (not text[0].isalnum() and text[0] not in "`\"'(") else text


def _leans_back(text: str, before: str) -> bool:
    """Return whether the end of a sentence, or all of it, is about what is said before it."""
    asks = before.endswith("?")
    if _RULES_OUT.match(text):
        few = len(before.split()) <= _FEWEST_OF_QUESTION
        return few if asks else not (_ORDER.match(before) or _REQUEST.match(before))
    return bool(_REFERS.search(text)) and not asks


def holds_everywhere(text: str, prompt: str) -> bool:
    """Return whether the sentence of a prompt that states a text says that it is for all projects."""
    said = text.rstrip(".").casefold()
    listed = (text for text, _ in listed_rules(prompt))
    own = (one for one in (*typed_sentences(prompt), *listed) if said in one.casefold())
    return any(_EVERYWHERE.search(one) for one in own)


def plain(sentence: str) -> str:
    """A sentence without the words that only lead to it."""
    text = _LEAD.sub("", sentence.strip())
    # "That was it" says something, "that the port is 80" is led to.
    text = text if _THAT_IS.match(text) else text.removeprefix("that ")
    return " ".join(_TAIL.sub("", text).split())
