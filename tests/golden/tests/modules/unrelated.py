raise ValueError("nobody reads this")
