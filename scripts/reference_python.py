"""Generates docs/PYTHON.md from the signatures and docstrings of what a program imports."""

import ast
import inspect
import pkgutil
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from bowerbird import core
from bowerbird.core.answers import SORTS
from bowerbird.core.kinds import KINDS
from bowerbird.core.life import AUDIENCES, SCOPES
from bowerbird.core.memories import PRIORITIES
from bowerbird.core.origins import ORIGIN_OF, TRUST_OF
from bowerbird.core.phases import PHASES
from bowerbird.core.relations import RELATIONS
from bowerbird.core.roles import ROLES
from bowerbird.core.types import STATES, TRUSTS
from bowerbird.core.value import Value

_WORD = re.compile(r"[A-Z]\w+")
SOURCE = Path(__file__).parent.parent / "src" / "bowerbird"
HEAD = """# The Python interface

<!-- Written by scripts/reference.py from signatures and docstrings; change those, then run it again. -->

`pip install .` in your own environment, or `bowerbird @ file:///path/to/checkout` among its dependencies.
Everything below is a method of the object that `Bowerbird.open` returns; what one seldom needs, such as
backup, export and erasing, is below its `admin`. `from bowerbird import Client` has the verbs that a
server offers ([HTTP](HTTP.md)), those of `admin` beside the others (no export, backup or erasing); in
place of `within` make one for each project.

```python
from bowerbird import Bowerbird

with Bowerbird.open("memory.db", project="shop") as bird:
    kept = bird.remember("The search listens on port 9411", kind="fact", tags=["ports"])
    for hit in bird.query("which port has the search?", limit=3, weak=False):
        print(hit.id, round(hit.relevance, 2), hit.text)
    for line in bird.context("fix the search", budget=300):
        print(f"{line.citation}: {line.text}")
    bird.edit(kept.id, "The search listens on port 9412")
    bird.revert(kept.id)
    bird.admin.export("memories.jsonl")
```

## Whose word it is

What your program writes counts as an agent's word (`origin="agent"`, by default). What a person
said or confirmed, write with `origin="user"`: it is trusted fully, and told before what agents say
against it. The words that `origin` and other arguments take are
[below](#words-that-arguments-take).

One rule decides what is allowed: words replace or confirm what is trusted no more than they are. To
`edit` or `remember` again what a person said, to verify it, and to settle a contradiction that it
is in (`admin.confirm_both`: both hold; `admin.confirm_as`: in these words), give `origin="user"`;
else it is refused (`Denied`, `BadInput`). `forget`, `deprecate`, `merge` and `link` put no words
into anybody's mouth, and `revert` takes them back: whoever may write may do that.
`admin.import_from(…, mine=True)` says of files that they are the user's own; a program that opens
the store is the user's, an agent or a token is not.

## Results and errors

Results are values, those of `list`, `doctor` and the like sequences of such: `as_dict()` gives what the
command line and HTTP print. The list of hits is `hits` here and `results` there. Every error is a
`BowerbirdError` (`bowerbird.core.errors`) with `message` and `remedy`. Threads may share one object and
wait for each other; processes may share a store.

## Several users

Of an agent that serves many people, each user is a project of their own: no user's memories are found by
another's question, and one call erases all that is known of one.

```python
ada = bird.within("user-ada", confined=True)  # no id of another project opens
ada.remember("Ada is allergic to peanuts", kind="fact")
ada.query("what may she eat?")
bird.within("user-ada").admin.erase(whole_project=True)
```

Global memories (`everywhere=True`) are read in all of them. Where users share one project, give what
belongs to one a tag; `list` shows active memories unless it is asked for the others, so what was
superseded or forgotten is missing in it. To erase them, name the tag or author, not the ids of `list`:

```python
from bowerbird.core.types import STATES

bird.list(tags=["user:ada"], states=STATES, limit=200)  # 200 at most: `offset` goes on
bird.admin.erase(tags=["user:ada"], dry_run=True)  # every state, and what was derived from them
bird.admin.erase(author="ada", all_projects=True)
```

The receipt's `remaining` are memories that those replaced, or that replaced them, and which stay;
`quoting` those that quote them.
"""
# The arguments that several methods take by their names: where the type is declared, and who takes them.
NAMED = (
    ("draft", "About", "What `remember` and `edit` take beside the text"),
    ("narrow", "Narrowing", "What `query` and `list` filter by"),
    ("graph", "Following", "What `impact` takes beside its target"),
)


# The words that arguments take: the argument, and where its words are declared.
WORDS = (
    ("kind", KINDS),
    ("origin", TRUST_OF),
    ("source", ORIGIN_OF),
    ("min_trust", TRUSTS),
    ("states", STATES),
    ("scope", SCOPES),
    ("audience", AUDIENCES),
    ("priority", PRIORITIES),
    ("relation", RELATIONS),
    ("phase", PHASES),
    ("role", ROLES),
    ("sort", SORTS),
)


RESULTS = """What verbs return. The last column names what `as_dict()`, the command line and HTTP
have under another name than the attribute, or only there; a value that stands in others has no verb
of its own. What only memories have, such as files and confidence, is in the `details` of an entry;
`as_dict()` puts it beside the rest.
"""
# What the interfaces of this package ask for, and a program has no use for.
FOR_INTERFACES = frozenset(
    {
        "under",
        "owned",
        "outside",
        "project_notes",
        "named",
        "unfinished",
        "pulse",
        "change",
        "narrowed",
        "module_names",
        "queue",
        "to_review",
        "said_before",
        "settled",
        "waiting",
        "health",
        "check",
        "importable",
        "importer_at",
        "export_lines",
        "sync_if_due",
        "prune_if_due",
        "refresh",
        "digest",
        "level",
        "helped",
        "citing",
        "judged",
        "personal",
        "member",
        "signed_in",
        "token_holder",
        "unanswered",
        "thread",
        "setting",
    }
)


