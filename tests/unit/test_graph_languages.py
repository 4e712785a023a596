"""Names resolved in Go, Java, Rust, C and C++, as far as packages, modules and includes lead."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from bowerbird.code.aliases import Aliases
from bowerbird.code.edges import edges_of
from bowerbird.code.files import World
from bowerbird.code.resolve import Resolver
from bowerbird.code.syntax.outlining import outlined
from bowerbird.core.outline import MODULE

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PROJECTS = {
    "go": (
        {
            "app/store/store.go": "package store\n\ntype Store struct{}\n\n"
            "func Open() *Store {\n\treturn &Store{}\n}\n",
            "app/store/load.go": "package store\n\nfunc (s *Store) Load() int {\n\treturn helper()\n}\n\n"
            "func helper() int {\n\treturn 1\n}\n",
            "app/main.go": 'package main\n\nimport "example.org/app/store"\n\n'
            "func main() {\n\ts := store.Open()\n\ts.Load()\n}\n",
        },
        {
            ("main.go:main", "calls", "store.go:Open"),
            ("main.go:main", "calls", "load.go:Store.Load"),
            ("load.go:Store.Load", "calls", "load.go:helper"),
            ("main.go:", "imports", "store.go:"),
        },
    ),
    "java": (
        {
            "src/a/Base.java": "package a;\npublic class Base {\n  void close() {}\n}\n",
            "src/a/b/Store.java": "package a.b;\nimport a.Base;\npublic class Store extends Base {\n"
            "  static Store open() { return new Store(); }\n  int load() { return count(); }\n"
            "  int count() { return 1; }\n}\n",
            "src/a/Till.java": "package a;\nimport a.b.Store;\nclass Till {\n  private Store store;\n"
            "  void ring() { store.load(); Store s = Store.open(); s.close(); }\n}\n",
        },
        {
            ("Store.java:Store", "inherits", "Base.java:Base"),
            ("Store.java:Store.load", "calls", "Store.java:Store.count"),
            ("Till.java:Till.ring", "calls", "Store.java:Store.load"),
            ("Till.java:Till.ring", "calls", "Store.java:Store.open"),
            ("Till.java:Till.ring", "calls", "Base.java:Base.close"),
            ("Till.java:", "imports", "Store.java:Store"),
        },
    ),
    "rust": (
        {
            "src/lib.rs": "mod store;\nmod till;\n",
            "src/store.rs": "pub struct Store {}\n\nimpl Store {\n    pub fn open() -> Store {\n"
            "        Store {}\n    }\n    pub fn load(&self) -> u32 {\n        helper()\n    }\n}\n\n"
            "fn helper() -> u32 {\n    1\n}\n",
            "src/till.rs": "use crate::store::Store;\n\npub fn ring() {\n    let s = Store::open();\n"
            "    s.load();\n}\n",
        },
        {
            ("till.rs:ring", "calls", "store.rs:Store.open"),
            ("till.rs:ring", "calls", "store.rs:Store.load"),
            ("store.rs:Store.load", "calls", "store.rs:helper"),
            ("till.rs:", "imports", "store.rs:Store"),
        },
    ),
    "c": (
        {
            "inc/store.h": "int store_open(void);\nstruct store { int fd; };\n"
            "static inline int store_fd(void) { return 1; }\n",
            "src/main.c": '#include "store.h"\n\nstatic int helper(void) { return store_fd(); }\n\n'
            "int main(void) { return helper(); }\n",
        },
        {
            ("main.c:", "imports", "store.h:"),
            ("main.c:main", "calls", "main.c:helper"),
            ("main.c:helper", "calls", "store.h:store_fd"),
        },
    ),
    "cpp": (
        {
            "store.hpp": "class Base { public: void close() {} };\n"
            "class Store : public Base { public: int load(); };\n",
            "store.cpp": '#include "store.hpp"\nint helper() { return 1; }\n'
            "int Store::load() { return helper(); }\n",
        },
        {
            ("store.hpp:Store", "inherits", "store.hpp:Base"),
            ("store.cpp:Store.load", "calls", "store.cpp:helper"),
            ("store.cpp:", "imports", "store.hpp:"),
        },
    ),
    "javascript": (
        {
            "store.js": "class Store {\n  load() { return 1 }\n}\n"
            "function open() { return new Store() }\nmodule.exports = { open, Store }\n",
            "till.js": "const { open: begin } = require('./store')\n"
            "function ring() { const s = begin(); s.load() }\n"
            "function part() { const { load } = begin(); load() }\n",
        },
        {
            ("till.js:ring", "calls", "store.js:open"),
            ("till.js:ring", "calls", "store.js:Store.load"),
            ("till.js:part", "calls", "store.js:Store.load"),
        },
    ),
    "a class is meant, not its constructor": (
        {
            "a/Node.java": "package a;\npublic class Node {\n  protected Node() {}\n  static class Leaf"
            " extends Node {\n    Node twin() { return new Node(); }\n  }\n}\n",
        },
        {
            ("Node.java:Node.Leaf", "inherits", "Node.java:Node"),
            ("Node.java:Node.Leaf.twin", "references", "Node.java:Node"),
            ("Node.java:Node.Leaf.twin", "calls", "Node.java:Node"),
        },
    ),
    "what a library exports": (
        {
            "tree.h": "#define TREE_LIB\nclass TREE_LIB Base {\npublic:\n  void close() {}\n};\n"
            "class TREE_LIB Tree final : public Base {\npublic:\n  Tree( Base* b ) {}\n"
            "  int grow() { close(); return 1; }\n};\n",
            "tree.cpp": '#include "tree.h"\nnamespace wood {\nBase::Base( int a ) {}\n'
            "Tree::Tree( Base* b ) {}\n}\n",
        },
        {
            ("tree.h:Tree", "inherits", "tree.h:Base"),
            ("tree.h:Tree.grow", "calls", "tree.h:Base.close"),
            ("tree.h:Tree.Tree", "references", "tree.h:Base"),
            ("tree.cpp:wood.Tree.Tree", "references", "tree.h:Base"),
        },
    ),
    "a macro before a function of its name": (
        {
            "conf.h": "#ifdef PREFIX\n#  define deflate z_deflate\n#endif\n",
            "deflate.c": '#include "conf.h"\nint deflate(int level) { return level; }\n',
            "main.c": '#include "conf.h"\nint main(void) { return deflate(1); }\n',
        },
        {("main.c:main", "calls", "deflate.c:deflate")},
    ),
}


@pytest.mark.parametrize("language", PROJECTS)
def test_names_are_followed(language: str) -> None:
    files, expected = PROJECTS[language]
    read = {
        number: (f"/project/{name}", outlined(text, os.path.splitext(name)[1]))
        for number, (name, text) in enumerate(files.items())
    }
    outlines = {number: found[0] for number, (_, found) in read.items() if found is not None}
    world = World({number: path for number, (path, _) in read.items()}, outlines.get, lambda *_: [])
    resolver = Resolver(world)

    def reported(document: int, place: int) -> str:
        name = "" if place == MODULE else outlines[document].qualified(place)
        return f"{os.path.basename(read[document][0])}:{name}"

    found = set()
    for document in outlines:
        file = world.file(document)
        assert file is not None
        for one in edges_of(resolver, file, world.uses(document), guess=False):
            if one.target is not None:
                found.add((reported(document, one.source), one.kind, reported(*one.target)))
    assert expected <= found


def test_nobody_imports_the_tests_of_a_go_package() -> None:
    files = {
        1: ("/p/doc/md.go", "package doc\nfunc Gen() {}\n"),
        2: ("/p/doc/md_test.go", "package doc\nfunc TestGen() { Gen() }\n"),
        3: ("/p/main.go", 'package main\nimport "example.org/p/doc"\nfunc main() { doc.Gen() }\n'),
    }
    outlines = {number: outlined(text, ".go")[0] for number, (_, text) in files.items()}  # type: ignore[index]
    world = World(
        {number: path for number, (path, _) in files.items()}, outlines.get, lambda *_: []
    )
    main = world.file(3)
    assert main is not None
    edges = edges_of(Resolver(world), main, world.uses(3))
    assert {one.target for one in edges if one.kind == "imports"} == {(1, MODULE)}
    assert (1, 0) in {one.target for one in edges if one.kind == "calls"}


def edges_in(
    files: dict[str, str],
    root: str = "/p/src",
    aliases: Callable[[str, str], list[str]] = lambda *_: [],
    *,
    guess: bool = False,
) -> set[tuple[str, str, str, int]]:
    """Source, kind, target and line of what leads somewhere."""
    outlines = {
        number: found[0]
        for number, (name, text) in enumerate(files.items())
        if (found := outlined(text, os.path.splitext(name)[1])) is not None
    }
    paths = {number: os.path.join(root, name) for number, name in enumerate(files)}
    world = World(paths, outlines.get, aliases)
    resolver = Resolver(world)
    drawn = set()
    for number, outline in outlines.items():
        file = world.file(number)
        assert file is not None
        for one in edges_of(resolver, file, world.uses(number), guess=guess):
            if one.target is not None:
                target, place = one.target
                name = "" if place == MODULE else outlines[target].qualified(place)
                source = "" if one.source == MODULE else outline.qualified(one.source)
                drawn.add((source, one.kind, f"{os.path.basename(paths[target])}:{name}", one.line))
    return drawn


def test_what_a_type_has_by_itself_goes_before_what_a_trait_gives_it() -> None:
    text = (
        "struct Entry;\ntrait Colored { fn kind(&self) -> u8; }\n"
        "impl Entry {\n    fn kind(&self) -> u8 { 1 }\n}\n"
        "impl Colored for Entry {\n    fn kind(&self) -> u8 { self.kind() }\n}\n"
    )
    world = {number: found[0] for number, found in {1: outlined(text, ".rs")}.items() if found}
    resolver = Resolver(World({1: "/p/src/a.rs"}, world.get, lambda *_: []))
    file = resolver.world.file(1)
    assert file is not None
    calls = [one for one in edges_of(resolver, file, resolver.world.uses(1)) if one.kind == "calls"]
    assert [one.target and world[1].definitions[one.target[1]].line for one in calls] == [4]


def test_the_module_around_a_module_of_rust_is_its_file() -> None:
    found = edges_in(
        {
            "mod.rs": "mod owner;\npub struct Owner;\n",
            "owner.rs": (
                "pub struct Owner;\nmod tests {\n    use super::*;\n    use super::Owner as O;\n"
                "    fn made() { take(O); }\n    fn take(_: Owner) {}\n}\n"
            ),
        }
    )
    assert not {one for one in found if one[0].startswith("tests") and "mod.rs" in one[2]}
    assert ("tests.take", "references", "owner.rs:Owner", 6) in found


def test_a_parameter_of_c_hides_the_struct_of_its_name() -> None:
    found = edges_in(
        {
            "a.c": "struct config { int a; };\nvoid use_it(struct config *c) {}\n"
            "void test(struct config *config) { use_it(config); }\n"
        }
    )
    assert found == {
        ("test", "calls", "a.c:use_it", 3),
        ("test", "references", "a.c:config", 3),
        ("use_it", "references", "a.c:config", 2),
    }


def test_static_methods_override_nothing_and_types_of_others_are_no_guess() -> None:
    found = edges_in(
        {
            "Base.java": "package a; class Base { static int of() { return 1; } int at() { return 1; }\n"
            " long nanoTime() { return 1; } boolean matches(String a) { return true; } }\n",
            "Sub.java": "package a; class Sub extends Base { static int of() { return 2; }\n"
            " int at() { return 2; } }\n",
            "Other.java": "package a; class Other { long now(Matcher m, Thing t) {\n m.matches(); "
            "return System.nanoTime(); } }\n",
        },
        guess=True,
    )
    assert {one for one in found if one[1] == "overrides"} == {
        ("Sub.at", "overrides", "Base.java:Base.at", 2)
    }
    assert not {one for one in found if one[0] == "Other.now" and one[1] == "calls"}


def test_a_package_of_go_is_where_go_mod_says(tmp_path: Path) -> None:
    (tmp_path / "go.mod").write_text("module myapp\n\ngo 1.22\n")
    ways = Aliases().ways
    main = str(tmp_path / "cmd" / "main.go")
    assert ways(main, "myapp/a") == [str(tmp_path / "a")]
    assert ways(main, "myapp") == [str(tmp_path)]
    assert ways(main, "github.com/pkg/errors") == [str(tmp_path / "vendor/github.com/pkg/errors")]
    errors = {
        "internal/errors/errors.go": "package errors\n\nfunc New(s string) error { return nil }\n",
        "cmd/main.go": 'package main\n\nimport "github.com/pkg/errors"\n\n'
        'func main() { errors.New("x") }\n',
    }
    called = {one for one in edges_in(errors, str(tmp_path), ways) if one[1] == "calls"}
    assert not called
    errors["cmd/main.go"] = errors["cmd/main.go"].replace("github.com/pkg", "myapp/internal")
    assert ("main", "calls", "errors.go:New", 5) in edges_in(errors, str(tmp_path), ways)


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        (
            {
                "vec.h": "int vec_sum(const int *, int);\n#define LIM 3\n",
                "vec.c": '#include "vec.h"\nint vec_sum(const int *a, int n) { return n; }\n',
                "sum.c": "static int vec_sum(int n) { return n; }\n",
                "main.c": '#include "vec.h"\nint main(void) { int t[LIM]; return vec_sum(t, LIM); }\n',
            },
            {("main", "calls", "vec.c:vec_sum", 2), ("main", "references", "vec.h:LIM", 2)},
        ),
        (
            {
                "geo.h": "namespace geo { int total(int); }\n",
                "geo.cpp": '#include "geo.h"\nint geo::total(int a) { return a; }\n',
                "main.cpp": '#include "geo.h"\nint main() { return geo::total(1); }\n',
            },
            {("main", "calls", "geo.cpp:geo.total", 2)},
        ),
        (
            {
                "lib.rs": "fn price(x: u32) -> u32 { x }\nconst LIM: u32 = 3;\nenum Kind { One }\n"
                "#[test]\nfn t() {\n    assert_eq!(price(2), LIM);\n    match k { Kind::One => 1 }\n}\n"
            },
            {
                ("t", "calls", "lib.rs:price", 6),
                ("t", "references", "lib.rs:LIM", 6),
                ("t", "references", "lib.rs:Kind.One", 7),
            },
        ),
        (
            {
                "a/a.go": "package a\n\nconst Max = 3\n\ntype A struct{ Name string }\n\n"
                "func help() {}\n",
                "a/b.go": "package a\n\nfunc use(x A) {\n\tf := help\n\t_ = make([]A, Max)\n"
                "\t_ = A{Name: 1}\n}\n",
            },
            {
                ("use", "references", "a.go:A", 3),
                ("use", "references", "a.go:help", 4),
                ("use", "references", "a.go:Max", 5),
            },
        ),
        (
            {
                "A.java": "package p;\nclass A { static int MAX = 1; void go() {} enum K { ONE } }\n",
                "B.java": "package p;\nclass B { A a;\n  int m() { var x = new A();\n    x.go();\n"
                "    Runnable r = A::go;\n    K k = A.K.ONE;\n    return A.MAX; } }\n",
            },
            {
                ("B", "references", "A.java:A", 2),
                ("B.m", "calls", "A.java:A", 3),
                ("B.m", "calls", "A.java:A.go", 4),
                ("B.m", "references", "A.java:A.go", 5),
                ("B.m", "references", "A.java:A.K.ONE", 6),
                ("B.m", "references", "A.java:A.MAX", 7),
            },
        ),
    ],
    ids=["c", "cpp", "rust", "go", "java"],
)
def test_what_other_files_and_macros_refer_to_is_found(
    files: dict[str, str], expected: set[tuple[str, str, str, int]]
) -> None:
    assert expected <= edges_in(files)


@pytest.mark.parametrize(
    "file",
    [
        ("a.go", "package a\n\nfunc help() {}\n\nfunc use(help int) int { return help }\n"),
        ("a.rs", "fn help() {}\nfn use_it(help: u32) -> u32 { match help { help => help } }\n"),
        ("A.java", "class A { int help; int m(int help) { return help; } }\n"),
        ("a.c", "int help(void) { return 1; }\nint use_it(int help) { return help; }\n"),
    ],
)
def test_a_local_hides_what_is_outside(file: tuple[str, str]) -> None:
    assert not {one for one in edges_in(dict([file])) if one[2].endswith("help")}


@pytest.mark.parametrize(
    "use",
    [
        "int user() { geo::Shape s; return s.area(); }",
        "int user(const geo::Shape& s) { return s.area(); }",
        "int user(geo::Shape* s) { return s->area(); }",
        "int user(std::vector<geo::Shape> all) { for (auto& s : all) s.area(); return 0; }",
    ],
)
def test_a_type_of_a_namespace_is_followed(use: str) -> None:
    files = {
        "geo.h": "namespace geo { struct Shape { int area(); }; struct Line { int area(); }; }\n",
        "geo.cpp": '#include "geo.h"\nint geo::Shape::area() { return 1; }\n'
        "int geo::Line::area() { return 2; }\n",
        "main.cpp": f'#include "geo.h"\n{use}\n',
    }
    called = {one[2] for one in edges_in(files) if one[:2] == ("user", "calls")}
    assert called == {"geo.cpp:geo.Shape.area"}
