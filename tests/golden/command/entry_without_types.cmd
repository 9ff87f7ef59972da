# status: 1
modules/scaling.pk --entry scaled -o /dev/null
