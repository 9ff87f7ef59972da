# status: 1
bench modules/annotated.pk:wrong
