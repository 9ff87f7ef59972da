help -Wperf unused -Wno-tpu -Werror=hint --emit=asm --target-cpu=native
