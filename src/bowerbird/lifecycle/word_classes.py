"""Closed word classes with which texts are compared, in a handful of languages.

Folded, as `core.normal.tokens` returns them: without case and accents.
"""

from bowerbird.core.calendar import MONTHS, WEEKDAYS

# Ignored in comparisons.
FILLERS = frozenset(
    "the an please also just der die das dem den ein eine le la les un une el los las o os".split()
)

# Negations in scripts without spaces, which may stand between any characters.
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

# Restrict a statement to a case: it and the unrestricted one hold together.
RESTRICTS = frozenset(
    "only except unless until if nur ausser seulement sauf solo salvo excepto apenas somente exceto"
    " только кроме".split()
)
# Of these, the ones that open an exception.
EXCEPTING = frozenset("except excepting ausser sauf salvo excepto exceto tranne behalve".split())
# Restrict, weaken or revoke a statement: it may hold with them and not without.
LIMITS = RESTRICTS | frozenset(
    "? avoid less least maybe perhaps unclear unsure doubtful allegedly"
    " but however although though instead rather longer anymore"
    " myth wrong false untrue incorrect forbidden prohibited disallowed banned denied discouraged"
    " hardly rarely seldom barely almost supposedly formerly previously obsolete deprecated"
    " fail fails failed failing broken breaks unsupported impossible stopped dropped removed disabled"
    " moved switched replaced changed used was were"
    " aber jedoch statt verboten falsch selten fruher"
    " mais interdit faux rarement"
    " pero prohibido falso mas proibido"
    " но запрещено ложь".split()
)

# Open a phrase that may precede or follow the rest of a sentence.
OPENERS = frozenset(
    "before after when if while until without with within since because at on in into during by for"
    " from to as once always every unless despite due under per via"
    " vor nach wenn wahrend bis ohne mit seit weil bei in im immer fur jeden jede"
    " avant apres quand si pendant sans avec depuis chez en toujours"
    " antes despues cuando mientras sin con desde siempre cada quando depois sem com sempre".split()
)
# Open a further statement rather than a restriction. “Or” does not: “on Tuesday or Thursday” does not
# state “on Tuesday”; “as root” and “which is on D:” restrict.
CONTINUERS = frozenset("because and since so then und weil et car puis y porque e и потому".split())
# Openers that add a statement after punctuation: “…, with a lockfile”.
COMPANIONS = frozenset("with mit avec con com".split())

# Synonyms, by the word that replaces them in comparisons.
SAME_WORD = {"if": "when", "whenever": "when", "all": "every"}

# Refer to the present, and are ignored: “now” compares with statements made earlier.
TIMELESS = frozenset(
    "now currently today nowadays still already again meanwhile jetzt nun inzwischen mittlerweile aktuell"
    " derzeit heute maintenant actuellement aujourdhui ahora actualmente hoy adesso attualmente oggi"
    " momenteel vandaag agora hoje".split()
)
# Auxiliary and modal verbs and quantifiers, which name no subject.
AUXILIARIES = frozenset(
    "do does did always every each be any anyone anybody everyone everybody can may must should shall"
    " will immer jeder jede jedes alle jemand muss mussen musst soll sollen sollte darf durfen kann"
    " konnen wird werden doit doivent peut peuvent toujours chaque debe deben puede pueden".split()
)
# Express an obligation when followed by “to”, or “need” by “not”.
OBLIGES = frozenset("have has had need needs needed".split())
PERMITS = frozenset("may can darf durfen kann konnen peut puede".split())
# Pronouns of the first and second person.
PRONOUNS = frozenset(
    "i we you our my ich wir du ihr unser unsere nous je nosotros yo wij noi".split()
)

