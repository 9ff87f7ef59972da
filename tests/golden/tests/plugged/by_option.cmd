test . -v -p plugged_by_option --doctest-modules -p no:randomly -pno:warnings
