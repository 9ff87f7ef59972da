check check_something.pk:f -o z.npy
