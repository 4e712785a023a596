"""Every public method of a store, and of each object that it gives, is declared in a port."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

import pytest

from bowerbird.core.life import used
from bowerbird.core.part import Part
from bowerbird.storage.registry import backend

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

# The members of each Protocol by name, with the type that each gives.
Ports = dict[str, dict[str, str]]
# Members that are methods rather than properties, with how the test calls them.
CALLED: dict[str, Callable[[Any], object]] = {"embeddings": lambda method: method(10)}


@pytest.fixture(scope="module")
def ports(root: Path) -> Ports:
    found: Ports = {}
    for path in (root / "src" / "bowerbird" / "core" / "ports").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                found[node.name] = dict(members(node))
    return found


def members(port: ast.ClassDef) -> Iterator[tuple[str, str]]:
    for node in port.body:
        if isinstance(node, ast.FunctionDef):
            yield node.name, ast.unparse(node.returns) if node.returns else ""
        elif isinstance(node, ast.AnnAssign):
            yield ast.unparse(node.target), ast.unparse(node.annotation)


def classes(kind: type) -> set[type]:
    """A class with its bases and its subclasses, any of which another store may give."""
    found = {*kind.__mro__} - {object}
    derived: type
    for derived in kind.__subclasses__():
        found |= classes(derived)
    return found


def public_methods(value: object) -> set[str]:
    """The methods, properties and parts of an object's classes; class methods are constructors."""
    return {
        name
        for one in classes(type(value))
        for name, member in vars(one).items()
        if not name.startswith("_") and (callable(member) or isinstance(member, (property, Part)))
    }


def given(ports: Ports, value: object, port: str) -> Iterator[tuple[object, str]]:
    """An object with its port, and those that its members give, and so on."""
    yield value, port
    for name, type_name in ports[port].items():
        if type_name in ports:
            found = getattr(value, name)
            yield from given(ports, CALLED[name](found) if name in CALLED else found, type_name)


@pytest.mark.parametrize("resident", [False, True])
def test_every_public_method_of_a_store_is_declared_in_its_port(
    ports: Ports, store_path: str, *, resident: bool
) -> None:
    stores = backend(store_path)
    store = stores.open(store_path, lambda: 0, write=True, use=used)
    if resident:
        store.keep_resident()
    try:
        seen = [(stores, "Backend"), *given(ports, store, "Store")]
        assert {port for _, port in seen} >= {"Words", "Graph", "Cached", "CandidateSource"}
        undeclared = [
            f"{type(value).__name__}.{name} is not in {port}"
            for value, port in seen
            for name in sorted(public_methods(value) - set(ports[port]))
        ]
    finally:
        store.close()
    assert not undeclared, "\n".join(undeclared)
