import statistics as st, collections, operator, io, sys, pprint
rows = [('ann', 'eng', 120000, 5.5), ('bob', 'ops', 85000, 2.0), ('cyd', 'eng', 99500, 3.25), ('dee', 'ops', 70250, 1.0), ('eve', 'law', 150000, 12.75)]
R = collections.namedtuple('R', 'name dept pay years'); rows = [R(*r) for r in rows]
by = collections.defaultdict(list)
for r in rows: by[r.dept].append(r)
W = [max(len(str(getattr(r, f))) for r in rows) for f in R._fields]
print('+'.join('-' * (w + 2) for w in W))
for r in sorted(rows, key=operator.attrgetter('dept', 'pay')): print('|'.join(f' {v:<{w}} ' if isinstance(v, str) else f' {v:>{w},} ' for v, w in zip(r, W)))
for d, rs in sorted(by.items(), key=lambda kv: -st.mean(r.pay for r in kv[1])): print(f'{d.upper():>5}: n={len(rs)} mean={st.mean(r.pay for r in rs):>12,.2f} range={max(r.pay for r in rs) - min(r.pay for r in rs)} share={sum(r.pay for r in rs) / sum(r.pay for r in rows):.1%}')
pprint.pprint({'config': {'layers': [{'name': f'layer{i}', 'units': 2 ** i, 'act': 'relu'} for i in range(4)], 'opt': ('adam', 1e-3)}, 'z': {'c'}, 'long': 'word ' * 20}, width=60)
print(pprint.pformat(list(range(40)), compact=True, width=50)); pprint.pprint([[1, [2, [3, [4]]]]], depth=2); pprint.pprint(rows[0]); pprint.pp({'b': 1, 'a': 2})
print(*rows[0], sep=' | ', end='\n\n'); print('a', 'b', sep='', file=sys.stdout, flush=True); bars = '▁▂▃▄▅▆▇█'; ys = [r.pay for r in rows]; lo, hi = min(ys), max(ys); print(''.join(bars[int((y - lo) / (hi - lo) * 7)] for y in ys)); print('\n'.join(f'{i:2d} {"*" * (i % 7):<6}|' for i in range(3)))
for i, (a, b) in enumerate(zip(ys, ys[1:]), start=1): print(f'{i}. {a} -> {b} ({(b - a) / a:+.1%})')
print(max(rows, key=lambda r: r.years).name, any(r.pay > 1e5 for r in rows), all(map(operator.attrgetter('years'), rows)), sum(r.years for r in rows), {d: [r.name for r in rs] for d, rs in by.items()}, dict(sorted({r.name: r.pay for r in rows}.items(), key=operator.itemgetter(1), reverse=True)))
