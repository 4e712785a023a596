"""What is a memory? Values, ports, errors and words that every room shares."""
