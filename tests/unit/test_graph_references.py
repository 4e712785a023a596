"""Who refers to a thing without calling it: members of the object itself, constants in any expression."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from bowerbird.code.edges import edges_of
from bowerbird.code.files import World
from bowerbird.code.resolve import Resolver
from bowerbird.code.syntax.outlining import outlined
from bowerbird.core.outline import MODULE

if TYPE_CHECKING:
    from collections.abc import Iterator

BASE = "class Base:\n    AGE = 1\n\n    def told(self):\n        return None\n"
PAGE = (
    "from base import Base\nimport base\n\nLIMITS = {}\nDEBUG = False\n\n\n"
    "class Page(Base):\n    def __init__(self):\n        self.add(callback=self._help)\n\n"
    "    def _help(self):\n        return self.AGE if DEBUG else 0\n\n"
    "    def shown(self):\n        return LIMITS.get(1)\n\n"
    "    def asked(self):\n        if not DEBUG:\n            return lambda: LIMITS\n\n"
    "    def later(self):\n        return f'{LIMITS}', self.told\n\n"
    "    def every(self):\n        for one in LIMITS:\n            assert DEBUG\n"
)
PAGE_EDGES = {
    ("Page.__init__", "Page._help"),
    ("Page._help", "Base.AGE"),
    ("Page._help", "DEBUG"),
    ("Page.shown", "LIMITS"),
    ("Page.asked", "DEBUG"),
    ("Page.asked", "LIMITS"),
    ("Page.later", "LIMITS"),
    ("Page.later", "Base.told"),
    ("Page.every", "LIMITS"),
    ("Page.every", "DEBUG"),
}
SCRIPT = (
    "const LIMITS = {a: 1};\nconst DEBUG = load();\n\nclass Page {\n"
    "  constructor() { this.add({callback: this.help}); }\n"
    "  help() { return DEBUG ? 1 : 0; }\n"
    "  shown() { return LIMITS.get(1); }\n"
    "  asked() { if (!DEBUG) { return () => LIMITS; } }\n"
    "  later() { return `${LIMITS}`; }\n}\n"
    "function exported() { module.exports.made = help; }\nfunction help() {}\n"
)
SCRIPT_EDGES = {
    ("Page.constructor", "Page.help"),
    ("Page.help", "DEBUG"),
    ("Page.shown", "LIMITS"),
    ("Page.asked", "DEBUG"),
    ("Page.asked", "LIMITS"),
    ("Page.later", "LIMITS"),
}


def _edges(files: dict[str, str]) -> Iterator[tuple[str, str, str]]:
    """Source, kind and target of each edge between definitions."""
    outlines = []
    for name, text in files.items():
        read = outlined(text, os.path.splitext(name)[1])
        assert read is not None
        outlines.append(read[0])
    world = World(
        {place: f"/p/{name}" for place, name in enumerate(files)},
        outlines.__getitem__,
        lambda *_: [],
    )
    resolver = Resolver(world)
    for number, outline in enumerate(outlines):
        file = world.file(number)
        assert file is not None
        for edge in edges_of(resolver, file, world.uses(number)):
            if edge.target is not None and edge.source != MODULE and edge.target[1] != MODULE:
                target = outlines[edge.target[0]].qualified(edge.target[1])
                yield outline.qualified(edge.source), edge.kind, target


def references(files: dict[str, str]) -> set[tuple[str, str]]:
    return {(source, target) for source, kind, target in _edges(files) if kind == "references"}


def edges(files: dict[str, str], to: str) -> set[str]:
    """What has an edge of any kind to a definition."""
    return {source for source, _, target in _edges(files) if target == to}


@pytest.mark.parametrize(
    ("files", "expected"),
    [({"base.py": BASE, "page.py": PAGE}, PAGE_EDGES), ({"page.js": SCRIPT}, SCRIPT_EDGES)],
    ids=["python", "script"],
)
def test_what_is_referred_to_is_found(
    files: dict[str, str], expected: set[tuple[str, str]]
) -> None:
    assert expected - references(files) == set()


def test_what_is_only_exported_is_not_used() -> None:
    assert ("exported", "help") not in references({"page.js": SCRIPT})


PYTHON_HEAD = (
    "class Thing:\n    MEMBER = 1\n\n    def method(self):\n        return 1\n\n\nd = {}\n\n\n"
)
PYTHON_PLACES = """\
d[Thing]|d[Thing:]|del d[Thing]|raise Thing|raise ValueError from Thing|return Thing|yield Thing
(y := Thing)|d.x[Thing].y|Thing|[Thing for _ in d]|[x for x in Thing]|[x for x in d if Thing]
{Thing: 1}|{1: Thing}|{Thing}|(Thing, 1)|[*Thing]|f(**Thing)|f(Thing)|f(a=Thing)|lambda: Thing
f'{Thing}'|Thing.MEMBER|Thing.unknown()|not Thing|-Thing|Thing + 1|1 < Thing|Thing if d else 1
1 if Thing else 2|Thing and 1|assert Thing|x = Thing|x += Thing|x: Thing = 1|x: "Thing" = 1
x: list[Thing]|x: "dict[str, Thing]"|d[1] = Thing|print(Thing)|await Thing|isinstance(d, Thing)
Thing[1]|x = y = Thing"""
PYTHON_BLOCKS = """with Thing: pass|for x in Thing: pass|while Thing: pass|if Thing: pass|try: pass
    except Thing: pass|try: pass
    except (ValueError, Thing): pass|match d:
        case Thing(): pass|match d:
        case Thing.MEMBER: pass|async with Thing: pass"""
SCRIPT_HEAD = (
    "class Thing { static MEMBER = 1; method() { return 1; } }\nconst d: any = {};\n"
    "enum Kind { One }\n"
)
SCRIPT_PLACES = """\
Thing.MEMBER|Thing.unknown()|d[Thing]|throw Thing|await Thing|Thing.call()|Thing.bind()
d as Thing|d satisfies Thing|let x: keyof typeof Thing|let x: Thing|let x: Array<Thing>
let x: Thing[]|let x = Thing|x = Thing|f(Thing)|f(...Thing)|[Thing]|[...Thing]|({ a: Thing })
({ Thing })|({ [Thing]: 1 })|!Thing|Thing + 1|Thing ? 1 : 2|d ? Thing : 2|() => Thing
(a = Thing) => a|function g(a = Thing) {}|`${Thing}`|d instanceof Thing|return Thing|yield Thing
typeof Thing|delete d[Thing]|void Thing|(Thing)|Thing[1]|switch (d) { case Thing: break; }
for (const x of Thing) {}|for (const x in Thing) {}|if (Thing) {}|while (Thing) {}
function g(a: Thing) {}|function g(): Thing {}|function g<T extends Thing>() {}|d.x(Thing).y
type X = { a: Thing }|let x: Map<string, Thing>|(a: Thing) => 1|new Map<Thing, Thing>()
new Thing.unknown()"""


@pytest.mark.parametrize(
    ("suffix", "text"),
    [
        *(
            (".py", f"{PYTHON_HEAD}async def user():\n    {place}\n")
            for place in f"{PYTHON_PLACES}|{PYTHON_BLOCKS}".replace("\n    ", "\0")
            .replace("\n", "|")
            .replace("\0", "\n    ")
            .split("|")
        ),
        (".py", f"{PYTHON_HEAD}@Thing\ndef user():\n    pass\n"),
        (".py", f"{PYTHON_HEAD}def user(a=Thing):\n    pass\n"),
        (".py", f"{PYTHON_HEAD}def user(a: Thing):\n    pass\n"),
        (".py", f'{PYTHON_HEAD}def user() -> "Thing":\n    pass\n'),
        *(
            (".ts", f"{SCRIPT_HEAD}async function* user() {{ {place} }}\n")
            for place in SCRIPT_PLACES.replace("\n", "|").split("|")
        ),
    ],
)
def test_each_place_of_a_name_is_seen(suffix: str, text: str) -> None:
    found = {target for source, target in references({f"one{suffix}": text}) if "user" in source}
    assert "Thing" in found, text


@pytest.mark.parametrize(
    ("suffix", "text", "target"),
    [
        (".py", f"{PYTHON_HEAD}def user():\n    return Thing.MEMBER\n", "Thing.MEMBER"),
        (
            ".py",
            "class P:\n    @property\n    def size(self): ...\ndef user(p: P): p.size\n",
            "P.size",
        ),
        (".py", "class P:\n    size: int\ndef user(): P(size=1)\n", "P.size"),
        (".py", "class P:\n    make = dict\n    def user(self): self.make()\n", "P.make"),
        (".py", f"{PYTHON_HEAD}class Kid(Thing): ...\ndef user(): Kid.method()\n", "Kid"),
        (".ts", f"{SCRIPT_HEAD}function user() {{ return Thing.MEMBER; }}\n", "Thing.MEMBER"),
        (".ts", f"{SCRIPT_HEAD}function user() {{ return Kind.One; }}\n", "Kind.One"),
        (".ts", f"{SCRIPT_HEAD}namespace N {{ export import T = Thing; }}\n", "Thing"),
        (
            ".ts",
            f"{SCRIPT_HEAD}namespace N {{ export import T = Thing }}\nlet x = (a: N.T) => 1;\n",
            "Thing",
        ),
        (".ts", "class P { get size() { return 1; } }\nfunction user(p: P) { p.size }\n", "P.size"),
    ],
)
def test_members_are_referred_to(suffix: str, text: str, target: str) -> None:
    assert target in {found for _, found in references({f"one{suffix}": text})}


@pytest.mark.parametrize(
    ("suffix", "text"),
    [
        *(
            (".py", f"def handler(m): ...\n\n\ndef user{head}\n")
            for head in (
                "(handler):\n    return handler(1)",
                "(a, *handler):\n    return handler",
                "(a, handler=None):\n    return handler.x",
                "(a):\n    for handler in a:\n        handler(1)",
                "(a):\n    with a as handler:\n        handler(1)",
                "(a):\n    return [handler(1) for handler in a if handler]",
                "(a):\n    return map(lambda handler: handler(1), a)",
                "(a):\n    handler, b = a\n    return handler(b)",
                "(a):\n    if (handler := a[0]):\n        return handler",
                "(a):\n    match a:\n        case handler:\n            return handler",
                "(a):\n    handler = a + 1\n    return handler",
            )
        ),
        *(
            (".ts", f"function handler(m) {{}}\nfunction user{rest}\n")
            for rest in (
                "(handler) { return handler(1); }",
                "({ handler }) { return handler(1); }",
                "(a, ...handler) { return handler[0](1); }",
                "(a) { try { a(); } catch (handler) { handler(1); } }",
                "(a) { const [handler] = a; handler(1); }",
                "(a) { const { x: handler } = a; handler(1); }",
                "(a) { for (const handler of a) { handler(1); } }",
                "(a) { return a.map(handler => handler(1)); }",
                "(a) { return a.map((handler) => { return handler; }); }",
            )
        ),
    ],
)
def test_a_local_hides_the_name_of_the_module(suffix: str, text: str) -> None:
    assert edges({f"one{suffix}": text}, "handler") == set()


@pytest.mark.parametrize(
    ("suffix", "text"),
    [
        (".py", "def handler(m): ...\nuser = lambda handler: handler(1)\n"),
        (".py", "def handler(m): ...\nuser = [handler(1) for handler in ()]\n"),
        (".ts", "function handler(m) {}\nconst user = [1].map(handler => handler(1));\n"),
        (".ts", "function handler(m) {}\ntry { stop() } catch (handler) { handler(1) }\n"),
    ],
)
def test_a_local_of_an_expression_hides_the_name_in_the_module_itself(
    suffix: str, text: str
) -> None:
    assert edges({f"one{suffix}": text}, "handler") == set()


def test_a_name_that_a_function_shares_with_its_module_is_the_modules() -> None:
    text = (
        "class T:\n    def run(self): ...\nit = None\n"
        "def user():\n    global it\n    it = T()\n    it.run()\n"
    )
    assert edges({"one.py": text}, "T.run") == {"user"}
    assert edges({"one.py": text}, "it") == {"user"}


def test_a_key_of_an_object_hides_nothing() -> None:
    text = (
        "export function save() {}\n"
        "export function build() { return { save: x => save(x), load() { return save(2); } }; }\n"
    )
    assert edges({"one.ts": text}, "save") == {"build.save", "build.load"}


def test_fixtures_lead_to_the_tests_that_take_them() -> None:
    files = {
        "tests/conftest.py": "import pytest\nclass C:\n    def get(self): ...\n"
        "@pytest.fixture\ndef client():\n    yield C()\n",
        "tests/unit/test_it.py": "import pytest\n@pytest.fixture\ndef own(client): ...\n"
        "def test_one(client, own):\n    client.get()\ndef helper(client): ...\n",
    }
    assert edges(files, "client") == {"own", "test_one"}
    assert edges(files, "own") == {"test_one"}
    assert edges(files, "C.get") == {"test_one"}


@pytest.mark.parametrize("name", ["json", "requests"])
def test_an_import_does_not_lead_to_any_file_of_that_name(name: str) -> None:
    files = {
        f"scripts/{name}.py": "def dumps(x): ...\n",
        "app/save.py": f"import {name}\ndef save(x):\n    {name}.dumps(x)\n",
    }
    assert edges(files, "dumps") == set()
    beside = {f"app/{name}.py": files[f"scripts/{name}.py"], "app/save.py": files["app/save.py"]}
    assert edges(beside, "dumps") == {"save"}


@pytest.mark.parametrize(
    "files",
    [
        {
            "a.py": "class Spec:\n    def resolve_it(self): ...\n",
            "b.py": "from pathlib import Path\ndef user(d): Path(d).resolve_it()\n",
        },
        {"a.js": "class Spec { resolve_it() {} }\n", "b.py": "def user(d): d.resolve_it()\n"},
        {"a.ts": "class Spec { parse() {} }\nfunction user() { JSON.parse('1'); }\n"},
    ],
)
def test_nothing_is_guessed_where_it_is_known(files: dict[str, str]) -> None:
    assert not edges(files, "Spec.resolve_it") | edges(files, "Spec.parse")


@pytest.mark.parametrize("suffix", [".ts", ".js"])
@pytest.mark.parametrize(
    ("literal", "use"),
    [
        ("const api = {{ {key} }};", "api.load()"),
        ("const api = Object; function user2() {{ const api = {{ {key} }}; api.load() }}", ""),
        ("const make = () => ({{ {key} }});", "make().load()"),
        ("function make() {{ return {{ {key} }} }}", "const q = make(); q.load()"),
        ("function make() {{ const api = {{ {key} }}; return api }}", "make().load()"),
        ("const api = {{ inner: {{ {key} }} }};", "api.inner.load()"),
        ("const base = {{ {key} }}; const api = {{ size: 1, ...base }};", "api.load()"),
        ("const make = () => ({{ {key} }});", "const {{ load }} = make(); load()"),
        ("class A {{ api = {{ {key} }} }}", "new A().api.load()"),
    ],
)
@pytest.mark.parametrize("key", ["load: () => 1", "load() { return 1 }", "load: other", "load"])
def test_keys_of_an_object_are_followed(suffix: str, literal: str, use: str, key: str) -> None:
    name = key.partition(": ")[2] if key in {"load: other", "load"} else ""
    target = name or "load"
    use = use.replace("{{", "{").replace("}}", "}")
    text = f"{literal.format(key=key)}\nfunction user() {{ {use} }}\n"
    if key in {"load: other", "load"}:
        text += f"function {target}() {{ return 2 }}\n"
    found = _edges({f"a{suffix}": text})
    called = {
        to for source, kind, to in found if kind == "calls" and source in {"user", "user2"}
    } - {"make"}
    assert {one.rpartition(".")[2] for one in called} == {target} | ({"A"} & called)


def test_two_literals_of_one_function_are_told_apart() -> None:
    text = (
        "function make() { const a = { load: () => one() }; const b = { load: () => two() };\n"
        "  b.load(); return a }\n"
        "function one() {} function two() {}\n"
        "function user() { make().load() }\n"
    )
    lines = {"a.ts": text.replace("; const b", ";\nconst b")}
    outline = outlined(lines["a.ts"], ".ts")
    assert outline is not None
    keys = [one.line for one in outline[0].definitions if one.name == "load"]
    assert keys == [1, 2]
    assert [one.chain for one in outline[0].bindings if one.name == "a.load"] == ["#key0:load"]
    assert [one.chain for one in outline[0].bindings if one.name == "b.load"] == ["#key1:load"]


@pytest.mark.parametrize(
    "written",
    [
        "{[key: string]: Thing}",
        "{ readonly [name in Names]: Thing }",
        "{[name in Names]: Thing} & {[key: string]: Thing}",
        "Record<string, Thing & { size: number }>",
    ],
)
def test_values_of_an_indexed_type_are_followed(written: str) -> None:
    text = f"class Thing {{ load() {{}} }}\nfunction user(all: {written}) {{ all['a'].load() }}\n"
    assert edges({"a.ts": text}, "Thing.load") == {"user"}


KINDS = "class A:\n    def go(self): ...\nclass B:\n    size = 1\n    def only_b(self): ...\n"


@pytest.mark.parametrize(
    "text",
    [
        "def user(x):\n    if isinstance(x, B):\n        x.only_b()\n",
        "def user(x: A):\n    assert isinstance(x, (str, B))\n    x.only_b()\n",
        "def user(x: A):\n    return isinstance(x, A | B) and x.only_b()\n",
        "def user(x: 'A | B'):\n    x.only_b()\n",
        "def user(x: Union[A, B, None]):\n    x.only_b()\n",
        "def make() -> A | B: ...\ndef user():\n    make().only_b()\n",
        "def user():\n    x = A()\n    if isinstance(x, B):\n        x.only_b()\n",
    ],
)
def test_members_of_each_class_that_a_value_may_have_are_known(text: str) -> None:
    assert edges({"a.py": KINDS + text}, "B.only_b") == {"user"}
    again = text.replace("x.only_b()", "x.size").replace("make().only_b()", "make().size")
    assert edges({"a.py": KINDS + again}, "B.size") == {"user"}


@pytest.mark.parametrize(
    "text",
    [
        "function user(x) { if (x instanceof B) x.onlyB() }",
        "function user(x: A | B) { x.onlyB() }",
        "function user(x: unknown) { return x instanceof B && x.onlyB() }",
    ],
)
def test_members_of_each_class_are_known_in_typescript(text: str) -> None:
    classes = "class A { go() {} }\nclass B { onlyB() {} }\nclass C { onlyB() {} }\n"
    assert edges({"a.ts": classes + text}, "B.onlyB") == {"user"}
