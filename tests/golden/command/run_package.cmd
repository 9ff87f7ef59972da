run -I modules -m started --flag -x 3
