"""What is a memory? Values, ports, errors and terms that every package shares."""
