"""``bower completion``: let the shell complete commands, options and values.

Prints a script for the shell, written from the same parsers that read the command line.
"""

from bowerbird.surfaces.cli.call import Outcome
from bowerbird.surfaces.cli.table import load

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from bowerbird.surfaces.cli.call import Call

EXAMPLES = (
    ("echo 'eval \"$(bower completion bash)\"' >> ~/.bashrc", "bash, from the next shell on"),
    ("echo 'source <(bower completion zsh)' >> ~/.zshrc", "zsh"),
    ("bower completion fish > ~/.config/fish/completions/bower.fish", "fish"),
)
SHELLS = ("bash", "zsh", "fish")


def arguments(parser: "argparse.ArgumentParser") -> None:
    """The shell."""
    parser.add_argument("shell", choices=SHELLS, metavar="SHELL", help="bash, zsh or fish")


def run(call: "Call") -> Outcome:
    """Write the script."""
    shell = call.options.shell
    known = load("completion.vocabulary").Vocabulary.read()
    script: str = load(f"completion.{shell}").script(known)
    return Outcome({"shell": shell, "script": script}, script)
