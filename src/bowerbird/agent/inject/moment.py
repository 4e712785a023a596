"""What has a moment of its own, and stands beside no prompt that is not about it. Pure."""

import re

from bowerbird.agent.observe.fingerprint import fingerprint

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.types import Entry

# Words of a line that is an error's, without names and numbers.
_FEWEST_WORDS = 4
# A command's program, and what it is told to do.
_COMMAND = r"`(\S+ \S+)[^`\n]*`"
# What was learned of where a name is defined. One search tells that, and tells what it is today: beside
# six prompts of a replay it was of use once, and once out of date.
_OF_PLACES = "module_insight"


def waits(entry: "Entry", prompt: str) -> bool:
    """Whether it was learned and is none of a prompt's: a place, a cure of another error, a command.

    The moment of a cure is the call that fails: beside 18 prompts of a replay 8 such cures stood, none of
    any use. And where a prompt names a command nobody needs to be told which others there are like it: of
    12 such prompts ("make lint fails") it helped none.
    """
    if entry.details is None or "learned" not in entry.details.fields.metadata:
        return False
    if entry.kind == _OF_PLACES:
        return True
    if entry.kind == "procedure":
        return any(one in prompt for one in re.findall(_COMMAND, entry.text))
    told = f" {fingerprint(entry.text)} "
    prints = map(fingerprint, prompt.splitlines())
    return not any(f" {one} " in told for one in prints if len(one.split()) >= _FEWEST_WORDS)
