# status: 0
run -O0 -Wno-unwritten promises.py
