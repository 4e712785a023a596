"""How much there is in the graph of code: nodes, edges by kind, what most depends on, what waits."""

import json

from bowerbird.core.graph import CONTAINS, PLACE_BITS, TESTS
from bowerbird.core.places import is_test

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    import apsw


class Counted:
    """What is counted of the graph of a store."""

    def __init__(self, connection: "apsw.Connection") -> None:
        self._connection = connection

    def totals(self) -> tuple[int, int]:
        """How many nodes there are, and edges that lead somewhere."""
        found = self._connection.execute(
            "SELECT (SELECT count(*) FROM node), (SELECT count(*) FROM edge WHERE target IS NOT NULL)"
        )
        nodes, edges = next(found)
        return int(nodes), int(edges)

    def kinds(self, projects: "Sequence[str]") -> dict[str, int]:
        """How many edges of some projects lead somewhere, by their kinds as they are told."""
        marks = ", ".join("?" * len(projects))
        within = (
            "document IN (SELECT d.id FROM document d JOIN project p ON p.id = d.project"
            f" WHERE p.uid IN ({marks}))"
        )
        counts: dict[str, int] = dict(
            self._connection.execute(
                f"SELECT kind, count(*) FROM edge WHERE target IS NOT NULL AND {within} GROUP BY kind",
                projects,
            )
        )
        held = self._connection.execute(
            f"SELECT count(*) FROM node WHERE kind <> 'file' AND {within}", projects
        )
        counts[CONTAINS] = int(next(held)[0])
        paths = self._connection.execute(
            "SELECT d.id, d.path FROM outline o JOIN document d ON d.id = o.document"
        )
        tests = json.dumps([id for id, path in paths if is_test(path)])
        tried = self._connection.execute(
            "WITH test (id) AS MATERIALIZED (SELECT value FROM json_each(?1)) SELECT kind, count(*)"
            " FROM edge WHERE document IN test AND kind IN ('calls', 'references')"
            f" AND target IS NOT NULL AND (target >> {PLACE_BITS}) NOT IN test AND {within}"
            " GROUP BY kind",
            (tests, *projects),
        )
        for kind, count in tried:
            counts[kind] -= count
            counts[TESTS] = counts.get(TESTS, 0) + count
        return {kind: count for kind, count in sorted(counts.items()) if count}

    def hubs(self, most: int) -> list[int]:
        """The nodes that most edges lead to."""
        found = self._connection.execute(
            "SELECT target FROM edge WHERE target IS NOT NULL GROUP BY target"
            " ORDER BY count(*) DESC, target LIMIT ?",
            (most,),
        )
        return [target for (target,) in found]

    def unresolved_documents(self, projects: "Sequence[str]") -> int:
        """How many documents of some projects have edges that wait."""
        marks = ", ".join("?" * len(projects))
        found = self._connection.execute(
            "SELECT count(*) FROM outline o JOIN document d ON d.id = o.document WHERE o.resolved = 0"
            f" AND d.project IN (SELECT id FROM project WHERE uid IN ({marks}))",
            projects,
        )
        return int(next(found)[0])
