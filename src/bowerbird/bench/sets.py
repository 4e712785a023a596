"""Evaluation sets: a corpus, questions, graded evidence, and how they are written as files."""

import ast
import json
import os
import re

from bowerbird.core.errors import BadInput
from bowerbird.core.value import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

# Formats of a corpus: documents as notes or as code, conversations as transcripts.
FORMS = ("auto", "md", "py", "jsonl")
# Number of rows that are parsed to distinguish code from prose.
_SAMPLE = 50
_UNSAFE = re.compile(r"[^\w.-]+")


class Row(Record):
    """A document of the corpus; a turn of a conversation if it has a role or a session."""

    id: str
    text: str
    title: str = ""
    session: str = ""
    role: str = ""
    date: str = ""

    @property
    def whole(self) -> str:
        """Title and text, as the baselines read them."""
        return f"{self.title}\n{self.text}" if self.title else self.text


class Topic(Record):
    """A question with the grades of its evidence (a topic, in TREC's terms), by row of the scope."""

    id: str
    text: str
    type: str
    grades: dict[int, float]


class Scope(Record):
    """Rows and questions that share one store, separate from all others."""

    name: str
    rows: "list[Row]"
    questions: "list[Topic]"


class EvaluationSet(Record):
    """A set: its scopes with questions, and the format of its corpus.

    `unjudged` counts questions without evidence, which are left out.
    """

    name: str
    form: str
    scopes: "list[Scope]"
    unjudged: int


def read_set(
    folder: str, *, queries: str | None = None, limit: int | None = None, form: str = "auto"
) -> EvaluationSet:
    """Reads a set from its folder. Raises BadInput if a file is missing or malformed.

    Args:
        folder: contains corpus.jsonl, queries.jsonl and qrels.tsv.
        queries: another file of questions, for the same evidence.
        limit: maximum number of questions, spread evenly over the file.
        form: md, py or jsonl; auto detects it from the corpus.
    """
    grades = _grades(os.path.join(folder, "qrels.tsv"))
    asked = list(_lines(queries or os.path.join(folder, "queries.jsonl")))
    judged = [question for question in asked if grades.get(question["_id"])]
    if limit is not None and limit < len(judged):
        judged = [judged[i * len(judged) // limit] for i in range(limit)]
    rows: dict[str, list[Row]] = {}
    for line in _lines(os.path.join(folder, "corpus.jsonl")):
        rows.setdefault(line.get("scope", ""), []).append(_row(line))
    if not judged or not rows:
        raise BadInput(f"{folder} holds no question with evidence", "see benchmarks/README.md")
    indexes = {
        name: {row.id: number for number, row in enumerate(members)}
        for name, members in rows.items()
    }
    questions: dict[str, list[Topic]] = {}
    for question in judged:
        scope = question.get("scope", "")
        here = indexes.get(scope, {})
        evidence = {here[id]: grade for id, grade in grades[question["_id"]].items() if id in here}
        if evidence:
            questions.setdefault(scope, []).append(
                Topic(question["_id"], question["text"], question.get("type", ""), evidence)
            )
    scopes = [Scope(name, rows[name], questions[name]) for name in rows if name in questions]
    name = os.path.basename(os.path.abspath(folder))
    unjudged = sum(1 for question in asked if not grades.get(question["_id"]))
    return EvaluationSet(name, _form(rows) if form == "auto" else form, scopes, unjudged)


def _row(line: "dict[str, Any]") -> Row:
    return Row(
        line["_id"],
        line["text"],
        line.get("title") or "",
        line.get("session") or "",
        line.get("role") or "",
        line.get("date") or "",
    )


def _form(scopes: "dict[str, list[Row]]") -> str:
    """Turns become transcripts, texts that mostly parse as Python become modules, the rest notes."""
    rows = [row for members in scopes.values() for row in members]
    if any(row.role or row.session for row in rows):
        return "jsonl"
    sample = rows[:: max(1, len(rows) // _SAMPLE)]
    return "py" if sum(_is_python(row.text) for row in sample) > len(sample) / 2 else "md"


def _is_python(text: str) -> bool:
    try:
        body = ast.parse(text).body
    except (SyntaxError, ValueError):
        return False
    return any(
        isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) for node in body
    )


def _lines(path: str) -> "Iterator[dict[str, Any]]":
    try:
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    try:
                        yield json.loads(line)
                    except ValueError as error:
                        raise BadInput(
                            f"{path}:{number}: {error}", "one JSON object a line"
                        ) from error
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}", "see benchmarks/README.md") from error


def _grades(path: str) -> dict[str, dict[str, float]]:
    """Question to document to grade, positive grades only; a header line is skipped."""
    grades: dict[str, dict[str, float]] = {}
    try:
        with open(path, encoding="utf-8") as file:
            for line in file:
                question, _, rest = line.rstrip("\n").partition("\t")
                document, _, grade = rest.partition("\t")
                if grade.replace(".", "", 1).isdigit() and float(grade) > 0:
                    grades.setdefault(question, {})[document] = float(grade)
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}", "see benchmarks/README.md") from error
    return grades


class Layout:
    """The location of a scope's rows in the files: maps path and lines back to rows."""

    def __init__(self) -> None:
        self._whole: dict[str, int] = {}
        self._by_line: dict[str, list[int]] = {}

    @classmethod
    def write(cls, scope: Scope, folder: str, form: str) -> "Layout":
        """Writes a scope's rows into a folder as `<id>.md`, `<id>.py` or one transcript per session."""
        layout = cls()
        folder = os.path.realpath(folder)
        if form == "jsonl":
            layout._write_sessions(scope, folder)
        else:
            layout._write_documents(scope, folder, form)
        return layout

    def _write_documents(self, scope: Scope, folder: str, form: str) -> None:
        for number, row in enumerate(scope.rows):
            path = self._fresh(folder, row.id, form)
            title = f"# {row.title}\n\n" if row.title and form == "md" else ""
            with open(path, "w", encoding="utf-8") as file:
                file.write(f"{title}{row.text}\n")
            self._whole[path] = number

    def _write_sessions(self, scope: Scope, folder: str) -> None:
        sessions: dict[str, list[int]] = {}
        for number, row in enumerate(scope.rows):
            sessions.setdefault(row.session, []).append(number)
        for session, numbers in sessions.items():
            path = self._fresh(folder, session or scope.name or "conversation", "jsonl")
            with open(path, "w", encoding="utf-8") as file:
                for number in numbers:
                    row = scope.rows[number]
                    turn = {"role": row.role or "user", "content": row.text}
                    if row.date:
                        turn["timestamp"] = row.date
                    file.write(json.dumps(turn, ensure_ascii=False) + "\n")
            self._by_line[path] = numbers

    def _fresh(self, folder: str, name: str, suffix: str) -> str:
        stem = _UNSAFE.sub("_", name).lstrip(".")[:120] or "row"
        path, count = os.path.join(folder, f"{stem}.{suffix}"), 1
        while path in self._whole or path in self._by_line:
            count += 1
            path = os.path.join(folder, f"{stem}-{count}.{suffix}")
        return path

    def rows_at(self, path: str | None, start: int | None, end: int | None) -> list[int]:
        """The rows that a hit covers, in the order of the file."""
        if path in self._whole:
            return [self._whole[path]]
        if path in self._by_line and start is not None:
            return self._by_line[path][start - 1 : end or start]
        return []
