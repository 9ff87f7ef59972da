run --from-ir x.ir plain.py
