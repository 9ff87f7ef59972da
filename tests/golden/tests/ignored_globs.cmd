# status: 0
test --ignore-glob=modules/*first* --ignore-glob modules/deep* --show-capture=log --runxfail modules -v
