run -O0 subnormal_constants.pk
