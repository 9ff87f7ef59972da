# status: 5
test modules -k zzz
