"""The door of hooks: what agents tell at each step, read by a row an agent, answered in its terms."""
