# status: 1
run modules/scaling.pk:scaled
