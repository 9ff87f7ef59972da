bench add.pk:add f32[4] --svg x.svg
