"""What happens around a session? Observing what an agent does, and putting before it what it needs."""
