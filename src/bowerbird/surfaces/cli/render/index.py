"""How an index run reads."""

from bowerbird.core.text import clean
from bowerbird.surfaces.cli.page import counted, table
from bowerbird.surfaces.cli.render.status import size

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.answers import Report
    from bowerbird.surfaces.cli.call import Outcome
    from bowerbird.surfaces.cli.page import Page

# Reasons shown with their files before the rest is only counted.
_SHOWN = 10


def text(outcome: "Outcome", page: "Page") -> str:
    """Counts in a line, what was left out below it with the reasons."""
    report: Report = outcome.value
    counts = [(count, name) for name, count in _counts(report) if count]
    told = ", ".join(f"{count:,} {name}" for count, name in counts) or "nothing found to take in"
    lines = [page.style(told, "bold")]
    seconds = report.took_ms / 1000
    done = (
        f"{counted(report.passages, 'passage')} from {size(report.bytes_read)} in {seconds:.1f} s"
    )
    if report.project:
        done += f", into project {report.project}"
    if not page.quiet:
        lines.append(page.style(done, "dim"))
    if report.redacted:
        taken = ", ".join(f"{kind} {count:,}" for kind, count in sorted(report.redacted.items()))
        lines.append(f"taken out before it was stored: {taken}")
    if report.unknown_records:
        unknown = counted(report.unknown_records, "record")
        lines.append(f"left out: {unknown} of an unknown kind")
    if report.unread:
        lines.append(f"not read by the model yet, found by words alone: {report.unread}")
    if report.skipped:
        shown = report.skipped if page.verbose else report.skipped[:_SHOWN]
        rows = [(page.path(skipped.path), clean(skipped.reason)) for skipped in shown]
        lines += ["skipped:", *("  " + line for line in table(rows))]
        if len(shown) < len(report.skipped):
            lines.append(f"  and {len(report.skipped) - len(shown):,} more (--verbose lists them)")
    return "\n".join(lines)


def _counts(report: "Report") -> list[tuple[str, int]]:
    return [
        ("added", report.added),
        ("changed", report.changed),
        ("removed", report.removed),
        ("unchanged", report.unchanged),
        ("skipped", len(report.skipped)),
    ]
