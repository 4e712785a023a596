"""Detects the language of a query, by its script and its stop words. Pure.

The language selects the stop words and the list by which a text is translated word by word, so an error
does little harm.
"""

from bowerbird.core.text import ENGLISH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

# Words that carry a question's grammar and not its topic, folded. English ones left in, R@10 on
# LoCoMo turns falls by four points; German ones left in, nDCG@10 on XQuAD-de by .003.
STOP_WORDS = {
    "en": ENGLISH,
    "de": frozenset(
        "aber als am an auch auf aus bei beim bin bis bist da damit das dass dem den der des dich"
        " die dies diese diesem diesen dieser dieses dir doch du durch ein eine einem einen einer"
        " eines er es etwas euch fur gegen habe haben hat hatte hatten ich ihm ihn ihr ihre ihrem"
        " ihren im in ist ja kann kein keine man mein meine mich mir mit nach nicht noch nun nur"
        " ob oder ohne sein seine sich sie sind so um und uns unser unter viele vom von vor wann"
        " war waren warum was welche welchem welchen welcher welches wem wen wenn wer werden wie"
        " wird wir wo woher wurde wurden zu zum zur uber".split()
    ),
    "fr": frozenset(
        "ai as au aux avec avez avons c ce ces cet cette combien comment d dans de des du elle elles"
        " en est et eu fait il ils j je l la le les leur leurs lui m ma mais me mes mon n ne nos"
        " notre nous on ont ou ou par pas pour pourquoi qu quand que quel quelle quelles quels qui"
        " quoi s sa se sera ses si son sont sur t ta te tes ton tu un une vos votre vous y".split()
    ),
    "es": frozenset(
        "a al como con cual cuales cuando cuantas cuanto cuantos de del desde donde e el ella ellos"
        " en entre era es esa ese eso esta estan este esto fue fueron ha han hay la las le les lo"
        " los mas me mi mis muy no nos o para pero por porque que quien quienes se ser si sin sobre"
        " son su sus te tiene tu tus un una uno y ya yo".split()
    ),
    "it": frozenset(
        "a ad agli ai al alla alle anche c che chi come con cosa cui d da dai dal dalla dei del dell"
        " della delle di do dove e ed era erano essere fu gli ha hanno i il in io l la le lei lo loro"
        " lui ma mi mia mio ne nei nel nella nelle non o per perche piu qual quale quali quando quanti"
        " quanto quello questa questo se si sia sono su sua sul sulla suo tra tu un una uno".split()
    ),
    "pt": frozenset(
        "a ao aos as com como da das de do dos e ela ele eles em entre era eu foi foram ha isso isto"
        " ja mais mas me meu minha na nao nas no nos o onde os ou para pela pelo por porque qual quais"
        " quando quantos quanto que quem se sem ser seu seus sua suas tem um uma umas uns".split()
    ),
    "nl": frozenset(
        "aan als bij dan dat de den der deze die dit door een en er had hebben heeft het hij hoe hoeveel"
        " ik in is je kan maar met mijn naar niet nog of om onder ons ook op over te tot uit van"
        " voor waar waarom waren was wat welk welke werd werden wie wij wordt zij zijn zo".split()
    ),
    "ro": frozenset(
        "a al ale am ar au ca care cand cat cate ce cel cine cu cum da de din dintre e ea ei el este"
        " eu fi fost in intre la le lui mai nu o pe pentru prin sa sau se si sunt un unde unei unui"
        " una".split()
    ),
    "tr": frozenset(
        "ama bana ben bir bu cok da daha de degil en gibi hangi hangisi icin ile ise kac kadar kim"
        " kimdir mi mu nasıl ne neden nedir nerede nereye niye o olan olarak oldu ol"
        " olup onun sen sonra su ve veya var vardı ya yok zaman".split()
    ),
    "vi": frozenset(
        "ai bi boi cac cach cai cho chua co cua cung da đa đang đau đe đen đi đieu đo đuoc gi"
        " hay khi khong la lam mot nao nay nen nhieu nhu nhung o ra rang rat sao se tai"
        " thi trong tu va vao ve vi voi".split()
    ),
    "ru": frozenset(
        "а без более бы был была были было в вам вас во вот все всех вы где да для до его ее если есть"
        " еще же за и из или им их к как какая какие какои каком какую кем ко когда кого кому которая"
        " которое которые которыи кто куда ли между меня мне мои мы на над не нет ни но о об он она они"
        " оно от по под почему при с сколько со так также там то того тоже тои только том ты у чего чем"
        " что чтобы эта эти это этого этот я".split()
    ),
    "el": frozenset(
        "αν απο αυτα αυτη αυτο αυτος για δεν ειναι εκει ενα ενας ενος εχει εχουν η ηταν θα και κατα με"
        " μεσα μετα μεταξυ μη μια μιας μου να ο οι οποια οποιο οποιος οπου οπως οταν οτι ποια ποιες ποιο"
        " ποιοι ποιος ποιον ποσα ποσες ποσο ποσοι ποτε που προς πως σαν σας σε στα στη στην στης στις στο"
        " στον στους συν τα τη την της τι τις το τον του τους των ως".split()
    ),
    "ar": frozenset(
        "اذا الا ال الذ الت الي الل ام ان انها اي اين او بعد بين تكون تلك تم ثم حت حيث حين ذلك سوف عل علي"
        " عن عند عندما غير ف في قبل قد كان كانت كل كم كيف لا لم لماذا لن له لها ليس ما ماذا متي مت مع من"
        " منذ نحو هذا هذه هذ هل هم هن هنا هو هي و يكون يمكن ايا".split()
    ),
    "hi": frozenset(
        "अपन आप इन इस उन उनक उस एक ऐस और क कतन कन कब कय कर करत करन करन कस कसन कह गई गय ज जस जह त तक तथ थ"
        " द दर न नह पर भ म य यह रह लए व वह वल स सकत सथ ह हत हई हआ हए हन".split()
    ),
}
# With which people greet, thank and leave, and the times that they name by it, folded: a closed class, as
# that of grammar is, in English, German, French, Spanish, Italian, Portuguese and Dutch.
COURTESIES = frozenset(
    "abend abraco adios alsjeblieft amanha arrivederci ate avond ayer bedankt bientot bis bitte boa"
    " bom bonjour bonne bonsoir buenas buenos buon buona buonasera buongiorno bye cheers ciao dag"
    " dank danke dankjewel demain dia dias domani evening favor feierabend fijne fine fruh gestern"
    " gisteren goedemorgen goeie good goodbye gracias grazie great gute guten guter gutes hallo hasta"
    " hello heute hey hi hier hoje hola hoy ieri journee later luego manana matin merci moin morgen"
    " morning nacht night noches noite obrigada obrigado oggi ok okay ola ontem perfect plait please"
    " pls prego prochaine revoir saludos salut schone schonen schones serata servus soir soiree soon"
    " spater straks super tarde tardes tchau thank thanks thx today tomorrow tonight tot tschuss"
    " vandaag weekend wochenende yesterday".split()
)
# Words that negate a statement, in a handful of languages, folded.
NEGATIONS = frozenset(
    "not no never none nobody nothing neither nor cannot without"
    " nicht kein keine keinen keinem keiner nie niemals niemand ohne"
    " ne pas jamais aucun aucune sans nunca nadie nada ningun sin nao nenhum sem"
    " inte ej ikke ei nem nu tidak bukan jangan khong chua لا ليس لم לא नहीं मत δεν μην"
    " non mai senza nie bez не нет никогда без niet geen nooit degil asla yok".split()
)
# Stop words of other languages that English texts have too: alone they are no evidence of another one.
# "Requests per minute" is no Italian, "cat name" no Romanian, and a letter may be a variable; Ben and Mia
# are names, and names of regions begin with eu. Those of the second line are English words and names of
# programs, nine times or more in a million words of English documentation; of 1,190 German questions two
# have no other evidence. Without the last five, 13 of 2,208 English texts of tests/data/pairs are taken
# for other languages; with them none, and no text of another language for English.
_ENGLISH_TOO = frozenset(
    "per pour non mi son sans on in a c d e i m n o s t u y"
    " ad ai aux bin ca cat co com come comment con dan die dies dir dos ed em hat im io man met mon op os"
    " sin van var vi"
    " ben care door eu mia".split()
)
# Scripts that identify their language, by their first and last letter, in order of precedence: kana
# before Han.
_SCRIPTS = (
    ("ja", "\u3040", "\u30ff"),
    ("ko", "\uac00", "\ud7af"),
    ("zh", "\u3400", "\u9fff"),
    ("th", "\u0e00", "\u0e7f"),
    ("hi", "\u0900", "\u097f"),
    ("ar", "\u0600", "\u06ff"),
    ("he", "\u0590", "\u05ff"),
    ("el", "\u0370", "\u03ff"),
    ("ru", "\u0400", "\u04ff"),
)
# Languages besides English that the contextual model reads: word by word, by lists of what they are in
# English (`models/embed/glosses.py`).
GLOSSED = ("de", "es", "fr", "it", "nl", "pt")
# The contextual model was trained on English and reads some other languages by word-by-word translation.
# Texts of further languages it finds similar because of their language alone: untranslated French
# memories had cosines of .4 to .6 to any French query.
READ_IN_CONTEXT = frozenset(("en", "", *GLOSSED))
# The index stems English words only. In other languages a word longer than this number of letters is also
# searched by its first letters, which its inflections and many compounds share: XQuAD-de nDCG@10 .947 to
# .953; with five letters or seven it is within .001, with four .002 less. English gains nothing by it
# (XQuAD-en .974 to .972).
BEGINNING = 6


