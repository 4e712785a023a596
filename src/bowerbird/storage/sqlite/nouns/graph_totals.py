"""Aggregates over the code graph: nodes and edges, most depended-on nodes, pending documents."""

from bowerbird.core import plainjson
from bowerbird.core.graph import CONTAINS, INDEX_BITS, TESTS
from bowerbird.host.places import is_test

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    # Source, target, kind, origin, confidence, line, column and count.
    Row = tuple[int, int, str, str, float, int, int, int]

    import apsw


class Counted:
    """Aggregates over the graph of a store."""

    def __init__(self, connection: "apsw.Connection") -> None:
        self._connection = connection

    def strongest(
        self,
        front: "Sequence[tuple[int, float, bool]]",
        weights: "Mapping[str, float]",
        without: tuple["Collection[int]", "Collection[int]"],
        most: int,
        *,
        into: bool,
    ) -> tuple[list[tuple[float, int, "Row"]], int, list[int]]:
        """The nodes that edges of a frontier lead to, each by its strongest edge.

        The frontier is nodes with their strengths, and whether edges of the kind overrides do not count;
        `without` are documents and nodes that are left out. Returns a limited number, each as strength,
        node and edge; then the total, and the documents.
        """
        here, there = ("target", "source") if into else ("source", "target")
        kinds = " ".join(f"WHEN '{kind}' THEN {weight}" for kind, weight in weights.items())
        # Narrow rows are grouped first and read in full afterwards: for 37,000 edges that takes half the
        # time.
        rows = list(
            self._connection.execute(
                "WITH front (id, strength, turned) AS MATERIALIZED (SELECT value ->> 0, value ->> 1,"
                " value ->> 2 FROM json_each(?1)), stale (id) AS MATERIALIZED (SELECT value FROM"
                " json_each(?2)), seen (id) AS MATERIALIZED (SELECT value FROM json_each(?3)),"
                f" best (strength, there, id) AS MATERIALIZED (SELECT max(f.strength * e.confidence"
                f" * CASE e.kind {kinds} ELSE 0.5 END), e.{there}, e.id FROM front f"
                f" CROSS JOIN edge e ON e.{here} = f.id WHERE e.target IS NOT NULL"
                f" AND e.document NOT IN stale AND e.{there} NOT IN seen"
                " AND NOT (f.turned AND e.kind = 'overrides') GROUP BY 2),"
                " told AS MATERIALIZED (SELECT * FROM best ORDER BY 1 DESC, 2 LIMIT ?4)"
                " SELECT t.strength, t.there, e.source, e.target, e.kind, e.origin, e.confidence,"
                ' e.line, e."column", e.count, (SELECT count(*) FROM best),'
                f" (SELECT json_group_array(DISTINCT there >> {INDEX_BITS}) FROM best)"
                " FROM told t CROSS JOIN edge e ON e.id = t.id ORDER BY 1 DESC, 2",
                (plainjson.escaped(front), *(plainjson.escaped([*some]) for some in without), most),
            )
        )
        if not rows:
            return [], 0, []
        found = [(row[0], row[1], row[2:10]) for row in rows]
        return found, rows[0][10], plainjson.loads(rows[0][11])

    def totals(self) -> tuple[int, int]:
        """The number of nodes, and of resolved edges."""
        found = self._connection.execute(
            "SELECT (SELECT count(*) FROM node), (SELECT count(*) FROM edge WHERE target IS NOT NULL)"
        )
        nodes, edges = next(found)
        return int(nodes), int(edges)

    def sources(self, projects: "Sequence[str]") -> dict[int, str]:
        """The path of each document with code of some projects."""
        marks = ", ".join("?" * len(projects))
        return dict(
            self._connection.execute(
                "SELECT d.id, d.path FROM outline o JOIN document d ON d.id = o.document"
                f" JOIN project p ON p.id = d.project WHERE p.uid IN ({marks}) AND d.source = 'code'",
                [*projects],
            )
        )

    def between(self, projects: "Sequence[str]") -> list[tuple[int, int, int]]:
        """What the files of some projects use, guesses apart: document, node, and how often."""
        marks = ", ".join("?" * len(projects))
        found = self._connection.execute(
            "SELECT e.document, e.target, sum(e.count) FROM edge e"
            " JOIN document d ON d.id = e.document JOIN project p ON p.id = d.project"
            f" WHERE p.uid IN ({marks}) AND e.target IS NOT NULL AND e.confidence > 0.5"
            " GROUP BY e.document, e.target ORDER BY e.document, e.target",
            [*projects],
        )
        return [(document, node, int(count)) for document, node, count in found]

    def kinds(self, projects: "Sequence[str]") -> dict[str, int]:
        """The number of resolved edges of some projects, by public kind."""
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
        contained = self._connection.execute(
            f"SELECT count(*) FROM node WHERE kind <> 'file' AND {within}", projects
        )
        counts[CONTAINS] = int(next(contained)[0])
        paths = self._connection.execute(
            "SELECT d.id, d.path FROM outline o JOIN document d ON d.id = o.document"
        )
        tests = plainjson.escaped([id for id, path in paths if is_test(path)])
        tried = self._connection.execute(
            "WITH test (id) AS MATERIALIZED (SELECT value FROM json_each(?1)) SELECT kind, count(*)"
            " FROM edge WHERE document IN test AND kind IN ('calls', 'references')"
            f" AND target IS NOT NULL AND (target >> {INDEX_BITS}) NOT IN test AND {within}"
            " GROUP BY kind",
            (tests, *projects),
        )
        for kind, count in tried:
            counts[kind] -= count
            counts[TESTS] = counts.get(TESTS, 0) + count
        return {kind: count for kind, count in sorted(counts.items()) if count}

    def hubs(self, most: int) -> list[int]:
        """The nodes with the most incoming edges."""
        found = self._connection.execute(
            "SELECT target FROM edge WHERE target IS NOT NULL GROUP BY target"
            " ORDER BY count(*) DESC, target LIMIT ?",
            (most,),
        )
        return [target for (target,) in found]
