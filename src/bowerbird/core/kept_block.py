"""The kept block of a rules file: what is remembered, a line each, told to agents. Pure.

Its first line names the versions that it was written from, and the digest of what was written: so a
person's changes between the two marks are recognised, and never written over.
"""

import re

from bowerbird.core.ids import content_hash
from bowerbird.core.types import DIGEST, TRUSTS
from bowerbird.core.value import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from bowerbird.core.exchange import Held
    from bowerbird.core.history import Version
    from bowerbird.core.memories import Fields

# What stands between these lines is ours.
BEGINS = "<!-- bowerbird: kept by `bower export`;"
ENDS = "<!-- /bowerbird -->"
_SAID = (
    "what stands between these lines is replaced; edit a line and take it in with `bower import`"
)
_BLOCK = re.compile(
    re.escape(BEGINS) + r"(?P<mark>[^\n]*?)-->\r?\n(?P<body>.*?)" + re.escape(ENDS) + r"\r?\n?",
    re.DOTALL,
)
_MARK = re.compile(r"; ([0-9a-f]{8}) of ([0-9a-f ]+) $")
_TITLE = "## What is remembered"
_KIND = "### "
_ITEM = "- "
_UNDECIDED = re.compile(r" \(undecided: another memory says “.*”\)$")
# Characters of a version's id, or of a digest, that tell it from the others of a file.
_TAIL = 8
# Tokens that a kept block takes at most unless more are wanted: an agent reads it in every session.
BUDGET = 1_500
_BYTES_OF_A_TOKEN = 4
# The share of words from which on a line is another one's new wording.
_REWORDED = 0.5


class Block(Record):
    """A kept block as a file has it.

    `typed` are the lines of its owner, in order; `missing` the versions of memories that no line says, in
    any version, by the end of their ids. Both are empty if it stands as it was written.
    """

    typed: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


class Edits(Record):
    """What its owner changed in a kept block.

    `reworded` are memories with the version that was told and its new line, `added` lines of no memory,
    `removed` memories whose lines were taken out, and which still hold.
    """

    reworded: "tuple[tuple[Held, Version, str], ...]"
    added: tuple[str, ...]
    removed: "tuple[Held, ...]"


def told(memories: "Iterable[Held]", budget: int, now: int) -> "list[Held]":
    """The memories that a rules file may tell `now`, the weightiest first, within a budget of tokens."""
    found = [
        one
        for one in memories
        if one.current.fields.state == "active"
        and _holds(one.current.fields, now)
        and not one.current.fields.needs_review
        and one.current.fields.kind != DIGEST
        and not one.current.fields.quiet_in
        and TRUSTS.index(one.trust) >= TRUSTS.index("normal")
    ]
    found.sort(key=lambda one: (-one.current.fields.pinned, -one.importance, one.id))
    left = budget * _BYTES_OF_A_TOKEN
    fitting = []
    for one in found:
        size = len(one.current.text.encode()) + 3
        if size <= left:
            left -= size
            fitting.append(one)
    return fitting


def _holds(fields: "Fields", now: int) -> bool:
    """Whether a memory has begun to hold, and has not ended."""
    ends = (at for at in (fields.valid_to, fields.expires) if at is not None)
    return (fields.valid_from is None or fields.valid_from <= now) and all(at > now for at in ends)


def with_block(
    text: str, memories: "Sequence[Held]", opposed: "Mapping[str, str] | None" = None
) -> str:
    """The text of a rules file with these memories in its kept block; without any the block goes.

    `opposed` are those that another one opposes, by id with the words of that one.
    """
    kinds: dict[str, list[str]] = {}
    for one in memories:
        said = _one_line(one.current.text)
        if opposed and one.id in opposed:
            said += f" (undecided: another memory says “{_one_line(opposed[one.id])}”)"
        kinds.setdefault(one.current.fields.kind, []).append(f"{_ITEM}{said}\n")
    parts = [
        f"\n{_KIND}{kind.replace('_', ' ')}\n\n{''.join(kinds[kind])}" for kind in sorted(kinds)
    ]
    block = _marked(f"{_TITLE}\n{''.join(parts)}", [one.head for one in memories]) if parts else ""
    if _BLOCK.search(text):
        return _BLOCK.sub(lambda _: block, text, count=1)
    return text.rstrip("\n") + "\n\n" + block if text.strip() and block else text or block


def _marked(body: str, versions: "Iterable[str]", digest: str = "") -> str:
    """A block whose first line tells what it was written from."""
    ends = " ".join(map(ends_as, versions))
    return f"{BEGINS} {_SAID}; {digest or _digest(body)} of {ends} -->\n{body}{ENDS}\n"


