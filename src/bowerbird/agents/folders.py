"""Where an agent keeps its files, on this platform and with its environment variables."""

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from bowerbird.agents.agent import Agent


def located(path: str, agent: "Agent", environment: "Mapping[str, str]") -> str:
    """The absolute path of one of an agent's files or folders."""
    base, _, rest = path.partition(":")
    if base in agent.bases:
        variable, below = agent.bases[base]
        folder = environment.get(variable, "") or _at_home(below)
    else:
        folder = _general(environment)[base]
    return os.path.join(folder, *rest.split("/")).rstrip("/")


def below_home(path: str, agent: "Agent") -> str:
    """The same without environment variables, as people write it below their home: `.claude/projects`."""
    base, _, rest = path.partition(":")
    above = agent.bases[base][1] if base in agent.bases else _BELOW_HOME[base]
    return "/".join(filter(None, (above, rest)))


_BELOW_HOME = {"home": "", "config": ".config", "code": ".config/Code/User"}


def _general(environment: "Mapping[str, str]") -> dict[str, str]:
    """The bases that all agents share."""
    config = environment.get("XDG_CONFIG_HOME", "")
    config = config if os.path.isabs(config) else _at_home(_BELOW_HOME["config"])
    code = os.path.join(config, "Code", "User")
    if sys.platform == "darwin":
        code = os.path.join(_at_home("Library/Application Support"), "Code", "User")
    return {"home": _at_home(""), "config": config, "code": code}


def _at_home(below: str) -> str:
    return os.path.join(os.path.expanduser("~"), *below.split("/")).rstrip("/")
