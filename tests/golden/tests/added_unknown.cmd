# status: 2
test added/options --big --lf
