"""How a store's state reads."""

from bowerbird.core.text import one_line
from bowerbird.surfaces.cli.page import Page, counted
from bowerbird.surfaces.cli.table import load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.core.answers import Status

# The longest name of a fact, with two blanks.
_LABEL = len("importance  ")
# Folders of one sort that are shown before the rest is only counted.
_FOLDERS = 10
_KILO = 1024
_REPAIR = "bower reindex --words"
# Characters of a commit that name it.
_COMMIT = 12
_UNITS = ("B", "KB", "MB", "GB", "TB")


def text(status: "Status", page: Page) -> str:
    """The facts, a line each."""
    lines = page.facts(_facts(status, page), _LABEL)
    if not status.index_healthy:
        lines.append(page.style(f"the index does not match the texts: {_REPAIR}", "red", "bold"))
    if status.fading is not None:
        lines += ["", load("cli.render.overview").fading(status.fading, page)]
    return "\n".join(lines)


def markdown(status: "Status", page: Page) -> str:
    """The facts as a table."""
    rows = [f"| {name} | {value} |" for name, value in _facts(status, page)]
    lines = ["| | |", "|---|---|", *rows]
    if status.fading is not None:
        lines += ["", "```", load("cli.render.overview").fading(status.fading, page.plain()), "```"]
    return "\n".join(lines)


def _facts(status: "Status", page: Page) -> list[tuple[str, str]]:
    if not status.total_size_bytes:
        return [
            ("store", f"none yet at {page.absolute(status.db_path)}"),
            ("project", one_line(status.project)),
        ]
    tier = status.vector_index_tier
    if status.measured_recall is not None:
        tier += f", recall@100 {status.measured_recall:.3f}"
    facts = [
        ("store", f"{page.absolute(status.db_path)} ({size(status.total_size_bytes)})"),
        ("project", one_line(status.project)),
        ("memories", f"{status.total_memories:,}" + _by_kind(status)),
        ("passages", _passages(status)),
    ]
    if status.waiting:
        facts.append(("review", f"{counted(status.waiting, 'memory')} to review: bower review"))
    if status.total_memories:
        facts.append(("importance", f"{status.avg_importance:.2f} on average"))
    facts += [
        ("search", f"words and meaning ({tier})" if status.model_used else "words"),
        ("model", _model(status)),
        ("index", "healthy" if status.index_healthy else "damaged"),
    ]
    facts += [("" if n else "models", one.line()) for n, one in enumerate(status.models)]
    facts += [("graph", _graph(status.graph))] if status.graph is not None else []
    if status.journal is not None:
        kept = f"{counted(status.journal['sessions'], 'session')} of agents"
        kept += f" ({size(status.journal['bytes'])}), capture {status.journal['capture']}"
        facts.append(("journal", kept))
    if status.level is not None:
        facts.append(("level", _level(status.level)))
    facts += [("" if n else "projects", _holds(one)) for n, one in enumerate(status.projects)]
    facts += _folders(status, page)
    if status.pruned_at is not None:
        left = ", ".join(f"{count} {name}" for name, count in status.pruned.items() if count)
        facts.append(("pruned", f"{page.age(status.pruned_at)}: {left or 'nothing pruned'}"))
    if status.usage_dropped:
        facts.append(("not noted", f"{counted(status.usage_dropped, 'answer')} as used"))
    return facts


def _passages(status: "Status") -> str:
    """How many from how many files; if this project has none, how many others have."""
    if status.total_passages:
        return f"{status.total_passages:,} from {counted(status.total_documents, 'file')}"
    others = [int(one["passages"]) for one in status.projects if one["passages"]]
    if not others:
        return "none yet: bower index PATH"
    there = f"{sum(others):,} in {counted(len(others), 'other project')}"
    return f"none in this project, {there}: bower query --all-projects"


def _folders(status: "Status", page: "Page") -> list[tuple[str, str]]:
    """Whose files are trusted, and whose are not."""
    facts = []
    for name, roots in (("trusted", status.trusted), ("imported", status.imported)):
        shown, others = page.some(roots, _FOLDERS)
        facts += [("" if n else name, page.path(root)) for n, root in enumerate(shown)]
        facts += [("", line) for line in others]
    return facts


def _graph(graph: "dict[str, Any]") -> str:
    """What is drawn of the files, and how much of it is not as they are now."""
    line = f"{counted(graph['nodes'], 'node')}, {counted(graph['edges'], 'edge')}"
    line += f" of {counted(graph['files'], 'file')}"
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in graph["kinds"].items())
    line += f" ({kinds})" if kinds else ""
    if graph["commit"]:
        line += f", last written at {graph['commit'][:_COMMIT]}"
    if graph["stale_files"]:
        line += f"; {counted(graph['stale_edges'], 'edge')} stale, of"
        line += f" {counted(graph['stale_files'], 'file')} that changed since: bower index"
    if graph["waiting_files"]:
        line += f"; {counted(graph['waiting_files'], 'file')} wait: bower reindex"
    return line


def _level(level: "dict[str, Any]") -> str:
    """How sure memory has to be to speak unasked here, and why."""
    line = f"{level['level']}: injects memories with a confidence above {level['above']:.2f}"
    if level["pinned"]:
        return line + ", as agent.level says"
    line += f"; {counted(level['sessions'], 'session')}"
    if level["decided"]:
        line += f", {level['confirmed']} of {level['decided']} confirmed"
    if level["corrected"]:
        line += f", {level['corrected']} corrected"
    if level["back"]:
        line += f"; several were wrong: bower review --level {level['level'] - 1} steps back"
    return f"{line}; {level['why']}" if level["why"] else line


def _holds(project: "dict[str, str | int]") -> str:
    """A project with its counts; the uid, which names it alone, where the name is not its own."""
    memories, passages = int(project["memories"]), int(project["passages"])
    counts = f"{counted(memories, 'memory')}, {counted(passages, 'passage')}"
    name, uid = one_line(str(project["name"])), one_line(str(project["uid"]))
    return f"{name}: {counts}" + (f"  ({uid})" if uid else "")


def _model(status: "Status") -> str:
    """The embedder; that of the package alone has no line among the models."""
    inside = status.model_used and not status.models
    return (
        f"{status.model_used or 'none'}{'; nothing leaves this machine for it' if inside else ''}"
    )


def _by_kind(status: "Status") -> str:
    if not status.by_type:
        return ""
    kinds = sorted(status.by_type.items(), key=lambda pair: (-pair[1], pair[0]))
    return " (" + ", ".join(f"{count} {kind}" for kind, count in kinds[:6]) + ")"


def size(count: int) -> str:
    """Bytes in the unit a person would use."""
    value = float(count)
    for unit in _UNITS:
        if value < _KILO or unit == _UNITS[-1]:
            break
        value /= _KILO
    return f"{value:.0f} {unit}" if unit in ("B", "KB") else f"{value:.1f} {unit}"
