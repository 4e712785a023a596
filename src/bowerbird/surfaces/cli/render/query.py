"""How the hits of a question read: for a person, for a prompt, and as an explanation."""

import re

from bowerbird.core.text import count_tokens, one_line
from bowerbird.core.types import SHORT_ID, label
from bowerbird.surfaces.cli.page import cells, counted, cut, table, wrap
from bowerbird.surfaces.recalled import enveloped, item_of, name, nonce, quoted
from bowerbird.surfaces.shaped import COMPACT_CHARS, DIGEST_CHARS, few_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.answers import Hit, Hits
    from bowerbird.core.types import Entry
    from bowerbird.surfaces.cli.call import Outcome
    from bowerbird.surfaces.cli.page import Page
    from bowerbird.surfaces.shaped import Answer

# Lines of text that a hit is shown with: enough to judge it, few enough to see five hits at once.
LINES = 4
# Less than one in twenty of such hits is relevant: among better ones they are noise to a person.
WEAK = 0.05
_INDENT = "    "
_FIRST_STEPS = (
    ("bower index ~/notes", "take in a folder of notes or transcripts"),
    ('bower remember "Redis runs on 6379"', "keep one fact"),
    ("bower demo", "see it work first, in a temporary store"),
)
# A line that begins something of its own: a heading, an item, a table, a quote, a fence, a label,
# indented code.
_BEGINS = re.compile(r"\s*(?:[-*+>|#`~]|\d+[.)]\s)|\s{4}")
_HEADING = re.compile(r"#{1,6}\s")


def text(outcome: "Outcome", page: "Page") -> str:
    """The hits for a person."""
    answer: Answer = outcome.value
    hits = answer.hits
    if not hits:
        return _nothing(answer, page)
    if answer.shape == "digest":
        return _explained([_digest(hit, page) for hit in hits], answer, page)
    if answer.shape == "compact":
        return _explained([_compact(hit, page) for hit in hits], answer, page)
    blocks = [page.style(_corrected(hits), "yellow")] if hits.corrected and not page.quiet else []
    shown = _worth_a_look(answer, page)
    blocks += [_block(number, hit, page) for number, hit in enumerate(shown, 1)]
    if answer.explain:
        blocks.append(explanation(hits, page))
    if not page.quiet:
        below = wrap(_footer(answer, len(hits) - len(shown)), page.columns)
        blocks.append("\n".join(page.style(line, "dim") for line in below))
    return "\n\n".join(blocks)


def _explained(lines: list[str], answer: "Answer", page: "Page") -> str:
    """Short lines, with the explanation below them where one was asked for."""
    below = ["", explanation(answer.hits, page)] if answer.explain else []
    return "\n".join([*lines, *below])


def markdown(outcome: "Outcome", page: "Page") -> str:
    """The hits for a prompt: cited, in the envelope that marks them as data."""
    answer: Answer = outcome.value
    hits = answer.hits
    if not hits:
        return f"Nothing relevant in memory for: {_line(hits.query)}"
    if answer.shape == "digest":
        return _listed([_digest(hit, page) for hit in hits], answer, page)
    if answer.shape == "compact":
        return _listed([_compact(hit, page) for hit in hits], answer, page)
    read = f" ({_corrected(hits)})" if hits.corrected else ""
    items = [
        item_of(hit.entry, hit.text, hit.relevance, place=_place(hit.entry, page)) for hit in hits
    ]
    told = enveloped(items, f"Found for: {name(hits.query)}{read}", nonce(), fenced=True)
    return f"{told}\n\n{_explanation_fenced(hits, page)}" if answer.explain else told


def _listed(lines: list[str], answer: "Answer", page: "Page") -> str:
    below = ["", _explanation_fenced(answer.hits, page)] if answer.explain else []
    return "\n".join([*("- " + line for line in lines), *below])


def _explanation_fenced(hits: "Hits", page: "Page") -> str:
    return fenced(explanation(hits, page.plain()))


def fenced(text: str) -> str:
    """A text of others between fences, marked line by line, so that none of them is the closing one."""
    return f"```text\n{quoted(text)}\n```"


def _line(text: str) -> str:
    return " ".join(one_line(text).split())


def _place(entry: "Entry", page: "Page") -> str:
    if entry.path is not None:
        return page.place(entry.path, entry.start_line, entry.end_line)
    return f"{entry.kind} {entry.id[:SHORT_ID]}"


def labelled(entry: "Entry", page: "Page") -> list[str]:
    """What stands before a line of an entry that is believed less; nothing before another."""
    told = label(entry.trust)
    return [page.style(f"({told})", "yellow")] if told else []


def _digest(hit: "Hit", page: "Page") -> str:
    """About ten tokens: where it stands and a few words."""
    entry = hit.entry
    place = _place(entry, page) if entry.path is not None else entry.id[:SHORT_ID]
    words = _line(few_words(entry, DIGEST_CHARS))
    return " ".join([*labelled(entry, page), page.style(place, "cyan"), words])


