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
# “on Tuesday or Thursday” was not told “on Tuesday”; “as root” and “which is on D:” narrow.
CONTINUERS = frozenset("because and since so then und weil et car puis y porque e и потому".split())
# Of the openers, those that add something where they stand behind a pause: “…, with a lockfile”.
COMPANIONS = frozenset("with mit avec con com".split())

# Different words for the same in that place.
SAME_WORD = {"if": "when", "whenever": "when", "all": "every"}

# Say when without saying what: what holds “now” is held against what held before.
TIMELESS = frozenset(
    "now currently today nowadays still already meanwhile jetzt nun inzwischen mittlerweile aktuell"
    " derzeit maintenant actuellement ahora actualmente".split()
)
# Say that something is done or asked of one, without saying what.
AUXILIARIES = frozenset(
    "do does did always every each be any anyone anybody everyone everybody can may must should shall"
    " will immer jeder jede jedes alle jemand muss mussen musst soll sollen sollte darf durfen kann"
    " konnen wird werden doit doivent peut peuvent toujours chaque debe deben puede pueden".split()
)
# Followed by “to”, or by “not”, they oblige.
OBLIGES = frozenset("have has had need needs needed".split())
PERMITS = frozenset("may can darf durfen kann konnen peut puede".split())
# Who is told, where a text says so at all.
PRONOUNS = frozenset("i we you our my ich wir du ihr unser unsere nous je nosotros yo".split())

# What can have one value at a time stands before it.
SINGLE_VALUED = frozenset(
    "is are was were be runs run lives live works happens happen starts start ends end lasts last"
    " listens expires expire kept keeps keep capped limited stored hosted written called named based"
    " sorted begins begin opens closes costs weighs located deployed scheduled due"
    " chose chosen go goes out returns ist sind lauft laufen est sont es son esta"
    " steht liegt wohnt lebt arbeitet heisst endet beginnt startet dauert kostet gilt"
    " habite vit travaille termine commence dure coute vive trabaja empieza cuesta"
    " работает живет".split()
)
# Of these, those that also say what somebody does to many things: “we run the tests”.
TRANSITIVE = frozenset("run start keep end begin".split())
# Somebody was with one and is with another: what follows `from` is left.
MOVES = frozenset(
    "moved switched migrated changed converted went relocated transferred transitioned"
    " umgestiegen gewechselt umgezogen gezogen migriert passe passes passee migre".split()
)
# A visit is no move.
VISITS = frozenset({"went"})
LEAVES = frozenset("dropped abandoned retired removed ditched replaced".split())
FROM = frozenset("from von vom de".split())
TOWARDS = frozenset("to auf zu nach a vers".split())
PERFECT = frozenset("has have had is are been ist sind hat haben a ont sommes est sont".split())
USES = frozenset(
    "use uses using run runs chose picked benutzen benutzt verwenden verwendet nutzen nutzt utilise"
    " utilisons utilisent usa usamos utilizamos".split()
)
# Before a place, a day or a means.
PLACES = frozenset("in at on im am um bei auf en au sur por".split())
# Where two people cannot both be the one who does it.
ONE_HOLDER = frozenset("owns leads maintains runs heads besitzt leitet".split())

# What a number counts or measures in: where two numbers differ, these may as well.
UNITS = frozenset(
    "ms s second seconds min minute minutes h hour hours day days week weeks month months year years"
    " b byte bytes kb mb gb tb kib mib gib percent % px am pm times requests"
    " sekunden minuten stunden tag tage tagen wochen monate monaten jahre jahren".split()
)

# As good as figures.
NUMBER_WORDS = frozenset(
    "one two three four five six seven eight nine ten eleven twelve fifteen twenty thirty hundred"
    " zwei drei vier funf sechs sieben acht neun zehn elf zwolf zwanzig dreissig hundert"
    " deux trois quatre cinq sept huit neuf dix dos tres cuatro cinco seis siete ocho diez".split()
)
# Words of which one excludes the others in the same place, by what they tell.
_CALENDAR = {
    "day": "monday tuesday wednesday thursday friday saturday sunday"
    " montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag"
    " lundi mardi mercredi jeudi vendredi samedi dimanche"
    " lunes martes miercoles jueves viernes sabado domingo",
    "month": "january february march april may june july august september october november december"
    " januar februar marz mai juni juli oktober dezember"
    " janvier fevrier mars avril juin juillet aout septembre octobre novembre decembre"
    " enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "season": "spring summer autumn winter fruhling sommer herbst printemps automne verano otono",
    "interval": "hourly daily nightly weekly fortnightly monthly quarterly yearly annually"
    " stundlich taglich nachtlich wochentlich monatlich jahrlich"
    " mensuellement annuellement diariamente mensualmente",
}
CALENDAR = {word: kind for kind, names in _CALENDAR.items() for word in names.split()}
# What was done once may be done again on another day.
PAST = frozenset(
    "met saw bought had went came took made got gave sent said told ate drank flew drove paid sold"
    " found lost ran wrote read did was were".split()
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
        "tabs spaces", "single double", "concurrently sequentially", "remotely onsite",
        "together alone",
    )
    for left, right in (pair.split(), pair.split()[::-1])
}  # fmt: skip
# Ways of doing something that are said in several words, as the one word that OPPOSITES knows.
MANNERS = {
    tuple(said.split()): word
    for word, ways in {
        "manually": "by hand",
        "automatically": "by itself, by themselves, on its own, on their own",
        "concurrently": "in parallel, at same time, simultaneously",
        "sequentially": "one after other, one by one, one at a time, in sequence, serially",
        "remotely": "from home, from afar",
        "onsite": "on site, on-site, in office, at office",
    }.items()
    for said in ways.split(", ")
}
# Say a bound: “after five” and “before ten” leave room for each other.
BOUNDS = frozenset({"before", "after"})
# Before what is used, where no verb says that it is: “we deploy with npm”, “tickets live in Jira”.
MEANS = frozenset("with via on in to using mit".split())
# Say that it was so once.
ONCE = frozenset("used formerly previously once until originally fruher bis".split())