def ends_as(version: str) -> str:
    """What tells a version from the others of a file."""
    return version[-_TAIL:]


def versions_in(text: str) -> list[str]:
    """The ends of the versions that the kept block of a rules file was written from."""
    found = _BLOCK.search(text)
    mark = _MARK.search(found["mark"]) if found else None
    return mark[2].split() if mark else []


def _digest(body: str) -> str:
    return content_hash(body.encode()).hex()[:_TAIL]


def _plain(body: str) -> str:
    """A body with the line ends that it was written with, whatever Git made of them."""
    return body.replace("\r\n", "\n")


def _one_line(text: str) -> str:
    """A text as a line of the block, which it cannot end."""
    return " ".join(text.split()).replace("<!--", "<!").replace("-->", ">")


def without_block(text: str) -> str:
    """The text of a rules file without what is ours."""
    return _BLOCK.sub("", text)


def without_texts(text: str, texts: "Collection[str]") -> str:
    """The text of a rules file without the lines of the kept block that say one of these texts."""
    gone = {_one_line(one) for one in texts}

    def rewritten(found: "re.Match[str]") -> str:
        lines = found["body"].splitlines()
        kept = [_kept(line, gone) for line in lines]
        left = [line for line in kept if line is not None]
        if left == lines:
            return found.group()
        if not any(_statement(line) for line in left):
            return ""
        body, mark = "".join(f"{line}\n" for line in left), _MARK.search(found["mark"])
        if mark is None:
            return f"{BEGINS}{found['mark']}-->\n{body}{ENDS}\n"
        # What its owner changed in it stays recognised as changed.
        as_written = mark[1] == _digest(_plain(found["body"]))
        return _marked(body, mark[2].split(), "" if as_written else mark[1])

    return _BLOCK.sub(rewritten, text)


def _kept(line: str, gone: "Collection[str]") -> "str | None":
    """A line of a block without what says one of some texts; None if nothing is left of it."""
    if _statement(line) in gone:
        return None
    quoted = _UNDECIDED.search(line)
    return line[: quoted.start()] if quoted and any(one in quoted[0] for one in gone) else line


def block_in(text: str, memories: "Iterable[Held]") -> "Block | None":
    """The kept block of a rules file, beside what memories say and said; None if it has none."""
    found = _BLOCK.search(text)
    if found is None:
        return None
    body, mark = _plain(found["body"]), _MARK.search(found["mark"])
    if mark and mark[1] == _digest(body):
        return Block()
    stated = [one for one in map(_statement, body.split("\n")) if one]
    wanted = mark[2].split() if mark else []
    known: set[str] = set()
    there: set[str] = set()
    for memory in memories:
        for version in memory.versions:
            said = _one_line(version.text)
            known.add(said)
            if said in stated:
                # Whatever was said before is not missed: the line was edited, and taken in.
                there |= {ends_as(one.id) for one in memory.versions}
    return Block(
        tuple(one for one in stated if one not in known),
        tuple(one for one in wanted if one not in there),
    )


def _statement(line: str) -> str:
    """What a line of a block states; empty for its headings."""
    line = line.strip()
    if line == _TITLE or line.startswith(_KIND):
        return ""
    return _UNDECIDED.sub("", line.removeprefix(_ITEM)).strip()


def edits(block: Block, memories: "Iterable[Held]") -> Edits:
    """What the owner of a block changed: each of their lines rewords the missing one most alike."""
    told = [
        (memory, version)
        for memory in memories
        for version in memory.versions
        if ends_as(version.id) in block.missing
    ]
    alike = sorted(
        (
            (_alike(_one_line(version.text), line), at, which)
            for at, line in enumerate(block.typed)
            for which, (_, version) in enumerate(told)
        ),
        key=lambda one: (-one[0], one[1:]),
    )
    lines: set[int] = set()
    found: dict[int, str] = {}
    for share, at, which in alike:
        if share >= _REWORDED and at not in lines and which not in found:
            lines.add(at)
            found[which] = block.typed[at]
    return Edits(
        tuple((*told[which], found[which]) for which in sorted(found)),
        tuple(line for at, line in enumerate(block.typed) if at not in lines),
        tuple(
            memory
            for which, (memory, _) in enumerate(told)
            if which not in found and memory.current.fields.state == "active"
        ),
    )


def _alike(one: str, other: str) -> float:
    """The share of their words that two lines have in common."""
    ours, theirs = set(one.lower().split()), set(other.lower().split())
    return 2 * len(ours & theirs) / (len(ours) + len(theirs))
