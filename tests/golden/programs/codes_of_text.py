from itertools import groupby; import zlib, string
def rle(s): return ''.join(f'{len(list(g))}{k}' for k, g in groupby(s))
def unrle(s):
    out, n = [], ''
    for ch in s:
        if ch.isdigit(): n += ch
        else: out.append(ch * int(n)); n = ''
    return ''.join(out)
def huff(s):
    import heapq, collections
    h = [(n, i, c) for i, (c, n) in enumerate(sorted(collections.Counter(s).items()))]; heapq.heapify(h); k = len(h)
    while len(h) > 1: a = heapq.heappop(h); b = heapq.heappop(h); heapq.heappush(h, (a[0] + b[0], k, (a[2], b[2]))); k += 1
    codes = {}
    def walk(t, p):
        if isinstance(t, tuple): walk(t[0], p + '0'); walk(t[1], p + '1')
        else: codes[t] = p or '0'
    walk(h[0][2], ''); return codes
s = 'aaabccddddde'; print(rle(s), unrle(rle(s)) == s); c = huff('mississippi river'); print(sorted(c.items(), key=lambda t: (len(t[1]), t))); bits = ''.join(c[x] for x in 'mississippi'); print(bits, len(bits), int(bits, 2), f'{int(bits, 2):x}')
def caesar(t, k): a = string.ascii_lowercase; return t.translate(str.maketrans(a + a.upper(), a[k:] + a[:k] + (a[k:] + a[:k]).upper()))
print(caesar('Hello, World', 3), caesar(caesar('abc', 5), -5)); print(bytes(a ^ b for a, b in zip(b'secret', b'key' * 2)).hex()); lz = []; d = {chr(i): i for i in range(256)}; w = ''
for ch in 'TOBEORNOTTOBEORTOBEORNOT':
    if w + ch in d: w += ch
    else: lz.append(d[w]); d[w + ch] = len(d); w = ch
print(lz + [d[w]]); print(''.join(reversed('abc')), sorted('banana'), max('hello', key='hello'.count), ''.join(sorted(set('hello'), key='hello'.index)), 'racecar' == 'racecar'[::-1], sum(map(ord, 'abc')), *zip(*[iter('abcdef')] * 2), bin(0b1010 ^ 0b0110), (37).bit_length(), (37).bit_count(), 0xff >> 3 & 0b101, ~7, -7 // 2, -7 % 3, divmod(-7, 2), pow(3, -1, 7), pow(2, 100, 13), round(2.5), round(-1.25, 1), int('z', 36), int('-0b11', 0), float('1_0.5'), 1e308 * 10, complex('1+2j'), abs(3 + 4j), 0.1.as_integer_ratio(), (0.5).hex(), float.fromhex('0x1.8p1'), (2.0).is_integer(), 7 .__add__(3))