# Verbs whose subject has one value at a time, which follows them.
SINGLE_VALUED = frozenset(
    "is are was were be runs run lives live works happens happen starts start ends end lasts last"
    " listens expires expire kept keeps keep capped limited stored hosted written called named based"
    " sorted begins begin opens closes costs weighs located deployed scheduled due"
    " chose chosen go goes out returns ist sind lauft laufen est sont es son esta"
    " steht liegt wohnt lebt arbeitet heisst endet beginnt startet dauert kostet gilt"
    " habite vit travaille termine commence dure coute vive trabaja empieza cuesta"
    " работает живет".split()
)
# Of these, the ones that may take several objects: “we run the tests”.
TRANSITIVE = frozenset("run start keep end begin".split())
PERFECT = frozenset(
    "has have had ha han been is are ist sind hat haben a ont sommes est sont".split()
)
USES = frozenset(
    "use uses using run runs chose picked benutzen benutzt verwenden verwendet nutzen nutzt utilise"
    " utilisons utilisent usa usamos utilizamos".split()
)
# Verbs that only connect a subject with its value, and words that hold a value's place.
CONNECTS = frozenset(
    "use uses used using run runs running ran live lives lived living sit sits lie lies stand"
    " stands store stored stores keep keeps kept host hosts hosted hosting base based locate located"
    " listen listens listening serve served serves write written handle handled handles send sent"
    " sends go goes gone going take takes need needs require requires set sets power powered powers"
    " call called build built builds hold holds held happen happens meet meets come comes came get"
    " gets got valid available current effective effect immediately new newly version value carry"
    " carries track tracks tracked see sees put puts do hosten hostet gehostet laufen lauft liegt"
    " liegen wohnt wohnen steht stehen nutzen nutzt verwenden verwendet trifft treffen heisst gilt"
    " gultig neue neuer neues heberge hebergee trouve habite utilise utilisons appelle usa usamos"
    " utilizamos vive esta llama aloja".split()
)
# Verbs of change in forms that often mean something else.
SHIFTS = frozenset("moved went rose fell bumped swapped out up down over turned stepped".split())
# Prepositions before a place, a day or a means.
PREPOSITIONS = frozenset("in at on im am um bei auf en au sur por".split())
# Verbs that only one person can be the subject of.
ONE_HOLDER = frozenset("owns leads maintains runs heads besitzt leitet".split())

# After “is the”: one thing at a time is it, “version 2.3 is the latest release”.
ONLY_ONE = frozenset(
    "latest newest current default only sole main primary official"
    " neueste aktuelle einzige offizielle".split()
)

# Units: values whose numbers differ may differ in these as well.
UNITS = frozenset(
    "ms s second seconds min minute minutes h hour hours day days week weeks month months year years"
    " b byte bytes kb mb gb tb kib mib gib percent % px am pm times requests"
    " sekunden minuten stunden tag tage tagen wochen monate monaten jahre jahren".split()
)

# Numbers written as words.
NUMBER_WORDS = frozenset(
    "one two three four five six seven eight nine ten eleven twelve fifteen twenty thirty hundred"
    " zwei drei vier funf sechs sieben acht neun zehn elf zwolf zwanzig dreissig hundert"
    " deux trois quatre cinq sept huit neuf dix dos tres cuatro cinco seis siete ocho diez".split()
)
# Words that exclude each other in the same position, with what they denote.
_CALENDAR = {
    "day": " ".join(WEEKDAYS),
    "month": " ".join(MONTHS),
    "season": "spring summer autumn winter fruhling sommer herbst printemps automne verano otono",
    "interval": "hourly daily nightly weekly fortnightly monthly quarterly yearly annually"
    " stundlich taglich nachtlich wochentlich monatlich jahrlich"
    " mensuellement annuellement diariamente mensualmente",
}
CALENDAR = {word: kind for kind, names in _CALENDAR.items() for word in names.split()}
# Past verbs: what they report may have happened on several days.
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
        "together alone", "hot cold", "british american", "inside outside", "include exclude",
        "includes excludes", "included excluded", "accept reject", "accepts rejects",
        "accepted rejected", "wet dry", "internal external", "upper lower",
        "uppercase lowercase", "relative absolute", "early late",
    )
    for left, right in (pair.split(), pair.split()[::-1])
}  # fmt: skip
# Phrases of manner, with the single word that OPPOSITES contains for each.
MANNERS = {
    tuple(phrase.split()): word
    for word, ways in {
        "manually": "by hand",
        "automatically": "by itself, by themselves, on its own, on their own",
        "concurrently": "in parallel, at same time, simultaneously",
        "sequentially": "one after other, one by one, one at a time, in sequence, serially",
        "remotely": "from home, from afar",
        "onsite": "on site, on-site, in office, at office",
    }.items()
    for phrase in ways.split(", ")
}
# Turn down what stands with them.
REJECTS = frozenset(
    "avoid avoids avoided avoiding against reject rejects rejected refuse refuses refused ban bans"
    " banned forbid forbids forbidden prohibit prohibited without refrain abandon abandons abandoned"
    " drop drops dropped stop stops stopped stopping ditched scrapped skip omit reversed revoked"
    " quit vermeide vermeiden gegen verboten ohne verzichten verzichte abgelehnt eviter evite evitez"
    " sans contre interdit refuse evitar evita sin contra prohibido rechazado".split()
)
# Say no more than that something is done, decided, wanted or allowed.
ADOPTS = frozenset(
    "use uses used using adopt adopts adopted choose chose chosen pick picked decide decided"
    " decides decision prefer prefers want wants allow allows allowed permit permitted require"
    " requires required need needs needed go going gave give given up do does did make makes made"
    " put try please always may must should will can shall free ok okay fine work works run runs"
    " keep keeps kept verwende verwenden nutze nutzen entschieden entscheidung erlaubt immer"
    " utiliser utilise utilisez utilisons decide toujours permis usar usa usamos decidido siempre"
    " permitido".split()
)
# Mark bounds, which hold together: “after five” and “before ten”.
BOUNDS = frozenset({"before", "after"})

