"""The commits that landed in a session, and what it published with `gh`, with their texts. Pure.

They are read from the commands: `-m` (also several), `--message=`, `-am`, `-F FILE`, `-F -` and
`$(cat <<EOF …)`, behind `git -C DIR`, titles and bodies, and a file that the agent wrote before.
"""

import re
import shlex

from bowerbird.core.value import Record
from bowerbird.sessions.learn.steps import once
from bowerbird.sessions.observe.calls import command, kind_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bowerbird.sessions.learn.steps import RecordedSession, Step

# Characters of a command, or of a file with a message, that are read: longer ones are scripts, and the
# patterns below take at most 0.4 s for this many. And lines of a heredoc: it may have no end.
_LONGEST = 20_000
_MOST_LINES = 400
_HEREDOC = re.compile(
    r"<<(?P<dash>-?)\s*(?P<quote>['\"\\]?)(?P<end>\w+)['\"]?(?P<line>[^\n]*)\n"
    rf"(?P<text>(?:.*\n){{0,{_MOST_LINES}}}?)[ \t]*(?P=end)(?=\s*(?:$|[\n;&|)\"]))"
)
# A command that only prints a heredoc, and what PowerShell has instead.
_PRINTED = re.compile(r"\"?\$\(\s*cat\s+(?P<mark>\x00\d+\x00)\s*\)\"?")
_HERE_STRING = re.compile(rf"@(?P<quote>['\"])\n(?P<text>(?:.*\n){{0,{_MOST_LINES}}}?)(?P=quote)@")
_ANSI_C = re.compile(r"\$'(?P<text>(?:[^'\\]|\\.)*)'")
_MARK = re.compile(r"\x00(\d+)\x00")
_SEPARATORS = frozenset(("&&", "||", ";", "|", "\n", "&", "|&", ";;"))
_PUNCTUATION = ";&|\n<>()"
# Options of git before its command, and of commit, that take a value.
_GLOBAL = frozenset(("-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path"))
_VALUED = frozenset(
    ("-C", "-c", "--author", "--date", "--cleanup", "--fixup", "--squash", "--trailer", "-t")
)
_SHORT = re.compile(r"-[a-zA-Z]*?(?P<option>[mF])(?P<value>.*)", re.DOTALL)
_MESSAGE = "--message"
_FILE = "--file"
# What `gh` publishes, and the options that hold its text.
_PUBLISHED = {
    "pr create": "Pull request",
    "pr edit": "Pull request",
    "pr comment": "Comment on a pull request",
    "pr review": "Review",
    "issue create": "Issue",
    "issue edit": "Issue",
    "issue comment": "Comment on an issue",
}
_REPLY = "Reply in a review"
_REPLIED = re.compile(r"/(?:comments|replies)$")
_FIELDS = frozenset(("-f", "-F", "--field", "--raw-field"))
_TITLES = frozenset(("-t", "--title"))
_BODIES = frozenset(("-b", "--body"))
_BODY_FILES = frozenset(("-F", "--body-file"))
# Escapes that shells leave, or that agents write where none are needed.
_ESCAPED = re.compile(r"\\([`$!\"'])")
_LINES = re.compile(r"(?:\\r)?\\n")
_LANDED = re.compile(r"(?m)^\[[^\]\n]* (?P<sha>[0-9a-f]{7,40})\] ")
# A log that is asked for behind a quiet commit, in one line or whole.
_LOGGED = (
    r"(?m)^(?:commit )?(?P<sha>[0-9a-f]{{7,40}})(?: \([^)\n]*\))?"
    r"(?: |\n(?:[A-Z]\w+: .*\n)+\n    ){}"
)
_QUIET = re.compile(r"\s(?:-\w*q\w*|--quiet)\b")
_NOTHING = re.compile(
    r"nothing to commit|no changes added|nothing added to commit|--dry-run|Aborting"
)
# Lines of a message that name people, tools and tickets, not changes.
_TRAILER = re.compile(
    r"(?im)^[ \t]*(?:[\w-]+-by|[\w-]+-id|cc|refs?|see(?:-also)?|fix(?:es)?|close[sd]?|resolve[sd]?"
    r"|issues?|bug|link|tested|pr)\s*[:#].*$|^[^\w\n]*generated (?:with|by|using) .*$|^[ \t]*🤖.*$"
    r"|^\(cherry picked from .*$|(?-i:^[A-Z][a-z]+(?:-[A-Z][a-z]+)+: .*$)"
)
_ITEM = re.compile(r"^[ \t]*(?:[-*•+]|\d+[.)])\s+")


class LandedCommit(Record):
    """A commit that landed: its step, its `subject`, its `body` without trailers, its `sha`.

    The sha is empty if git did not print it. A paragraph or an item of the body is one line.
    """

    step: "Step"
    subject: str
    body: str
    sha: str


