@words
