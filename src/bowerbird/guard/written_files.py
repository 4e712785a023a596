"""The files that a command writes, as far as its words name them. Pure."""

import os

from bowerbird.core.foreign_file import CLONED, DOWNLOADED, UNPACKED, WRITTEN
from bowerbird.guard.shell_line import EXPANDED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bowerbird.guard.shell_line import Command

    Members = Callable[[str], "list[str]"]

# Make what they name; copy to their last operand; change their operands in place.
_MAKERS = ("mkdir", "touch", "tee")
_COPIERS = ("cp", "mv", "ln", "rsync", "scp", "install")
_IN_PLACE = {"sed": ("-i", "--in-place"), "perl": ("-i", "-pi", "-ni"), "gofmt": ("-w",)}
_ARCHIVES = (".tar", ".tgz", ".tbz2", ".txz", ".tar.gz", ".tar.bz2", ".tar.xz", ".tar.zst", ".zip")
_PACKED = (".gz", ".bz2", ".xz", ".zst", ".lz4")
_UNPACKERS = frozenset(("gunzip", "bunzip2", "unxz", "unzstd", "gzip", "bzip2", "xz", "zstd"))
_CLIENTS = frozenset(("curl", "wget", "aria2c"))
_ARCHIVERS = frozenset(("tar", "bsdtar", "unzip", "7z", "7za"))
_GIT_CLONES = (["git", "clone"], ["git", "submodule", "add"], ["git", "subtree", "add"])
_FORGE_CLONES = (["gh", "repo", "clone"], ["glab", "repo", "clone"])
# Options of the programs below that take a value.
_CLONE_VALUES = frozenset(
    ("-b", "--branch", "--depth", "-o", "--origin", "-c", "--config", "-u", "-j")
)
_FETCH_VALUES = frozenset(
    "-H --header -d --data --data-raw --data-binary -X --request -u --user -A --user-agent -e -b -c -m"
    " --max-time --retry -F --form -T -t --tries --timeout -U -w --write-out -x --proxy -E --cert"
    " --cacert --key -o --output -O --output-document -P --directory-prefix --output-dir".split()
)
_REMOTE_NAMES = frozenset(("-O", "--remote-name", "--remote-name-all"))
# Where each archiver unpacks to. The value of another option is no folder: `unzip -P` has a secret.
_PLACES = {
    "tar": ("-C", "--directory"),
    "bsdtar": ("-C", "--directory"),
    "unzip": ("-d",),
    "7z": ("-o",),
    "7za": ("-o",),
}


def no_members(_path: str) -> "list[str]":
    """For where no archive can be looked into."""
    return []


def written(
    words: "list[str]", command: "Command", resolve: "Callable[[str], str]", members: "Members"
) -> "Iterator[tuple[str, str]]":
    """The files and folders that a command writes, and how (core.foreign_file).

    `resolve` returns the path that a word of it names; `members` what is in an archive at the top.
    """
    for path in command.writes:
        yield resolve(path), WRITTEN
    program = os.path.basename(words[0]) if words else ""
    if cloned := _cloned(words):
        yield resolve(cloned), CLONED
    elif program in _CLIENTS:
        yield from ((resolve(one), DOWNLOADED) for one in _fetched(program, words[1:]))
    elif program in _ARCHIVERS:
        yield from ((resolve(one), UNPACKED) for one in _unpacked(words, resolve, members))
    else:
        yield from ((resolve(one), how) for one, how in _operated(program, words))


def _operated(program: str, words: "list[str]") -> "Iterator[tuple[str, str]]":
    """The operands that a command makes or changes, and how."""
    plain = [one for one in words[1:] if not one.startswith("-")]
    how = WRITTEN
    if program in _COPIERS:
        plain = plain[-1:]
    elif program in _UNPACKERS:
        plain, how = [os.path.splitext(one)[0] for one in plain if one.endswith(_PACKED)], UNPACKED
    elif words[:2] in (["git", "worktree"], ["git", "init"]):
        plain = [one for one in plain[1:] if one not in ("add", ".")]
    elif program in _IN_PLACE:
        changes = any(one.startswith(_IN_PLACE[program]) for one in words[1:])
        plain = plain if changes else []
    elif program not in _MAKERS:
        out = _value(words, ("-o", "--output", "-O", "--out", "--outfile"))
        # `-o` of mounts and remote shells sets something: `-o user=ben,pass=…`.
        plain = [out] if out is not None and not _sets(out) else []
    yield from ((one, how) for one in plain)


