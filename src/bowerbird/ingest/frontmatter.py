"""Parses frontmatter: the YAML block at the start of a note."""

import re

from bowerbird.core.value import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from yaml.events import Event

# A longer or deeper block counts as text. YAML's own composer recurses on the C stack and crashed on
# 40,000 nested lists; this reads the flat stream of events and composes nothing.
_LONGEST_BLOCK = 16_384
_DEEPEST = 16
# Fields whose values are stored elsewhere: a block with other fields stays searchable as text.
_TIMES = {"date", "created", "updated", "modified", "date created", "date modified"}
_KNOWN = {"title", "tags", "layout", "draft", "id", *_TIMES}
_NOTHING = {"", "~", "null"}
# With the field that the plug-in Linter writes into notes of Obsidian.
_DATES = ("date", "created", "date created", "updated")
_SEPARATORS = re.compile(r"[,\s]+")


class Frontmatter(Record):
    """The parsed block, and how many `lines` of the file it takes; 0 if there is none.

    `aliases` are other names of the document, which links may use. `complete` is True if title, tags and
    date hold everything that the block says.
    """

    title: str = ""
    tags: tuple[str, ...] = ()
    date: str = ""
    lines: int = 0
    complete: bool = True
    aliases: tuple[str, ...] = ()


class _RefusedError(Exception):
    """The block is not a flat mapping."""


def frontmatter(lines: "Sequence[str]") -> Frontmatter:
    """Parses the block at the start of a document; a broken one counts as text, hence as none."""
    fields, size = block(lines)
    if not size:
        return Frontmatter()
    return Frontmatter(
        title=" ".join(" ".join(fields.get("title", ())).split()),
        tags=_tags(fields.get("tags", ())),
        date=next((said for name in _DATES for said in fields.get(name, ())), ""),
        lines=size,
        complete=_KNOWN.issuperset(fields),
        aliases=tuple(fields.get("aliases", fields.get("alias", ()))),
    )


def block(lines: "Sequence[str]") -> tuple[dict[str, list[str]], int]:
    """The fields of the block at the start of a document, and its number of lines, 0 without one.

    A field holds its scalar, or the scalars of its list; deeper values are left out.
    """
    if not lines or lines[0].rstrip() != "---":
        return {}, 0
    size = 0
    for end in range(1, len(lines)):
        if lines[end].rstrip() in {"---", "..."}:
            break
        size += len(lines[end])
        if size > _LONGEST_BLOCK:
            return {}, 0
    else:
        return {}, 0
    try:
        return _fields("\n".join(lines[1:end])), end + 1
    except _RefusedError:
        return {}, 0


def _tags(said: "Sequence[str]") -> tuple[str, ...]:
    """The tags as written: a list, or one text separated by commas or spaces."""
    parts = _SEPARATORS.split(said[0]) if len(said) == 1 else said
    return tuple(dict.fromkeys(tag.strip().lstrip("#") for tag in parts if tag.strip(" #")))


def _fields(block: str) -> dict[str, list[str]]:
    """The top-level fields, each with its scalar or with those of its list.

    Raises _RefusedError for invalid YAML, for anything but a mapping, for aliases, and for deep nesting.
    """
    import yaml  # start-up: most files have no block

    # libyaml if available: ten times as fast, 26 µs a block.
    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    try:
        return _read(yaml.parse(block, Loader=loader))
    except (yaml.YAMLError, UnicodeEncodeError) as error:
        raise _RefusedError from error


def _read(events: "Iterable[Event]") -> dict[str, list[str]]:
    """Raises _RefusedError."""
    import yaml  # start-up: most files have no block

    fields: dict[str, list[str]] = {}
    field: list[str] | None = None
    # For each open collection, whether it is a list.
    inside: list[bool] = []
    for event in events:
        if isinstance(event, yaml.AliasEvent):
            raise _RefusedError
        if isinstance(event, yaml.CollectionStartEvent):
            is_table = isinstance(event, yaml.MappingStartEvent)
            as_key = len(inside) == 1 and field is None
            if len(inside) == _DEEPEST or as_key or not (inside or is_table):
                raise _RefusedError
            inside.append(not is_table)
        elif isinstance(event, yaml.CollectionEndEvent):
            inside.pop()
            field = field if len(inside) > 1 else None
        elif isinstance(event, yaml.ScalarEvent):
            if not inside:
                raise _RefusedError
            if field is None:
                field = fields.setdefault(event.value, [])
                continue
            # Alone in two lists: a link without quotes, [[2023-07-08]].
            direct = inside[1:] in ([], [True]) or (inside[1:] == [True, True] and not field)
            if direct and event.value not in _NOTHING:
                field.append(event.value)
            field = field if len(inside) > 1 else None
    return fields
