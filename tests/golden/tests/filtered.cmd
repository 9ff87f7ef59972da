# status: 1
test ci -W ignore -W error::FutureWarning -k old -n auto --numprocesses=0
