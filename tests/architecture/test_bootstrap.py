"""What sets the project up where Python comes without pip: choosing and finding pip's own wheel."""

from __future__ import annotations

import ast
import importlib.util
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pathlib import Path

PAGE = """<!DOCTYPE html><html><body>
<a href="https://files/pip-9.0.3-py2.py3-none-any.whl#sha256=a">pip-9.0.3-py2.py3-none-any.whl</a>
<a href="../../pip-26.0-py3-none-any.whl#sha256=b" data-requires-python="&gt;=3.9">pip-26.0</a>
<a href="https://files/pip-26.1b1-py3-none-any.whl#sha256=c">pip-26.1b1-py3-none-any.whl</a>
<a href="https://files/pip-27.0-py3-none-any.whl" data-yanked="broken">pip-27.0</a>
<a href="https://files/pip-99.0-py3-none-any.whl" data-requires-python=">=3.12">pip-99.0</a>
<a href="https://files/pip-26.0.tar.gz#sha256=d">pip-26.0.tar.gz</a>
</body></html>"""


@pytest.fixture
def bootstrap(root: Path) -> Any:
    spec = importlib.util.spec_from_file_location("bootstrap", root / "scripts" / "bootstrap.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_newest_released_pip_that_runs_here_is_chosen(bootstrap: Any) -> None:
    assert max(bootstrap.wheels(PAGE)) == ((26, 0), "../../pip-26.0-py3-none-any.whl#sha256=b")


def test_the_index_is_the_one_that_pip_would_ask(
    bootstrap: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    settings = tmp_path / "pip.conf"
    settings.write_text("[global]\nindex-url = https://user.example/simple\n", encoding="utf-8")
    monkeypatch.setenv("PIP_CONFIG_FILE", str(settings))
    monkeypatch.delenv("PIP_INDEX_URL", raising=False)
    assert bootstrap.pip_option("index-url") == "https://user.example/simple"
    monkeypatch.setenv("PIP_INDEX_URL", "https://variable.example/simple")
    assert bootstrap.pip_option("index-url") == "https://variable.example/simple"


def test_a_wheel_that_is_not_what_the_index_promises_is_refused(
    bootstrap: Any,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    index = tmp_path / "simple" / "pip"
    index.mkdir(parents=True)
    (index / "pip-26.0-py3-none-any.whl").write_bytes(b"something else")
    link = '<a href="pip-26.0-py3-none-any.whl#sha256=00">pip</a>'
    # A file as an index page: urllib reads both alike.
    page = tmp_path / "page.html"
    page.write_text(link, encoding="utf-8")
    opened = bootstrap.urlopen

    def served(address: Any, **options: Any) -> Any:
        if isinstance(address, str):
            return opened(address)
        return opened(page.as_uri())

    monkeypatch.setattr(bootstrap, "urlopen", served)
    monkeypatch.setenv("PIP_INDEX_URL", (tmp_path / "simple").as_uri())
    monkeypatch.setenv("PIP_CERT", "")
    assert bootstrap.download_pip(str(tmp_path)) is None
    assert "not the file" in capsys.readouterr().err


def test_a_python_that_is_too_old_still_understands_the_script(root: Path) -> None:
    """It has to get far enough to look for a newer one."""
    source = (root / "scripts" / "bootstrap.py").read_text(encoding="utf-8")
    ast.parse(source, feature_version=(3, 7))
