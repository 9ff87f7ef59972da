help -O entry tpu
