bench add.pk:add f32[4] --sweep n=1:2
