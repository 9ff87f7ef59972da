# status: 1
bench entry_names.pk:f f32[8] f32[16]
