"""How the hits of a question read: for a person, for a prompt, and as an explanation."""

import re
import time

from bowerbird.core.recalled import enveloped, item_of, linked_line, name, nonce, quoted, validity
from bowerbird.core.shaped import COMPACT_CHARS, DIGEST_CHARS, brief, matched
from bowerbird.core.text import clean, count_tokens, one_line
from bowerbird.core.types import SHORT_ID, label
from bowerbird.surfaces.cli.page import Page, cells, counted, cut, table, wrap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.answers import Hit, Hits
    from bowerbird.core.shaped import Answer
    from bowerbird.core.types import Entry

# Lines of text that a hit is shown with: enough to judge it, few enough to see five hits at once.
LINES = 4
UNSURE = "Nothing certain. The nearest:"
_INDENT = "    "
_FIRST_STEPS = (
    ("bower index ~/notes", "index a folder of notes or transcripts"),
    ('bower remember "Redis runs on 6379"', "keep one fact"),
    ("bower demo", "see it work first, in a temporary store"),
)
_HEADING = re.compile(r"#{1,6}\s")


def text(answer: "Answer", page: Page) -> str:
    """The hits for a person."""
    hits = answer.hits
    if not hits:
        return _nothing(answer, page)
    if answer.shape in _SHORT:
        first = [hits.nothing_then] if hits.nothing_then else []
        below = ["", explanation(hits, page)] if answer.explain else []
        return "\n".join([*first, *(_SHORT[answer.shape](hit, page) for hit in hits), *below])
    blocks = [page.style(_corrected(hits), "yellow")] if hits.corrected and not page.quiet else []
    whole = page.verbose or answer.shape == "full"
    if hits.nothing_then or (hits.unsure and not page.quiet):
        blocks.append(page.style(hits.nothing_then or UNSURE, "bold"))
    blocks += [_block(number, hit, page, whole) for number, hit in enumerate(hits, 1)]
    if answer.explain:
        blocks.append(explanation(hits, page))
    if not page.quiet:
        below = wrap(_footer(answer), page.columns)
        blocks.append("\n".join(page.style(line, "dim") for line in below))
    return "\n\n".join(blocks)


def markdown(answer: "Answer", page: Page) -> str:
    """The hits for a prompt: cited, in the envelope that marks them as data."""
    hits = answer.hits
    if not hits:
        return hits.nothing_then or f"Nothing relevant in memory for: {_line(hits.query)}"
    if answer.shape in _SHORT:
        first = [hits.nothing_then, ""] if hits.nothing_then else []
        below = ["", _explanation_fenced(hits, page)] if answer.explain else []
        return "\n".join(
            [*first, *(f"- {_SHORT[answer.shape](hit, page)}" for hit in hits), *below]
        )
    read = f" ({_corrected(hits)})" if hits.corrected else ""
    items = [
        item_of(
            hit.entry,
            hit.text if answer.shape == "full" else brief(hit),
            hit.relevance,
            location(hit.entry, page),
            hit.replace(also=tuple(map(page.path, hit.also))),
        )
        for hit in hits
    ]
    found = "Nothing certain, nearest" if hits.unsure else "Found"
    found = " ".join(filter(None, (hits.nothing_then, found)))
    block = enveloped(items, f"{found} for: {name(hits.query)}{read}", nonce(), fenced=True)
    return f"{block}\n\n{_explanation_fenced(hits, page)}" if answer.explain else block


def _explanation_fenced(hits: "Hits", page: Page) -> str:
    return fenced(explanation(hits, page.plain()))


def fenced(text: str) -> str:
    """A text of others between fences, marked line by line, so that none of them is the closing one."""
    return f"```text\n{quoted(text)}\n```"


def _line(text: str) -> str:
    return " ".join(one_line(text).split())


def location(entry: "Entry", page: Page) -> str:
    """File and lines of a passage; kind and short id of a memory."""
    if entry.path is not None:
        return page.location(entry.path, entry.start_line, entry.end_line)
    return f"{entry.kind} {entry.id[:SHORT_ID]}"


def labelled(entry: "Entry", page: Page) -> list[str]:
    """The marks before a line of an entry: lower trust, its author, one's own, disputed."""
    by = f"by {clean(entry.speaker)}" if entry.speaker and entry.document is None else ""
    disputed = f"disputed by {clean(entry.disputed)}" if entry.disputed else ""
    marks = filter(None, (label(entry.trust), by, entry.audience, disputed))
    return [page.style(f"({one})", "yellow") for one in marks]


