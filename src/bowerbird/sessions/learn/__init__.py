"""Learning from sessions: steps, signals, lessons, and the choice of lessons to propose as memories."""
