# status: 1
bench modules/scaling.pk:scaled