def _digest(hit: "Hit", page: Page) -> str:
    """About ten tokens: its location and a few words."""
    entry = hit.entry
    shown = location(entry, page) if entry.path is not None else entry.id[:SHORT_ID]
    words = [_measure(hit), _line(matched(hit, DIGEST_CHARS)), *_beside(hit, page)]
    return " ".join([*labelled(entry, page), page.style(shown, "cyan"), *words])


def _measure(hit: "Hit") -> str:
    return f"{hit.relevance:.2f}".removeprefix("0")


def _beside(hit: "Hit", page: Page) -> list[str]:
    """When it holds, what others say about the same, and where else it stands, in a line each."""
    lines = [one] if (one := validity(hit.entry.valid_from, hit.entry.valid_to)) else []
    lines += [f"about {one}" for one in _astray(hit.entry)]
    lines += [linked_line(one, time.localtime) for one in hit.linked]
    lines += ["also in " + ", ".join(map(page.path, hit.also))] if hit.also else []
    return [page.style(f"({one})", "yellow") for one in lines]


def _compact(hit: "Hit", page: Page) -> str:
    """About thirty tokens: a line of it, and what the whole costs."""
    entry = hit.entry
    cost = f"get {entry.id[:SHORT_ID]}: {count_tokens(entry.text)} tokens"
    parts = [_measure(hit), _line(matched(hit, COMPACT_CHARS)), page.style(f"({cost})", "dim")]
    parts += _beside(hit, page)
    if entry.path is not None:
        parts.insert(0, page.style(location(entry, page), "cyan"))
    return " ".join([*labelled(entry, page), *parts])


_SHORT = {"digest": _digest, "compact": _compact}


def _block(number: int, hit: "Hit", page: Page, whole: bool) -> str:
    entry = hit.entry
    left = f"{number:>2}. " + page.style(location(entry, page), "bold", "cyan")
    seen = cells(f"{number:>2}. {location(entry, page)}")
    measure = _measure(hit)
    age = page.age(entry.created)
    right = f"{page.bar(hit.relevance)} {measure}  {page.style(age, 'dim')}"
    gap = page.columns - seen - cells(f"xxxxx {measure}  {age}")
    lines = [left + " " * gap + right] if gap > 1 else [left, _INDENT + right]
    width = page.columns - len(_INDENT)
    # A line of its own, before anything that others have written.
    lines += [_INDENT + label for label in labelled(entry, page)]
    about = _about(entry)
    if about:
        lines.append(_INDENT + page.style(cut(about, width), "dim"))
    remarks = [f"needs review: {entry.review}"] if entry.review else []
    if said := validity(entry.valid_from, entry.valid_to):
        lines += page.below(said, _INDENT, "dim")
    remarks += [f"about {one}" for one in _astray(entry)]
    remarks += [linked_line(one, time.localtime) for one in hit.linked]
    for one in remarks:
        lines += page.below(one, _INDENT, "yellow")
    shown = _excerpt(hit, width, None if whole else LINES)
    pattern = _pattern(hit.matched)
    lines += [_INDENT + _highlighted(line, pattern, page) for line in shown]
    if hit.also:
        lines += page.below("also in " + ", ".join(map(page.path, hit.also)), _INDENT, "dim")
    return "\n".join(lines)


def _astray(entry: "Entry") -> list[str]:
    """The anchors of a memory that moved or changed."""
    return [one_line(str(one)) for one in entry.anchors if one.state != "fresh"]


def _about(entry: "Entry") -> str:
    """Who and what surrounds the text: speaker, heading path, tags."""
    parts = []
    if entry.speaker:
        parts.append(entry.speaker)
    if entry.context:
        parts.append(entry.context)
    if entry.tags:
        parts.append(" ".join(f"#{tag}" for tag in entry.tags))
    return " · ".join(parts)


def _excerpt(hit: "Hit", width: int, limit: int | None) -> list[str]:
    """The run of lines that holds the most matched words, as they are written; the earliest of equals.

    Headings at its beginning are left out where the context line tells them.
    """
    written = hit.text.strip("\n").split("\n")
    while len(written) > 1 and hit.entry.context and _in_context(written[0]):
        del written[0]
    lines = wrap("\n".join(written), width)
    if limit is None or len(lines) <= limit:
        return lines
    pattern = _pattern(hit.matched)
    counts = [len(pattern.findall(line)) if pattern else 0 for line in lines]
    sums = [sum(counts[i : i + limit]) for i in range(len(lines) - limit + 1)]
    start = sums.index(max(sums))
    shown = lines[start : start + limit]
    if start + limit < len(lines):
        last = shown[-1] + " …"
        shown[-1] = last if cells(last) <= width else cut(last, width)
    return shown


