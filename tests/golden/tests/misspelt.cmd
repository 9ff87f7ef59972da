# status: 4
test added/options --big --chek --siz=3
