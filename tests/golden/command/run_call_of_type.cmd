run call_types.pk:scaled 'f32[8,128]' 2.0