def _compact(hit: "Hit", page: "Page") -> str:
    """About thirty tokens: a line of it, and what the whole costs."""
    entry = hit.entry
    cost = f"get {entry.id[:SHORT_ID]}: {count_tokens(entry.text)} tokens"
    parts = [_line(few_words(entry, COMPACT_CHARS)), page.style(f"({cost})", "dim")]
    if entry.path is not None:
        parts.insert(0, page.style(_place(entry, page), "cyan"))
    return " ".join([*labelled(entry, page), *parts])


def _block(number: int, hit: "Hit", page: "Page") -> str:
    entry = hit.entry
    left = f"{number:>2}. " + page.style(_place(entry, page), "bold", "cyan")
    seen = cells(f"{number:>2}. {_place(entry, page)}")
    measure = f"{hit.relevance:.2f}".removeprefix("0")
    age = page.age(entry.created)
    right = f"{page.bar(hit.relevance)} {measure}  {page.style(age, 'dim')}"
    gap = page.columns - seen - cells(f"xxxxx {measure}  {age}")
    lines = [left + " " * gap + right] if gap > 1 else [left, _INDENT + right]
    width = page.columns - len(_INDENT)
    # A line of its own, before anything that others have written.
    lines += [_INDENT + told for told in labelled(entry, page)]
    about = _about(entry)
    if about:
        lines.append(_INDENT + page.style(cut(about, width), "dim"))
    if entry.review:
        told = wrap(f"needs review: {entry.review}", width)
        lines += [_INDENT + page.style(line, "yellow") for line in told]
    shown = _excerpt(hit, width, None if page.verbose else LINES)
    pattern = _pattern(hit.matched)
    lines += [_INDENT + _highlighted(line, pattern, page) for line in shown]
    return "\n".join(lines)


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
    """The run of lines that holds the most matched words; the earliest of equals."""
    lines = wrap(_flowing(hit), width)
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


def _flowing(hit: "Hit") -> str:
    """The snippet with the author's line breaks inside paragraphs undone, to be wrapped anew.

    Headings at its beginning are left out where the context line tells them.
    """
    lines = (hit.snippet or hit.text).strip().split("\n")
    while len(lines) > 1 and hit.entry.context and (_HEADING.match(lines[0]) or not lines[0]):
        del lines[0]
    if hit.entry.source == "code":
        return "\n".join(lines)
    flowing: list[str] = []
    for line in lines:
        goes_on = flowing and flowing[-1].strip() and line.strip()
        if goes_on and not _BEGINS.match(line) and not _HEADING.match(flowing[-1]):
            flowing[-1] += " " + line.strip()
        else:
            flowing.append(line)
    return "\n".join(flowing)


def _pattern(matched: tuple[str, ...]) -> "re.Pattern[str] | None":
    if not matched:
        return None
    longest_first = sorted(matched, key=len, reverse=True)
    return re.compile(r"(?<!\w)(?:" + "|".join(map(re.escape, longest_first)) + r")(?!\w)")


def _highlighted(line: str, pattern: "re.Pattern[str] | None", page: "Page") -> str:
    if pattern is None or not page.colour:
        return line
    return pattern.sub(lambda found: page.style(found.group(), "match"), line)


def _corrected(hits: "Hits") -> str:
    """Which words were read as others."""
    return "; ".join(f"{_line(word)} read as {right}" for word, right in hits.corrected.items())


def _worth_a_look(answer: "Answer", page: "Page") -> "list[Hit]":
    """The hits that a person is shown: all, or those that may well answer, where one does."""
    hits = list(answer.hits)
    strong = [hit for hit in hits if hit.relevance >= WEAK]
    return hits if page.verbose or answer.explain or not strong else strong


def _footer(answer: "Answer", left_out: int) -> str:
    hits = answer.hits
    found = f"{len(hits)} of {hits.total_found:,} candidates"
    if left_out:
        found += f", {counted(left_out, 'weak one')} left out (--verbose shows them)"
    if answer.budget:
        found += f" · {answer.spent:,} of {answer.budget:,} tokens"
    return f"{found} · {hits.took_ms:.0f} ms · {hits.model or 'words alone'}"


def _nothing(answer: "Answer", page: "Page") -> str:
    if any(note.kind == "missing" for note in answer.hits.notes):
        return _no_store(page)
    lines = [page.style("Nothing relevant.", "bold")]
    if not page.quiet:
        lines.append(f"  asked: {cut(answer.hits.query, page.columns - 9)}")
        if answer.hits.corrected:
            lines.append(f"  {_corrected(answer.hits)}; as it is spelt: --no-fuzzy")
        tries = ["other words, or fewer of them"]
        if not answer.wide:
            tries.append("--all-projects")
        tries.append("bower status, to see what is indexed here")
        lines.append(f"  try: {'; '.join(tries)}")
    if answer.explain:
        lines += ["", explanation(answer.hits, page)]
    return "\n".join(lines)


def _no_store(page: "Page") -> str:
    """What somebody sees who asks before anything was taken in."""
    lines = [page.style("Nothing is stored yet.", "bold")]
    if not page.quiet:
        lines += [f"  {line:<35} {page.style(what, 'dim')}" for line, what in _FIRST_STEPS]
    return "\n".join(lines)


def explanation(hits: "Hits", page: "Page") -> str:
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
