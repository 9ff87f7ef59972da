# status: 0
-I nowhere -I run.cmd -I . define_near.pk -o /dev/null
