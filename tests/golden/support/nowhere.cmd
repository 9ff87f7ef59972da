# status: 3
check --support nowhere.pk
