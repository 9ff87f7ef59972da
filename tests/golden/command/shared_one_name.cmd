# status: 1
modules/one_name/a.pk modules/one_name/b.pk -shared -o /dev/null
