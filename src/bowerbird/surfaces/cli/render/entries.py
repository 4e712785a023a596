"""How entries read outside an answer: one in full, many in a line each."""

from bowerbird.core.text import clean, count_tokens
from bowerbird.surfaces.cli.flat import SHORT_ID, few_words, iso
from bowerbird.surfaces.cli.page import cells, cut, cut_front, wrap
from bowerbird.surfaces.cli.render.query import fenced

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.types import Entry
    from bowerbird.surfaces.cli.call import Outcome
    from bowerbird.surfaces.cli.page import Page

# Characters of an entry's own words in a list; a terminal's width may leave fewer.
_WORDS = 160


def text(outcome: "Outcome", page: "Page") -> str:
    """One entry in full, or a list with a line each."""
    entries: list[Entry] = outcome.value
    if "entries" not in outcome.data:
        return _full(entries[0], page)
    if not entries:
        return (
            "No entries." if page.quiet else "No entries. bower index and bower curate make some."
        )
    return "\n".join(_line(entry, page) for entry in entries)


def markdown(outcome: "Outcome", page: "Page") -> str:
    """The same for a prompt: texts fenced as data."""
    entries: list[Entry] = outcome.value
    if "entries" in outcome.data:
        lines = (f"- {_place(entry, page)}: {few_words(entry, _WORDS)}" for entry in entries)
        return "\n".join(lines)
    entry = entries[0]
    facts = "\n".join(f"- {name}: {value}" for name, value in _facts(entry, page))
    return f"{facts}\n\n{fenced(entry.text)}"


def _full(entry: "Entry", page: "Page") -> str:
    lines = [
        page.style(f"{name + ':':<11}", "dim") + cut(value, page.columns - 11)
        for name, value in _facts(entry, page)
    ]
    if page.quiet:
        return clean(entry.text)
    return "\n".join([*lines, "", *_body(entry.text, page.columns)])


def _body(text: str, width: int) -> list[str]:
    """Every line of a text, long ones wrapped, blank ones kept."""
    lines: list[str] = []
    for line in clean(text).split("\n"):
        lines += wrap(line, width) or [""]
    return lines


def _facts(entry: "Entry", page: "Page") -> list[tuple[str, str]]:
    facts = [("id", entry.id), ("kind", entry.kind)]
    if entry.path is not None:
        facts.append(("where", page.place(entry.path, entry.start_line, entry.end_line)))
    for name in ("context", "speaker", "session", "project"):
        value = getattr(entry, name)
        if value:
            facts.append((name, value))
    if entry.tags:
        facts.append(("tags", ", ".join(entry.tags)))
    facts.append(("trust", entry.trust))
    if entry.state != "active":
        facts.append(("state", entry.state))
    if entry.importance is not None:
        facts.append(("importance", f"{entry.importance:.2f}"))
    facts.append(("created", f"{iso(entry.created)} ({page.age(entry.created)})"))
    facts.append(("size", f"{count_tokens(entry.text):,} tokens"))
    return facts


def _place(entry: "Entry", page: "Page") -> str:
    if entry.path is not None:
        return page.place(entry.path, entry.start_line, entry.end_line)
    return f"{entry.kind} {entry.id[:SHORT_ID]}"


def _line(entry: "Entry", page: "Page") -> str:
    place, age = cut_front(_place(entry, page), page.columns // 2), page.age(entry.created)
    room = max(20, page.columns - cells(place) - cells(age) - 4)
    words = cut(few_words(entry, _WORDS), room)
    return f"{page.style(place, 'cyan')}  {words}  {page.style(age, 'dim')}"
