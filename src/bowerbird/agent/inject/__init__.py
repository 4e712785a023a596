"""What is put before an agent unasked: chosen, measured and cited here, rendered by the doors."""
