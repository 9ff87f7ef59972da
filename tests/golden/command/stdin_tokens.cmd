# stdin: x = 1\n
--emit=tokens -
