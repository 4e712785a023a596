"""Who is connected to whom: the one place that knows every room."""
