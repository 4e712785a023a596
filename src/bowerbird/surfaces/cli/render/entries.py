"""How entries read outside an answer: one in full, many in a line each."""

import json
import time

from bowerbird.core.answers import Listed
from bowerbird.core.history import Shown
from bowerbird.core.memories import Plain
from bowerbird.core.recalled import linked_line, validity
from bowerbird.core.shaped import few_words
from bowerbird.core.text import clean, count_tokens, one_line
from bowerbird.core.types import SHORT_ID, label
from bowerbird.core.value import iso
from bowerbird.surfaces.cli.page import Page, cells, counted, cut, cut_front, wrap
from bowerbird.surfaces.cli.render.learn import evidence
from bowerbird.surfaces.cli.render.memory import history
from bowerbird.surfaces.cli.render.query import fenced, labelled, location

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from bowerbird.core.anchors import Anchor
    from bowerbird.core.details import Details
    from bowerbird.core.graph import Linking
    from bowerbird.core.history import History
    from bowerbird.core.learned import Evidence
    from bowerbird.core.memories import Fields
    from bowerbird.core.types import Entry

# Characters of an entry's own words in a list; a terminal's width may leave fewer.
_WORDS = 160
# The longest name of a fact, with its colon and a space.
_LABEL = len("methodology: ")
_INDENT = "    "
# States that one `revert` takes a memory out of; what replaced a superseded one has a say.
_GONE = frozenset({"deprecated", "expired", "deleted"})


def text(found: "Listed | Shown", page: Page) -> str:
    """One entry in full, or a list with a line each."""
    if isinstance(found, Shown):
        return _full(found.entry, page, found.history, found.evidence)
    return "\n".join(_line(entry, page) for entry in found.entries) or "No entries."


def markdown(found: "Listed | Shown", page: Page) -> str:
    """The same for a prompt: texts fenced as data."""
    if isinstance(found, Listed):
        lines = (
            " ".join(["-", *labelled(entry, page.plain()), f"{location(entry, page)}:"])
            + f" {one_line(few_words(entry, _WORDS))}"
            + (f" (needs review: {one_line(entry.review)})" if entry.review else "")
            for entry in found.entries
        )
        return "\n".join(lines)
    entry = found.entry
    facts = _facts(entry, page, found.evidence)
    shown = ["\n".join(f"- {name}: {one_line(value)}" for name, value in facts), fenced(entry.text)]
    if found.history is not None:
        shown.append(fenced(history(found.history, page.plain())))
    if found.evidence is not None:
        shown.append(fenced("\n".join(evidence(found.evidence, page.plain()))))
    return "\n\n".join(shown)


def _full(entry: "Entry", page: Page, changes: "History | None", taught: "Evidence | None") -> str:
    """What is known about it, and then its text, so that behind the text comes nothing of ours."""
    if page.quiet:
        return clean(entry.text)
    lines = page.facts(((f"{name}:", value) for name, value in _facts(entry, page, taught)), _LABEL)
    if changes is not None:
        lines += ["", history(changes, page)]
    if taught is not None:
        lines += ["", *evidence(taught, page)]
    return "\n".join([*lines, "", *_body(entry.text, page.columns)])


def _body(text: str, width: int) -> list[str]:
    """Every line of a text, long ones wrapped, blank ones kept."""
    lines: list[str] = []
    for line in clean(text).split("\n"):
        lines += wrap(line, width) or [""]
    return lines


def _facts(entry: "Entry", page: Page, taught: "Evidence | None") -> list[tuple[str, str]]:
    facts = [("id", entry.id), ("kind", entry.kind)]
    if entry.path is not None:
        facts.append(("where", page.location(entry.path, entry.start_line, entry.end_line)))
    for name in ("context", "speaker", "session", "project"):
        value = getattr(entry, name)
        if value:
            facts.append((name, value))
    if entry.tags:
        facts.append(("tags", ", ".join(entry.tags)))
    facts.append(("trust", label(entry.trust) or entry.trust))
    if entry.review:
        facts.append(("review", entry.review))
    facts += [("cites", _cited(one)) for one in entry.anchors]
    facts += [_link(one, page) for one in entry.links]
    facts += [("beside", linked_line(one, time.localtime)) for one in entry.linked]
    facts += _state(entry)
    if entry.importance is not None:
        facts.append(("importance", _importance(entry.importance, entry.details)))
    if entry.details is not None:
        facts += _details(entry.details, bool(taught and taught.signal))
    facts.append(("created", f"{iso(entry.created)} ({page.age(entry.created)})"))
    facts.append(("size", f"{count_tokens(entry.text):,} tokens"))
    return facts


