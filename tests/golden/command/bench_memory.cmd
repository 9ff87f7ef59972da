# status: 3
bench add_any.pk:add 'f32[1000000,1000000], f32[1000000,1000000]'
