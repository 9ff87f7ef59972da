bench call_types.pk
