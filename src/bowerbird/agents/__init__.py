"""What is known of each agent, in one file an agent; every other package reads it there."""
