bench add.pk:add f32[n] --sweep n=9:2
