"""Errors that the pages can show, with their remedies, are in each language."""

import ast
from pathlib import Path

import pytest

import bowerbird
from bowerbird.core import errors
from bowerbird.surfaces.web.language import Language, available

SOURCE = Path(bowerbird.__file__).parent
# What the forms and pages call; what else raises is asked for on a command line.
CALLED = (
    "core/given.py", "core/ids.py", "core/operators.py", "core/text.py", "core/who.py",
    "daemon/birds.py", "lifecycle/changes.py", "lifecycle/complete.py", "lifecycle/confirm.py",
    "lifecycle/dispute.py", "lifecycle/edit.py", "lifecycle/ending.py", "lifecycle/revert.py",
    "surfaces/verbs/review.py",
    "surfaces/web/actions.py", "surfaces/web/app.py", "surfaces/web/pages/memory.py",
    "verbs/surrounding.py",
)  # fmt: skip
RAISED = {name for name, one in vars(errors).items() if isinstance(one, type)}
ID = "019a2f6c-81d4-7001"


def said(node: ast.expr) -> str | None:
    """A sentence with something in each place; None for one that is made elsewhere."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(
            str(one.value) if isinstance(one, ast.Constant) else ID for one in node.values
        )
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "Advice":
        parts = [said(one) or "bower list" for one in node.args]
        return "".join(parts)
    return None


@pytest.mark.parametrize("name", CALLED)
@pytest.mark.parametrize("language", available()[1:])
def test_what_a_page_may_say_of_an_error_is_translated(language: str, name: str) -> None:
    here = Language(language)
    left = [
        text
        for node in ast.walk(ast.parse((SOURCE / name).read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func) in RAISED
        for text in map(said, node.args)
        if text and text.replace(ID, "").strip() and here.failed(text) == text
    ]
    assert not left


@pytest.mark.parametrize(
    ("said", "here"),
    [
        ("tests passed", "réussi\u202f: tests"),
        ("tests, type check passed", "réussi\u202f: tests, vérification des types"),
        ("tests failed (`make test`)", "échoué\u202f: tests (`make test`)"),
        ("commit “Round prices”", "commit «\u202fRound prices\u202f»"),
        ("2 more commits", "2 autres commits"),
        (
            "edited a.py, b.py and 3 more in src/cart",
            "modifié\u202f: a.py, b.py et 3 de plus dans src/cart",
        ),
        ("edited a.py", "modifié\u202f: a.py"),
        ("edited 4 other files", "4 autres fichiers modifiés"),
        ("answered “30 s”", "a répondu\u202f: «\u202f30 s\u202f»"),
        ("“fix it” was not finished", "«\u202ffix it\u202f» n’a pas été fini"),
        ("to do: mails", "à faire\u202f: mails"),
        ("not committed: a.py and 2 more", "sans commit\u202f: a.py et 2 de plus"),
        ("the mails are missing", "the mails are missing"),
    ],
)
def test_what_a_digest_lists_is_said_in_french_but_for_its_quotes(said: str, here: str) -> None:
    assert Language("fr").listed([said]) == here
    assert Language("en").listed([said, said]) == f"{said}; {said}"
