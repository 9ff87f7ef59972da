def check_sub2(): pass
