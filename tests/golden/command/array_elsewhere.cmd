run array_elsewhere.pk:add ./array_elsewhere.pk 2.5