class Published(Record):
    """A text that was published: its step, `what` it is, its `subject` (empty: none), its `body`."""

    step: "Step"
    what: str
    subject: str
    body: str


def landed_commits(session: "RecordedSession") -> list[LandedCommit]:
    """Return the commits of a session in order; those without a readable message have no subject."""
    return _read(session)[0]


def published(session: "RecordedSession") -> list[Published]:
    """Return the pull requests, issues, comments and replies of a session in order."""
    return _read(session)[1]


@once
def _read(session: "RecordedSession") -> tuple[list[LandedCommit], list[Published]]:
    files: dict[str, str] = {}
    found: list[LandedCommit] = []
    told: list[Published] = []
    for step in session.steps:
        given = step.event.given
        if kind_of(step.event.tool) == "edit" and isinstance(given.get("content"), str):
            for path in step.paths or (given.get("file_path"),):
                files[_base(str(path))] = given["content"][:_LONGEST]
        typed = command(given).replace("\x00", "")  # these marks are ours
        if ("commit" in typed or "<<" in typed or "gh " in typed) and len(typed) <= _LONGEST:
            texts = [*_texts(typed, files)]
            if not step.failed and "git" in typed and "commit" in typed:
                found += _landed(step, typed, [text for what, _, text in texts if not what])
            if not step.failed:
                told += [
                    Published(step, what, title, "\n".join(filter(None, parts(text or ""))))
                    for what, title, text in texts
                    if what
                ]
    return found, told


def sha_of(session: "RecordedSession", line: int) -> str:
    """Return the commit that contains the work up to a line of a session's transcript; empty for none.

    That is the first one from the line on, else the last one before it if no file was edited since.
    """
    last = ""
    landed = {id(one.step): one.sha for one in landed_commits(session) if one.sha}
    for step in session.steps:
        if id(step) in landed:
            last = landed[id(step)]
            if step.line >= line:
                return last
        elif not step.failed and kind_of(step.event.tool) == "edit":
            last = ""
    return last


def _landed(step: "Step", typed: str, messages: "Sequence[str | None]") -> "Iterator[LandedCommit]":
    answer = step.event.answer if isinstance(step.event.answer, str) else ""
    shas = [one["sha"] for one in _LANDED.finditer(answer)]
    for at, message in enumerate(messages):
        subject, body = parts(message or "")
        sha = shas[at] if at < len(shas) else ""
        if not sha and subject:
            logged = re.search(_LOGGED.format(re.escape(subject)), answer)
            sha = logged["sha"] if logged else ""
        quiet = _QUIET.search(typed) and not _NOTHING.search(answer + typed)
        if sha or (quiet and subject):
            yield LandedCommit(step, subject, body, sha)


def parts(message: str) -> tuple[str, str]:
    """Return the subject and the body of a message, one line per paragraph or item."""
    text = _ESCAPED.sub(r"\1", message)
    if "\n" not in text.strip():
        text = _LINES.sub("\n", text)
    subject, _, body = _TRAILER.sub("", text).strip().partition("\n")
    lines: list[str] = []
    for line in body.split("\n"):
        open_ = bool(lines and lines[-1]) and not lines[-1].endswith(":")
        if open_ and line.strip() and not _ITEM.match(line):
            lines[-1] += " " + line.strip()
        else:
            lines.append(line.strip())
    return subject.strip(), "\n".join(lines).strip()


def _texts(typed: str, files: dict[str, str]) -> "Iterator[tuple[str, str, str | None]]":
    """Yield what a command line publishes, with its title and text; of a commit what and title are empty.

    The text is None where it is not in the transcript. Heredocs that the line writes to files are noted
    in `files`.
    """
    kept: list[str] = []
    for words, before in _commands(_marked(typed, kept)):
        texts = [_unmarked(one, kept) for one in words]
        if _MARK.search(" ".join(words)) and ">" in words:
            target = words[words.index(">") + 1 :]
            here = next((one for one in words if _MARK.fullmatch(one)), "")
            if target and here:
                files[_base(target[0])] = _unmarked(here, kept)
        given, told = _arguments(texts), _program(texts, "gh")
        if given is not None or told:
            here = next((_unmarked(one, kept) for one in words if _MARK.fullmatch(one)), "")
            piped = here or _printed(before, kept)
            if given is not None:
                yield "", "", _message(given, files, piped)
            elif told and (what := _what(told)):
                yield what, *_title_and_body(told, files, piped)


