"""How an impact reads: a tree by how far things are."""

from bowerbird.surfaces.cli.page import Page, counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bowerbird.core.graph import Impact, Node, Reached

# Unresolved names that are listed.
_UNRESOLVED = 20
# Tests that are listed.
_TESTS = 50
_MEANS = {
    "imports": "imports", "calls": "calls", "inherits": "inherits from", "references": "refers to",
    "links": "links to", "overrides": "overrides", "contains": "contains", "tests": "tests",
    "documents": "documents",
}  # fmt: skip
_MEANT = {
    "imports": "imported by", "calls": "called by", "inherits": "base of",
    "references": "referred to by", "links": "linked from", "overrides": "overridden by",
    "contains": "in", "tests": "tested by", "documents": "documented in",
}  # fmt: skip


def text(impact: "Impact", page: Page) -> str:
    """The tree."""
    if impact.candidates:
        lines = [f"{impact.target} may be any of these; name one as file:symbol"]
        return "\n".join([*lines, *(f"  {_location(one, page)}" for one in impact.candidates)])
    if not impact.found:
        return f"no {impact.target} in the indexed code"
    lines = [page.style(_location(one, page), "bold") for one in impact.found]
    lines += _tree(impact, page)
    if not impact.reached:
        lines.append("  " + _nothing(impact))
    lines += _remarks(impact, page)
    return "\n".join(lines)


def _nothing(impact: "Impact") -> str:
    what = "no test" if impact.tests else "nothing"
    if impact.direction == "dependencies":
        return f"{what} in the indexed code is what it hangs on"
    if impact.tests:
        return f"no test in the indexed code reaches it within {counted(impact.depth, 'step')}"
    return "nothing in the indexed code hangs on it"


def _tree(impact: "Impact", page: Page) -> list[str]:
    """Each below what it was reached by, the strongest first."""
    below: dict[int, list[Reached]] = {}
    listed = {one.node.id for one in impact.reached}
    for one in impact.reached:
        below.setdefault(one.by if one.by in listed else 0, []).append(one)
    words = _MEANS if impact.direction == "dependencies" else _MEANT
    lines: list[str] = []
    left = [(one, 1) for one in reversed(below.get(0, []))]
    while left:
        one, depth = left.pop()
        # By rule a note's links are as they are written.
        guessed = one.origin == "rule" and one.edge not in {"links", "documents"}
        sure = " (by its name alone)" if guessed else ""
        mark = page.style("  test", "cyan") if one.test else ""
        # Where it is said, in the file of whoever depends.
        line = one.line if impact.direction == "dependents" else 0
        meant = (_MEANT if words is _MEANS else _MEANS) if one.back else words
        how = page.style(f"{meant.get(one.edge, one.edge)}{sure}", "dim")
        lines.append(f"{'  ' * depth}{how} {_location(one.node, page, line)}{mark}")
        left += [(inner, depth + 1) for inner in reversed(below.get(one.node.id, []))]
    return lines


def _location(node: "Node", page: Page, line: int = 0) -> str:
    where = f"{page.path(node.path)}:{line or node.start_line}"
    return (
        f"{node.kind} {node.name}  {where}" if node.name else f"{node.kind} {page.path(node.path)}"
    )


def _remarks(impact: "Impact", page: Page) -> list[str]:
    """What stands below the tree."""
    lines = []
    tests = sum(one.test for one in impact.reached)
    if impact.reached:
        files = len({one.node.path for one in impact.reached})
        lines.append(
            f"\n{counted(len(impact.reached), 'node')} in {counted(files, 'file')}, "
            f"{counted(tests, 'test')}"
            + (f"; at least {impact.more:,} more" if impact.more else "")
        )
    if impact.run and impact.direction == "dependents":
        lines.append("tests to run: " + " ".join(page.path(one) for one in impact.run[:_TESTS]))
        if len(impact.run) > _TESTS:
            lines.append(f"  and {len(impact.run) - _TESTS:,} more, as JSON: --json")
    if impact.unresolved:
        names = sorted(impact.unresolved.items(), key=lambda pair: (-pair[1], pair[0]))
        shown = ", ".join(name for name, _ in names[:_UNRESOLVED])
        more = f" and {len(names) - _UNRESOLVED} more" if len(names) > _UNRESOLVED else ""
        lines.append(f"not in the indexed code, or not resolved: {shown}{more}")
    lines += [
        f"documented by memory {one.id[:18]} ({one.kind}"
        + (", by its words alone" if one.origin == "rule" else "")
        + f"): {one.summary}"
        for one in impact.memories
    ]
    if impact.stale:
        paths = ", ".join(page.path(path) for path in impact.stale)
        lines.append(f"changed or gone since indexed, what they say is left out: {paths}")
        lines.append("  → bower index")
    return lines