def language(text: str, words: tuple[str, ...]) -> str:
    """The ISO 639-1 code of the likeliest language; empty if there is no evidence.

    `words` are the folded words of `text`. Of languages that are equally likely the one listed
    first wins: English.
    """
    if not text.isascii():
        for code, first, last in _SCRIPTS:
            # A single β among English words does not make a text Greek: half of the words must be in the
            # script. Kana identify Japanese although its other characters occur in Chinese too.
            found = sum(first <= word[0] <= last for word in words)
            if found and (2 * found >= len(words) or code == "ja"):
                return code
    counts = {code: sum(map(stops.__contains__, words)) for code, stops in STOP_WORDS.items()}
    likeliest = max(counts, key=lambda code: counts[code])
    if (
        likeliest != "en"
        and text.isascii()
        and not (STOP_WORDS[likeliest] & set(words)) - _ENGLISH_TOO
    ):
        likeliest = "en"
    return likeliest if counts[likeliest] else ""


# The one word that negates in one language and announces a change in another.
NU, NOW = "nu", "now"


def nu_says_now(words: "Collection[str]") -> bool:
    """Whether “nu” among some folded words says “now”, as in Dutch, and not “not”, as in Romanian.

    Where nothing tells which it is, it negates: a negation that is read as “now” would be lost.
    """
    said = set(words)
    dutch, romanian = said & (STOP_WORDS["nl"] | _DUTCH), said & STOP_WORDS["ro"]
    return len(dutch - romanian) >= len(romanian - dutch)  # “nu” is among the latter


# Pronouns, of which English has some too; in an English text there is no “nu”.
_DUTCH = frozenset("we wij ons onze ik je jullie".split())


def content_words(every: tuple[str, ...], code: str = "en") -> tuple[str, ...]:
    """Words without the stop words of a language, unless nothing else is left.

    If the language is unknown, English stop words are removed.
    """
    stops = STOP_WORDS.get(code, STOP_WORDS["en"])
    # A list: asked of every turn that is ranked, where a generator takes twice as long.
    return tuple([word for word in every if word not in stops]) or every


def beginnings(every: tuple[str, ...], code: str) -> tuple[str, ...]:
    """The prefixes of content words that may occur in an inflected form the index does not know.

    These are the words of a language other than English, detected by its stop words, and words in another
    script, whatever surrounds them.
    """
    foreign = code in STOP_WORDS and code != "en"
    return tuple(
        dict.fromkeys(
            word[:BEGINNING]
            for word in content_words(every, code)
            if len(word) > BEGINNING and word.isalpha() and (foreign or not word.isascii())
        )
    )