# Of texts that say that something was replaced: by what a clause is told to tell of that.
# What begins another part of a sentence: what was, and what is instead.
CONTRASTS = frozenset("but sondern mais sino pero aber".split())
FUNCTION_WORDS = (
    FILLERS | NEGATIONS | OPENERS | PLACES | PRONOUNS | PERFECT | AUXILIARIES | TIMELESS
) | frozenset(
    "was were is are am be been being it its they them he she his her their this that these those of"
    " a an some there here and or than more plus mas mehr no not n't longer any anymore again"
    " es sie er sich wurde wurden worden war waren sein ihr il elle ils elles se sa son ses cette ce"
    " ete fue fueron ser se su sus lo una unos unas del al du des d l nous vous as do did used over"
    " now then so too only".split()
)
# It is not so yet, or not known.
HYPOTHETICAL = frozenset(
    "? might would should could will if whether maybe perhaps planned want wants consider"
    " considering soon propose never konnte sollte vielleicht wird peut-etre quiza quizas si ob falls"
    " wenn".split()
)
# Behind them stands what was left.
INSTEAD_OF = (
    ("instead", "of"), ("rather", "than"), ("in", "place", "of"), ("took", "over", "from"),
    ("takes", "over", "from"), ("statt",), ("anstatt",), ("anstelle", "von"), ("au", "lieu", "de"),
    ("a", "la", "place", "de"), ("en", "lugar", "de"), ("en", "vez", "de"),
)  # fmt: skip
# In a clause that tells of what is no more.
NO_LONGER = (
    ("no", "longer"), ("any", "more"), ("anymore",), ("any", "longer"), ("used", "to"), ("stopped",),
    ("ceased",), ("gone",), ("gave", "up"), ("given", "up"), ("previously",), ("formerly",),
    ("until", "recently"), ("nicht", "mehr"), ("bisher",), ("auparavant",), ("ya", "no"), ("dejo", "de"),
)  # fmt: skip
# The same in two words, with what is over between them.
SPLIT_NEGATIONS = (
    ("ne", "plus"),
    ("kein", "mehr"),
    ("keinen", "mehr"),
    ("keine", "mehr"),
    ("no", "mas"),
)
COMPARATIVES = frozenset("than als que".split())
# Verbs of change, by how they begin: what stands behind “from” is left.
CHANGE_STEMS = (
    "mov", "switch", "migrat", "chang", "renam", "convert", "rais", "lower", "increas", "reduc",
    "relocat", "transfer", "transition", "upgrad", "shift", "replac", "rewritten", "ported", "extended",
    "umgezogen", "gezogen", "gewechselt", "umgestiegen", "umbenannt", "verlegt", "verschoben", "erhoht",
    "gesenkt", "umgestellt", "passe", "demenag", "migre", "renomm", "cambi", "paso", "pasa", "mud",
    "traslad", "renombr",
)  # fmt: skip
SOURCE_PREPOSITIONS = frozenset("from von vom de du desde".split())
GOAL_PREPOSITIONS = frozenset("to auf zu nach zum a vers au en".split())
# Verbs that leave their object, by how they begin.
REPLACE_STEMS = (
    "replac", "drop", "abandon", "retir", "ditch", "discontinu", "ersetzt", "abgelost", "abgeschafft",
    "remplac", "reemplaz", "sustitu", "supplant", "supersed",
)  # fmt: skip
BE_OR_GET = frozenset(
    "is are was were been being be got wurde wurden worden ete fue fueron sido".split()
)
AGENT_PREPOSITIONS = frozenset(
    "with by for in on as because since and durch par por pour para con avec from".split()
)
# Say from when on something is so, with or without a time behind.
SINCE = frozenset("since seit depuis desde".split())
FROM_NOW_ON = (
    ("from", "now", "on"), ("as", "of"), ("starting",), ("ab", "sofort"), ("now",), ("nowadays",),
    ("again",), ("jetzt",), ("nun",), ("neuerdings",), ("mittlerweile",), ("desormais",), ("maintenant",),
    ("ahora",), ("a", "partir", "de"), ("wieder",),
)  # fmt: skip
# Before what is used, or where something is.
BEFORE_VALUE = MEANS | PLACES | USES | {"is", "are", "by"}
# Beside them both hold.
ADDITIVES = frozenset(
    "also too additionally another auch zusatzlich aussi egalement tambien".split()
)
# A small verb or a pronoun behind the name, in languages that put it there.
VERB_FIRST = frozenset({"ist", "we", "wir", "nous"})
# What ends the name of what was left: “from Jenkins to …”, “REST for …”.
NAME_ENDS = frozenset("to with by for in on because since and so as auf zu nach vers".split())
BEFORE_USED = MEANS | USES
PRESENT_OR_PAST_BE = frozenset("is are was were be been gets get".split())
# “Removed from the menu” leaves the rest as it is.
REMOVED_FROM = frozenset({("from",), ("in",), ("on",)})
STOPPED = frozenset("no longer stopped".split())