def _marked(typed: str, kept: list[str]) -> str:
    """Return a command line whose heredocs are marks: the numbers of their texts in `kept`."""

    def mark(text: str) -> str:
        kept.append(text)
        return f"\x00{len(kept) - 1}\x00"

    def heredoc(found: "re.Match[str]") -> str:
        text = found["text"]
        if found["dash"]:
            text = re.sub(r"(?m)^\t+", "", text)
        if not found["quote"]:
            text = re.sub(r"\\([\\`$])", r"\1", text)
        return f"{mark(text)} {found['line']}"

    line = _HEREDOC.sub(heredoc, typed)
    line = _HERE_STRING.sub(lambda found: mark(found["text"]), line)
    line = _ANSI_C.sub(lambda found: mark(_decoded(found["text"])), line)
    return _PRINTED.sub(lambda found: found["mark"], line)


def _unmarked(word: str, kept: "Sequence[str]") -> str:
    return _MARK.sub(lambda found: kept[int(found[1])], word)


def _commands(line: str) -> "Iterator[tuple[list[str], list[str]]]":
    """Yield the words of each command of a line, with those of the command piped into it."""
    lexer = shlex.shlex(line.replace("\\\n", " "), posix=True, punctuation_chars=_PUNCTUATION)
    lexer.whitespace, lexer.commenters = " \t\r", ""
    lexer.wordchars += "\x00,@%+:=^[]{}!#$`\\…–—"
    words: list[str] = []
    before: list[str] = []
    try:
        for word in lexer:
            if word.strip(" ") in _SEPARATORS or set(word) == {"\n"}:
                yield words, before
                words, before = [], words if word == "|" else []
            else:
                words.append(word)
    except ValueError:
        return  # an open quote: what follows is no message
    yield words, before


def _arguments(words: "Sequence[str]") -> "list[str] | None":
    """Return the arguments of `git commit`; None for any other command."""
    rest = _program(words, "git")
    while rest and rest[0].startswith("-"):
        rest = rest[2:] if rest[0] in _GLOBAL else rest[1:]
    return rest[1:] if rest[:1] == ["commit"] else None


def _program(words: "Sequence[str]", name: str) -> list[str]:
    """Return what follows a program's name; empty for any other command."""
    rest = [*words]
    while rest and rest[0] != name and not rest[0].endswith(f"/{name}"):
        if "=" not in rest[0] and rest[0] not in ("sudo", "env", "(", "{", "command"):
            return []
        rest.pop(0)
    return rest[1:]


def _what(given: "Sequence[str]") -> str:
    """Return what `gh` publishes with some arguments; empty if it publishes nothing."""
    if given[0] == "api":
        return _REPLY if any(map(_REPLIED.search, given)) else ""
    return _PUBLISHED.get(" ".join(given[:2]), "")


def _title_and_body(
    given: "Sequence[str]", files: dict[str, str], piped: str
) -> "tuple[str, str | None]":
    """Return the title and the text that `gh` is given; empty and None where it is given none."""
    title, body = "", None
    rest = [*given[1:]]
    while rest:
        name, equals, value = rest.pop(0).partition("=")
        if name in _FIELDS and given[0] == "api" and rest:
            field, _, value = rest.pop(0).partition("=")
            body = value if field == "body" else body
            continue
        if name not in _TITLES | _BODIES | _BODY_FILES:
            continue
        value = value if equals or not rest else rest.pop(0)
        if name in _TITLES:
            title = value
        elif name in _BODIES:
            body = value
        else:
            body = piped if value == "-" else files.get(_base(value))
    return title, body


def _message(given: "Sequence[str]", files: dict[str, str], piped: str) -> "str | None":
    texts: list[str] = []
    rest = [*given]
    while rest:
        word = rest.pop(0)
        name, _, value = word.partition("=")
        if not word.startswith("--") and (short := _SHORT.fullmatch(word)):
            name, value = (_FILE if short["option"] == "F" else _MESSAGE), short["value"]
        if name not in (_MESSAGE, _FILE):
            del rest[: word in _VALUED]
            continue
        value = value or (rest.pop(0) if rest else "")
        if name == _FILE:
            value = piped if value == "-" else files.get(_base(value), "")
        texts += [value] if value else []
    return "\n\n".join(texts) if texts else None


def _printed(words: "Sequence[str]", kept: "Sequence[str]") -> str:
    """Return what `echo` or `printf` writes into the pipe."""
    if not words or words[0] not in ("echo", "printf", "cat"):
        return ""
    rest = [one for one in words[1:] if not re.fullmatch(r"-[neE]+", one)]
    text = _unmarked(" ".join(rest), kept)
    return _decoded(text) if words[0] == "printf" or "-e" in words else text


def _decoded(text: str) -> str:
    for escape, char in (("\\n", "\n"), ("\\t", "\t"), ("\\'", "'"), ('\\"', '"'), ("\\\\", "\\")):
        text = text.replace(escape, char)
    return text


def _base(path: str) -> str:
    return path.replace("\\", "/").rpartition("/")[2]
