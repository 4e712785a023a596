"""``bower completion``: let the shell complete commands, options and values.

Prints a script for the shell, which asks this program at every Tab: with words behind `--` it prints what
may stand for the last of them.
"""

from bowerbird.surfaces.cli import offers
from bowerbird.surfaces.cli.call import Call, Outcome

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

EXAMPLES = (
    ("echo 'eval \"$(bower completion bash)\"' >> ~/.bashrc", "bash, from the next shell on"),
    ("echo 'source <(bower completion zsh)' >> ~/.zshrc", "zsh"),
    ("bower completion fish > ~/.config/fish/completions/bower.fish", "fish"),
)


def arguments(parser: "argparse.ArgumentParser") -> None:
    """The shell, and what was typed there."""
    parser.add_argument(
        "shell", choices=offers.SHELLS, metavar="SHELL", help=", ".join(offers.SHELLS)
    )
    parser.add_argument("words", nargs="*", metavar="WORD", help="what was typed, behind --")


def run(call: Call) -> Outcome:
    """Write the script, or what may be typed next."""
    shell, words = call.options.shell, call.options.words
    if words:
        told = "\n".join(offers.lines(shell, words))
        return Outcome({"shell": shell, "offered": told.split("\n") if told else []}, told)
    script = offers.script(shell)
    return Outcome({"shell": shell, "script": script}, script)
