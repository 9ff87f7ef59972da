# configparser: what is read, asked, changed and written, and what is wrong with files.
import configparser
import io
import os
import tempfile
from collections import OrderedDict
from decimal import Decimal

SAMPLE = """
# head
[DEFAULT]
root = /data
level: 3
[Paths]
Base = %(root)s/base
deep = %(base)s/deep
percent = 100%%
many =
    one
    two

    three
; comment
[flags]
on = Yes
off = 0
text = maybe
[empty]
"""


def tried(ask):
    try:
        return ask()
    except Exception as error:
        return f'{type(error).__name__}: {error}'.replace('\n', ' / ')


c = configparser.ConfigParser()
c.read_string(SAMPLE)
print(c.sections(), list(c), len(c), 'Paths' in c, 'paths' in c, c.defaults())
print(c.options('Paths'), c.items('flags'), c.items('Paths', raw=True)[2], list(c['empty'].items()))
print(repr(c.get('Paths', 'many')), c.get('Paths', 'DEEP'), c['Paths']['percent'], c.get('Paths', 'percent', raw=True))
print(c.getint('empty', 'level'), c['empty'].getint('level'), c.getfloat('flags', 'level'), c.getboolean('flags', 'on'), c['flags'].getboolean('off'),
      c['flags'].getint('none', 5), c['flags'].get('none'), c.get('flags', 'none', fallback=None), c.getint('nowhere', 'x', fallback='as it is'))
print(c.get('Paths', 'deep', vars={'root': '/other'}), c['Paths'], c['Paths'].name, c['Paths'].parser is c, 'base' in c['Paths'], len(c['Paths']))
for ask in (lambda: c['none'], lambda: c['flags']['none'], lambda: c.get('none', 'x'), lambda: c.get('flags', 'none'), lambda: c.options('none'), lambda: c.items('none'),
            lambda: c.getboolean('flags', 'text'), lambda: c.getint('flags', 'on'), lambda: c.add_section('flags'), lambda: c.add_section('DEFAULT'), lambda: c.add_section(3),
            lambda: c.set('flags', 'x', 3), lambda: c.set('flags', 3, 'x'), lambda: c.set('none', 'x', '3'), lambda: c.set('flags', 'x', '50%'), lambda: c.remove_option('none', 'x'),
            lambda: c['flags'].getdecimal('x'), lambda: c.__delitem__('DEFAULT'), lambda: c.__delitem__('none'), lambda: c['flags'].__delitem__('none')):
    print(tried(ask))
for text in ('a = 1', '[a]\nb', '[a]\nb\nc = 1\n= 2', '[a]\n[a]', '[a]\nb = 1\nB = 2', '[a\nb = 1', '[a]\nb = %(c)s', '[a]\nb = %(b)s', '[a]\nb = %c', '[a]\nb = %(c', '[]\nx = 1'):
    d = configparser.ConfigParser()
    print(repr(text), tried(lambda: d.read_string(text) or {k: dict(v) for k, v in d.items()}))
c['new'] = OrderedDict([('One', 1), ('two', 'a\nb')])
c['flags']['more'] = 'yes'
del c['flags']['on'], c['empty']
print(c.remove_section('none'), c.remove_option('flags', 'off'), c.has_option('flags', 'root'), c.has_option('', 'root'), c.has_section('DEFAULT'))
out = io.StringIO()
c.write(out)
print(out.getvalue())
out = io.StringIO()
c.write(out, space_around_delimiters=False)
print(out.getvalue().splitlines()[1])
again = configparser.ConfigParser()
again.read_string(out.getvalue())
print(again == c, {k: dict(v) for k, v in again.items()} == {k: dict(v) for k, v in c.items()}, again.popitem()[0])
x = configparser.ConfigParser(interpolation=configparser.ExtendedInterpolation(), converters={'decimal': Decimal, 'list': lambda s: s.split(',')})
x.read_dict({'a': {'b': '${c:d}/x', 'e': '$${f}', 'n': '1.50', 'l': '1,2'}, 'c': {'d': '${g}', 'g': 'G'}})
print(x['a']['b'], x['a']['e'], x.getdecimal('a', 'n'), x['a'].getlist('l'), x['a'].getlist('zz', ['-']), sorted(x.converters))
for value in ('${q}', '${a:b:c}', '${q', '$q', '${c:zz}', '${nope:zz}'):
    print(value, tried(lambda: x.read_dict({'z': {'v': value}}) or x['z']['v']))
r = configparser.RawConfigParser(allow_no_value=True, delimiters=('=>',), comment_prefixes=('//',), inline_comment_prefixes=('#',), strict=False, default_section='common', empty_lines_in_values=False)
r.optionxform = str
r.read_string('[common]\nX => 1\n[s]\nKey\nkey => %(a)s # c\nkey => two\n// no\nurl => a#b\n[s]\nmore =>\n')
print({k: dict(v) for k, v in r.items()}, r.get('s', 'Key'))
r.set('s', 'any', 5)
out = io.StringIO()
r.write(out)
print(repr(out.getvalue()))
with tempfile.TemporaryDirectory(dir='.') as folder:
    path = os.path.join(folder, 'a.ini')
    with open(path, 'w') as f:
        f.write('[s]\nk = v\n')
    n = configparser.ConfigParser({'k2': 'd', 'n': 3}, interpolation=None)
    print([os.path.basename(p) for p in n.read([path, os.path.join(folder, 'none.ini')])], dict(n['s']))
    with open(path) as f:
        m = configparser.ConfigParser()
        m.read_file(f)
        print(m['s']['k'], tried(lambda: m.read_file(['x = 1'])))
print(configparser.NoOptionError('o', 's').args, repr(configparser.NoSectionError('s')), issubclass(configparser.MissingSectionHeaderError, configparser.ParsingError), configparser.MAX_INTERPOLATION_DEPTH)
