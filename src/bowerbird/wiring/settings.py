"""Resolves settings from flags, variables, the project's file, the user's file and defaults."""

import os

from bowerbird.core.config import SETTINGS, Config, Effective, flatten, setting
from bowerbird.core.errors import BadConfig, UnknownName
from bowerbird.core.path_text import as_text
from bowerbird.host.foreign import whole
from bowerbird.host.places import PROJECT_FILE, find_upwards, folder, working_folder, write_own

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from bowerbird.core.errors import UsageError
    from bowerbird.core.kinds import Kinds

    # Collects what is wrong with the settings; None: the first fault is raised.
    Faults = list[UsageError] | None

# Maximum bytes of a configuration file. All settings with comments take a tenth of it; a project's file
# is external.
LARGEST_FILE = 64_000
# Maximum dots in a key; the longest setting has two. The parser takes quadratic time: 32 s for one key of
# 64,000 bytes.
_MOST_DOTS = 200
# Parsed files that are cached, the most recent ones: with those of a thousand checkouts, loading took 40
# ms.
_MOST_PARSED = 50
# The end of the names of keys to servers, also inside an agent's section.
_KEY = ".key"
# The name of the user's configuration file.
USER_FILE = "config.toml"
_MEND = "mend the file or move it out of the way"


def settled(
    flags: "dict[str, Any]", faults: "Faults" = None
) -> "tuple[Config, str, str, Kinds | None]":
    """All settings, the state folder, the store's path, and the registry of kinds if any are declared.

    Flags override variables, variables the project's file, and that the user's file. With a list of
    `faults`, what a file or a variable sets wrongly is added to it and left out; of a file that cannot be
    read, what was read last applies. Raises BadConfig and UnknownName.
    """
    environment = os.environ
    config = Config()
    state = folder("state", environment)
    user_file = os.path.join(folder("config", environment), USER_FILE)
    agent = environment.get("BOWER_AGENT", "default")
    kinds = _take_user_file(config, user_file, state, agent, faults)
    project_file = find_upwards(PROJECT_FILE)
    if project_file:
        _narrow(config, project_file, state, faults)
    for known in SETTINGS:
        if known.variable in environment:
            _put(config.put, known.key, environment[known.variable], known.variable, faults)
    for key, value in flags.items():
        config.put(key, value, "flag")
    default = os.path.join(folder("data", environment), "memory.db")
    path = os.path.expanduser(config["store"] or default).replace("{agent}", agent)
    if "://" in path:
        from bowerbird.storage.registry import place  # start-up: few stores are on a server

        return config, state, place(path, state), kinds
    if not os.path.isabs(path):
        path = os.path.join(working_folder(), path)
    # Resolves symbolic links, so that all processes use the same side files.
    path = os.path.realpath(path)
    if path != as_text(path):
        raise BadConfig(
            f"{as_text(path)} cannot be the path of a store: it is not UTF-8",
            "name another with --store or BOWER_STORE",
        )
    return config, state, path, kinds


def effective(config: Config, *, changed: bool) -> Effective:
    """The settings with their origins; with `changed`, only those that were set somewhere."""
    path = os.path.join(folder("config", os.environ), USER_FILE)
    rows = (config.shown(known.key) for known in SETTINGS)
    shown = tuple(row for row in rows if not changed or row["origin"] != "default")
    return Effective(path, shown, exists=os.path.exists(path))


def _take_user_file(
    config: Config, path: str, state: str, agent: str, faults: "Faults"
) -> "Kinds | None":
    """Reads the user's file; the section of the current agent overrides the rest.

    Returns the kinds that it declares with the built-in ones, or None.
    """
    values = _read_toml(path, state, faults)
    kinds = None
    if any(key.startswith("kinds.") for key in values):
        from bowerbird.core.own_kinds import declared  # start-up: few declare any

        try:
            kinds = declared(values, path)
        except (BadConfig, UnknownName) as fault:
            _note(fault, faults)
        values = {key: value for key, value in values.items() if not key.startswith("kinds.")}
    general = {key: value for key, value in values.items() if not key.startswith("agents.")}
    own = f"agents.{agent}."
    special = {key[len(own) :]: value for key, value in values.items() if key.startswith(own)}
    for where, some in ((path, general), (f"{path} [agents.{agent}]", special)):
        for key, value in some.items():
            _put(config.put, key, value, where, faults, path)
    return kinds


