import numpy as np, io, tempfile, os
with tempfile.TemporaryDirectory() as d:
    p = os.path.join(d, 'a.npy'); a = np.arange(6, dtype='<i2').reshape(2, 3); np.save(p, a); b = np.load(p); print(b, b.dtype, os.path.getsize(p))
    z = os.path.join(d, 'z.npz'); np.savez(z, x=a, y=np.float32(3)); 
    with np.load(z) as f: print(f.files, f['x'], f['y'], 'x' in f)
    np.savez_compressed(z, a, b); print(sorted(np.load(z).keys())); t = os.path.join(d, 't.txt'); np.savetxt(t, [[1.5, 2], [3, 4]], fmt='%.2f', header='h1 h2', delimiter=','); print(open(t).read(), np.loadtxt(t, delimiter=','), np.genfromtxt(io.StringIO('1,2\n3,\n'), delimiter=','))
    r = os.path.join(d, 'r.bin'); a.tofile(r); print(np.fromfile(r, dtype=np.int16), np.fromfile(r, '<i2', count=2, offset=2), np.frombuffer(open(r, 'rb').read(), np.uint8)[:4], np.fromstring('1 2 3', sep=' '))
    print(np.loadtxt(io.StringIO('# c\n1 2\n3 4'), dtype=int), np.loadtxt(['1;2', '3;4'], delimiter=';', usecols=1, unpack=True), np.loadtxt(io.StringIO('a,b\n1,2'), delimiter=',', skiprows=1))
    try: np.load(os.path.join(d, 'no.npy'))
    except FileNotFoundError as e: print(e.strerror)
buf = io.BytesIO(); np.save(buf, np.ones((2, 2), np.float64, order='F')); print(buf.getvalue()[:128]); buf.seek(0); x = np.load(buf); print(x.flags.f_contiguous)
print(np.array2string(np.arange(2000), threshold=10), np.array([1e-10, 1, 1e10]), np.array([1.0, 2.5, np.nan, -np.inf]), np.array([[1.5, -2], [300.25, 4]]), np.array([1 + 2j, -.5j]), np.array([]), np.zeros((2, 0)), np.array(5), np.arange(3, dtype='f2'), np.array([True, False]), np.array([1e5, 1e-5]), np.array([123456789.123]), repr(np.float32(0.1)), repr(np.int8(3)), np.float64(1e22), repr(np.array([1, 2], dtype=np.int8)), repr(np.zeros((0, 3), np.float32)), repr(np.array([[[1]]])), repr(np.array(3.5)), np.float16(65504), np.array([0.1, 0.12345678]), np.array([1., 10, 100]), np.array([-0.0]))
print(np.array_repr(np.arange(3.)), np.array_str(np.eye(2)), np.format_float_positional(1e-5), np.format_float_scientific(123.456, precision=2), np.set_printoptions(precision=3, suppress=True), np.array([1.23456, 1e-9]), np.get_printoptions()['precision'], np.array2string(np.eye(2), separator=', ', prefix='x = '), np.array2string(np.array([.5]), formatter={'float': '<{:.1f}>'.format}), sep='\n')
