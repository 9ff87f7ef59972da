modules/flipping.pk modules/scaling.pk --only=modules/other.pk -o /dev/null
