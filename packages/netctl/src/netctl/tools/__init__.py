"""The border to the tool contract: every app's commands, readings, states and operations as tools.

The only part of the package that imports `tercet` (the `[tools]` extra).
"""

from netctl.tools._bind import app_tools, bind, network_tools
from netctl.tools._operator import operator_tools
from netctl.tools._prompts import network_prompts

__all__ = ["app_tools", "bind", "network_prompts", "network_tools", "operator_tools"]
