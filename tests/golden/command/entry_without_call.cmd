# status: 1
modules/flipping.pk modules/scaling.pk --entry '(' --entry 'scaled' --entry 'factor=2.0' -o /dev/null --only=modules/flipping.pk
