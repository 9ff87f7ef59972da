# With postponed evaluation they are texts.
from __future__ import annotations

x: Missing | None = None
y: list[int]
print(__annotations__)
