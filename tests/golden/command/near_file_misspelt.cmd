# status: 3
check modules/../plane.py