"""``bower trust``: say that the files of a folder are your own.

Passages of files that are not are kept as `imported`: queries show them with that label, and `bower
context` leaves them out. Your own are the repositories that belong to you and have no remote; others can
write to any other, so it counts as yours only once you name it. A folder of notes can be named too. It
holds for everything below, but not for repositories inside, which are named by themselves, and only for
files that belong to you. What is indexed already follows at once.

A repository that gets another remote, or another one that is put in its place, has to be named anew.
"""

from bowerbird.core.errors import UsageError
from bowerbird.core.grounds import Believed, Folders
from bowerbird.surfaces import Bowerbird, Field, Given, Verb
from bowerbird.surfaces.cli.speaker import who

EXAMPLES = (
    ("bower trust", "the repository of the working directory"),
    ("bower trust ~/notes", "a folder of notes"),
    ("bower trust --remove ~/src/shop", "no longer, or not even without a remote"),
    ("bower trust --list", "what you said, and what holds of it"),
)
VERB = Verb(
    "trust",
    "Say that the files of a folder are your own",
    (
        Field(
            "path", "text", "a folder (default: here)", option=("PATH",), words="?",
        ),
        Field("remove", "flag", "say that they are not", default=False),
        Field("list", "flag", "show what you said", default=False),
    ),
    Believed,
    "write",
    group="Keep",
    order=7,
)  # fmt: skip


def run(bird: Bowerbird, given: Given) -> "Believed | Folders":
    """Keep a person's word, or tell it."""
    if given.get("list"):
        return Folders(tuple(bird.admin.trusted()))
    say = bird.admin.distrust if given.get("remove") else bird.admin.trust
    return say(given.get("path", "."))


def typed(given: Given) -> Given:
    """What was typed. Raises UsageError for anybody but a person."""
    if given.get("list") and len(given) > 1:
        raise UsageError("--list stands alone", "bower trust --list")
    if not given.get("list") and not who(writes=True).owner:
        raise UsageError(
            "only a person says whose files are trusted, on a terminal",
            "ask yours to type: bower trust PATH",
        )
    return given
