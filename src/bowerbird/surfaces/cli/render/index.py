"""How an index run reads."""

from bowerbird.core.text import clean, one_line
from bowerbird.surfaces.cli.page import Page, counted, table
from bowerbird.surfaces.cli.render.status import size

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bowerbird.core.report import Report, Skipped

# Files, and kinds of secrets, that are named before the rest is only counted.
_SHOWN = 10


def text(report: "Report", page: Page) -> str:
    """Counts in a line, what was left out below it with the reasons."""
    names = ("added", "changed", "removed", "unchanged")
    counts = [(getattr(report, name), name) for name in names]
    counts = [one for one in (*counts, (len(report.skipped), "skipped")) if one[0]]
    message = ", ".join(f"{count:,} {name}" for count, name in counts) or "nothing to index"
    lines = [page.style(message, "bold")]
    seconds = report.took_ms / 1000
    done = (
        f"{counted(report.passages, 'passage')} from {size(report.bytes_read)} in {seconds:.1f} s"
    )
    if report.project:
        done += f", into project {one_line(report.project)}"
    if not page.quiet:
        lines.append(page.style(done, "dim"))
    if report.redacted:
        lines.append(f"redacted before storing: {_redacted(report.redacted, page)}")
    if report.unknown_records:
        unknown = counted(report.unknown_records, "record")
        lines.append(f"left out: {unknown} of an unknown kind")
    if report.unread:
        lines.append(f"without vectors yet, found by words only: {report.unread}")
    imported, others = page.some(report.imported, _SHOWN)
    for grounds in imported:
        message = f"{page.path(grounds.root)}: {clean(grounds.reason)}; {clean(grounds.remedy)}"
        lines.append(f"imported, not trusted: {message}")
    lines += ["  " + line for line in others]
    for name, files in (("indexed in part", report.cut), ("skipped", report.skipped)):
        if files:
            lines += [f"{name}:", *("  " + line for line in _files(files, page))]
    return "\n".join(lines)


def _redacted(redacted: "Mapping[str, int]", page: Page) -> str:
    """Kinds of secrets with how many of each, the most frequent of them unless all are asked for."""
    kinds = sorted(redacted.items(), key=lambda kind: (-kind[1], kind[0]))
    shown = kinds if page.verbose else kinds[:_SHOWN]
    counts = ", ".join(counted(count, kind) for kind, count in shown)
    if len(shown) == len(kinds):
        return counts
    rest = sum(count for _, count in kinds[len(shown) :])
    return (
        f"{counts}, and {rest:,} of {len(kinds) - len(shown):,} other kinds (--verbose lists them)"
    )


def _files(files: "Sequence[Skipped]", page: Page) -> "Iterator[str]":
    """The files with the reasons, the first of them unless all are asked for."""
    shown, others = page.some(files, _SHOWN)
    yield from table([(page.path(one.path), clean(one.reason)) for one in shown])
    yield from others
