# A type of a format that there is none of is named as a character or, beyond ASCII, by its number.
for code in 33, 65, 126, 127, 128, 129, 160, 255, 256, 0x20AC:
    for value in 1, 1.5, "text":
        try:
            print(format(value, chr(code)))
        except ValueError as e:
            print(ascii(str(e)))
