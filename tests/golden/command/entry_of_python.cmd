modules/plain_module.py --entry=twice(f32[8,128],n=3) --emit=trace -o -
