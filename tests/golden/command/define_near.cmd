# status: 0
-D ROWZ=4 define_near.pk -o /dev/null
