"""The small words that decide whether two texts can say the same, in a handful of languages.

Folded, as `core.normal.tokens` gives them: without case and accents.
"""

# Left out when two texts are held against each other.
FILLERS = frozenset(
    "the an please also just der die das dem den ein eine le la les un une el los las o os".split()
)

# Turn a statement round.
NEGATIONS = frozenset(
    "not no never none nobody nothing neither nor cannot without"
    " nicht kein keine keinen keinem keiner nie niemals niemand ohne"
    " ne pas jamais aucun aucune sans nunca nadie nada ningun sin nao nenhum sem"
    " inte ej ikke ei nem nu tidak bukan jangan khong chua لا ليس لم לא नहीं मत δεν μην"
    " non mai senza nie bez не нет никогда без niet geen nooit degil asla yok".split()
)
# Between characters of scripts without spaces.
NEGATING_SIGNS = (
    "不",
    "没",
    "沒",
    "未",
    "无",
    "無",
    "勿",
    "别",
    "別",
    "非",
    "ない",
    "ません",
    "ずに",
    "안",
    "않",
    "없",
    "ไม่",
)

# Narrow a statement, or take it back: what holds with them may not hold without.
LIMITS = frozenset(
    "? avoid less least maybe perhaps unclear unsure doubtful allegedly"
    " only except unless but however although though instead rather until longer anymore if"
    " myth wrong false untrue incorrect forbidden prohibited disallowed banned denied discouraged"
    " hardly rarely seldom barely almost supposedly formerly previously obsolete deprecated"
    " fail fails failed failing broken breaks unsupported impossible stopped dropped removed disabled"
    " moved switched replaced changed used was were"
    " nur ausser aber jedoch statt verboten falsch selten fruher"
    " seulement sauf mais interdit faux rarement"
    " solo salvo excepto pero prohibido falso apenas somente exceto mas proibido"
    " только кроме но запрещено ложь".split()
)

# Open a part of a sentence that may stand before the rest or behind it.
OPENERS = frozenset(
    "before after when if while until without with within since because at on in into during by for"
    " from to as once always every unless despite due under per via"
    " vor nach wenn wahrend bis ohne mit seit weil bei in im immer fur jeden jede"
    " avant apres quand si pendant sans avec depuis chez en toujours"
    " antes despues cuando mientras sin con desde siempre cada quando depois sem com sempre".split()
)
# Open a part that goes on telling, instead of narrowing what was told. “Or” does not: who was told
# “on Tuesday or Thursday” was not told “on Tuesday”.
CONTINUERS = frozenset(
    "because and since so which where as then und weil et car puis y porque e и потому".split()
)

# Different words for the same in that place.
SAME_WORD = {"if": "when", "whenever": "when", "all": "every"}

# What can have one value at a time stands before it.
SINGLE_VALUED = frozenset(
    "is are was were be runs run lives live works happens happen starts start ends lasts last listens"
    " expires expire kept keeps keep capped limited stored hashed written called named based sorted"
    " hosted chose chosen go goes out returns ist sind lauft est sont es son"
    " работает живет".split()
)
# Somebody was with one and is with another: what follows `from` is left.
MOVES = frozenset("moved switched migrated changed converted went".split())
LEAVES = frozenset("dropped abandoned retired removed ditched replaced".split())
USES = frozenset("use uses using run runs".split())
# Somewhere one can be at one place at a time.
STAYS = frozenset({("lives", "in"), ("works", "in"), ("based", "in"), ("works", "at")})
# Where two people cannot both be the one who does it.
ONE_HOLDER = frozenset("owns leads maintains runs heads besitzt leitet".split())

# What a number counts or measures in: where two numbers differ, these may as well.
UNITS = frozenset(
    "ms s second seconds min minute minutes h hour hours day days week weeks month months year years"
    " b byte bytes kb mb gb tb kib mib gib percent % px am pm times requests"
    " sekunden minuten stunden tag tage tagen wochen monate monaten jahre jahren".split()
)

OPPOSITES = {
    left: right
    for pair in (
        "enabled disabled", "enable disable", "public private", "mandatory optional", "allow deny",
        "allows denies", "allowed forbidden", "ascending descending", "open closed", "safe unsafe",
        "short long", "like dislike", "likes dislikes", "left-handed right-handed", "on off",
        "always never", "synchronously asynchronously", "sync async", "stable unstable",
        "maintained unmaintained", "required optional", "supported unsupported", "true false",
        "automatic manual", "automatically manually", "everybody nobody", "everyone nobody",
        "dark light", "before after", "first last", "increase decrease", "minimum maximum",
        "up down", "ascii unicode", "vegetarian carnivorous", "possible impossible", "fast slow",
        "tabs spaces", "single double",
    )
    for left, right in (pair.split(), pair.split()[::-1])
}  # fmt: skip
