help nonsense
