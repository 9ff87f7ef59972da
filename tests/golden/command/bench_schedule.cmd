bench add.pk:add f32[4] --schedule late
