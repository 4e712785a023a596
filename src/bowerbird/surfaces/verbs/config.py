"""``bower config``: the effective settings, where each was set, and changes of yours.

Settings come from options, from variables such as BOWER_QUERY_LIMIT, from a project's .bowerbird.toml,
and from your own configuration file, which the first line names. --changed shows only those that differ
from the default.

`bower config get KEY` shows that setting alone. `bower config set KEY VALUE` writes into that file
and `bower config unset KEY` takes out of it; the rest stays as you wrote it. A key or a passphrase is
no argument, which others could see: it is asked for, or read from a pipe.
"""

import getpass
import sys

from bowerbird.core.config import Effective, setting
from bowerbird.core.errors import UsageError
from bowerbird.surfaces.fields import TYPED, Bowerbird, Field, Given, Verb

EXAMPLES = (
    ("bower config", "every setting, its value and its meaning"),
    ("bower config get query.limit", "one setting, and where it was set"),
    ("bower config --changed", "only what was changed"),
    ("bower config set query.limit 5", "five hits, unless another number is asked for"),
    ("bower config unset query.limit", "as before"),
)
VERB = Verb(
    "config",
    "Show the settings and the configuration file, or change one",
    (
        Field(
            "what", "text", "", choices=("list", "get", "set", "unset"),
            interfaces=(TYPED,), option=("WHAT",), words="?",
        ),
        Field(
            "key", "text", "get, set, unset: such as query.limit", interfaces=(TYPED,), option=("KEY",),
            words="?",
        ),
        Field(
            "value", "text", "set: its value", interfaces=(TYPED,), option=("VALUE",), words="?",
        ),
        Field(
            "changed", "flag", "only settings that differ from the default", default=False,
        ),
    ),
    Effective,
    group="Look after",
    order=3,
    route=("GET", "/settings"),
    reach="",
    owners=True,
)  # fmt: skip


def run(bird: Bowerbird, given: Given) -> Effective:
    """Show them, or change one."""
    what = given.get("what", "list")
    if what == "list":
        return bird.admin.settings(changed=given.get("changed", False))
    if what == "get":
        key = setting(given["key"]).key
        found = bird.admin.settings()
        return found.replace(settings=tuple(one for one in found.settings if one["key"] == key))
    return bird.admin.set_setting(given["key"], given["value"] if what == "set" else None)


def typed(given: Given) -> Given:
    """What was typed; a secret is read from the terminal or a pipe. Raises UsageError, UnknownName."""
    what, key, value = given.get("what", "list"), given.get("key"), given.get("value")
    if (what == "list") != (key is None) or (what in {"get", "unset"} and value is not None):
        raise UsageError(
            "set takes a key and a value, get and unset a key", "bower config set query.limit 5"
        )
    if what != "set" or key is None:
        return given
    if setting(key).secret:
        if value is not None:
            raise UsageError(
                f"{key} is secret: others see arguments, and the shell keeps them",
                f"leave the value out, and it is asked for: bower config set {key}",
            )
        asked = sys.stdin is not None and sys.stdin.isatty()
        value = getpass.getpass(f"{key}: ") if asked else sys.stdin.readline().rstrip("\r\n")
    if not value:
        raise UsageError(
            f"no value for {key}", f"bower config set {key} VALUE; or bower config unset {key}"
        )
    return {**given, "value": value}
