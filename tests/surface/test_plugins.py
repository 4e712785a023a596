"""What other packages add: a toy package, installed beside Bowerbird, adds one of each kind."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest
from tests.forked import COMMAND

TOY = Path(__file__).parents[1] / "data" / "toy_package"
GROUPS = (
    "adapters",
    "embedders",
    "importers",
    "language_models",
    "methodologies",
    "rerankers",
    "sources",
)
# What a package may do wrong, and what Bowerbird says of it.
BROKEN = {
    "absent": ("import there_is_no_such_module", "cannot be loaded: ModuleNotFoundError"),
    "raises": ("raise RuntimeError('no licence')", "cannot be loaded: RuntimeError: no licence"),
    "leaves": ("import sys; sys.exit(3)", "cannot be loaded: SystemExit: 3"),
    "bare": ("IT = 5", "is no Plugin, but a int"),
    "renamed": (
        "from bowerbird.core.plugins import Plugin; IT = Plugin('other', 'it', '1', list)",
        "calls itself 'other'",
    ),
    "useless": (
        "from bowerbird.core.plugins import Plugin; IT = Plugin('useless', 'it', '1', list)",
        "",
    ),
}


def wheel(folder: Path, name: str, version: str, modules: dict[str, str], points: str) -> Path:
    """A wheel of some modules with their entry points."""
    path = folder / f"{name}-{version}-py3-none-any.whl"
    info = f"{name}-{version}.dist-info"
    files = modules | {
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/entry_points.txt": points,
    }
    record = "".join(f"{one},,\n" for one in (*files, f"{info}/RECORD"))
    with zipfile.ZipFile(path, "w") as archive:
        for one, text in {**files, f"{info}/RECORD": record}.items():
            archive.writestr(one, text)
    return path


def installed(wheel: Path, site: Path) -> Path:
    """A folder for the path, into which pip has installed a wheel."""
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps"]
    subprocess.run([*pip, "--no-compile", "--target", str(site), str(wheel)], check=True)
    return site


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("toy")
    project = tomllib.loads((TOY / "pyproject.toml").read_text())["project"]
    points = "".join(
        f"[{group}]\n" + "".join(f"{name} = {where}\n" for name, where in one.items())
        for group, one in project["entry-points"].items()
    )
    modules = {"toy_bower.py": (TOY / "toy_bower.py").read_text()}
    made = wheel(folder, "toy_bower", project["version"], modules, points)
    return installed(made, folder / "site")


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("broken")
    modules = {f"broken_{name}.py": f"{code}\n" for name, (code, _) in BROKEN.items()}
    lines = "".join(f"{name} = broken_{name}:IT\n" for name in BROKEN)
    points = "".join(f"[bowerbird.{group}]\n{lines}" for group in GROUPS)
    return installed(wheel(folder, "broken_bower", "0.3", modules, points), folder / "site")


def run(*words: str, site: Path, code: int = 0, **settings: str) -> Any:
    """The data of a command's answer, in a process that finds the packages in a folder."""
    names = {f"BOWER_{name.upper()}": value for name, value in settings.items()}
    environment = os.environ | names | {"PYTHONPATH": str(site), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [*COMMAND, *words], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == code, (done.stdout, done.stderr)
    answer = json.loads(done.stdout)
    return answer["data"] if code == 0 or answer.get("data") else answer["error"]


def test_every_plugin_is_listed_with_its_use(toy: Path) -> None:
    rows = run("plugins", site=toy, embed_provider="letters")["plugins"]
    assert [(one["group"], one["name"], one["chosen"]) for one in rows] == [
        ("adapters", "cookbook", False),
        ("embedders", "letters", True),
        ("importers", "from-shoebox", False),
        ("language_models", "parrot", False),
        ("methodologies", "kitchen", False),
        ("rerankers", "shortest", False),
        ("sources", "recipes", False),
    ]
    assert {(one["package"], one["version"]) for one in rows} == {("toy_bower 1.2", "1.2")}
    assert rows[2]["use"] == "bower migrate from-shoebox"
    assert rows[2]["gives"] == "imports folders of .card files"
    findings = run("doctor", site=toy)["findings"]
    told = [one["found"] for one in findings if one["check"] == "plug-in"]
    assert len(told) == len(rows)
    assert "sources: recipes 1.2 of toy_bower 1.2: reads .recipe files step by step" in told


def test_a_source_reads_the_files_of_its_type_once_it_is_named(toy: Path) -> None:
    Path("soup.recipe").write_text("Onion soup\nBrown the onions slowly.\nAdd the broth.\n")
    Path("notes.md").write_text("# Kitchen\n\nThe broth stands in the cellar.\n")
    assert run("index", ".", site=toy, index_sources="recipes")["added"] == 2
    (found,) = run("query", "brown the onions", "--limit", "1", site=toy)["results"]
    assert (found["context"], found["start_line"]) == ("Onion soup", 2)
    assert found["text"] == "Step 1: Brown the onions slowly.\nStep 2: Add the broth."
    assert found["tags"] == ["recipe"]


def test_without_the_setting_a_source_reads_nothing(toy: Path) -> None:
    Path("soup.recipe").write_text("Onion soup\nBrown the onions slowly.\n")
    run("index", ".", site=toy)
    (found,) = run("query", "brown the onions", "--limit", "1", site=toy)["results"]
    assert found["text"] == "Onion soup\nBrown the onions slowly."


def test_an_importer_brings_notes_as_imports(toy: Path) -> None:
    Path("box").mkdir()
    Path("box/one.card").write_text("The oven of the school kitchen runs ten degrees too hot.")
    foreseen = run("migrate", "from-shoebox", "--path", "box", "--dry-run", site=toy)
    done = run("migrate", "from-shoebox", "--path", "box", site=toy)
    assert (foreseen["migrated"], done["migrated"]) == (1, 1)
    (found,) = run("query", "how hot is the oven?", site=toy)["results"]
    assert (found["trust"], found["tags"]) == ("imported", ["shoebox"])
    Path("empty").mkdir()
    error = run("migrate", "from-shoebox", "--path", "empty", site=toy, code=2)
    assert error["remedy"] == "name a folder of .card files"


def test_an_embedder_reads_and_answers(toy: Path) -> None:
    own: dict[str, Any] = {"embed_provider": "letters"}
    run("curate", "The pantry has no window.", site=toy, **own)
    found = run("query", "pantry window", site=toy, **own)
    assert found["model_used"].startswith("letters/letters@1")
    assert not found["degraded"]
    assert [one["text"] for one in found["results"]] == ["The pantry has no window."]


def test_a_reranker_orders_the_best(toy: Path) -> None:
    long = "The oven of the bakery needs an hour before the bread goes into it."
    run("curate", long, site=toy)
    run("curate", "Bread is sold until six.", site=toy)
    asked = ("query", "how long does the oven of the bakery need before the bread goes in?")
    assert run(*asked, site=toy)["results"][0]["text"] == long
    found = run(*asked, "--explain", site=toy, rerank_provider="shortest")
    assert [one["text"] for one in found["results"]] == ["Bread is sold until six.", long]
    assert "rerank" in [one["name"] for one in found["trace"]["stages"]]


@pytest.mark.parametrize("name", ["raises", "useless", "nowhere"])
def test_with_a_broken_reranker_the_order_stays(broken: Path, name: str) -> None:
    run("curate", "The pantry has no window.", site=broken)
    found = run("query", "pantry window", site=broken, rerank_provider=name)
    assert [one["text"] for one in found["results"]] == ["The pantry has no window."]
    (told,) = found["degraded"]
    assert f"the reranker {name!r}" in told


def test_a_language_model_answers(toy: Path) -> None:
    run("curate", "The pantry has no window.", site=toy)
    asked = ("query", "pantry window", "--expand", "--explain")
    found = run(*asked, site=toy, llm_provider="parrot")
    stages = {one["name"]: one["note"] for one in found["trace"]["stages"]}
    assert stages["expand"] == "also asked: pantry"
    assert [one["text"] for one in found["results"]] == ["The pantry has no window."]


@pytest.mark.parametrize("name", ["raises", "useless"])
def test_with_a_broken_language_model_the_question_is_answered(broken: Path, name: str) -> None:
    run("curate", "The pantry has no window.", site=broken)
    found = run("query", "pantry window", "--expand", site=broken, llm_provider=name)
    assert [one["text"] for one in found["results"]] == ["The pantry has no window."]
    assert f"the language model {name!r}" in found["degraded"][0]


def test_a_methodology_names_phases(toy: Path) -> None:
    run("curate", "Soup is served in warm plates.", site=toy)
    own: dict[str, Any] = {"agent_methodology": "kitchen"}
    words = ("context", "serving the soup", "--phase", "serve", "--format", "json")
    found = run(*words, site=toy, **own)
    assert (found["phase"], found["budget"]) == ("kitchen:serve", 600)


def test_an_adapter_is_the_store_in_other_words(toy: Path) -> None:
    program = """
from bowerbird import Bowerbird
from bowerbird.core.errors import UnknownName
with Bowerbird.open() as bird:
    book = bird.adapter("cookbook")
    book.add("Pancakes rest for half an hour.")
    print(book.find("how long do pancakes rest?"))
    try:
        bird.adapter("cookbok")
    except UnknownName as error:
        print(error.remedy)
"""
    environment = os.environ | {"PYTHONPATH": str(toy)}
    words = [sys.executable, "-c", program]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=True)
    said = "['Pancakes rest for half an hour.']\ndid you mean cookbook?\n"
    assert done.stdout == said


