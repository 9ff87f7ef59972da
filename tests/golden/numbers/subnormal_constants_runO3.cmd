run -O3 subnormal_constants.pk
