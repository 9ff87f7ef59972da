run --emit=asm plain.py
