# status: 3
# env: TMPDIR=/dev/null
-shared output_argument.pk -o /tmp/never.pallasc.so
