# status: 3
run output_argument.pk:scale output_argument.npy -o /dev/null/z.txt
