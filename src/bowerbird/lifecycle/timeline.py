"""The days on which two values of one subject hold: never two on the same one.

What texts say of days orders them: the value of a later day follows that of an earlier one, whichever was
told first. Without a day, a value holds from when it was told.
"""

from bowerbird.core.pattern import late
from bowerbird.core.text import fold
from bowerbird.lifecycle.dated import without_dates
from bowerbird.lifecycle.duplicates import compare

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.memories import Belief
    from bowerbird.core.types import Entry

# Opens a text that says otherwise than an earlier one about the same day.
_CORRECTS = late(
    r"^(?:correction|no|nope|sorry|actually|rather|korrektur|berichtigung|nein|doch|non|rectification"
    r"|correccion|rectificacion)\b(?: [\w ]{0,20})?[,:;.!–-] *"
)
_CALLS_OFF = frozenset(
    "cancelled canceled abandoned scrapped postponed abgesagt gestrichen verworfen verschoben annule"
    " annulee abandonne abandonnee reporte cancelado cancelada anulado anulada aplazado"
    " descartado".split()
)
_CALLED_OFF = late(r"\b(?:called off|off the table|fallt aus|findet nicht statt|n'aura pas lieu)\b")
# A name or a number, by which a text that calls something off says what.
_NAMES = late(r"(?<![.!?] )(?<!^)\b[A-ZÄÖÜÉ]\w+|\b\d+(?:[.,]\d+)?\b")


def since(belief: "Belief", now: int) -> int:
    """From when on a belief holds."""
    said = belief.fields.valid_from
    return (belief.occurred or now) if said is None else said


def is_plan(entry: "Entry", now: int) -> bool:
    """Whether a memory holds from a later day only."""
    return entry.valid_from is not None and entry.valid_from > now


def is_over(belief: "Belief", entry: "Entry", now: int) -> bool:
    """Whether a memory has ended when a belief begins to hold."""
    return entry.valid_to is not None and entry.valid_to <= since(belief, now)


def follows(belief: "Belief", entry: "Entry", now: int) -> bool:
    """Whether a memory holds from a later day than a belief, which does not correct it."""
    begins = entry.valid_from
    if begins is None or begins <= since(belief, now):
        return False
    return not (is_plan(entry, now) and corrects(belief.text))


def corrects(text: str) -> bool:
    """Whether a text says that what was said before is wrong: “No, from May”."""
    return bool(_CORRECTS.match(fold(text)))


def gives_another_day(belief: "Belief", entry: "Entry", now: int) -> bool:
    """Whether a belief says of a plan only that it is for another day."""
    begins = belief.fields.valid_from
    if begins is None or begins == entry.valid_from or not is_plan(entry, now):
        return False
    new, old = (_bare(text) for text in (belief.text, entry.text))
    return bool(new) and compare(old, new).relation == "same"


def calls_off(belief: "Belief", entry: "Entry", now: int) -> bool:
    """Whether a belief says of a plan, by a name or a number in it, that it is called off."""
    if not is_plan(entry, now):
        return False
    folded = fold(belief.text)
    words = folded.replace(",", " ").replace(".", " ").split()
    if _CALLS_OFF.isdisjoint(words) and not _CALLED_OFF.search(folded):
        return False
    return not {*_NAMES.findall(belief.text)}.isdisjoint(_NAMES.findall(_bare(entry.text)))


def _bare(text: str) -> str:
    """A text without its days, and without the words that open a correction."""
    opened = _CORRECTS.match(fold(text))
    return without_dates(text[opened.end() :] if opened else text)
