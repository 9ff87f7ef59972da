# status: 4
test added/options --big --pdb
