"""The filters of a search or a list, as fields shared by `query` and `list`."""

import os

from bowerbird.core.errors import BadInput
from bowerbird.core.life import AUDIENCES, SCOPES
from bowerbird.core.path_text import as_text
from bowerbird.core.types import STATES, TRUSTS
from bowerbird.surfaces.fields import (
    HTTP,
    ID,
    KINDS,
    LONGEST_QUESTION,
    MCP,
    NAME,
    TEXT,
    TYPED,
    Field,
    Given,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def _entries(name: str, shape: str, meaning: str, **more: "Any") -> Field:
    return Field(name, shape, meaning, **({"group": "which entries"} | more))


def _memories(name: str, shape: str, meaning: str, **more: "Any") -> Field:
    return _entries(name, shape, meaning, group="which memories", **more)


# What held then, for every verb that reads; a model gives it as a text.
_THEN = "what held then, in the words of then: 2024-03-15, 3mo"
AS_OF = (
    _entries("as_of", "when", _THEN, metavar="WHEN"),
    Field("as_of", "text", _THEN, interfaces=(MCP,)),
)
# Several names, which may be given one by one.
_NAMES: "dict[str, Any]" = {"low": 1, "high": NAME, "default": ()}
FILTERS = (
    _entries(
        "memories_only", "flag", "only memories, no passages",
        default=False, option=("--memories",), wire="memories",
    ),
    _entries("all_projects", "flag", "include every project", default=False, interfaces=(TYPED,)),
    _entries(
        "kinds", "texts", "of one of these kinds", option=("--kind",), metavar="KIND", **_NAMES
    ),
    _entries("tags", "texts", "with all of these tags", option=("--tag",), metavar="TAG", **_NAMES),
    _entries(
        "path", "text",
        "of files whose path in their project holds or matches this, or below this one: /x, ./x, ~/x",
        high=TEXT, metavar="TEXT",
    ),
    _entries("since", "when", "not older: 2024-03-15, 7d, 2w, 12h, 3mo", metavar="WHEN"),
    _entries("until", "when", "not newer; the same forms", metavar="WHEN"),
    *AS_OF,
    _entries(
        "sessions", "texts", "of one of these sessions", option=("--session",), metavar="ID", **_NAMES
    ),
    _entries(
        "min_trust", "text", "trust at least", default="low", choices=TRUSTS, metavar="TRUST"
    ),
    _entries("exclude", "texts", "all but these", default=(), metavar="ID", pattern=ID),
    _memories(
        "states", "texts", "in one of these states",
        default=("active",), choices=STATES, option=("--state",), metavar="STATE",
    ),
    _memories(
        "scopes", "texts", "of one of these scopes",
        choices=SCOPES, option=("--scope",), metavar="SCOPE", default=(),
    ),
    _memories(
        "audiences", "texts", "for one of these",
        choices=AUDIENCES, option=("--audience",), metavar="WHO", default=(),
    ),
    _memories(
        "modules", "texts", "about all of these modules", option=("--module",), metavar="NAME", **_NAMES
    ),
    _memories(
        "fields", "texts", "with one of these values of a field: work_unit=SHOP-12",
        option=("--field",), metavar="NAME=VALUE", low=1, high=TEXT, default=(), whole=True,
    ),
    _memories(
        "agents", "texts", "written by one of these agents",
        option=("--agent",), metavar="NAME", **_NAMES,
    ),
    _memories(
        "sources", "texts", "how it was learned: user_taught, qa_auto, …",
        option=("--source",), metavar="HOW", **_NAMES,
    ),
    _memories(
        "min_confidence", "number", "confidence at least", default=0.0, low=0.0, high=1.0, metavar="X"
    ),
    _memories("needs_review", "flag", "only memories that await review"),
    Field(
        "kinds", "texts", "only memories of these types",
        low=1, high=200, choices=KINDS, interfaces=(MCP,),
    ),
    Field(
        "tags", "texts", "only memories with all of these tags", low=1, high=200, interfaces=(MCP,),
    ),
    Field("since", "text", "not older than: 2024-03-15, 7d, 2w, 3mo", interfaces=(MCP,)),
    Field("until", "text", "not newer; the same forms", interfaces=(MCP,)),
    Field(
        "path", "text", "only files whose path in their project holds or matches this, and what is"
        " kept about them", high=TEXT, interfaces=(MCP,),
    ),
    Field(
        "matching", "text", 'what holds some words and not others: redis AND "timed out" NOT stag*',
        low=1, high=LONGEST_QUESTION, interfaces=(HTTP,),
    ),
)  # fmt: skip


def with_real_path(given: Given) -> Given:
    """The given values with a relative path, or one below home, made absolute.

    Raises BadInput, naming the options as typed.
    """
    sure = given.get("min_confidence")
    if sure is not None and not 0.0 <= sure <= 1.0:
        raise BadInput(f"--min-confidence cannot be {sure}", "give it a number from 0 to 1")
    text = given.get("path")
    if not text:
        return given
    at_home = os.path.expanduser(text)  # ~draft.md is not a home folder
    if at_home != text or text in {".", ".."} or text.startswith(("./", "../")):
        return given | {"path": as_text(os.path.realpath(at_home))}
    return given
