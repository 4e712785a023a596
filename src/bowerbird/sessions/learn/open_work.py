"""By which words a text says that something is still to do. Pure."""

import re

# What says that something is open: the heading of a list in an agent's last message, or a sentence.
OPEN = re.compile(
    r"(?i)\b(?:next(?: steps?| up)\b|next:|remain(?:s|ing)\b|follow-?ups?\b"
    r"|still (?:open|to do|missing|need|fail|broken)|left (?:to do|open|undone)|to-?dos?(?: items?"
    r"| list)?:|still an? to-?do\b"
    # Not the mark in a file, "with a TODO on top".
    r"|(?<![\w ])(?<!\w )to-?dos?\b(?! (?:comments?|mark(?:er)?s?|notes?|lines?|in|on|at)\b)"
    r"|open (?:questions?|points?|items?|issues?)|not (?:yet|done|implemented|fixed)\b"
    r"|(?:noch )?(?:offen|ausstehend)\b|fehl(?:t|en) noch\b|n[äa]chste schritte?|reste (?:à|a) faire"
    r"|prochaines? [ée]tapes?|nog (?:te doen|open|niet (?:af|klaar|gedaan))|volgende stap(?:pen)?\b"
    r"|(?:ancora )?da fare\b|prossimi passi|(?:queda|falta)n? por\b|por (?:hacer|fazer)\b"
    r"|pr[óo]ximos pa(?:sos|ssos))"
)
