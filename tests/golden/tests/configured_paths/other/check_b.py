def check_sub3(): assert 0
