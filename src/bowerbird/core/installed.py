"""How this installation was made: how a package is added to it, and how others start it."""

import os
import shlex
import sys
from importlib.util import find_spec

from bowerbird.core.foreign import whole

# Files that the tools leave in the environments that they make.
_PIPX, _UV_TOOL = "pipx_metadata.json", "uv-receipt.toml"
# Beside the standard library where a distribution's own packages are not for pip to touch.
_MANAGED = "EXTERNALLY-MANAGED"

# Bytes of what pip and uv write of where a package came from; it has some hundred.
_LARGEST = 64_000
_COMMANDS = ("bower", "bowerbird")


def starting(called: str = sys.argv[0], python: str = sys.executable) -> list[str]:
    """The command that starts this installation from anywhere, by its whole path.

    It is the one that was called, so that a link of pipx or uv lasts as long as they keep it; else the
    one beside the interpreter; else the interpreter, which takes no modules out of its folder.
    """
    beside = [os.path.join(os.path.dirname(python), name) for name in _COMMANDS]
    for path in (os.path.abspath(called), *beside):
        name, ending = os.path.splitext(os.path.basename(path))
        if name in _COMMANDS and ending in ("", ".exe") and os.path.isfile(path):
            return [path]
    return [python, "-P", "-m", "bowerbird"]


def adding(extra: str, prefix: str = sys.prefix, base: str = sys.base_prefix) -> str:
    """The command that adds an extra of ours to the installation that runs."""
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


def compile_all() -> None:
    """Leave every module of this package compiled, as far as its folder can be written.

    uv compiles none: the first hook of a machine would take seconds for it and has a quarter of one.
    """
    import compileall  # start-up: who connects an agent pays for it, once

    compileall.compile_dir(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), quiet=2)


def _source() -> str:
    """Where this package came from: the folder that it was installed out of, else its name."""
    import json  # start-up: a remedy alone asks for it
    from importlib.metadata import PackageNotFoundError, distribution  # start-up: as above
    from urllib.parse import unquote, urlsplit  # start-up: as above

    name = "bowerbird"
    try:
        found = distribution(name)
        beside = f"{name}-{found.version}.dist-info/direct_url.json"
        parsed = json.loads(whole(str(found.locate_file(beside)), _LARGEST))
    except (PackageNotFoundError, OSError, ValueError):
        return name
    where = urlsplit(str(parsed.get("url", "")))
    path = unquote(where.path)
    is_checkout = where.scheme == "file" and "'" not in path and os.path.isdir(path)
    return path if is_checkout and not parsed.get("dir_info", {}).get("editable") else name
