"""Which commands of a line install what an error says is missing. Pure."""

import re

from bowerbird.sessions.learn.commands import parts

_INSTALLS = re.compile(
    r"^(?:sudo )?(?:\S*python[\d.]* -m )?(?:\S*/)?(?:pip3?|uv|poetry|pdm|npm|pnpm|yarn|bun|cargo|go|gem"
    r"|bundle|composer|brew|apt(?:-get)?|apk|dnf|rustup|mise|conda) (?:pip )?(?:-\S+ )*"
    r"(?:install|add|get|sync|ci|component add|mod download)\b(?P<what>.*)"
)
_OPTION = re.compile(r"(?<!\S)-\S+")


def installs(line: str, error: str) -> tuple[str, ...]:
    """Return the commands of a line that install what an error names, or all that a project needs."""
    found = []
    for part in parts(line):
        if asked := _INSTALLS.match(part):
            packages = _OPTION.sub("", asked["what"]).split()
            if not packages or any(_names(error, one) for one in packages):
                found.append(part)
    return tuple(found)


def _names(error: str, package: str) -> bool:
    """Return whether an error names a package, of any version; `-` and `_` are the same."""
    name = re.split(r"[\[=<>~@]", package.lstrip("@"))[0].lower().replace("_", "-")
    known = rf"(?<![\w.]){re.escape(name)}(?!\w)"
    return bool(name) and bool(re.search(known, error.lower().replace("_", "-")))
