"""Where settings come from: flags, variables, the project's file, the user's file, defaults."""

import os

from bowerbird.core.config import SETTINGS, Config, flatten, setting
from bowerbird.core.errors import BadConfig
from bowerbird.core.places import PROJECT_FILE, as_text, find_upwards, folder, working_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def settled(flags: "dict[str, Any]") -> "tuple[Config, str, str]":
    """Every setting resolved, the folder for state, and the path of the store.

    Flags win over variables, those over the project's file, that over the user's.
    """
    environment = os.environ
    config = Config()
    state = folder("state", environment)
    user_file = os.path.join(folder("config", environment), "config.toml")
    agent = environment.get("BOWER_AGENT", "default")
    _take_user_file(config, user_file, state, agent)
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
    if not os.path.isabs(path):
        path = os.path.join(working_folder(), path)
    # Whatever leads to a store, what stands beside it belongs to all who use it.
    path = os.path.realpath(path)
    if path != as_text(path):
        raise BadConfig(
            f"{as_text(path)} is no path for a store: it is not UTF-8",
            "name another with --store or BOWER_STORE",
        )
    return config, state, path


def _take_user_file(config: Config, path: str, state: str, agent: str) -> None:
    """Take the user's own file; what stands under this agent's name wins over the rest."""
    values = _read_toml(path, state)
    general = {key: value for key, value in values.items() if not key.startswith("agents.")}
    own = f"agents.{agent}."
    special = {key[len(own) :]: value for key, value in values.items() if key.startswith(own)}
    for key, value in general.items():
        config.put(key, value, path)
    for key, value in special.items():
        config.put(key, value, f"{path} [agents.{agent}]")


def _narrow(config: Config, path: str, state: str) -> None:
    """Take a project's own file: it came with a checkout, so it may only narrow."""
    for key, value in _read_toml(path, state).items():
        if not setting(key).narrows:
            raise BadConfig(
                f"{path} sets {key}, which a project's file may not",
                "set it in your own configuration file, and only if you trust this project",
            )
        config.put(key, value, path)


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
        if cached[path]["stamp"] == stamp:
            return dict(cached[path]["values"])
    except KeyError:
        pass  # this file is not in it yet
    except (OSError, ValueError, TypeError):
        cached = {}  # no cache or a broken one: parse below and write it anew
    import tomllib  # start-up: the cache holds what was parsed before

    try:
        with open(path, "rb") as toml:
            values = flatten(tomllib.load(toml))
    except (OSError, ValueError) as error:
        raise BadConfig(f"{path}: {error}", "mend the file or move it out of the way") from error
    cached[path] = {"stamp": stamp, "values": values}
    try:
        os.makedirs(state, mode=0o700, exist_ok=True)
        with open(cache, "w", encoding="utf-8") as file:
            json.dump(cached, file)
    except (OSError, TypeError):
        pass  # a read-only home or a date in the file: parsing again next time is fine
    return values
