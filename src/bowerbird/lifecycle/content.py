"""Detects texts without content: only function words and words of courtesy.

“got it” and “thank you so much” are replies, useless as memories. The lists contain the words of such
phrases rather than the phrases. Words are passed folded: without case and accents.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

# Fewer distinct words have no content unless one contains a digit: a single word is a reply ("ok",
# "gracias"). Of 861 labelled memories in eight languages none is shorter.
FEWEST_WORDS = 2
# Longer replies name their subject.
MOST_EMPTY = 8

# Articles, pronouns, prepositions, conjunctions, forms of be, have, do, will, can; and what remains of
# them before an apostrophe.
_GRAMMAR = frozenset(
    "a an the this that these those here there i me my mine you your yours he him his she her it its we"
    " us our they them their who what which s t re ve ll d m don doesn didn isn aren wasn won"
    " am is are was were be been being have has had do does did done will would can could shall should"
    " may might must let lets get got to of in on at for from with by as about up and or but so if then"
    " than not no nor too also very much more most just all any some again now lot bit"
    " der die das den dem des ein eine einen einem einer ich mich mir du dich dir er sie es wir uns ihr"
    " euch sich mein dein sein bin bist ist sind war waren habe hast hat haben wird werde werden kann"
    " kannst konnen mach mache machen macht zu von in im am an auf fur mit bei um und oder aber so wenn"
    " dann nicht kein keine nichts auch sehr viel viele vielen nur mal doch schon noch ja"
    " le la les l un une des du de ce c cet cette ca cela je j moi tu toi il elle on nous vous ils elles"
    " mon ton son ma ta sa suis es est sommes etes sont ai as a avons avez ont fait fais faire y en pour"
    " avec dans sur par et ou mais si pas ne n rien tout tous tres bien beaucoup aussi plus"
    " el lo los las una unos yo mi ti te se su nosotros ellos ellas usted ustedes soy eres somos son"
    " esta esto eso estoy he ha han hay hace hacer con sin por para que y o pero si no nada todo muy"
    " mucho mucha muchos muchas tambien mas"
    " o os as um uma eu ele ela nos e ao na no nas sou sao isso tem foi muito muita obrigado"
    " il gli uno io va lui lei noi voi loro sono sei siamo ho hai che di da con per ma non niente molto"
    " tutto tutti".split()
)
# Yes and no, agreement, understanding, praise, thanks, apologies, greetings and farewells.
_COURTESY = frozenset(
    "ok okay okey yes yeah yep yup nope sure right alright fine good great nice cool perfect awesome"
    " excellent wonderful lovely amazing wow super exactly indeed absolutely definitely correct true"
    " agreed agree understood understand see noted makes sense sounds looks works thank thanks thx"
    " cheers please welcome problem worries pleasure sorry pardon hello hi hey bye goodbye morning"
    " afternoon evening night day later soon well oh ah hm hmm um uh lol haha kind help appreciated"
    " appreciate know think guess mean course deal fair enough ahead go on ready"
    " nein jo jawohl klar alles genau richtig stimmt gut super prima toll schon perfekt einverstanden"
    " verstanden verstehe danke dank bitte gern gerne geschehen entschuldigung hallo guten morgen tag"
    " abend nacht tschuss bis bald spater"
    " oui non d accord entendu compris bon bonne parfait exact exactement merci plait prie pardon desole"
    " bonjour bonsoir salut jour soir nuit bientot revoir volontiers genial"
    " vale claro bueno buena bueno buenos buenas perfecto exacto entendido entiendo comprendo acuerdo"
    " gracias favor perdon siento hola adios dias tardes noches luego genial"
    " sim nao certo claro otimo perfeito entendi obrigada obrigado desculpe ola bom boa dia noite tchau"
    " si certo bene perfetto capito grazie mille prego scusa scusi ciao buongiorno buonasera"
    " arrivederci".split()
)
_EMPTY = _GRAMMAR | _COURTESY


# A word with fewer letters than two names something from this length on. One ideograph is a word.
_NAMES_ALONE = 4
_FIRST_IDEOGRAPH = "\u2e80"


def has_no_content(words: "Iterable[str]") -> bool:
    """Whether none of the words of a text says what it is about."""
    given = list(words)
    if not any(map(_says_something, given)):
        return True
    if any(any(map(str.isdigit, word)) for word in given):
        return False
    if len(frozenset(given)) < FEWEST_WORDS:
        return True
    return len(given) <= MOST_EMPTY and _EMPTY.issuperset(given)


def _says_something(word: str) -> bool:
    """Whether a word may name a thing: unlike a letter, a number, a time, or R2."""
    if sum(map(str.isalpha, word)) > 1:
        return True
    # A number says nothing of what it counts.
    named = len(word) >= _NAMES_ALONE and any(map(str.isalpha, word))
    return named or any(char >= _FIRST_IDEOGRAPH for char in word)
