run entry_calls.pk --steps 5
