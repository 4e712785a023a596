"""Changes the user's own configuration file; comments and order stay as they were written."""

import os

from bowerbird.core.config import CALL, Effective, setting
from bowerbird.core.errors import BadConfig, BadInput
from bowerbird.core.value import Advice, Do
from bowerbird.host.foreign import whole
from bowerbird.host.places import folder, write_own
from bowerbird.wiring.settings import LARGEST_FILE, USER_FILE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from bowerbird.core.config import Config


# A store is embedded by one model: another one is set once it has embedded everything.
_BY_MODEL = frozenset({"embed.provider", "embed.model", "embed.dims"})


def set_setting(config: "Config", key: str, value: "Any") -> Effective:
    """Sets one key in the file, or takes it out where the value is None; that setting as it then is.

    Raises UnknownName, BadInput and BadConfig.
    """
    known = setting(key)
    if key in _BY_MODEL:
        raise BadInput(
            f"{key} goes with what is embedded", Advice("choose one: ", Do("model", "use", "NAME"))
        )
    require_changeable(config, (key,))
    parsed = None if value is None else known.parse(value, CALL)
    if key == "llm.price" and parsed:
        from bowerbird.models.llm.prices import price  # start-up: for that setting alone

        price(parsed)
    path = change({key: parsed})
    now = (known.default, "default") if parsed is None else (parsed, path)
    return Effective(path, (config.but(key, *now).shown(key),), exists=True)


def require_changeable(config: "Config", keys: "tuple[str, ...]") -> None:
    """Raises BadConfig if a variable or an option overrides what the file would say."""
    for key in keys:
        origin = config.set_by(key)
        if origin == setting(key).variable:
            raise BadConfig(f"{origin} is set, which overrides the file", f"unset {origin} first")
        if origin.endswith("]"):
            raise BadConfig(f"{key} is set in {origin}", "change it there")


def change(values: "Mapping[str, Any]") -> str:
    """Set keys in the file, or take them out where the value is None; returns the file's path.

    Raises BadConfig if the file cannot be read or written.
    """
    import tomlkit  # start-up: few commands write settings
    from tomlkit.exceptions import TOMLKitError  # start-up: as above

    path = os.path.join(folder("config", os.environ), USER_FILE)
    try:
        text = whole(path, LARGEST_FILE).decode()
    except FileNotFoundError:
        text = ""
    except (OSError, ValueError) as error:
        raise BadConfig(
            f"{path} cannot be read: {error}", "mend it, or set the keys yourself"
        ) from error
    try:
        document: Any = tomlkit.parse(text)
        for key, value in values.items():
            _put(document, key.split("."), value)
        write_own(path, tomlkit.dumps(document).rstrip("\n") + "\n")
    except (TOMLKitError, TypeError) as error:
        raise BadConfig(f"{path}: {error}", "mend it, or set the keys yourself") from error
    except OSError as error:
        said = (error.strerror or str(error)).lower()
        raise BadConfig(f"{path} cannot be written: {said}", "set the keys yourself") from error
    return path


def _put(document: "Any", key: list[str], value: "Any") -> None:
    import tomlkit  # start-up: as above

    *above, name = key
    table = document
    for part in above:
        if part not in table:
            if value is None:
                return
            table[part] = tomlkit.table()
        table = table[part]
    if value is None:
        table.pop(name, None)
    else:
        table[name] = value
