"""A stand-in for ByteRover's `brv`, for programs that call it, such as a provider of Hermes."""

from bowerbird.agents.agent import Agent, File

AGENT = Agent(
    id="brv-shim",
    name="brv",
    files=(File(("home:.brv-cli/bin/brv",), source="brv_shim.sh", program="brv"),),
    setup="bower install brv-shim",
)
