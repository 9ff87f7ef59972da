# status: 4
test modules --pdb
