"""Code that is made to take long: its cost grows with its size and no faster, or it has no outline."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bowerbird.code.syntax.grammar import MOST_NODES
from bowerbird.code.syntax.outlining import outlined

if TYPE_CHECKING:
    from collections.abc import Callable

# Names of one declaration: matched name by name, four times as many take sixteen times as long.
FEW = 1_500
WIDE = {
    "variables of Go": (".go", "package a\nvar %s int\n"),
    "parameters of Go": (".go", "package a\nfunc f(%s int) {}\n"),
    "fields of Go": (".go", "package a\ntype T struct { %s int }\n"),
    "variables of Java": (".java", "class A { void f() { int %s; } }\n"),
    "variables of C": (".c", "int %s;\n"),
    "types of Rust": (".rs", "use a::{%s};\n"),
    "keys of TypeScript": (".ts", "const {%s} = x;\n"),
    "bases of Python": (".py", "class A(%s): pass\n"),
}


@pytest.mark.parametrize("what", WIDE)
def test_many_names_of_one_declaration_take_time_in_proportion(
    what: str, cost: Callable[..., float]
) -> None:
    suffix, text = WIDE[what]

    def names(count: int) -> str:
        return text % ", ".join(f"n{number}" for number in range(count))

    few = cost(outlined, names(FEW), suffix)
    assert cost(outlined, names(4 * FEW), suffix, enough=8 * few) < 8 * few


def test_a_tree_of_too_many_nodes_has_no_outline() -> None:
    line = "a" + ".b" * 250 + "\n"
    nodes_a_line = (
        2 * 250
    )  # a name and the node around it for each step, and the point between them
    assert outlined(line * 100, ".py") is not None
    assert outlined(line * (MOST_NODES // nodes_a_line), ".py") is None


def test_the_first_steps_of_a_long_chain_are_references() -> None:
    found = outlined("import a\n\n\ndef f():\n    return a" + ".b" * 250 + "\n", ".py")
    assert found is not None
    chains = {one.chain for one in found[0].uses if one.kind == "references"}
    assert {"a", "a.b", "a.b.b"} <= chains
    assert len(chains) < 250


def test_variables_of_a_block_of_go_are_defined_and_typed() -> None:
    text = "package a\n\nvar (\n\tfirst, second Store\n\tthird = 3\n)\n"
    found = outlined(text, ".go")
    assert found is not None
    assert [one.name for one in found[0].definitions] == ["first", "second", "third"]
    typed = {(one.name, one.chain) for one in found[0].bindings}
    assert {("first", "Store"), ("second", "Store")} <= typed
