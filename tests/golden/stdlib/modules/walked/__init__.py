"""A package whose modules are listed."""
