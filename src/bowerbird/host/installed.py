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
    """The command that brings this installation to the newest version."""
    source = _source()
    if os.path.exists(os.path.join(prefix, _PIPX)):
        return "pipx upgrade bowerbird" if source == _NAME else f"pipx install --force '{source}'"
    if os.path.exists(os.path.join(prefix, _UV_TOOL)):
        return "uv tool upgrade bowerbird"
    python = shlex.quote(sys.executable)
    pip = (
        f"uv pip install --python {python}"
        if find_spec("pip") is None
        else f"{python} -m pip install"
    )
    return f"{pip} --upgrade '{source}'"


def compile_all() -> None:
    """Compiles every module of this package, if its folder is writable.

    uv does not: the first hook would then take seconds to compile, and it has a quarter of one.
    """
    import compileall  # start-up: only `bower install` needs it, once

    compileall.compile_dir(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), quiet=2)


def _source() -> str:
    """The folder that this package was installed from, else its name."""
    import json  # start-up: only a remedy needs it
    from importlib.metadata import PackageNotFoundError, distribution  # start-up: as above
    from urllib.parse import unquote, urlsplit  # start-up: as above

    try:
        found = distribution(_NAME)
        beside = f"{_NAME}-{found.version}.dist-info/direct_url.json"
        parsed = json.loads(whole(str(found.locate_file(beside)), _LARGEST))
    except (PackageNotFoundError, OSError, ValueError):
        return _NAME
    where = urlsplit(str(parsed.get("url", "")))
    path = unquote(where.path)
    is_checkout = where.scheme == "file" and "'" not in path and os.path.isdir(path)
    return path if is_checkout and not parsed.get("dir_info", {}).get("editable") else _NAME
