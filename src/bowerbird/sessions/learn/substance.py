"""What a prompt says besides courtesies, times and the words of grammar. Pure."""

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


def substance(text: str) -> frozenset[str]:
    """Return the stems of what a text is about; few or none for a greeting or a farewell."""
    return frozenset(
        word.root
        for word in wording(text).words
        if not (word.small or word.day or word.text in _COURTESIES)
    )