def test_what_is_broken_is_told_with_its_remedy(broken: Path) -> None:
    rows = run("plugins", site=broken)["plugins"]
    assert len(rows) == len(BROKEN) * len(GROUPS)
    for one in rows:
        why = BROKEN[one["name"]][1]
        assert why in one.get("error", "")
        assert bool(why) == bool(one.get("error"))
        if why:
            assert "package broken_bower 0.3" in one["remedy"]
    assert run("plugins", site=broken, code=1, index_sources="raises")
    told = [one for one in run("doctor", site=broken)["findings"] if one["check"] == "plug-in"]
    assert {one["level"] for one in told if one["remedy"]} == {"warning"}


@pytest.mark.parametrize("name", ["raises", "useless", "nowhere"])
def test_with_a_broken_source_everything_else_is_read(broken: Path, name: str) -> None:
    Path("notes.md").write_text("# Kitchen\n\nThe broth stands in the cellar.\n")
    done = run("index", ".", site=broken, index_sources=name)
    assert done["added"] == 1
    (left,) = done["skipped"]
    assert left["path"] == f"index.sources: {name}"
    assert f"the source {name!r}" in left["reason"]
    assert ";" in left["reason"]


@pytest.mark.parametrize("name", ["raises", "useless"])
def test_with_a_broken_embedder_words_answer(broken: Path, name: str) -> None:
    run("curate", "The pantry has no window.", site=broken)
    found = run("query", "pantry window", site=broken, embed_provider=name)
    assert [one["text"] for one in found["results"]] == ["The pantry has no window."]
    assert found["degraded"]
    kept = run("curate", "The cellar has two.", site=broken, embed_provider=name)
    assert kept["decision"] == "created"
    findings = run("doctor", site=broken, code=1, embed_provider=name)["findings"]
    (model,) = [one for one in findings if one["check"] == "model"]
    assert (model["level"], bool(model["remedy"])) == ("problem", True)


