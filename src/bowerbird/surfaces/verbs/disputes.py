"""The open disputes over HTTP; typed it is `dispute`."""

from bowerbird.core.dispute import Disputes
from bowerbird.surfaces.fields import Verb

VERB = Verb("disputes", "Show the open disputes", (), Disputes, route=("GET", "/disputes"))