def _narrow(config: Config, path: str, state: str, faults: "Faults") -> None:
    """Reads a project's file, which may only restrict: it came with the checkout."""
    for key, value in _read_toml(path, state, faults).items():
        _put(_narrower(config), key, value, path, faults, path)


def _narrower(config: Config) -> "Callable[[str, Any, str], None]":
    """Applies a key of a project's file."""

    def narrow(key: str, value: "Any", where: str) -> None:
        if key.startswith("kinds."):
            raise BadConfig(
                f"{where} sets {key}, which a project's file may not",
                "declare kinds in your own configuration file",
            )
        config.narrow(key, value, where)

    return narrow


def _put(
    apply: "Callable[[str, Any, str], None]",
    key: str,
    value: "Any",
    where: str,
    faults: "Faults",
    file: str = "",
) -> None:
    """Applies one key. A fault names the line of the `file` that sets it."""
    try:
        try:
            apply(key, value, where)
        except (BadConfig, UnknownName):
            # Once more, since the line is looked for only now.
            apply(key, value, where + _line_of(file, key))
    except UnknownName as unknown:
        _note(
            UnknownName(f"{unknown.message} ({where}{_line_of(file, key)})", unknown.remedy), faults
        )
    except BadConfig as fault:
        _note(fault, faults)
        if strictest := setting(key).strictest:
            apply(key, strictest, where)


def _note(fault: "UsageError", faults: "Faults") -> None:
    if faults is None:
        raise fault
    faults.append(fault)


def _line_of(file: str, key: str) -> str:
    """Where a file sets a key: “, line 3”; empty if no line says so plainly."""
    try:
        lines = whole(file, LARGEST_FILE).decode().splitlines() if file else []
    except (OSError, ValueError):
        return ""
    section = ""
    for number, line in enumerate(lines, 1):
        left = line.partition("=")[0].replace(" ", "").replace('"', "").replace("'", "")
        if left.startswith("[") and "]" in left:
            section = left.strip("[]").partition("]")[0] + "."
        elif "=" in line and (section + left == key or (section + left).endswith(f".{key}")):
            return f", line {number}"
    return ""


def _read_toml(path: str, state: str, faults: "Faults" = None) -> "dict[str, Any]":
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
        pass  # the cache has no entry for this file yet
    except (OSError, ValueError, TypeError):
        cached = {}  # missing or damaged cache: the file is parsed and the cache rewritten
    try:
        values = _parsed(path)
    except BadConfig as fault:
        _note(fault, faults)
        last = cached.get(path, {})
        return dict(last["values"]) if "values" in last else {}
    if _holds_a_key(values):
        # A key (`embed.key`, `llm.key`) is never written to the cache, so a file that has one is parsed
        # each time.
        if cached.pop(path, None) is None:
            return values
    else:
        cached.pop(path, None)
        cached[path] = {"stamp": stamp, "values": values}
        cached = dict([*cached.items()][-_MOST_PARSED:])
    try:  # noqa: SIM105 contextlib is a fifth of a bare interpreter
        write_own(cache, json.dumps(cached))
    except (OSError, TypeError):
        pass  # read-only folder, or a value that JSON cannot hold: parsed again next time
    return values


def _holds_a_key(values: "dict[str, Any]") -> bool:
    return any(name.endswith(_KEY) for name in values)


def _parsed(path: str) -> "dict[str, Any]":
    """The dotted keys of a TOML file, within the limits above. Raises BadConfig."""
    import tomllib  # start-up: usually the cache answers

    try:
        text = whole(path, LARGEST_FILE).decode()
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
    """Whether a value contains an integer of more than 64 bits, which TOML does not allow."""
    if isinstance(value, list):
        return any(map(_is_too_large, value))
    if isinstance(value, dict):
        return any(map(_is_too_large, value.values()))
    return type(value) is int and abs(value) >= 1 << 63


def stages() -> "dict[str, str]":
    """The optional stages of an answer, and what is used instead of each."""
    from bowerbird.retrieval.stages import OPTIONAL

    return dict(OPTIONAL)
