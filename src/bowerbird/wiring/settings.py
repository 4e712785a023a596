"""Where settings come from: flags, variables, the project's file, the user's file, defaults."""

import os

from bowerbird.core.config import SETTINGS, Config, flatten, setting
from bowerbird.core.errors import BadConfig, UnknownName
from bowerbird.core.foreign import whole
from bowerbird.core.places import (
    PROJECT_FILE,
    as_text,
    find_upwards,
    folder,
    make_folder,
    working_folder,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bowerbird.core.config import Setting
    from bowerbird.core.kinds import Kinds

# All settings with their comments take a tenth of it; a project's file came with a checkout.
_LARGEST = 64_000
# The longest key has three parts. The parser takes time by their square: 32 s for 64,000 bytes of one.
_MOST_DOTS = 200
# Files whose settings are kept parsed, the last ones: those of a thousand checkouts took 40 ms to read.
_MOST_PARSED = 50
# What a key is called, in the section of an agent too.
_KEY = "embed.key"
_MEND = "mend the file or move it out of the way"


def settled(flags: "dict[str, Any]") -> "tuple[Config, str, str, Kinds | None]":
    """Every setting resolved, the folder for state, the path of the store, and kinds if any are declared.

    Flags win over variables, those over the project's file, that over the user's.
    """
    environment = os.environ
    config = Config()
    state = folder("state", environment)
    user_file = os.path.join(folder("config", environment), "config.toml")
    agent = environment.get("BOWER_AGENT", "default")
    kinds = _take_user_file(config, user_file, state, agent)
    project_file = find_upwards(PROJECT_FILE)
    if project_file:
        _narrow(config, project_file, state)
    for known in SETTINGS:
        if known.variable in environment:
            config.put(known.key, environment[known.variable], known.variable)
    for key, value in flags.items():
        config.put(key, value, "flag")
    default = os.path.join(folder("data", environment), "memory.db")
    path = os.path.expanduser(config["store"] or default).replace("{agent}", agent)
    if "://" in path:
        return config, state, path, kinds  # no file: whoever keeps stores there knows what it means
    if not os.path.isabs(path):
        path = os.path.join(working_folder(), path)
    # Whatever path leads to a store, its side files belong to all who use it.
    path = os.path.realpath(path)
    if path != as_text(path):
        raise BadConfig(
            f"{as_text(path)} is no path for a store: it is not UTF-8",
            "name another with --store or BOWER_STORE",
        )
    return config, state, path, kinds


def _take_user_file(config: Config, path: str, state: str, agent: str) -> "Kinds | None":
    """Read the user's own file; the section with this agent's name overrides the rest.

    The kinds that it declares, besides the built-in ones.
    """
    values = _read_toml(path, state)
    kinds = None
    if any(key.startswith("kinds.") for key in values):
        from bowerbird.core.own_kinds import declared  # start-up: few declare any

        kinds = declared(values, path)
        values = {key: value for key, value in values.items() if not key.startswith("kinds.")}
    general = {key: value for key, value in values.items() if not key.startswith("agents.")}
    own = f"agents.{agent}."
    special = {key[len(own) :]: value for key, value in values.items() if key.startswith(own)}
    for where, some in ((path, general), (f"{path} [agents.{agent}]", special)):
        for key, value in some.items():
            config.put(_named(key, where).key, value, where)
    return kinds


def _narrow(config: Config, path: str, state: str) -> None:
    """Take a project's own file: it came with a checkout, so it may only narrow."""
    for key, value in _read_toml(path, state).items():
        if key.startswith("kinds."):
            raise BadConfig(
                f"{path} sets {key}, which a project's file may not",
                "declare kinds in your own configuration file",
            )
        config.narrow(_named(key, path).key, value, path)


def _named(key: str, file: str) -> "Setting":
    """The setting that a file names. Raises UnknownName with the file."""
    try:
        return setting(key)
    except UnknownName as error:
        raise UnknownName(f"{error.message} ({file})", error.remedy) from error


def _read_toml(path: str, state: str) -> "dict[str, Any]":
    """The dotted keys of a TOML file, parsed once and cached by its time and size."""
    try:
        found = os.stat(path)
    except OSError:
        return {}
    import json  # start-up: most machines have no such file

    stamp = [found.st_mtime_ns, found.st_size]
    cache = os.path.join(state, "config-cache.json")
    cached: dict[str, Any] = {}
    try:
        with open(cache, encoding="utf-8") as file:
            cached = json.load(file)
        values = dict(cached[path]["values"])
        if cached[path]["stamp"] == stamp and not _holds_a_key(values):
            return values
    except KeyError:
        pass  # this file is not in it yet
    except (OSError, ValueError, TypeError):
        cached = {}  # no cache or a broken one: parse below and write it anew
    values = _parsed(path)
    if _holds_a_key(values):
        # A key is stored only in that file, never in the cache: such a file is parsed each time.
        if cached.pop(path, None) is None:
            return values
    else:
        cached.pop(path, None)
        cached[path] = {"stamp": stamp, "values": values}
        cached = dict([*cached.items()][-_MOST_PARSED:])
    try:  # noqa: SIM105 contextlib is a fifth of a bare interpreter
        write_own(cache, json.dumps(cached))
    except (OSError, TypeError):
        pass  # read-only, or a date in it: parsed again next time
    return values


def _holds_a_key(values: "dict[str, Any]") -> bool:
    return any(name.endswith(_KEY) for name in values)


def _parsed(path: str) -> "dict[str, Any]":
    """The dotted keys of a TOML file, within bounds. Raises BadConfig."""
    import tomllib  # start-up: the cache holds what was parsed before

    try:
        text = whole(path, _LARGEST).decode()
        deep = any(line.count(".") > _MOST_DOTS for line in text.splitlines())
        values = None if deep else flatten(tomllib.loads(text))
    except OSError as error:
        why = (error.strerror or "it cannot be read").lower()
        raise BadConfig(f"{path}: {why}", _MEND) from error
    except ValueError as error:
        raise BadConfig(f"{path}: {error}", _MEND) from error
    except RecursionError:
        values = None
    if values is None:
        raise BadConfig(f"{path}: it is nested too deeply", _MEND)
    if any(map(_is_too_large, values.values())):
        raise BadConfig(f"{path}: it holds a number that is too large", _MEND)
    return values


def _is_too_large(value: "Any") -> bool:
    """Whether a value holds a whole number of more than 64 bits, which TOML does not have."""
    if isinstance(value, list):
        return any(map(_is_too_large, value))
    if isinstance(value, dict):
        return any(map(_is_too_large, value.values()))
    return type(value) is int and abs(value) >= 1 << 63


def write_own(path: str, text: str) -> None:
    """Put a file in place at once, for its owner alone: what it holds may be a key. Raises OSError."""
    make_folder(os.path.dirname(path))
    new = f"{path}.{os.getpid()}"
    with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        file.write(text)
    os.replace(new, path)


def stages() -> "dict[str, str]":
    """The optional stages of an answer, and the fallback of each."""
    from bowerbird.retrieval.stages import OPTIONAL

    return dict(OPTIONAL)
