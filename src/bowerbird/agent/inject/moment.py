"""What has a moment of its own, and stands beside no prompt that is not about it. Pure."""

from bowerbird.agent.observe.fingerprint import fingerprint

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.types import Entry

# Words of a line that is an error's, without names and numbers.
_FEWEST_WORDS = 4
# What was learned of where a name is defined. One search tells that, and tells what it is today: beside
# six prompts of a replay it was of use once, and once out of date.
_OF_PLACES = "module_insight"


def waits(entry: "Entry", prompt: str) -> bool:
    """Whether it was learned, and is the cure of an error that no line of a prompt is of, or a place.

    The moment of a cure is the call that fails: beside 18 prompts of a replay 8 such cures stood, none of
    any use.
    """
    if entry.details is None or "learned" not in entry.details.fields.metadata:
        return False
    if entry.kind == _OF_PLACES:
        return True
    told = f" {fingerprint(entry.text)} "
    prints = map(fingerprint, prompt.splitlines())
    return not any(f" {one} " in told for one in prints if len(one.split()) >= _FEWEST_WORDS)
