# status: 1
--max-depth=1 run entry_calls.pk
