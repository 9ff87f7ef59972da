def check_ignored(): assert 0
