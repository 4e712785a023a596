"""What may be typed next, as the parsers know it, and the scripts by which shells ask for it.

A script holds no words of its own: it asks this program at every Tab, so that it knows the options of
the version that runs. That takes a tenth of a second, and one list of words serves three shells.
"""

import argparse
import shlex

from bowerbird.core.errors import UsageError
from bowerbird.core.installed import starting
from bowerbird.core.kinds import KINDS
from bowerbird.core.phases import PHASES
from bowerbird.surfaces.cli.arguments import add_globals
from bowerbird.surfaces.cli.parsers import Parser, parser_for
from bowerbird.surfaces.cli.table import aliases, commands, find, names
from bowerbird.surfaces.installer.agents import IDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    Offer = tuple[str, str]

# In place of a word: any file. No word is called so.
FILES = "/"
# What stands for a place on disk in a parser's metavar.
_PLACES = frozenset({"PATH", "FILE", "DIR"})
# bash cuts --format=json at the sign, so that it is offered what stands behind it alone.
_BASH = """\
# bash completion for bower; load it with: eval "$(bower completion bash)"
_bower() {{
    local word words=("${{COMP_WORDS[@]:1:COMP_CWORD}}")
    COMPREPLY=()
    while IFS= read -r word; do
        if [[ $word == {files} ]]; then
            type compopt >/dev/null 2>&1 && compopt -o filenames
            while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "${{words[@]: -1}}")
        else
            COMPREPLY+=("$word")
        fi
    done < <({bower} completion bash -- "${{words[@]}}" 2>/dev/null)
}}
complete -F _bower bower bowerbird
"""
_ZSH = """\
#compdef bower bowerbird
# zsh completion for bower; load it with: source <(bower completion zsh)
_bower() {{
    local line files=""
    local -a told
    while IFS= read -r line; do
        if [[ $line == {files} ]]; then files=1; else told+=("$line"); fi
    done < <({bower} completion zsh -- "${{(@)words[2,CURRENT]}}" 2>/dev/null)
    [[ $PREFIX == --*=* ]] && compset -P '*='
    local -i nothing=1
    (( $#told )) && _describe bower told && nothing=0
    [[ -n $files ]] && _files && nothing=0
    return nothing
}}
if [[ $funcstack[1] == _bower ]]; then
    _bower "$@"
else
    (( $+functions[compdef] )) || {{ autoload -Uz compinit && compinit -i; }}
    compdef _bower bower bowerbird
fi
"""
_FISH = """\
# fish completion for bower; load it with: bower completion fish | source
function __bower
    for line in ({bower} completion fish -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)
        if test "$line" = {files}
            __fish_complete_path (commandline -ct)
        else
            echo $line
        end
    end
end
complete -c bower -f -a '(__bower)'
complete -c bowerbird -w bower
"""
_SCRIPTS = {"bash": _BASH, "zsh": _ZSH, "fish": _FISH}
SHELLS = tuple(_SCRIPTS)


def script(shell: str) -> str:
    """What a shell evaluates once."""
    return _SCRIPTS[shell].format(bower=shlex.join(starting()), files=FILES)


def lines(shell: str, words: "Sequence[str]") -> "Iterator[str]":
    """What may stand for the last of some words behind the program's name, as a shell reads it."""
    for word, meaning in offered(words):
        if word == FILES or shell == "bash":
            yield word.rpartition("=")[2] if "=" in words[-1:] else word
        elif shell == "zsh":
            # Behind the sign the values alone are completed.
            yield word.rpartition("=")[2].replace(":", r"\:") + f":{meaning}" * bool(meaning)
        else:
            yield f"{word}\t{meaning}"


def offered(words: "Sequence[str]") -> "Iterator[Offer]":
    """The words that may stand for the last one, with what each means."""
    *before, current = words or [""]
    current = current.removeprefix("=") if current == "=" else current
    parser = Parser("bower")
    add_globals(parser)
    verb, waits = "", None
    for word in before:
        name, sign, _ = word.partition("=")
        if word == "=":
            continue
        if waits is not None:
            waits = None
        elif word.startswith("-"):
            option = _options(parser).get(name)
            waits = option if option is not None and option.nargs != 0 and not sign else None
        elif not verb:
            verb, parser = word, _parser(word)
    name, sign, _ = current.partition("=")
    if waits is not None:
        found = _values(waits)
    elif sign and name in _options(parser):
        found = ((f"{name}={value}", told) for value, told in _values(_options(parser)[name]))
    elif current.startswith("-"):
        found = ((one, option.help or "") for one, option in _options(parser).items())
    elif not verb:
        known = (one.VERB for one in commands())
        found = ((name, one.meaning) for one in known for name in (one.name, *aliases(one)))
    else:
        texts = (one for one in _actions(parser) if not one.option_strings)
        found = (value for one in texts for value in _values(one))
    return (one for one in found if one[0] == FILES or one[0].startswith(current))


def _parser(verb: str) -> Parser:
    try:
        return parser_for(find(verb))
    except UsageError:
        return Parser("bower")


def _actions(parser: Parser) -> "Sequence[argparse.Action]":
    return parser._actions  # noqa: SLF001 argparse has no public list


def _options(parser: Parser) -> dict[str, argparse.Action]:
    return {name: action for action in _actions(parser) for name in action.option_strings}


def _values(action: argparse.Action) -> "Iterator[Offer]":
    """What an option or an argument may be."""
    named = {"KIND": KINDS, "PHASE": PHASES, "AGENT": IDS}
    if action.choices is not None:
        choices = [*action.choices]
    elif action.metavar == "COMMAND":
        choices = [*names()]
    else:
        choices = [*named.get(str(action.metavar), ())]
    yield from ((str(choice), "") for choice in choices)
    if not _PLACES.isdisjoint(str(action.metavar).replace(":", "|").split("|")):
        yield FILES, ""
