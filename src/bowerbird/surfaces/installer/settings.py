"""Where an agent's configuration files are on this machine, and whether the agent is installed."""

import os
import shutil

from bowerbird.agents.folders import located

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from bowerbird.agents.agent import Agent, File

USER = "user"
PROJECT = "project"
_HERE = "{here}"


def is_here(agent: "Agent", environment: "Mapping[str, str]") -> bool:
    """Whether the agent is installed: its program is on the PATH, or its folder exists."""
    path = environment.get("PATH", "")
    return any(shutil.which(one, path=path) for one in agent.programs) or any(
        os.path.isdir(located(one, agent, environment)) for one in agent.folders
    )


def path_of(
    file: "File", agent: "Agent", scope: str, root: str, environment: "Mapping[str, str]"
) -> str:
    """The file's path in a scope; empty if the agent has none in it."""
    if scope == PROJECT:
        paths = [root + one.removeprefix(_HERE) for one in file.project]
    else:
        paths = [located(one, agent, environment) for one in file.user]
    return next((one for one in paths if os.path.lexists(one)), paths[0] if paths else "")
