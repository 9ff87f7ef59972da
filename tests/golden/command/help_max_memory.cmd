help max-memory
