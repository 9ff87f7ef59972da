run output_argument.pk:scale output_argument.npy -o output_argument.npy
