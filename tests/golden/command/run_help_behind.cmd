run entry_calls.pk --help max-memory
