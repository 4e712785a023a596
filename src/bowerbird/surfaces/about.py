"""The fields of a memory, shared by `curate` and `edit`."""

from bowerbird.core.draft import PRIORITIES
from bowerbird.core.kinds import KINDS
from bowerbird.core.payloads import described
from bowerbird.core.types import AUDIENCES, SCOPES
from bowerbird.surfaces.cli.table import load
from bowerbird.surfaces.fields import BOTH, NAME, TEXT, Field, Given

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_GROUP = "about it"


def _about(name: str, shape: str, meaning: str, **more: "Any") -> Field:
    return Field(name, shape, meaning, group=_GROUP, **more)


def _names(name: str, meaning: str, **more: "Any") -> Field:
    return _about(name, "texts", meaning, **({"low": 1, "high": NAME, "default": ()} | more))


ABOUT = (
    _about(
        "kind", "text", "the kind; default: derived from the wording",
        low=1, high=NAME, option=("--kind", "--type"), metavar="KIND", wire="type",
    ),
    _names("tags", "words to find it by", option=("--tags", "--tag"), metavar="TAGS"),
    _names("keywords", "keywords, whether in the text or not", metavar="WORDS"),
    _about("summary", "text", "for lists; default: the first sentence", high=TEXT, metavar="TEXT"),
    _about("citation", "text", "label for citations, 40 characters at most", high=40, metavar="TEXT"),
    _about("priority", "text", "", choices=PRIORITIES, metavar="P"),
    _about("importance", "number", "0 to 1; default: computed", low=0.0, high=1.0, metavar="X"),
    _about("confidence", "number", "confidence, 0 to 1", low=0.0, high=1.0, metavar="X"),
    _about(
        "half_life", "number", "days without use after which confidence halves; 0: never",
        low=0.0, high=36_500.0, metavar="DAYS",
    ),
    _about(
        "expires", "when", "expires then: 2027-01-31, 12h, 30d, 2w, 3mo", metavar="WHEN"
    ),
    _names(
        "files", "files it is about",
        low=None, high=TEXT, option=("--file", "--files"), metavar="PATH", whole=True,
    ),
    _names("modules", "modules it is about", option=("--module", "--modules"), metavar="NAME"),
    _about(
        "commit", "text", "the commit it comes from", default="", high=TEXT, metavar="HASH"
    ),
    _about(
        "work_unit", "text", "the ticket or task it comes from", default="", high=TEXT, metavar="NAME"
    ),
    _about("scope", "text", "", choices=SCOPES, metavar="SCOPE"),
    _about("audience", "text", "", choices=AUDIENCES, metavar="WHO"),
    _about(
        "payload", "data", "the payload of some kinds", metavar="K=V|JSON"
    ),
    _about("metadata", "data", "anything else, stored unchanged", metavar="K=V"),
    _about("pinned", "flag", "never fades, and is never replaced automatically"),
    _about("verified", "flag", "the user confirmed it: it needs no review (user only)"),
    _about("review", "text", "why it needs a review", default="", high=TEXT, interfaces=BOTH[1:]),
)  # fmt: skip


def details() -> str:
    """The kinds, and the payload fields of those that have them."""
    width = max(len(name) for name in KINDS)
    lines = ["kinds:", *(f"  {one.name:<{width}}  {one.meaning}" for one in KINDS.values())]
    lines += ["  and those that your config.toml declares, see docs/operations.md"]
    lines += ["", "structures, for --payload:"]
    for one in KINDS.values():
        lines += [f"  {one.name}"] if one.payload else []
        lines += [f"    {field}" for field in described(one)]
    return "\n".join(lines)


def structured(given: Given) -> Given:
    """The given values with structured ones parsed. Raises BadInput for an invalid one."""
    if not given.keys() & {"payload", "metadata"}:
        return given
    read = load("cli.structure")
    if "payload" in given:
        given["payload"] = read.payload(given["payload"])
    if "metadata" in given:
        given["metadata"] = dict(read.pair(one, "--metadata") for one in given["metadata"])
    return given
