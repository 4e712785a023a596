"""By which words a text says that something is still to do, or that it is done. Pure."""

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
# What begins with it says that a part of the work is done.
DONE = re.compile(
    r"(?i)(?:(?:i['’]?m|we['’]?re|(?:i|we) (?:am|are)|all|that['’]?s it,?|(?:ich bin|wir sind)"
    r"|(?:j['’]ai|on a|nous avons|hemos|he|ho|abbiamo|ik ben|we zijn)) (?:just |now )?)?"
    r"(?:(?:done|finished|through|fertig|durch|klaar) (?:with|mit|met)\b|finished (?:the|with)\b"
    r"|(?:fini|terminé|terminado|acabado|finito|terminato)"
    r" (?:de|con|le|la|les|el|los|las|il|o|os|as|com)\b)"
    r"|[^,.;:]{2,40}\s(?:is|are|ist|sind|est|sont|está|è) (?:all |now )?"
    r"(?:done|finished|fertig|fini\w*|terminé\w*|terminad[oa]s?|finit[oaie])(?=\s*(?:[,.;:!]|$))"
)