def _link(one: "Linking", page: "Page") -> tuple[str, str]:
    if not one.outward:
        return "linked from", f"{page.path(one.path)}:{one.line}"
    return "links to", page.path(
        one.path
    ) if one.path else f"{one.name}: nothing indexed is called so"


def _cited(one: "Anchor") -> str:
    return f"{one} (unchanged)" if one.state == "fresh" else f"{one.state}: {one}"


def _state(entry: "Entry") -> list[tuple[str, str]]:
    """Why it is not in force, and what brings it back."""
    if entry.state == "active":
        return []
    why = entry.details.reason if entry.details is not None else ""
    facts = [("state", f"{entry.state}: {why}" if why else entry.state)]
    if entry.state in _GONE:
        facts.append(("back again", f"bower revert {entry.id[:SHORT_ID]}"))
    if entry.state in _GONE and entry.details is not None:
        version = entry.details.previous[:SHORT_ID]
        facts.append(("it alone", f"bower revert {entry.id[:SHORT_ID]} --to {version}"))
    return facts


def _importance(importance: float, details: "Details | None") -> str:
    text = f"{importance:.2f}"
    if details is None:
        return text
    now = f"{details.effective_importance:.2f}"
    text += f", {now} by now" if now != text else ""
    given = details.fields.priority
    return f"{text}, stored with {given} priority" if given else text


def _details(details: "Details", taught: bool) -> list[tuple[str, str]]:
    """What only memories have, where it is not what every memory has, and not shown as `taught`."""
    fields = details.fields
    facts = []
    confidence, now = f"{fields.confidence:.2f}", f"{details.current_confidence:.2f}"
    if fields.confidence < 1 or now != confidence:
        facts.append(
            ("confidence", f"{confidence}, {now} by now" if now != confidence else confidence)
        )
    fades = f"{details.half_life:g} days unused" if details.half_life else ""
    until = "" if fields.expires is None else iso(fields.expires)
    holds = validity(fields.valid_from, fields.valid_to).removeprefix("valid ")
    known = (("half-life", fades), ("valid", holds), ("expires", until))
    facts += [(name, when) for name, when in known if when]
    if fields.files:
        facts.append(("about", ", ".join(fields.files)))
    facts += _plain(fields)
    flags = [name for name in ("pinned", "verified") if getattr(fields, name)]
    if flags:
        facts.append(("held", ", ".join(flags)))
    metadata = {key: one for key, one in fields.metadata.items() if not taught or key != "learned"}
    for name, structure in (("payload", fields.payload), ("metadata", metadata)):
        if structure:
            facts.append((name, json.dumps(structure, ensure_ascii=False)))
    by = f" by {details.agent}" if details.agent else ""
    came = f", {details.arrived}" if details.arrived else ""
    facts.append(("source", f"{details.source}{by}{came}"))
    facts.append(("used", counted(details.access_count, "time")))
    return facts


def _plain(fields: "Fields") -> "Iterator[tuple[str, str]]":
    """The plain fields that a memory has, but for its files."""
    for name in Plain.DECLARED:
        value = getattr(fields, name)
        if value not in (None, "", (), {}) and name != "files":
            words = ", ".join(value) if isinstance(value, tuple) else value
            yield name.replace("_", " "), "yes" if words is True else clean(str(words))


def _line(entry: "Entry", page: Page) -> str:
    """Where it is, its trust and its age in a line; its words below, over the whole width."""
    place, age, marks = location(entry, page), page.age(entry.created), labelled(entry, page)
    if entry.path is not None:
        place = cut_front(place, page.columns)
    width = sum(cells(one) + 2 for one in (place, age, *labelled(entry, page.plain()))) - 2
    between = "  " if width <= page.columns else f"\n{_INDENT}"
    lines = [between.join([page.style(place, "cyan"), *marks, page.style(age, "dim")])]
    lines.append(_INDENT + cut(few_words(entry, _WORDS), page.columns - len(_INDENT)))
    if entry.state != "active":
        reason = entry.details.reason if entry.details is not None else ""
        lines += page.below(f"{entry.state}: {reason}" if reason else entry.state, _INDENT, "dim")
    if said := validity(entry.valid_from, entry.valid_to):
        lines += page.below(said, _INDENT, "dim")
    if entry.review:
        lines += page.below(f"needs review: {entry.review}", _INDENT, "yellow")
    return "\n".join(lines)
