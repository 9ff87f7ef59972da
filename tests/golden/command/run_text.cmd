run -c print(1)
