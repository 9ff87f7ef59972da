run -fsanitize=thread plain.py
