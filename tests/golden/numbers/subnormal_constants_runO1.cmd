run -O1 subnormal_constants.pk