def page() -> str:
    """The whole page."""
    parts = [HEAD, "## Bowerbird\n", *_methods(SOURCE / "bird.py", "Bowerbird")]
    parts.append("## Bowerbird.admin\n")
    for file in sorted((SOURCE / "admin").glob("*.py")):
        for one in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(one, ast.ClassDef) and (methods := [*_methods(file, one.name)]):
                parts += [f"**{(ast.get_docstring(one) or '').partition(chr(10))[0]}**\n", *methods]
    parts += ["## Results\n", RESULTS, *_results()]
    parts.append("## Arguments by name\n")
    for module, name, meaning in NAMED:
        found = _class(SOURCE / "core" / f"{module}.py", name)
        fields = ", ".join(
            f"`{ast.unparse(one.target)}: {ast.unparse(one.annotation)}`"
            for one in found.body
            if isinstance(one, ast.AnnAssign)
        )
        parts += [f"### {name}\n", f"{meaning}: {fields}.\n", _quoted(found)]
    parts.append("## Words that arguments take\n")
    parts += ["| argument | words |", "|---|---|"]
    parts += [f"| `{name}` | {', '.join(f'`{one}`' for one in words)} |" for name, words in WORDS]
    return "\n".join(parts)


def _results() -> Iterator[str]:
    """A row for each value that a verb returns, and for those in it."""
    known: dict[str, type[Value]] = {}
    for module in pkgutil.iter_modules(core.__path__):
        for one in vars(import_module(f"bowerbird.core.{module.name}")).values():
            if inspect.isclass(one) and issubclass(one, Value):
                known.setdefault(one.__name__, one)
    verbs: dict[str, list[str]] = {}
    admin = dict.fromkeys(sorted((SOURCE / "admin").glob("*.py")), "admin.")
    for file, before in ({SOURCE / "bird.py": ""} | admin).items():
        for one in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(one, ast.FunctionDef) and _is_public(one) and one.returns is not None:
                for name in known.keys() & {*_WORD.findall(ast.unparse(one.returns))}:
                    verbs.setdefault(name, []).append(before + one.name)
    reached = [*verbs]
    for name in reached:
        within = " ".join(f"{kind} {row}" for kind, row in _kinds(known[name]))
        reached += [
            one
            for one in dict.fromkeys(_WORD.findall(within))
            if one in known and one not in reached
        ]
    yield "| value | from | attributes | otherwise in `as_dict()` |\n|---|---|---|---|"
    for name in sorted(reached):
        its = known[name]
        made = [one for one, _ in inspect.getmembers(its, lambda one: isinstance(one, property))]
        slots = [one for kind in its.__mro__ for one in getattr(kind, "__slots__", ())]
        names = [one for one in dict.fromkeys((*slots, *made)) if not one.startswith("_")]
        rows = [one if isinstance(one, str) else one[0] for one in its.TABLE]
        other = [one for one in rows if one not in ("", "*", *names)]
        cells = [verbs.get(name, []), names, other]
        shown = (", ".join(f"`{one}`" for one in cell) for cell in cells)
        yield f"| {name} | {' | '.join(shown)} |"
    yield ""


def _kinds(its: type[Value]) -> Iterator[tuple[object, object]]:
    """What fields are of: as they are declared, and as they are serialised."""
    for kind in its.__mro__:
        yield from ((one, "") for one in inspect.get_annotations(kind).values())
    yield from (("", row) for row in its.TABLE)


def _class(file: Path, name: str) -> ast.ClassDef:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return next(one for one in ast.walk(tree) if isinstance(one, ast.ClassDef) and one.name == name)


def _methods(file: Path, name: str) -> Iterator[str]:
    """The public methods of a class, each with its signature and its docstring."""
    for one in _class(file, name).body:
        if isinstance(one, ast.FunctionDef) and _is_public(one):
            marks = {ast.unparse(mark) for mark in one.decorator_list}
            yield f"### {one.name}\n"
            if "property" not in marks:
                yield f"```python\n{_signature(one)}\n```\n"
            yield _quoted(one)


def _is_public(method: ast.FunctionDef) -> bool:
    hidden = method.name[0] == "_" or method.name in FOR_INTERFACES
    return not hidden and ast.get_docstring(method) is not None


def _signature(method: ast.FunctionDef) -> str:
    arguments = method.args
    arguments.args = arguments.args[1:]  # self, or cls
    for one in (*arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg):
        if one is not None and isinstance(one.annotation, ast.Constant):
            one.annotation = ast.Name(str(one.annotation.value))
    gives = ast.unparse(method.returns).strip("'\"") if method.returns is not None else "None"
    return f"{method.name}({ast.unparse(arguments)}) -> {gives}"


def _quoted(node: "ast.FunctionDef | ast.ClassDef") -> str:
    """A docstring as it stands, so that its lists of arguments keep their form."""
    return f"```text\n{inspect.cleandoc(ast.get_docstring(node) or '')}\n```\n"