def _in_context(line: str) -> bool:
    return not line.strip() or _HEADING.match(line) is not None


def _pattern(matched: tuple[str, ...]) -> "re.Pattern[str] | None":
    if not matched:
        return None
    longest_first = sorted(matched, key=len, reverse=True)
    return re.compile(r"(?<!\w)(?:" + "|".join(map(re.escape, longest_first)) + r")(?!\w)")


def _highlighted(line: str, pattern: "re.Pattern[str] | None", page: Page) -> str:
    if pattern is None or not page.colour:
        return line
    return pattern.sub(lambda found: page.style(found.group(), "match"), line)


def _corrected(hits: "Hits") -> str:
    """Which words were read as others."""
    return "; ".join(f"{_line(word)} read as {right}" for word, right in hits.corrected.items())


def _footer(answer: "Answer") -> str:
    hits = answer.hits
    found = f"{len(hits)} of {hits.total_found:,} candidates"
    if hits.weak:
        found += f", {counted(hits.weak, 'weak one')} left out (--weak shows them)"
    if answer.budget:
        found += f" · {answer.spent:,} of {answer.budget:,} tokens"
    return f"{found} · {hits.took_ms:.0f} ms · {hits.model or 'words alone'}"


def _nothing(answer: "Answer", page: Page) -> str:
    if any(note.kind == "missing" for note in answer.hits.notes):
        return _no_store(page)
    if answer.hits.nothing_then:
        return page.style(answer.hits.nothing_then, "bold")
    lines = [page.style("Nothing relevant.", "bold")]
    if not page.quiet:
        lines.append(f"  asked: {cut(answer.hits.query, page.columns - 9)}")
        if answer.hits.corrected:
            lines.append(f"  {_corrected(answer.hits)}; as it is spelt: --no-fuzzy")
        if answer.beyond:
            lines += page.below(_beyond(answer), "  ", "bold")
        tries = ["other words, or fewer of them"]
        if not answer.wide and not answer.beyond:
            tries.append("--all-projects")
        tries.append("bower status, to see what is indexed here")
        lines.append(f"  try: {'; '.join(tries)}")
    if answer.explain:
        lines += ["", explanation(answer.hits, page)]
    return "\n".join(lines)


def _beyond(answer: "Answer") -> str:
    """How many hits other projects have, and the command that shows them."""
    question = _line(answer.hits.query)
    said = f'"{question}"' if not set(question) & set('"$`\\!') else "…"
    there = counted(answer.beyond, "hit") + " in other projects"
    return f"{there}: bower query {said} --all-projects"


def _no_store(page: Page) -> str:
    """What somebody sees who asks before anything was taken in."""
    lines = [page.style("Nothing is stored yet.", "bold")]
    if not page.quiet:
        lines += [f"  {line:<35} {page.style(what, 'dim')}" for line, what in _FIRST_STEPS]
    return "\n".join(lines)


def explanation(hits: "Hits", page: Page) -> str:
    """The trace as two small tables; the contributions of a hit sum to its score."""
    lines = []
    parts = {hit.id: hits.trace.contributions(hit.entry.row) for hit in hits}
    names = [
        stage.name
        for stage in hits.trace.stages
        if any(stage.name in contributions for contributions in parts.values())
    ]
    if names:
        rows: list[tuple[str, ...]] = [("hit", *names, "score")]
        for number, hit in enumerate(hits, 1):
            shown = [f"{parts[hit.id].get(name, 0.0):+.3f}" for name in names]
            rows.append((f"{number:>2}", *shown, f"{hit.score:.3f}"))
        lines.append(page.style("What each stage added to the score", "bold"))
        lines += ["  " + line for line in table(rows, tuple(range(1, len(names) + 2)))]
        lines.append("")
    stages = [
        (
            stage.name,
            "skipped" if stage.skipped else f"{stage.ms:.1f} ms",
            _line(stage.skipped or stage.note),
        )
        for stage in hits.trace.stages
    ]
    lines.append(page.style("Stages", "bold"))
    lines += ["  " + _cut_line(line, page.columns - 2) for line in table(stages, (1,))]
    return "\n".join(lines)


def _cut_line(line: str, width: int) -> str:
    return line if cells(line) <= width else line[: width - 1].rstrip() + "…"