def _sets(value: str) -> bool:
    """Whether the value of `-o` is a setting, NAME=VALUE, and no file."""
    name, sign, _ = value.partition("=")
    return bool(sign) and name.replace("_", "a").replace("-", "a").replace(",", "a").isalnum()


def _cloned(words: "list[str]") -> str:
    """The folder into which a command clones a repository; empty if it does not."""
    begun = next((one for one in (*_GIT_CLONES, *_FORGE_CLONES) if words[: len(one)] == one), None)
    if begun is None:
        return ""
    operands = _operands(words[len(begun) :], _CLONE_VALUES)
    if len(operands) > 1:
        return operands[1]
    return (
        os.path.basename(operands[0].rstrip("/").replace(":", "/")).removesuffix(".git")
        if operands
        else ""
    )


def _fetched(program: str, words: "list[str]") -> "Iterator[str]":
    """The files in which a client of HTTP keeps what it gets."""
    folders = (
        "--output-dir",
        "-P",
        "--directory-prefix",
        *(("-d",) if program == "aria2c" else ()),
    )
    words = [part for one in words for part in _apart(one)] if program == "curl" else words
    folder = _value(words, folders) or ""
    named = ("-o", "--output") if program == "curl" else ("-O", "--output-document", "-o")
    out = _value(words, named)
    if out is not None:
        if out != "-":
            yield os.path.join(folder, out)
        return
    by_address = program != "curl" or not _REMOTE_NAMES.isdisjoint(words)
    values = _FETCH_VALUES - _REMOTE_NAMES if program == "curl" else _FETCH_VALUES
    for one in _operands(words, values) if by_address else ():
        name = os.path.basename(one.partition("?")[0].rstrip("/"))
        yield os.path.join(folder, name if "/" in one.partition("://")[2] else "index.html")


def _apart(word: str) -> "Iterator[str]":
    """The short options of curl that a word joins, as far as they name where the answer goes."""
    if word[:1] != "-" or word[1:2] in ("-", ""):
        yield word
    elif word.endswith("o"):
        yield from (word[:-1], "-o")
    else:
        yield from (("-O",) if "O" in word else (word,))


def _unpacked(
    words: "list[str]", resolve: "Callable[[str], str]", members: "Members"
) -> "Iterator[str]":
    """What an archiver unpacks: the folder that it is told, else what is in the archive at the top."""
    program, rest = os.path.basename(words[0]), words[1:]
    if program.endswith("tar") and not _extracts(rest):
        return
    if program.startswith("7z") and rest[:1] not in (["x"], ["e"]):
        return
    if program == "unzip" and any(one in ("-l", "-p", "-t", "-v", "-Z") for one in rest):
        return
    places = _PLACES[program]
    folder = _value(rest, places)
    if folder is None:
        joined = [one[2:] for one in rest if one.startswith(places) and one[:2] in places]
        folder = next(filter(None, joined), "")
    archives = [one for one in rest if one.endswith(_ARCHIVES)]
    names = [name for one in archives for name in members(resolve(one))]
    if names:
        yield from (os.path.join(folder, name) for name in names)
    elif folder:
        yield folder
    elif archives and program == "unzip":
        yield os.path.basename(archives[0]).removesuffix(".zip")


def _extracts(words: "list[str]") -> bool:
    first = words[0] if words else ""
    bundled = first.lstrip("-") if not first.startswith("--") else ""
    return "x" in bundled or "--extract" in words or "--get" in words


def _operands(words: "list[str]", values: "frozenset[str]") -> "list[str]":
    operands, skip = [], False
    for one in words:
        if skip:
            skip = False
        elif one.startswith("-"):
            skip = one in values
        elif EXPANDED not in one:
            operands.append(one)
    return operands


def _value(words: "list[str]", names: "tuple[str, ...]") -> str | None:
    """The value of the first of some options; None if it is not given."""
    for at, one in enumerate(words):
        name, sign, value = one.partition("=")
        if one in names and one and at + 1 < len(words):
            return words[at + 1]
        if sign and name in names and name.startswith("--"):
            return value
    return None
