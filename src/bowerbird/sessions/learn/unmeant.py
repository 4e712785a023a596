"""Which sentences of a prompt cancel what they state: a jest, another project, this time, hearsay. Pure.

In English, German, French, Spanish, Italian, Portuguese and Dutch.
"""

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

# Not "not kidding", "no joke", "kein Scherz", "not only for this one".
_NOT = (
    "".join(
        rf"(?<!\b{one} )"
        for one in "not kein keine ohne nicht pas ne sans geen niet no non sin não sem".split()
    )
    + "(?<!n't )"
)
_JEST = (
    r"lol|rofl|lmao"
    r"|(?:just|only) kidding|kidding(?=[\s.!,;:)]*$)|jk|j/k|i(?:'?m| am|was) (?:\w+ )?(?:kidding|joking)"
    r"|(?<=\w\s)(?:ha){2,}h?(?=\s*,\s*(?:what an?|wow|omg|i|that|this)\b)|haha,? (?:no|anyway|ok)"
    r"|(?:(?:h[aei]){2,}h?|(?:ja){3,}|k{4,}|mdr|ptdr)(?=\W*$)"
    r"|no,? wait(?=\s*[,.!;:–—-]|$)|said (?:nobody|no one) ever"
    r"|(?:kleiner|nur ein|nur) (?:scherz|spaß|spass)"
    r"|(?<![\w-] )(?:scherz|spaß|spass)(?=\s*[.!,;:)]|$)|(?:nee|nein|ach),? quatsch"
    r"|je (?:rigole|plaisante|déconne)|c'est une blague|(?:es )?(?:una |pura )?broma"
    r"|(?:sto )?scherz(?:o|ando|avo)"
    r"|grapje|geintje|(?:é )?brincadeira|brincando"
)
_ELSEWHERE = (
    r"(?:nothing|not anything) to do with (?:this|our|us|here|what)|no bearing on (?:this|our|us)"
    r"|(?:doesn't|doesnt|does not|don't|do not) (?:concern|apply to|hold for|count for) (?:us|ours|this"
    r"|here)"
    r"|for an?(?:other| different) (?:repo|project|client|team|company)"
    r"|(?:at|in|for|that['’]?s|which is) (?:my|our|the) (?:other|old|former|last|previous|side) "
    r"(?:repo|project|client|team|company|job|employer)"
    r"|not how (?:it is|we do it|it's done) here"
    r"|gilt (?:hier )?nicht (?:für uns|hier)|(?:nichts mit|betrifft nicht) (?:uns|unser\w*|diese\w)"
    r"|für ein anderes (?:projekt|repo)|rien à voir avec (?:nous|notre|ce|le nôtre)"
    r"|pour un autre (?:projet|client|dépôt)|nada que ver con (?:el nuestro|est\w|nosotros)"
    r"|para otro (?:proyecto|cliente)|niente a che (?:fare|vedere) con (?:noi|il nostro|quest\w)"
    r"|per un altro (?:progetto|cliente)|nada a ver com (?:o nosso|a gente|est\w)|para outro projeto"
    r"|geldt niet voor ons|niets te maken met (?:ons|deze|dit)|voor een ander project"
)
_ONCE = (
    r"(?:only|just) (?:for )?(?:this|the) (?:one )?(?:time|once|session|branch|pr|commit|review|demo|run)"
    r"|(?:only|just) this once|for this (?:one )?(?:time|once|session|screenshot|demo|review)"
    r"|in this (?:snippet|gist|screenshot|example)\b"
    r"|(?:answer|reply to|do|write) this one\b"
    r"|for this one(?= (?:only|time)|[,.:;]|$)|ausnahmsweise|nur (?:dieses (?:eine )?mal|für diese\w?)"
    r"|(?:juste |seulement )?pour cette fois|por esta vez|(?:solo|sólo) (?:por hoy|esta vez)"
    r"|solo per (?:oggi|questa volta|stavolta)|per (?:questa volta|stavolta)"
    r"|voor deze (?:ene )?keer|alleen (?:deze|dit) keer|só (?:desta|dessa|por esta) vez|só por hoje"
    r"|for the next (?:\w+ )?(?:hours?|min(?:ute)?s?)|until (?:noon|tonight|tomorrow|i(?:'m)? \w+)"
    r"|bis (?:mittag|heute abend|morgen)|jusqu'à (?:midi|ce soir|demain)"
    r"|hasta (?:mañana|mediodía|la noche)"
    r"|fino a (?:domani|stasera|mezzogiorno)|até (?:amanhã|meio-dia)|tot (?:morgen|vanavond)"
    r"|(?:in|for) this (?:snippet|example|answer|gist|one-liner|exercise|kata|script)"
    r"|(?:today|tonight|this (?:morning|afternoon|evening)),? (?:i (?:want|need|like|prefer)|i['’]d like)"
    r"|(?:heute|heut) (?:will|möchte|hätte|brauche?) ich|aujourd['’]hui,? je (?:veux|voudrais)"
    r"|hoy (?:quiero|necesito)|oggi (?:voglio|vorrei)|hoje (?:eu )?quero|vandaag wil ik"
    # Only a plan is wanted.
    r"|(?:tell|show) me (?:first )?what you(?:'d| would)|what you would do|noch (?:keinen code|nichts)"
    r"|was du (?:tun|machen) würdest|ce que tu ferais|lo que harías|cosa faresti|wat je zou doen"
    r"|o que você faria"
)
# Whether it is true is open.
_DOUBTED = (
    r"(?:mal|wir werden) sehen,? ob|(?:let's|we'll|will) see (?:if|whether) (?:that|it|this)\b"
    r"|not sure (?:if|whether) (?:that|it|this)(?:['’]?s| is) (?:true|right|so|correct)"
    r"|keine ahnung,? ob (?:das|es) stimmt|on verra si|veremos si|vediamo se|vamos ver se"
)
# What others say.
_MEDIA = (
    r"(?:tweet|blog\w*|article|artikel|artículo|articolo|artigo|podcast|forum|foro|linkedin|reddit)"
)
_OTHERS = (
    rf"(?:in|on|im|sur|en|su|op|em) (?:an? |einem |un |uno |een |um |some )?(?:{_MEDIA}|stack ?overflow)"
    rf"|(?:an?|some|this|ein|un|een|um) {_MEDIA} (?:\w+ ){{0,3}}"
    r"(?:says?|said|claims?|sagt|dit|dice|zegt|diz)"
    # Not what a person with a name says.
    r"|(?:an?|some|one|ein|eine|un|une|una|um|uma|een) (?:\w+ )?(?:colleague|coworker|friend|guy|dude"
    r"|person|kolleg\w+|freund\w*|typ|coll[eè]gue|ami|amie|colega|amigo|amiga|collega|amico|amica|vriend)"
    r"(?: (?:from|of|at|in|on|aus|von|de|da|di|van) [\w' -]{2,30}?)?"
    r" (?:says?|said|claims?|claimed|told me|thinks?|meint\w*|sagt\w*|dit|dice|dijo|ha detto"
    r"|zegt|zei|diz|disse)"
)
_CANCELS = re.compile(
    rf"{_NOT}\b(?:{_JEST}|{_ELSEWHERE}|{_ONCE}|{_DOUBTED}|{_OTHERS})\b", re.IGNORECASE
)
# A reproach says how the agent is, and not how it is to be.
_REPROACHES = re.compile(
    r"(?:always|never|again|every time|immer|toujours|siempre|sempre)\s(?:\w+\s){0,3}?"
    r"(?:with|mit|avec|con) (?:you|dir|toi|vous|ti|tigo|te)\W*$"
    r"|^(?:why do |warum )?(?:you|du|tu)\s(?:\w+\s)?"
    r"(?:always|never|keep|again|immer|nie|toujours|siempre)\s"
    r"(?:\w+ing\b|forget|miss|ignor|break|listen|mess|screw|do (?:this|that|it)\W*$|get \w+ wrong)",
    re.IGNORECASE,
)
# What is said of the agent's work, in praise.
_PRAISES = re.compile(
    r"^(?:you|du|tu)\s(?:always|never|immer|nie|toujours|siempre|sempre)\s(?:\w+\s){1,2}?(?:(?:such|so|an?)\s)?"
    r"(?:a\s)?(?:\w+ly\s)?(?:good|great|nice|perfect|brilliant|wonderful|amazing|excellent|well|best|right)\b"
    r"|^(?:you|du|tu)\s(?:always|never)\s(?:amaze|surprise|impress|disappoint|let me down)\w*",
    re.IGNORECASE,
)
# Whether it is to be so is weighed: "I'm not sure if we should always use …", "suppose we never cached".
_WEIGHS = re.compile(
    r"^(?:(?:hm+|ok(?:ay)?|so|and|but|und|aber|also)\W+)*"
    r"(?:i(?:['’]?m| am) (?:still )?(?:not|un)\s?sure (?:if|whether)"
    r"|i (?:wonder|doubt|don['’]?t know|keep wondering) (?:if|whether)|(?:let['’]?s )?suppose\b|what if\b"
    r"|ich (?:überlege|frage mich|bezweifle|zweifle|bin (?:mir )?(?:nicht|un)\s?sicher)\b|angenommen\b"
    r"|was wäre,? wenn\b|je (?:me demande|doute)|je ne (?:sais pas|suis pas sûre?) si|supposons\b|et si\b"
    r"|no (?:sé|estoy seguro de|estoy segura de) si|me pregunto si|supongamos|non so se|mi chiedo se"
    r"|supponiamo|não sei se|me pergunto se|suponha\w*|ik (?:twijfel|vraag me af|weet niet)\b|stel dat)",
    re.IGNORECASE,
)
# "Not only for this one: …" widens what it stands in.
_NOT_ONLY = re.compile(
    r"\b(?:not|nicht|pas|no|niet|non|não) (?:only|just|nur|que|seulement|solo|alleen|só)\b",
    re.IGNORECASE,
)
# With so few other words a sentence cancels the one before it, and so it does if it begins with that.
_FEW = 5
_LED = 2


def unmeant(sentences: "Sequence[str]") -> frozenset[int]:
    """Return the positions of the sentences of a prompt that are not to last by their own words."""
    found: set[int] = set()
    for at, sentence in enumerate(sentences):
        if any(one.search(sentence) for one in (_REPROACHES, _PRAISES, _WEIGHS)):
            found.add(at)
        cancels = None if _NOT_ONLY.search(sentence) else _CANCELS.search(sentence)
        if cancels is None:
            continue
        led = len(sentence[: cancels.start()].split())
        more = len(sentence[cancels.end() :].split())
        begins = led <= _LED and bool(_ENDS_CLAUSE.match(sentence, cancels.end()))
        if led + more <= _FEW or begins:
            found.add(at - 1)
        if not begins or more <= _FEW:
            found.add(at)
    return frozenset(found - {-1})


# What is said at a sentence's begin is of the sentence before it if a clause ends there.
_ENDS_CLAUSE = re.compile(r"\s*(?:[,;.!)–—-]|$)")
