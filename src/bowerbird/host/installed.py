"""How this installation was made: the command that adds a package to it, and the one that starts it."""

import os
import shlex
import sys
from importlib.util import find_spec

from bowerbird.host.foreign import whole

# Files that pipx and uv leave in the environments that they create.
_PIPX = "pipx_metadata.json"
_UV_TOOL = "uv-receipt.toml"
# Present beside the standard library if pip must not install into this interpreter.
_MANAGED = "EXTERNALLY-MANAGED"

# Maximum bytes read of pip's and uv's record of a package's origin; it has some hundred.
_LARGEST = 64_000
_COMMANDS = ("bower", "bowerbird")
_NAME = "bowerbird"
# What a package may have been installed from, instead of an index.
_FOLDER, _EDITABLE, _FILE = "folder", "checkout", "wheel"


def starting(called: str = sys.argv[0], python: str = sys.executable) -> list[str]:
    """The command that starts this installation from any folder, by its absolute path.

    It is the command that was called, so that a link made by pipx or uv stays valid; else the one beside
    the interpreter; else the interpreter, run so that it imports no modules from the working directory.
    """
    beside = [os.path.join(os.path.dirname(python), name) for name in _COMMANDS]
    for path in (os.path.abspath(called), *beside):
        name, ending = os.path.splitext(os.path.basename(path))
        if name in _COMMANDS and ending in ("", ".exe") and os.path.isfile(path):
            return [path]
    return [python, "-P", "-m", "bowerbird"]


def adding(extra: str, prefix: str = sys.prefix, base: str = sys.base_prefix) -> str:
    """The command that adds one of Bowerbird's extras to this installation."""
    package = f"'{_source()}[{extra}]'"
    if os.path.exists(os.path.join(prefix, _PIPX)):
        return f"pipx install --force {package}"
    if os.path.exists(os.path.join(prefix, _UV_TOOL)):
        return f"uv tool install {package}"
    python = shlex.quote(sys.executable)
    if prefix == base and os.path.exists(os.path.join(os.path.dirname(os.__file__), _MANAGED)):
        return f"pipx install {package}, or in an environment of its own: pip install {package}"
    if find_spec("pip") is None:
        return f"uv pip install --python {python} {package}"
    return f"{python} -m pip install {package}"


def upgrading(prefix: str = sys.prefix) -> str:
    """The command that brings this installation to the newest version.

    What came from a file or a checkout is not asked of an index: its name there may be anybody's.
    """
    path, how = _origin()
    source = _source()
    if os.path.exists(os.path.join(prefix, _PIPX)):
        return "pipx upgrade bowerbird" if source == _NAME else f"pipx install --force '{source}'"
    if os.path.exists(os.path.join(prefix, _UV_TOOL)):
        return "uv tool upgrade bowerbird"
    if how == _FILE:
        source = "NEWER.whl"
    python = shlex.quote(sys.executable)
    pip = (
        f"uv pip install --python {python}"
        if find_spec("pip") is None
        else f"{python} -m pip install"
    )
    if how == _EDITABLE:
        return f"git -C {shlex.quote(path)} pull && {pip} -e {shlex.quote(path)}"
    return f"{pip} --upgrade {shlex.quote(source)}"


def compile_all() -> None:
    """Compiles every module of this package, if its folder is writable.

    uv does not: the first hook would then take seconds to compile, and it has a quarter of one.
    """
    import compileall  # start-up: only `bower install` needs it, once

    compileall.compile_dir(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), quiet=2)


def _source() -> str:
    """The folder that this package was installed from, else its name."""
    path, how = _origin()
    return path if how == _FOLDER else _NAME


def _origin() -> tuple[str, str]:
    """The path that this package was installed from, and what is there; empty: it came from an index."""
    import json  # start-up: only a remedy needs it
    from importlib.metadata import PackageNotFoundError, distribution  # start-up: as above
    from urllib.parse import unquote, urlsplit  # start-up: as above

    try:
        found = distribution(_NAME)
        beside = f"{_NAME}-{found.version}.dist-info/direct_url.json"
        parsed = json.loads(whole(str(found.locate_file(beside)), _LARGEST))
    except (PackageNotFoundError, OSError, ValueError):
        return "", ""
    where = urlsplit(str(parsed.get("url", "")))
    path = unquote(where.path)
    if where.scheme != "file" or "'" in path:
        return "", ""
    if "archive_info" in parsed:
        return path, _FILE
    if not os.path.isdir(path):
        return "", ""
    return path, _EDITABLE if parsed.get("dir_info", {}).get("editable") else _FOLDER
