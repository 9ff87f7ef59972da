import json, csv, io, sys
data = {'name': 'kernel', 'shapes': [[8, 128], [16, 256]], 'ok': True, 'none': None, 'x': 1.5e-7, 'big': 2**70, 'u': 'é\u2028\n"', 'nested': {'b': 1, 'a': [{}, []]}}
print(json.dumps(data)); print(json.dumps(data, indent=2, sort_keys=True, ensure_ascii=False)); print(json.dumps(data['shapes'], separators=(',', ':')))
print(json.loads(json.dumps(data)) == data, json.loads('[1, 2.0, -3e2, true, null, "\\u00e9\\ud83d\\ude00"]'))
for bad in ['{"a": }', '[1,]', '', '{"a" 1}', '"abc', '[1 2]', 'nul', '{"a":1,}', '{1:2}', '"\t"', '[1]x']:
    try: print(json.loads(bad))
    except json.JSONDecodeError as e: print(repr(bad), e, e.pos, e.lineno, e.colno)
class E(json.JSONEncoder):
    def default(self, o):
        if isinstance(o, complex): return {'re': o.real, 'im': o.imag}
        if isinstance(o, set): return sorted(o)
        return super().default(o)
print(json.dumps({'z': 1 + 2j, 's': {3, 1}}, cls=E))
try: json.dumps({'f': object})
except TypeError as e: print(e)
try: json.dumps({(1, 2): 3})
except TypeError as e: print(e)
print(json.dumps({1: 2, None: 3, True: 4, 1.5: 5}), json.dumps([float('nan'), float('inf'), -0.0]), json.loads('{"a": NaN}'))
print(json.loads('{"a": 1, "b": 2}', object_pairs_hook=lambda ps: ps), json.loads('1.10', parse_float=str), json.loads('{"x":{"y":1}}', object_hook=lambda d: tuple(d.items())))
buf = io.StringIO(); w = csv.writer(buf); w.writerow(['a', 'b,c', 'd"e', 'f\ng', 1.5, None, True]); w.writerows([[1, 2], ['', ' x ']])
print(repr(buf.getvalue())); buf.seek(0); print(list(csv.reader(buf)))
buf = io.StringIO(newline=''); dw = csv.DictWriter(buf, fieldnames=['id', 'v'], extrasaction='ignore', restval='?'); dw.writeheader(); dw.writerow({'id': 1, 'v': 2, 'z': 3}); dw.writerow({'id': 4}); print(repr(buf.getvalue()))
print([dict(r) for r in csv.DictReader(io.StringIO('id;v\n1;x\n2;y;z\n3\n'), delimiter=';')])
print(list(csv.reader(['a\tb\t"c d"', "x\t'y'\tz"], dialect='excel-tab')), list(csv.reader(["a 'b c' d"], delimiter=' ', quotechar="'")), csv.list_dialects())
buf = io.StringIO(); csv.writer(buf, quoting=csv.QUOTE_NONNUMERIC, lineterminator='\n').writerow(['a', 1, 2.5]); print(buf.getvalue())
csv.writer(sys.stdout, quoting=csv.QUOTE_ALL, lineterminator='\n').writerow([1, 'x'])
try: csv.DictWriter(io.StringIO(), ['a']).writerow({'b': 1})
except ValueError as e: print(e)
