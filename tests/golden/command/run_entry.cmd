run plain.py --entry 'f(f32[8])'
