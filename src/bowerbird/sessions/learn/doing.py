"""Which commands change something, and which lines run the same command again. Pure."""

from bowerbird.sessions.learn.commands import parts, purpose_of

# Programs that show, search or wait, and change nothing that a later command sees.
_SHOW = frozenset(
    "cat bat head tail less more grep egrep fgrep rg ag awk cut sort uniq diff cmp ls tree"
    " find fd echo printf"
    " jq yq cd pwd pushd popd sleep true false test [ wc which type whereis command env"
    " printenv file stat"
    " date whoami id uname ps pgrep top df du free lsof netstat ss ping dig nslookup host"
    " curl wget man help"
    " history exit wait jobs read time xxd od base64 sha256sum md5sum column tr rev gh glab".split()
)
# Subcommands that only show, of programs that also change something.
_SHOW_OF = {
    "git": "status log diff show branch blame grep ls-files ls-tree rev-parse describe"
    " remote shortlog cat-file"
    " reflog tag check-ignore merge-base name-rev rev-list config stash",
    "docker": "ps logs inspect images version info stats top port",
    "kubectl": "get describe logs top explain version",
    "npm": "ls list view outdated config root prefix --version -v",
    "pip": "list show freeze check --version",
    "go": "list env version doc vet",
    "cargo": "tree metadata --version check",
    "systemctl": "status list-units is-active",
    "redis-cli": "ping info get keys",
    "brew": "list info",
}
# What checks a project changes nothing; what builds or generates does.
_CHECKS = ("test", "lint", "types")
# First words after a script of the project that say that it changes something: "test-db.sh up",
# whatever its name.
_BRINGS_ABOUT = frozenset(
    "up down start stop restart create drop reset init seed load install migrate clean".split()
)
# Options that make a checker write.
_WRITES = ("--fix", "--write", "-i", "--apply")


def changes_something(part: str) -> bool:
    """Return whether a command may change what a later one finds."""
    words = part.split()
    words = words[1:] if words and words[0] == "sudo" else words
    if not words or "--help" in words or "--version" in words:
        return False
    program = words[0].rpartition("/")[2]
    if program in _SHOW:
        return ">" in part and program in ("cat", "echo", "printf")
    if program == "sed":
        return "-i" in words
    if any(one in words for one in _WRITES):
        return True
    only = _SHOW_OF.get(program, "").split()
    rest = [one for one in words[1:] if not one.startswith("-")]
    if only and (not rest or rest[0] in only):
        return False
    if "/" in words[0] and rest and rest[0] in _BRINGS_ABOUT:
        return True
    return purpose_of(part) not in _CHECKS


def same_command(failed: str, line: str) -> bool:
    """Return whether a line runs all that a failed line ran, whatever its options."""
    wanted = [one for one in map(_signature, parts(failed)) if one]
    again = [one for one in map(_signature, parts(line)) if one]
    return bool(wanted) and all(any(_covers(one, other) for other in again) for one in wanted)


def unquoted(part: str) -> str:
    """Return a command without quotation marks: which of the two is used makes no difference."""
    return part.replace('"', "").replace("'", "")


def _signature(part: str) -> tuple[str, ...]:
    """Return a command without its options and quotation marks; empty for one that only shows."""
    words = unquoted(part).split()
    plain = tuple(one for one in words if not one.startswith("-"))
    if not plain or plain[0].rpartition("/")[2] in _SHOW:
        return ()
    return plain


def _covers(failed: "tuple[str, ...]", other: "tuple[str, ...]") -> bool:
    # `pytest` runs what `pytest tests/test_cart.py` ran, not the other way round.
    whole = purpose_of(" ".join(failed)) and purpose_of(" ".join(failed)) == purpose_of(
        " ".join(other)
    )
    return failed == other or (bool(whole) and failed[: len(other)] == other)
