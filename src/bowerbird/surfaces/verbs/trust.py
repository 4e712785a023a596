"""``bower trust``: say that the files of a folder are your own.

Passages of other files get the trust `imported`: queries label them, and `bower context` excludes
them. Your own are the repositories that belong to you and have no remote; others can write to any
other, so it counts as yours only once you declare it. You can also declare a folder of notes. A
declaration covers all files below the folder that belong to you, but not repositories inside it,
which you declare separately. It applies to indexed passages at once.

If a repository gets another remote, or is replaced by another one, declare it again.
"""

from bowerbird.core.errors import UsageError
from bowerbird.core.grounds import Folders, TrustChange
from bowerbird.surfaces.fields import Bowerbird, Field, Given, Verb

EXAMPLES = (
    ("bower trust", "the repository of the working directory"),
    ("bower trust ~/notes", "a folder of notes"),
    ("bower trust --remove ~/src/shop", "withdraw it, or distrust a repository without a remote"),
    ("bower trust --list", "the declarations, which apply, and files from outside"),
)
VERB = Verb(
    "trust",
    "Declare that the files of a folder are your own",
    (
        Field(
            "path", "text", "a folder (default: here)", option=("PATH",), words="?",
        ),
        Field("remove", "flag", "declare that they are not", default=False),
        Field("list", "flag", "list the declarations, and files from outside", default=False),
    ),
    TrustChange,
    "write",
    group="Keep",
    order=7,
)  # fmt: skip


def run(bird: Bowerbird, given: Given) -> "TrustChange | Folders":
    """Save a person's answer, or return it."""
    if given.get("list"):
        return Folders(tuple(bird.admin.trusted()), tuple(bird.admin.foreign()))
    say = bird.admin.distrust if given.get("remove") else bird.admin.trust
    return say(given.get("path", "."))


def typed(given: Given) -> Given:
    """What was typed. Raises UsageError."""
    if given.get("list") and len(given) > 1:
        raise UsageError("--list takes no other argument", "bower trust --list")
    return given
