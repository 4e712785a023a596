"""What has a moment of its own, and stands beside no prompt that is not about it. Pure."""

from bowerbird.agent.observe.fingerprint import fingerprint

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.types import Entry

# Words of a line that is an error's, without names and numbers.
_FEWEST_WORDS = 4


def waits(entry: "Entry", prompt: str) -> bool:
    """Whether it is an error's cure that was learned, and no line of a prompt is of that error.

    Its moment is the call that fails: beside 18 prompts of a replay 8 such cures stood, none of any use.
    """
    if entry.details is None or "learned" not in entry.details.fields.metadata:
        return False
    told = f" {fingerprint(entry.text)} "
    prints = map(fingerprint, prompt.splitlines())
    return not any(f" {one} " in told for one in prints if len(one.split()) >= _FEWEST_WORDS)
