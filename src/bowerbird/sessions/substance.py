"""What a text says besides courtesies, times and grammar, and whether another one says it. Pure."""

from bowerbird.core.text import fold
from bowerbird.lifecycle.wording import wording

# With which people greet, thank and leave, and what they name by it: closed classes, as those of grammar
# are, in English, German, French, Spanish, Italian, Portuguese and Dutch.
_COURTESIES = frozenset(
    fold(
        "bye cheers evening fine good goodbye great hello hey hi morning night ok okay perfect please pls"
        " super thank thanks thx tonight tomorrow today yesterday weekend later soon"
        " abend bitte bis danke dank feierabend früh gute guten guter gutes hallo heute morgen gestern"
        " nacht schöne schönen schönes servus später tschüss tschüß wochenende"
        " bientôt bonjour bonne bonsoir demain hier journée matin merci plaît prochaine revoir salut soir"
        " soirée"
        " adiós buenas buenos ayer favor gracias hasta hola hoy luego mañana noches saludos tardes"
        " arrivederci buon buona buonasera buongiorno ciao domani grazie ieri oggi prego serata"
        " abraço amanhã até boa bom hoje noite obrigada obrigado olá ontem tarde tchau"
        " alsjeblieft avond bedankt dag dankjewel fijne goedemorgen goeie gisteren straks tot vandaag"
    ).split()
)

# Shorter stems are of one word only if they are the same.
_FEWEST_LETTERS = 4


def substance(text: str) -> frozenset[str]:
    """Return the stems of what a text is about; few or none for a greeting or a farewell."""
    return frozenset(
        word.root
        for word in wording(text).words
        if not (word.small or word.day or word.text in _COURTESIES)
    )


def alike(stem: str, other: str) -> bool:
    """Return whether two stems are of one word: spelling alone cuts endings ("migratio", "migration")."""
    if min(len(stem), len(other)) < _FEWEST_LETTERS:
        return stem == other
    return stem.startswith(other) or other.startswith(stem)


def stated(text: str) -> tuple[bool, frozenset[str]]:
    """Return what a statement says, to compare it with others: whether it denies, stems and numbers."""
    said = wording(text).words
    stems = frozenset(word.number or word.root for word in said if not word.small)
    return any(word.negates for word in said), stems


def within(one: tuple[bool, frozenset[str]], other: tuple[bool, frozenset[str]]) -> bool:
    """Return whether a statement says nothing that another one does not."""
    (denies, stems), (denies_too, more) = one, other
    if denies != denies_too or stems.isdisjoint(more):
        return False
    return all(any(alike(stem, known) for known in more) for stem in stems - more)