# Function words of English, German, French, Spanish, Italian, Dutch, Portuguese and Polish.
SMALL = frozenset(
    "the a an of to in on at for by with from as and or but nor so than then that this these those"
    " there here it its he she they him his her their we us our you your i my me is are was were be"
    " been being am do does did done has have had having will would shall should can could may might"
    " must who whom which what where when while if because since until about into onto over under up"
    " down out off not no never nobody nothing none neither also too very just only all every each any"
    " some more most less both own same other another such s"
    " der die das dem den des ein eine einen einem einer eines und oder aber ist sind war waren wird"
    " werden wurde wurden sein hat haben hatte bei mit von vom zu zum zur im am auf aus fur nach vor"
    " uber unter um durch bis seit wir uns unser unsere unserem ich mein er sie es man nicht kein keine"
    " keinen nie nur noch auch schon sich dort da wenn als wie dass"
    " le la les l un une du de d et ou mais est sont etait ont ete etre avoir au aux en dans sur par"
    " pour avec sans chez ce c cet cette ces il elle on nous vous ils elles notre nos mon ma mes son sa"
    " ses que qui ne n pas plus se y tout tous toute"
    " el los las una unos unas o pero es era fue ha han ser estar esta estan del al con para sin su sus"
    " mi mis nuestro nuestra quien lo ya muy"
    " il lo gli uno della delle degli dello dei nel nella sul sulla dal dalla col che chi e sono era"
    " stato stata anche piu ci si suo sua loro mio mia nostro nostra"
    " het een van en of op te naar uit voor aan door is zijn was werd worden wordt heeft hebben niet"
    " geen ook nog wij ze hij zij er dat dit deze die ons onze mijn bij beim"
    " os um uma dos das do da no na nos nas ao aos pelo pela com nao sao foi ser estar tem seu sua"
    " nosso nossa meu minha mais ja"
    " i oraz w we z ze na do od po przy dla przez jest sa byl byla bylo nie sie to ten ta te juz tylko"
    " nasz nasza moj moja jego jej ich".split()
)
# By which something is said to be necessary: “doesn't need …”, “n'est plus nécessaire”.
NECESSITY = frozenset(
    "need needs needed require requires required necessary brauche brauchen braucht brauchst notig"
    " erforderlich besoin necessaire necessaires requis falta necesita necesitan necesario necesaria"
    " serve servono necessario necessaria nodig precisa precisam".split()
)
# Values of number words. Without “one” and “once”, which are mostly not meant as numbers.
NUMBERS = {
    word: str(number)
    for words in (
        (
            "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
            " sixteen seventeen eighteen nineteen twenty"
        ),
        "zwei drei vier funf sechs sieben acht neun zehn elf zwolf",
        "deux trois quatre cinq six sept huit neuf dix onze douze",
        "dos tres cuatro cinco seis siete ocho nueve diez",
    )
    for number, word in enumerate(words.split(), 2)
} | {"half": "0.5", "dozen": "12", "thirty": "30", "fifty": "50", "hundred": "100"}
# Phrases that announce by themselves that something ended or changed.
CHANGES = tuple(
    "no longer/any more/anymore/used to/instead/rather than/in favour of/in favor of/from now on"
    "/from here on/with immediate effect/thing of the past/until now/so far/previously/formerly/no more"
    "/takes over/took over/over to/in place of/took its place/these days/nowadays/as of/as from/given up"
    "/gave up/stopped/quit/away/since then/now/already/today/by now"
    "/nicht mehr/statt/anstatt/anstelle/nur noch/inzwischen/mittlerweile/ab sofort/neuerdings/bisher"
    "/ab jetzt/jetzt/nun"
    "/desormais/dorenavant/maintenant/au lieu/a la place/fini/depuis"
    "/ya no/ahora/en lugar/en vez/a partir/se acabo/por fin/desde/en adelante"
    "/any longer/is history/correction/update/forget/ignore/scratch that/not anymore/place of/way to"
    "/gets rid/got rid/decided against/for good/ever since/next up"
    "/kunftig/in zukunft/fortan/von nun an/bis auf weiteres/nicht langer/korrektur/an stelle/seitdem"
    "/a present/la place a/a l avenir/a compter/correction/plutot que/au profit"
    "/de momento/correccion/deja de/dejo de/en adelante"
    "/non piu/adesso/ora/d ora in poi/da ora/invece/al posto/a partire/ormai/basta"
    "/niet meer/niet langer/voortaan/tegenwoordig/in plaats/inmiddels/sinds/voorheen"
    "/ja nao/agora/em vez/no lugar/a partir de/desde/doravante/deixou de/deixamos"
    "/juz nie/teraz/zamiast/od teraz/odtad/obecnie/nie juz".split("/")
)
# Verbs of change, in the past tense or as participles.
CHANGED = frozenset(
    "moved switched migrated replaced swapped renamed relocated changed converted transferred"
    " shifted rescheduled upgraded downgraded bumped raised lowered increased reduced doubled halved"
    " extended shortened relaxed lifted scrapped abolished dropped abandoned ditched retired"
    " discontinued decommissioned deprecated removed phased sunset cancelled canceled terminated"
    " ended stopped quit ceased resigned handed succeeded ported rewritten rewrote rebuilt"
    " superseded revised amended reversed revoked withdrawn withdrew rebranded relicensed gone"
    " expired left closed sold became trimmed loosened tightened exchanged reassigned stepped gave"
    " given traded divorced separated umgezogen gewechselt umgestiegen umgestellt abgelost ersetzt"
    " verlegt verschoben geandert umbenannt abgeschafft eingestellt abgeschaltet aufgehoben"
    " gestrichen gekundigt beendet aufgehort aufgegeben ubernommen ubergeben abgegeben verkauft"
    " geschlossen erhoht gesenkt angehoben reduziert verlangert verkurzt migriert ausgetauscht"
    " eingetauscht weggefallen entfallt umgeschrieben stillgelegt aufgelost abbestellt umgesetzt"
    " versetzt gezogen verlassen getrennt zuruckgetreten aufgerustet umgebaut portiert abgesetzt"
    " ausgemustert geworden getauscht vorverlegt demenage demenagee remplace remplacee remplaces"
    " migre quitte change changee passe passee passes abandonne abandonnee arrete cesse supprime"
    " supprimee ferme deplace deplacee transfere transferee reporte augmente baisse releve abaisse"
    " renomme resilie mute mutee cede repris reprise vendu vendue converti bascule retire retiree"
    " avance reduit reduite mudado mudo trasladado traslada cambiado cambio cambiamos sustituido"
    " sustituida reemplazado reemplazada migrado dejado dejo dejamos pasado paso pasamos abandonado"
    " abandono cerrado cerro eliminado elimino suprimido retirado retiro subido subio bajado"
    " reducido aumentado ampliado renombrado vendido vendio jubilado relevado adelantado aplazado"
    " cancelado rescindido apagado sustituyo reemplazo traslado"
    # In the present tense, or as requests.
    " replaces moves switches drops becomes renames retires supersedes changes leaves takes cut pushed"
    " brought postponed delayed deferred disbanded dissolved demolished vacated overhauled redone"
    " ersetzt wechselt verlegt verschiebt weichen weicht ubernimmt zieht entfernt abgewohnt verabschiedet"
    " abgegeben verworfen vertagt abgemeldet abgestellt abgebaut rausgeflogen"
    " remplacent change passe abandonnons quittons cede cedee rompu arretons deplacees supprimees"
    " cambia cambian pasa pasan pasamos dejan dejamos alarga sustituye sustituimos deja renuncia"
    " renuncio traslado mueve movido movida reemplaza"
    # Italian, Dutch, Portuguese and Polish.
    " sostituito sostituita sostituiti sostituisce spostato spostata spostate spostati trasferito"
    " trasferita cambiato cambiata cambiati passato passata passati abbandonato abbandonata lasciato"
    " lasciata eliminato eliminata abolito abolita tolto tolta chiuso chiusa disdetto disdetta"
    " aumentato aumentata ridotto ridotta abbassato alzato alzata prorogato rinviato rinviata"
    " anticipato migrato migrata rinominato rinominata venduto venduta diventato diventata smesso"
    " vervangen verplaatst verhuisd overgestapt overgezet overgenomen overgedragen gewijzigd veranderd"
    " opgezegd afgeschaft gestopt verlaten verzet verschoven uitgesteld verlengd verkort verhoogd"
    " verlaagd gesloten verkocht hernoemd omgezet vervallen geworden opgeheven verwijderd gestopt"
    " uitgezet afgetreden vertrokken ingeruild vervangt wordt"
    " substituido substituida substituidos substituiu mudado mudou mudamos mudaram passou passamos"
    " passaram deixou deixamos trocado trocada trocou trocamos abandonamos abolido abolida removido"
    " removida encerrado encerrada aumentou subiu desceu baixou reduzido alargado alargada adiado"
    " adiada antecipado migrado migramos renomeado vendido vendeu atualizamos saiu fechou assumiu"
    " zastapiony zastapiona zastapiono zastapil zastapila przeniesiony przeniesiona przeniesiono"
    " przenieslismy przeniosl zmieniono zmieniony zmienil zmienila zmienilismy"
    " przeszlismy zrezygnowalismy"
    " porzucilismy usunieto usuniety przelozono przesunieto przeprowadzil przeprowadzila przejal"
    " przejela przekazal przekazala odszedl odeszla zamkniety zamknieto podniesiono obnizono zwiekszono"
    " zmniejszono skrocono wydluzono sprzedalismy sprzedal wycofano zlikwidowano".split()
)
# Irregular past tenses.
HAPPENED = frozenset(
    "been became went came left gave given took taken sold bought lost put cut shut rang told fell fallen"
    " ran broke broken chose chosen drew drawn fell grew grown kept led let made met paid quit sent set"
    " shown slid split spent stood swapped threw thrown tore torn withdrew won written wrote gone"
    " wurde wurden fue fueron ete stato stata stati werd werden foi foram zostal zostala zostalo".split()
)
# Auxiliaries of past tenses, and past forms of “be” and “have”.
WAS = frozenset(
    "was were had wurde wurden fue fueron ete stato stata stati werd werden foi foram"
    " zostal zostala".split()
)
TO = frozenset(
    "to auf zu zum nach in a al au aux vers por alla naar op para pelo pela ao na do".split()
)
FROM = frozenset("from von vom aus de du del desde da dal dalla van do da z ze".split())
# Mark an addition: the other statement holds as well.
BESIDES = frozenset(
    "also too either additionally another auch zusatzlich aussi egalement tambien tampoco".split()
)
# Ordinals: name one of several things, each with its own statements.
ORDINALS = frozenset(
    "first second third fourth left right erste zweite premier deuxieme primer primera segundo segunda"
    " gauche droite links rechts".split()
)
# Universal quantifiers: a statement with them excludes others.
ALL = frozenset(
    "all every everyone everybody any anyone nobody nothing always never whole throughout each whatever"
    " alle jeder jede jedes jeden immer nie tous toutes tout toujours jamais todos todas siempre"
    " nunca".split()
)
# End what is turned down: “no longer on Jenkins but on GitHub”.
TURNS = frozenset("but sondern mais sino ma maar mas".split())
# Mark an exception.
EXCEPTS = frozenset(
    "if unless except exception exempt when whenever during whoever who whose that which above below"
    " beyond longer stays stay still may wenn beim falls ausnahme pendant exceptionnellement si cuando"
    " sauf".split()
)
# Mark a plan, a wish or uncertainty: nothing has changed yet.
UNSURE = frozenset(
    "might maybe perhaps planned considering vielleicht peut-etre quiza quizas forse talvez"
    " misschien".split()
)
