"""Time and size by the number of entries, the product beside other systems."""
