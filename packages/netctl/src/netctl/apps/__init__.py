"""Apps that come with the package, as examples to run and to copy."""

__all__: list[str] = []