@pytest.mark.parametrize("name", ["raises", "useless"])
def test_a_broken_importer_is_an_error_with_a_remedy(broken: Path, name: str) -> None:
    error = run("migrate", name, site=broken, code=1)
    assert "broken_bower 0.3" in error["remedy"]


def test_two_packages_of_one_name_are_refused(toy: Path, tmp_path: Path) -> None:
    points = "[bowerbird.sources]\nrecipes = toy_other:IT\n"
    other = installed(wheel(tmp_path, "toy_other", "1", {}, points), tmp_path / "site")
    both = Path(f"{toy}{os.pathsep}{other}")
    rows = run("plugins", site=both)["plugins"]
    (one,) = [one for one in rows if one["name"] == "recipes"]
    assert "is in toy_bower 1.2 and toy_other 1" in one["error"]
    assert one["remedy"] == "remove all but one"


def test_a_source_that_fails_on_a_file_leaves_it_out_alone(tmp_path: Path) -> None:
    code = """
from bowerbird.core.plugins import Plugin
class Moody:
    name = "moody"
    def accepts(self, material):
        if material.stem == "worst":
            raise OSError("no mood")
        return material.suffix == ".mood"
    def read(self, material, size):
        raise ValueError("it is raining")
IT = Plugin("moody", "reads moods", "1", Moody)
"""
    points = "[bowerbird.sources]\nmoody = toy_moody:IT\n"
    made = wheel(tmp_path, "toy_moody", "1", {"toy_moody.py": code}, points)
    site = installed(made, tmp_path / "site")
    Path("a.mood").write_text("grey\n")
    Path("notes.md").write_text("# Kitchen\n\nThe broth stands in the cellar.\n")
    done = run("index", ".", site=site, index_sources="moody")
    assert done["added"] == 1
    (left,) = done["skipped"]
    assert left["path"].endswith("a.mood")
    assert (
        "the source 'moody' failed: ValueError: it is raining; update its package" in left["reason"]
    )
    Path("z.mood").write_text("sunny\n")
    Path("worst.md").write_text("# Cellar\n\nThe cellar is damp.\n")
    done = run("index", ".", site=site, index_sources="moody")
    assert done["added"] == 2
    assert ["no mood" in one["reason"] for one in done["skipped"]] == [False, True]
