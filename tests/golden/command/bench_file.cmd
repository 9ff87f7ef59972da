bench modules/scaling.pk:scaled x.npy
