# SPDX-License-Identifier: Apache-2.0
"""What random_python.py draws of the standard library: texts with holes, by theme.

A theme has ways to make its object `$o`, and things to do with it. `$int` and its like are holes that values of that type are drawn for, now and
then of another one; `«a|b»` is one of some texts. What is printed depends on no clock, no address and no order of sets.
"""
import re

WORDS = ('the quick brown fox', 'a', '', 'one two  three\\nfour five six seven', '  indented\\n    more\\n  same', 'Straße und Übergänge', 'x-y_z', 'hello, world; hello!', 'supercalifragilistic expialidocious', 'a1b22c333', 'tab\\tbed', 'key=value; other = 2', '$name is ${age} $$')
HOLES = {
    'small': ('0', '1', '2', '3', '4', '-1', '-2', '5', '6'), 'pos': ('1', '2', '3', '5', '8', '12', '20', '40'), 'text': tuple(f'"{w}"' for w in WORDS),
    'ints': ('[]', '[1]', '[3, 1, 2]', '[5, 5, 2, 9, 1]', 'range(5)', '(2, 7, 1, 8, 2, 8)', '[-1, 0, 1, 0]', '[10, 20, 30, 40]', 'iter([4, 2])'),
    'floats': ('[1.0, 2.5]', '[0.1, 0.2, 0.3]', '[3.5]', '[1, 2.0, 4]', '[2.5, 2.5, 1.0, 7.25]', '[]', '[-1.5, 0.0, 1e3]'),
    'strs': ('["b", "a"]', '["pear", "fig", "apple", "fig"]', '"hello"', '[]', '["x"]', '("one", "two", "three")', '["A", "b", "C", "a"]'),
    'pairs': ('[("a", 1), ("b", 2)]', '{"x": 3, "a": 1}.items()', 'zip("abc", range(3))', '[(1, "z"), (0, "y"), (1, "x")]', '[]'),
    'fn': ('str', 'len', 'lambda x: -x', 'lambda x: x * 2', 'lambda x: x % 3', 'bool', 'repr', 'operator.itemgetter(0)', 'lambda x: x > 1', 'str.upper', 'abs'),
    'fn2': ('operator.add', 'operator.mul', 'max', 'lambda a, b: a - b', 'lambda a, b: (a, b)', 'operator.sub', 'pow'),
    'char': ('"a"', '"x"', '" "', '"-"', '","', '""', '"ab"', '"é"'), 'num': ('1', '0', '2.5', '-3', '10**12', '0.1', '1e-5', '7', '-0.5', '1e22', 'True', '123456'),
    'spec': ('', '>10', '<8', '^9', '*^12', '.3', '.2f', '+d', '08.3f', ',', 'x', '#b', 'e', 'g', '%', '_', '010', ' d', '.0f', '<', '=8', '#x', '+.1e', '#.3g', 'G', 'F', ',.2f', '_x', '-', 'z.1f', '>+8,', 's', '!>5', '{{}}'),
    'value': ('1', '-1.5', '"s"', 'None', 'True', '[1, "two", None]', '{"a": [1, 2], "b": {"c": None}}', '(1, 2)', '"é\\u2028\\n\\""', '1e100', 'float("inf")', '{1: 2, None: 3, True: 4}', '[]', '{}', '[[], {}]', '10**30', '{"z": 1, "a": 2}', '0.1', '{(1, 2): 3}', 'b"x"', '{1, 2}'),
    'exc': ('ValueError', 'KeyError', 'Exception', 'LookupError', 'TypeError', 'OSError', 'ZeroDivisionError', '(KeyError, IndexError)'),
}

# name: (modules, ways to make $o, things to do with it)
THEMES = {
    'deque': ('collections', ('collections.deque($ints, «None|2|3|5»)', 'collections.deque($strs)', 'collections.deque(maxlen=$small)'),
              ('$o.append($any)', '$o.appendleft($any)', '$o.pop()', '$o.popleft()', '$o.rotate($small)', '$o.extend($ints)', '$o.extendleft($strs)', '$o[$small]', '$o.index($int)', '$o.insert($small, $any)', '$o.remove($int)', '$o.count(2)', '$o.maxlen', '$o + collections.deque([9])', '$o * 2', '$o == collections.deque([1])', '$o < collections.deque([3])',
               'len($o)', 'list(reversed($o))', '$o.copy()', '$o.reverse()', 'operator.setitem($o, $small, $any)', 'operator.delitem($o, $small)', '3 in $o', '$o.clear()', '$o[0:1]', '[x for x in $o if $o.append(1)]', 'hash($o)', 'bool($o)', 'copy.copy($o)')),
    'counter': ('collections', ('collections.Counter($str)', 'collections.Counter($ints)', 'collections.Counter(a=3, b=$small, c=-1)', 'collections.Counter({"x": $small})'),
                ('$o.most_common(«|1|2|0»)', '$o["zz"]', '$o.update($strs)', '$o.subtract("abc")', '$o + collections.Counter("ab")', '$o - collections.Counter("ab")', '$o & collections.Counter(a=1, x=5)', '$o | collections.Counter(a=9)', '+$o', '-$o', 'list($o.elements())', '$o.total()', '$o == collections.Counter("a")', '$o <= collections.Counter(a=9, b=9)',
                 'sorted($o.items(), key=repr)', '$o.pop("a", None)', '$o.copy()', 'dict($o)', '$o.setdefault("q", 4)', '$o.__missing__("k")', 'collections.Counter.fromkeys("ab")', 'del_($o, "a")', '$o.__iadd__(collections.Counter("aab"))')),
    'ordered': ('collections', ('collections.OrderedDict($pairs)', 'collections.OrderedDict(b=1, a=2)', 'collections.defaultdict(list, $pairs)', 'collections.defaultdict(int)', 'collections.defaultdict(lambda: $any)', 'collections.ChainMap({"a": 1}, dict($pairs))', 'collections.defaultdict(None, a=1)'),
                ('$o.move_to_end("a", last=«True|False»)', '$o.popitem(«|last=False»)', '$o["a"]', '$o["new"]', '$o["new"].append(1)', 'operator.setitem($o, "k", $any)', 'list(reversed($o))', '$o == {"a": 1}', '$o | {"z": 1}', '$o.pop("a")', 'list($o.items())', '$o.default_factory', '$o.new_child({"n": 1})', '$o.maps', '$o.parents', 'len($o)', '"a" in $o', '$o.get("q", 7)',
                 '$o.copy()', '$o.update(a=5)', 'sorted($o)', 'collections.OrderedDict(a=2) == collections.OrderedDict([("a", 2)])', '$o.setdefault("b", 0)', 'copy.deepcopy($o)')),
    'namedtuple': ('collections, typing', ('collections.namedtuple("P", «"x y"|["x", "y"]|"x, y"»)($int, $any)', 'collections.namedtuple("Q", "a b c", defaults=[1, 2])($any)', 'collections.namedtuple("R", "a class b", rename=True)(1, 2, 3)', 'collections.namedtuple("S", «"a a"|"_x"|"1a"|"def"|""»)()', 'typing.NamedTuple("T", [("x", int), ("y", str)])($int, $str)'),
                   ('$o._asdict()', '$o._replace(x=$any)', '$o._fields', '$o._field_defaults', '$o.x', '$o[1]', 'len($o)', '$o == (1, 2)', '$o < $o', 'type($o)._make([1, 2])', '[*$o]', '$o + (1,)', 'isinstance($o, tuple)', 'setattr($o, "x", 1)', '$o.index(1)', 'type($o)()', 'type($o)(1, 2, 3, 4)', 'type($o)(1, q=2)', 'hash($o) == hash(tuple($o))', '"{0.x}{0[1]}".format($o)', 'type($o).__doc__', 'type($o).__annotations__ if hasattr(type($o), "__annotations__") else 0')),
    'itertools': ('itertools', ('$ints', '$strs', '$list', '$pairs'),
                  ('list(itertools.accumulate($o, «operator.add|max|$fn2»«|, initial=$int»))', 'list(itertools.chain($o, $strs))', 'list(itertools.chain.from_iterable([$o, $ints]))', 'list(itertools.combinations($o, $small))', 'list(itertools.permutations($ints, «None|1|2»))[:9]', 'list(itertools.product($o, repeat=«0|1|2»))[:9]', 'list(itertools.product($o, "ab"))', 'list(itertools.combinations_with_replacement($o, 2))',
                   'list(itertools.compress($o, [1, 0, 1, 1]))', 'list(itertools.dropwhile($fn, $o))', 'list(itertools.takewhile($fn, $o))', 'list(itertools.filterfalse($fn, $o))', '[(k, list(g)) for k, g in itertools.groupby($o«|, $fn»)]', 'list(itertools.islice($o, «$small|$small, $pos|0, None, 2|1, $pos, $small»))', 'list(itertools.pairwise($o))', 'list(itertools.starmap($fn2, «[(1, 2), (3, 4)]|$pairs»))',
                   '[list(t) for t in itertools.tee($o, $small)]', 'list(itertools.zip_longest($o, "abcd"«|, fillvalue=$any»))', 'list(zip($o, itertools.count($num, $num)))', 'list(itertools.islice(itertools.cycle($o), 5))', 'list(itertools.repeat($any, $small))', 'itertools.count(«|5|2.5|1, 2»)', 'itertools.repeat(1, 3)', 'next(itertools.cycle($o))', 'sum(itertools.repeat(2, 3))', 'list(map(pow, $ints, itertools.repeat(2)))', 'len(list(itertools.permutations(range(4))))')),
    'functools': ('functools', ('functools.partial($fn2, $num)', 'functools.partial(print, "p", sep="-", end="!\\n")', 'functools.partial(functools.partial(dict, a=1), b=2)', 'functools.singledispatch(lambda x: ("base", x))', 'functools.partial(int, base=2)'),
                  ('$o($num)', '$o()', '$o($int, k=$any)', '$o.func is max', '$o.args', '$o.keywords', '$o.cache_info()', '$o.cache_clear()', 'sorted($ints, key=$o)', '$o(1) < $o(2)', 'functools.reduce($fn2, $ints)', 'functools.reduce($fn2, $ints, $num)', '$o.register(int, lambda x: ("int", x))(3)', '$o("101")', '$o.dispatch(bool)(1)', 'functools.wraps(len)(lambda: 0).__name__', 'functools.update_wrapper(lambda: 0, str.upper).__doc__ == str.upper.__doc__',
                   '$o([])', '$o(1.0)', '$o(True)', '$o(1) is $o(1)', 'functools.total_ordering(type("T", (), {"__lt__": lambda s, o: True}))() >= 1', 'functools.total_ordering(type("T", (), {}))', 'functools.partial()', 'functools.partial(3)')),
    'text': ('textwrap, string', ('$text', '$str', '$text * 2'),
             ('textwrap.wrap($o, $pos)', 'textwrap.fill($o, $pos, initial_indent=$char, subsequent_indent=«"  "|""»)', 'textwrap.shorten($o, $pos, placeholder=«"..."|" [x]"|""»)', 'textwrap.dedent($o)', 'textwrap.indent($o, "> "«|, lambda l: True»)', 'textwrap.wrap($o, $pos, break_long_words=False, «break_on_hyphens=False|max_lines=2|drop_whitespace=False|expand_tabs=False|replace_whitespace=False|fix_sentence_endings=True»)',
              'string.Template($o).safe_substitute(name="n")', 'string.Template($o).substitute(name=1, age=2)', 'string.capwords($o«|, "-"»)', '$o.split(«|None|" "|"o"|None, 1|" ", 2»)', '$o.rsplit(«|" ", 1|"e"»)', '$o.splitlines(«|True»)', '$o.translate(str.maketrans("abc", "xyz"«|, "lo"»))', '$o.translate({97: None, 98: "BB", 99: 100})', '$o.expandtabs($small)', '$o.center($pos, "*")', '$o.partition($char)', '$o.removeprefix("the")', '$o.removesuffix("x")',
              '$o.find($char, $small, $int)', '$o.count("")', '$o.replace("", "-")', '$o.replace("o", "0", $small)', '$o.title()', '$o.swapcase()', '$o.casefold()', '$o.encode(«"ascii"|"latin-1"|"utf-8"|"utf-16-le"|"ascii", "replace"|"ascii", "xmlcharrefreplace"|"ascii", "backslashreplace"|"ascii", "ignore"|"nope"»)', '$o.isascii()', '$o.isprintable()', '$o.isnumeric()', '$o.zfill($pos)', '$o.startswith(("the", "a")«|, 1|, 0, 2»)', '$o.index($char)', '$o.join($strs)', '$o.join($ints)',
              'ascii($o)', '$o.strip("the aeiou")', '$o % ()', '$o % (1,)', '$o.format(1)', 'string.Formatter().format("{0!r:>8}|{k}", $o, k=1)', 'list(string.Formatter().parse("a{b!r:c}d{}"))', 'string.digits + string.hexdigits', '$o[::-1]', '$o * $small', '$o < $str', 'sorted($o)', '$o.ljust($pos, $char)', 'max($o)', '$o.rfind("e", 1)', '$o.istitle()', '$o.upper().lower() == $o')),
    'format': ('math', ('$num', '$int', '$float', '$str', '$complex', '$num * $num'),
               ('format($o, "$spec")', 'f"{$o:$spec}"', 'f"{$o!r:>{$pos}}"', 'f"{$o:{$pos}.{$small}}"', 'f"{$o:{$char}^{$pos}}"', 'f"{$o=}"', 'f"{$o = :$spec}"', '"%«d|5.1f|-8s|+d|x|#o|e|g|08.2f|c|i|r|a|%|.3s|*d|X| d|G|u»" % $o', '"%«5|-5|.2|05.1|+»«s|d|f|g»" % ($o,)', '"{:$spec}|{:$spec}".format($o, $o)', '"{0:>{1}}".format($o, $pos)', '"{x.real:.2f}".format(x=$o)', '"{:{}{}}".format($o, ">", 9)', '"{!r:^20}".format($o)', '"{0}{}".format($o)', '"%(a)s %(b)05d" % {"a": $o, "b": 3}', 'str($o)', 'repr($o)', 'f"{[$o, 1]!s:>20}"', 'f"{{}}{$o}"', 'format($o, "{0}".format("$spec"))')),
    'numbers': ('math', ('$int', '$num', '$float', '$int * $int', '$bool'),
                ('$o.bit_length()', '$o.bit_count()', '$o.to_bytes($small, «"big"|"little"»«|, signed=True»)', 'int.from_bytes($bytes, "big"«|, signed=True»)', '$o.as_integer_ratio()', '$o.is_integer()', '$o.hex()', 'float.fromhex(«"0x1.8p3"|"-0x0.1p-4"|"inf"|"1"|"zz"»)', 'round($o«|, $small»)', 'pow($o, $small, «7|-5|0|None»)', 'divmod($o, $num)', '$o // $num', '$o % $num', '$o ** $small', '$o << $small', '$o >> $small',
                 'math.«sqrt|exp|log|log2|log10|log1p|expm1|sin|cos|tan|atan|asin|sinh|floor|ceil|trunc|fabs|gamma|lgamma|erf|erfc|isqrt|factorial|degrees|radians|cbrt|exp2|ulp|frexp|modf|isfinite|isnan|isinf»($o)', 'math.«atan2|hypot|copysign|fmod|remainder|pow|nextafter|ldexp|log|gcd|lcm|comb|perm|isclose»($o, $num)', 'math.dist([1, 2], [$num, 3])', 'math.prod($floats, start=$num)', 'math.comb($pos, $small)', 'math.perm($pos, $small)', 'int($str, $pos)', 'int("$spec", 0)', 'int(«"0x1f"|"1_000"|" 12 "|"1__0"|"٣"|"0b1"|"-0o7"», «0|10|16|2|36»)', 'float(«"1_0.5"|" nan "|"-Infinity"|"1e"|".5"|"5."|"١"»)',
                 'bin($o)', 'hex($o)', 'complex($o, $num)', 'complex(«"1+2j"|"j"|"1 + 2j"|"nan+infj"|"-1e3j"»)', '$o == $num', '$o < $num', 'hash($o) == hash($num)', '-$o', '~$o', 'sum($floats, $o)', 'math.fsum($floats)', 'abs($o)', '$o.real', '$o.conjugate()', '$o & $int', '$o | 6', '$o ^ 5', 'int.__add__($o, 1)', '$o.__divmod__(3)', '(1.5).__add__($o)', 'max($o, $num)', 'bool($o)', 'str($o)', 'range($small, $pos, $small)[$small]', 'list(range($o, $o + 3))', 'range($small, $pos).index($small)', 'range(0, 10, 3)[::-1]', 'range(3) == range(0, 3, 1)')),
    'bytes': ('binascii', ('$bytes', 'bytearray($bytes)', '$text.encode()', 'bytearray(b"abc abc")', 'memoryview(b"abcdef")'),
              ('$o[$small]', '$o[1:3]', '$o[::-1]', '$o.hex(«|":"|"-", 2»)', '$o.find(«b"b"|98|b""»)', '$o.count(b"a")', '$o.split(«|b" "|None, 1»)', '$o.replace(b"a", b"zz")', '$o.decode(«|"ascii"|"latin-1"|"utf-8", "replace"|"ascii", "ignore"|"utf-16"»)', '$o.join([b"x", b"y"])', '$o + b"q"', '$o * 2', '$o.startswith(b"a")', '$o.translate(None, b"a")', '$o.title()', '$o.center($pos, b"*")', '$o.partition(b"b")', '$o.strip(b"ab")', '$o.isalpha()', '$o.splitlines()', '$o.zfill(9)', '$o.expandtabs(2)',
               '$o.append($small)', '$o.extend(b"xy")', '$o.insert(1, 7)', '$o.pop()', '$o.remove(97)', '$o.reverse()', 'operator.setitem($o, 0, $int)', 'operator.setitem($o, slice(1, 2), b"ZZZ")', 'operator.delitem($o, slice(0, 2))', '98 in $o', 'b"bc" in $o', 'list($o)', 'bytes($o)', '$o == b"abc"', '$o < b"b"', 'hash(bytes($o))', 'bytes.fromhex(«"0aff"|"0a ff"|"0"|"zz"»)', '$o % ()', 'b"%d %s %a" % (1, bytes($o), "x")', 'int.from_bytes($o, "little")', 'bytearray($small)', '$o.removeprefix(b"a")', '$o.tobytes()', '$o.index(b"zz")', 'str($o, "latin-1")', 'repr($o)', '$o.rfind(b"a", 1)', '$o.swapcase()', '$o.maketrans(b"a", b"b")[97]', '$o.ljust(5)', 'ascii($o)', '$o.clear()', '$o.copy()')),
    'fractions': ('fractions', ('fractions.Fraction($int, $pos)', 'fractions.Fraction($float)', 'fractions.Fraction(«"3/4"|"1.25"|"-2e-3"|" 7 "|"x"|"1/0"»)', 'fractions.Fraction($num)'),
                  ('$o + $num', '$o * fractions.Fraction(1, 3)', '$o / $num', '$o // $num', '$o % $num', '$o ** $small', '2 ** $o', '$o == $num', '$o < $num', 'float($o)', 'int($o)', 'round($o«|, $small»)', 'math.floor($o)', 'math.ceil($o)', '$o.limit_denominator($pos)', '$o.numerator, $o.denominator', 'str($o)', 'hash($o) == hash($num)', '-$o', 'abs($o)', '1 - $o', 'divmod($o, 2)', '$o.as_integer_ratio()', 'sum([$o, $o])', 'fractions.Fraction.from_float($float)', 'bool($o)', '$o + 1j', 'fractions.Fraction($o, 2)', 'sorted([$o, 1, 0.5])', 'min($o, 0)')),
    'decimal': ('decimal', ('decimal.Decimal(«"1.10"|"-3"|"0.001"|"1E+5"|"NaN"|"Infinity"|"12345.6789"|"x"|"-0"|"9.995"|"1e-10"»)', 'decimal.Decimal($num)', 'decimal.Decimal((0, (1, 2, 3), -2))'),
                ('$o + decimal.Decimal("2.05")', '$o * 3', '$o / decimal.Decimal(«"7"|"0"|"0.3"»)', '$o // 2', '$o % decimal.Decimal("0.7")', '$o ** $small', '$o.quantize(decimal.Decimal(«"0.01"|"1"|"1e2"»)«|, rounding=decimal.ROUND_HALF_UP|, decimal.ROUND_FLOOR»)', 'round($o«|, $small»)', 'int($o)', 'float($o)', '$o.sqrt()', '$o.normalize()', '$o.as_tuple()', '$o.adjusted()', '$o.to_eng_string()', 'format($o, "«.2f|,|e|>12|.3g|%|+|010.1f»")', 'str($o)', '$o == $num', '$o < 5', '$o + 1.5', '$o.compare(decimal.Decimal(1))', '-$o', 'abs($o)',
                 '$o.is_signed(), $o.is_zero(), $o.is_nan()', '$o.ln()', '$o.exp()', '$o.log10()', '$o.copy_sign(decimal.Decimal(-1))', '$o.scaleb(2)', '$o.to_integral_value()', '$o.as_integer_ratio()', '$o.max(decimal.Decimal(4))', 'divmod($o, 3)', 'hash($o) == hash(float($o))', 'decimal.Context(prec=$pos).divide($o, 3)', 'sum([$o, $o])', '$o.remainder_near(decimal.Decimal("0.3"))', '$o.number_class()', 'decimal.getcontext().prec', 'math.floor($o)', '$o.logb()', '$o.same_quantum(decimal.Decimal("0.1"))')),
    'datetime': ('datetime', ('datetime.date(«2024, 2, 29|2023, 12, 31|1, 1, 1|2024, 13, 1|2023, 2, 29»)', 'datetime.datetime(2024, «1|3|12», $pos, «0|13|23», 5«|, 6, 789|, tzinfo=datetime.timezone.utc»)', 'datetime.timedelta(days=$small, «hours=$small|seconds=$small|weeks=1, minutes=-5|microseconds=$pos»)', 'datetime.time(«12, 30|0|23, 59, 59, 999999|25»)', 'datetime.datetime.fromisoformat(«"2024-05-06T07:08:09"|"2024-05-06"|"2024-05-06 07:08:09.123456+02:00"|"bad"»)', 'datetime.timezone(datetime.timedelta(hours=$small)«|, "NAME"»)'),
                 ('$o + datetime.timedelta(days=$pos)', '$o - datetime.timedelta(hours=$small)', '$o - $o', '$o * $num', '$o / $num', '$o // datetime.timedelta(hours=7)', '$o.isoformat(«|" "|timespec="minutes"|timespec="milliseconds"»)', 'str($o)', '$o.strftime("«%Y-%m-%d %H:%M:%S|%a %A %b %B|%j %U %w %y|%I %p %f|%%|%x %X %c|%z %Z|%G-W%V-%u»")', '$o.replace(«year=2000|day=31|hour=3|month=2»)', '$o.weekday()', '$o.isocalendar()', '$o.timetuple()', '$o.toordinal()', '$o.total_seconds()', '$o.days, $o.seconds, $o.microseconds', '$o < $o', '$o == datetime.date(2024, 2, 29)', 'hash($o) == hash($o)',
                  'abs($o)', '-$o', 'divmod($o, datetime.timedelta(hours=1))', '$o.ctime()', '$o.date()', '$o.time()', '$o.astimezone(datetime.timezone.utc)', '$o.timestamp()', 'datetime.datetime.strptime(«"2024-01-02 03:04"|"bad"|"2024-13-01 00:00"», "%Y-%m-%d %H:%M")', 'datetime.date.fromordinal($pos * 1000)', 'f"{$o:«%d/%m|»}"', '$o.tzname(None)', '$o.fold', '$o.min', '$o.resolution', 'bool($o)', 'datetime.datetime.combine(datetime.date(2024, 1, 2), datetime.time(3, 4))', 'datetime.date.fromisocalendar(2024, $pos, 1)', 'sorted([$o, $o])', '$o.year', '$o.isoweekday()')),
    'json': ('json', ('$value', '[$value, $value]', '{"k": $value, "l": [$value]}'),
             ('json.dumps($o)', 'json.dumps($o, «indent=2|indent="\\t"|sort_keys=True|separators=(",", ":")|ensure_ascii=False|allow_nan=False|skipkeys=True|default=str|indent=0|indent=1, sort_keys=True»)', 'json.loads(json.dumps($o))', 'json.loads(json.dumps($o, default=repr), «parse_float=str|parse_int=float|object_hook=lambda d: sorted(d)|object_pairs_hook=list»)', 'json.loads(«\'{"a": 1, "a": 2}\'|"[1, 2"|"{1: 2}"|"nul"|" 1 2"|"1e5"|"-0"|\'"\\\\u00e9\\\\n"\'|"NaN"|""|"[1,]"|\'{"a" 1}\'|\'"tab\\t"\'|b"[1]"|"01"|"1.5E+3"|"[true, false, null]"»)', 'json.dumps($o, cls=type("E", (json.JSONEncoder,), {"default": lambda s, x: "?"}))', 'json.JSONDecoder().raw_decode("[1] rest")')),
    're': ('re', ('$text', '$str', '"2024-05-06 and 2023-01-02"', '"foo(bar, baz) + qux(1)"'),
           ('re.findall(«r"\\w+"|r"\\d"|r"(\\w)(\\d)?"|r"[aeiou]+"|r""|r"\\b\\w"|r"(?i)[A-C]"|r"(?:ab)+"», $o)', 're.sub(«r"\\s+"|r"(\\w)(\\w)"|r"[^a-z]"|r"x*"|r"(?P<f>o)"», «"-"|r"\\g<0>!"|lambda m: m.group().upper()|r"[\\1]"|""», $o«|, count=1»)', 're.split(«r"[\\s,;]+"|r"(\\W)"|r"o"|r"\\b"», $o«|, 1»)', 're.match(r"(?P<first>\\w+)\\W*(?P<second>\\w+)?", $o).groupdict()', 're.search(r"(\\d+)-(\\d+)", $o).groups()', 're.search(r"o(.)", $o).span(1)', '[m.start() for m in re.finditer(r"e|o", $o)]', 're.fullmatch(r"[a-z ]*", $o)', 're.subn("o", "0", $o)', 're.escape($o)', 're.compile(r"a(?P<n>b)?", re.I | re.X)',
            're.compile(«"("|"*a"|"[z-a]"|"(?P<1>a)"|"a{2,1}"|"\\\\"|"(?<=a+)b"|"(?P=x)"|"["»)', 're.compile("(a)(?P<x>b)").groupindex', 're.search(r"(.)\\1", $o)', 're.search(r"^\\s+", $o, re.M)', 're.findall(r"(?m)^.", $o)', 're.findall(r"(?s)a.*e", $o)', 're.search(r"(?<=b)\\w+(?=d)", "abcd")[0]', 're.compile(r"\\d+").sub(lambda m: str(int(m[0]) * 2), $o)', 're.match("(a)|(b)", "b").lastindex', 're.search("q", $o)', 're.match(r"(\\w+)", $o).expand(r"<\\1>")', 're.split("(-)|(,)", $o)', 're.sub(r"(?P<a>.)", r"\\g<a>\\g<1>", "xy")')),
    'struct': ('struct', ('"«<|>|=|!|»«i|hh|2sB|3s|f|d|q|bBhH|?c|5x|I2xh|e|p|10p»"',),
               ('struct.calcsize($o)', 'struct.pack($o, $int)', 'struct.pack($o, $small, $small)', 'struct.pack($o, $bytes, $small)', 'struct.pack($o, $num)', 'struct.unpack($o, bytes(range(struct.calcsize($o))))', 'struct.unpack($o, b"ab")', 'list(struct.iter_unpack($o, bytes(2 * struct.calcsize($o))))', 'struct.unpack_from("<h", b"\\x01\\x02\\x03", $small)', 'struct.pack_into("<h", bytearray(4), $small, 7)', 'struct.Struct($o).size', 'struct.Struct($o).format', 'struct.pack("<I", $int)', 'struct.unpack("<f", struct.pack("<f", $num))', 'struct.pack(">d", $float).hex()', 'struct.pack("zz", 1)')),
    'statistics': ('statistics', ('$floats', '$ints', '[1, 2, 2, 3, 9]', '[fractions.Fraction(1, 3), 2]', '[1.5, 2, 3.25, 8]'),
                   ('statistics.«mean|median|mode|stdev|variance|pvariance|pstdev|fmean|median_low|median_high|multimode|harmonic_mean|geometric_mean»($o)', 'statistics.quantiles($o, n=$pos)', 'statistics.median_grouped($o)', 'statistics.correlation([1, 2, 3], [2, 4, $num])', 'statistics.linear_regression([1, 2, 3], [2, 4, $num])', 'statistics.NormalDist($num, 2).cdf(1)', 'statistics.covariance([1, 2, 3], [3, 1, 2])', 'statistics.NormalDist(1, 2) + 3', 'statistics.fmean([1, 2], weights=[3, $num])')),
    'heapq': ('heapq, bisect', ('$list', 'list($ints)', 'sorted(list($ints))', 'list($strs)', 'list($pairs)'),
              ('heapq.heapify($o) or $o', 'heapq.heappush($o, $int) or $o', 'heapq.heappop($o)', 'heapq.heappushpop($o, $int)', 'heapq.heapreplace($o, $int)', 'heapq.nlargest($small, $o«|, key=str»)', 'heapq.nsmallest($small, $o«|, key=$fn»)', 'list(heapq.merge($o, [1, 5]«|, reverse=True|, key=str»))', 'bisect.bisect($o, $int)', 'bisect.bisect_left($o, $int«|, 1|, $small, $small|, key=str»)', 'bisect.insort($o, $int) or $o', 'bisect.insort_left($o, 2, key=lambda x: -x) or $o', 'sorted($o, key=$fn, reverse=$bool)', '$o.sort(key=$fn) or $o', 'max($o, key=$fn)', 'min($o, default=0)', 'sorted($o, key=functools.cmp_to_key(lambda a, b: b - a))', '[heapq.heappop($o) for _ in range(len($o))]')),
    'operator': ('operator', ('$any', '$list', '$dict', '$num'),
                 ('operator.itemgetter(«0|"a"|0, 1|slice(1)»)($o)', 'operator.attrgetter(«"real"|"real", "imag"|"__class__.__name__"»)($o)', 'operator.methodcaller(«"upper"|"get", "a", 3|"count", 1»)($o)', 'operator.«add|mul|sub|truediv|floordiv|mod|and_|or_|xor|lt|eq|ge|matmul|concat|contains|countOf|indexOf|is_|iadd|ior|pow|lshift»($o, $any)', 'operator.«neg|pos|inv|not_|truth|index|abs|length_hint»($o)', 'operator.itemgetter(1, "x")', 'operator.attrgetter("a.b")', 'operator.methodcaller("f", 1, k=2)', 'copy.copy($o)', 'copy.deepcopy($o)', 'copy.deepcopy([$o, $o])[0] is $o')),
    'enum': ('enum', ('en($n, enum.Enum, «A=1, B=2|A=1, B=1|A="x", B=enum.auto()|A=$int, B=$str»)', 'en($n, enum.IntEnum, A=$small, B=3)', 'en($n, enum.Flag, A=1, B=2, C=4)', 'en($n, enum.IntFlag, A=1, B=2, C=8)', 'en($n, enum.StrEnum, A="a", B=enum.auto())', 'enum.Enum("F", «"A B"|["A", "B"]|{"A": 5, "B": 6}|[("A", 1), ("B", "b")]»)', 'enum.unique(en($n, enum.Enum, A=1, B=1))'),
             ('$o.A', '$o["B"]', '$o(1)', '$o($any)', 'list($o)', 'len($o)', '$o.A.name, $o.A.value', '$o.A == 1', '$o.A is $o["A"]', '$o.A | $o.B', '$o.A & $o.B', '~$o.A', '$o.A ^ $o.C', '$o(3)', '$o.__members__', '$o.A in $o', '1 in $o', 'str($o.A)', 'f"{$o.B:>8}"', 'repr($o.B)', 'hash($o.A) == hash($o.A)', '$o.A < $o.B', 'isinstance($o.A, int)', 'setattr($o, "A", 3)', '$o.Z', '$o["Z"]', '$o.A.__class__', 'sorted($o, key=lambda m: m.name)', '{$o.A: 1}', '$o.B.A', '$o.A + 1', 'bool($o.A)', '$o(0)', '$o.A.value + 1', 'list($o(7))', '$o._value2member_map_', '$o', 'reversed($o)', '"%s" % $o.A', 'json.dumps($o.A)', 'copy.deepcopy($o.A) is $o.A', 'int($o.A)', '$o.A in ($o.A | $o.B)')),
    'dataclasses': ('dataclasses', ('dc($n, "a: int; b: str = «\'q\'|1»"«|, frozen=True|, order=True|, eq=False|, slots=True|, kw_only=True|, repr=False|, unsafe_hash=True»)', 'dc($n, "a: int = $small; b: list = dataclasses.field(default_factory=list«|, repr=False|, compare=False|, init=False»)"«|, order=True|, frozen=True»)', 'dc($n, "a: int; k: dataclasses.KW_ONLY; b: int = 2")', 'dc($n, "a: int = 1; b: int")', 'dc($n, "a: list = []")', 'dataclasses.make_dataclass("M", [("a", int), ("b", int, 5)])', 'dc($n, "a: int; b: dataclasses.InitVar[int] = 3; c: int = dataclasses.field(init=False, default=9)")'),
                    ('$o($any)', '$o($any, $any)', '$o(a=1, b=2)', '$o()', '$o(1) == $o(1)', '$o(1) < $o(2)', 'hash($o(1)) == hash($o(1))', 'dataclasses.asdict($o(1))', 'dataclasses.astuple($o(1))', 'dataclasses.replace($o(1), a=7)', '[(f.name, f.init, f.kw_only) for f in dataclasses.fields($o)]', 'setattr($o(1), "a", 2)', '$o(1).b', 'dataclasses.is_dataclass($o)', '$o.__match_args__', 'repr($o(1))', '$o(1, 2, 3)', '$o(1).zzz', 'delattr($o(1), "a")', 'setattr($o(1), "new", 2)', '$o.__annotations__', '$o.__dataclass_params__', 'str(inspect.signature($o))', '{$o(1): 2}', 'dataclasses.field(default=1)', 'dataclasses.field(default=1, default_factory=list)', 'sorted([$o(2), $o(1)])', 'copy.deepcopy($o(1))', 'vars($o(1))', '$o.__doc__')),
    'typing': ('typing', ('typing.Optional[int]', 'typing.Union[int, str, None]', 'typing.Dict[str, typing.List[int]]', 'list[int] | None', 'typing.Callable[[int, str], bool]', 'typing.Tuple[int, ...]', 'typing.Literal["a", 1]', 'typing.TypeVar("T", bound=int)', 'dict[str, tuple[int, ...]]', 'typing.Annotated[int, "meta"]', 'typing.Any', 'int | str', 'typing.Callable[..., int]', 'typing.Type[int]', 'typing.Iterable[str]'),
               ('$o', 'repr($o)', 'typing.get_origin($o)', 'typing.get_args($o)', '$o == $o', '$o == typing.Optional[int]', 'isinstance(1, $o)', 'typing.get_type_hints(ann)', '$o | None', '$o[int]', 'typing.cast($o, 3)', 'hash($o) == hash($o)', '$o.__origin__', '$o.__args__', 'typing.NewType("N", int)(3)', 'typing.List[$o]', 'typing.Optional[$o]', 'typing.Union[$o, int]', 'list[$o]', 'typing.get_type_hints(dc(900, "a: int; b: \'str\' = 1"))', 'typing.NoReturn', 'typing.TYPE_CHECKING', 'list[int]([1, 2])')),
    'pathlib': ('pathlib', ('pathlib.PurePosixPath(«"/a/b/c.tar.gz"|"a/../b"|""|"/"|"x"|"a//b/./c"|"~/q.txt"|"/a", "b", "/c"|".hidden"|"dir/name."»)',),
                ('$o.name', '$o.stem', '$o.suffix', '$o.suffixes', '$o.parent', 'list($o.parents)', '$o.parts', '$o / "x"', '"r" / $o', '$o.with_suffix(«".txt"|""|"bad"»)', '$o.with_name(«"n"|"a/b"»)', '$o.with_stem("s")', '$o.relative_to(«"/a"|"a"»)', '$o.is_relative_to("/a")', '$o.is_absolute()', '$o.as_posix()', '$o.match(«"*.gz"|"a/*"|"*"»)', '$o == pathlib.PurePosixPath("x")', '$o < pathlib.PurePosixPath("b")', 'str($o)', '$o.joinpath("p", "/q")', '$o.anchor', '$o.root', '$o.drive', 'hash($o) == hash($o)', 'f"{$o}"', '$o.as_uri()', 'repr($o)', 'sorted([$o, pathlib.PurePosixPath("a")])', 'bytes($o)', '$o + "s"')),
    'random': ('random', ('random.Random($int)', 'random.Random($str)', 'random.Random($float)', 'random.Random($bytes)'),
               ('$o.random()', '$o.randint($small, $pos)', '$o.randrange($pos«|, 30|, 40, 3»)', '$o.choice($strs)', '$o.choices($strs, k=$small«|, weights=[1, 2]»)', '$o.sample(range(20), $small)', '(lambda l: $o.shuffle(l) or l)(list(range(6)))', '$o.uniform($num, $num)', '$o.gauss(0, 1)', '$o.normalvariate(1, $num)', '$o.expovariate(2.0)', '$o.betavariate(1, 2)', '$o.triangular(0, 1, 0.3)', '$o.getrandbits($pos)', '$o.lognormvariate(0, 1)', '$o.vonmisesvariate(0, 1)', '$o.gammavariate(2, 1)', '$o.paretovariate(3)', '$o.weibullvariate(1, 2)', '$o.randbytes(4)', '$o.seed(3)', '$o.setstate($o.getstate())', '$o.sample($strs, 2, counts=[2, 1])', '$o.randrange(0)')),
    'csv': ('csv, io', ('io.StringIO(«"a,b\\n1,2\\n"|"x;y\\n\\"q;r\\";\\"s\\"\\"t\\""|"a,b\\n\\n1,2,3\\n4\\n"|"\\"multi\\nline\\",z\\n"|""»)',),
            ('list(csv.reader($o«|, delimiter=";"|, quotechar="\'"|, skipinitialspace=True|, strict=True|, quoting=csv.QUOTE_NONNUMERIC»))', 'list(csv.DictReader($o«|, delimiter=";"|, fieldnames=["p", "q"]|, restkey="more", restval="none"»))', '$o.read($small)', '$o.readline()', '$o.getvalue()', '$o.write($str)', '$o.tell()', '$o.readlines()', 'list($o)', '(csv.writer($o«|, lineterminator="\\n"|, quoting=csv.QUOTE_ALL|, delimiter="\\t"»).writerows([[1, "a,b", None], ["q\\"r", 2.5, ""]]), $o.getvalue())', '(lambda w: (w.writeheader(), w.writerow({"a": 1, "b": $any}), $o.getvalue()))(csv.DictWriter($o, ["a", "b"]))', 'csv.DictWriter($o, ["a"]).writerow({"zz": 1})', '$o.truncate($small)', 'print("to", file=$o)', 'io.BytesIO($bytes).read(2)', 'io.BytesIO(b"a\\nb").readlines()', '$o.writelines(["m", "n"])', 'io.StringIO("a\\r\\nb").read()', 'csv.list_dialects()')),
    'argparse': ('argparse', ('argparse.ArgumentParser(prog="p"«|, description="What it does"|, epilog="end"|, add_help=False»)',),
                 ('$o.add_argument(«"-v", "--verbose", action="store_true"|"--n", type=int, default=$small, help="how many"|"--f", type=float, required=True|"x"|"xs", nargs="*"|"--c", choices=["a", "b"]|"--l", nargs=2, metavar=("P", "Q")|"--count", action="count", default=0|"--a", action="append"|"--k", dest="kk", const=5, nargs="?", type=int|"rest", nargs=argparse.REMAINDER|"--no", action=argparse.BooleanOptionalAction|"-x", action="store_const", const=7»).dest',
                  'parse($o, «|"-v"|"--n", "4"|"--n=x"|"--n"|"a", "b"|"--c", "z"|"--c", "a"|"--l", "1", "2"|"--verb"|"--a", "1", "--a", "2"|"--k"|"-vv"|"--", "-v"|"--zz"|"-h"|"--f", "1.5", "q"|"--no-no"»)', '$o.format_usage()', '$o.format_help()', '$o.set_defaults(n=9)', '$o.get_default("n")', '$o.parse_known_args(["--unknown", "1"])', '$o.add_mutually_exclusive_group().add_argument("--m1", action="store_true").dest', '$o.add_argument_group("grp", "about").add_argument("--g", help="%(default)s", default=3).dest', 'parse($o, "--n", "4", "--m1")', 'argparse.Namespace(a=1, b="x")')),
    'logging': ('logging, sys', ('log($n, "«%(levelname)s:%(name)s:%(message)s|[%(levelname)-8s] %(message)s|%(message)s %(funcName)s %(lineno)d»")',),
                ('$o.«info|warning|error|debug|critical»($str)', '$o.info("%s and %d", $any, $int)', '$o.warning("%(a)s", {"a": 1})', '$o.setLevel(logging.«DEBUG|INFO|ERROR»)', '$o.isEnabledFor(logging.INFO)', '$o.getEffectiveLevel()', '$o.log(logging.WARNING, "x=%r", $str)', '$o.getChild("sub").error("child")', '$o.addFilter(lambda r: "a" in r.getMessage())', '$o.exception("no error")', 'logged($o, $any)', 'logging.getLevelName($pos)', 'logging.getLevelName("INFO")', '$o.error("stack", extra={"k": 1})', '$o', '$o.handlers[0].formatter._fmt', '$o.hasHandlers()', 'logging.LoggerAdapter($o, {"q": 1}).info("adapted")', '$o.setLevel("«INFO|bad»")', '$o.disabled')),
    'contextlib': ('contextlib, io', ('contextlib.ExitStack()', 'contextlib.suppress($exc)', 'contextlib.closing(io.StringIO("c"))', 'contextlib.nullcontext($any)', 'contextlib.redirect_stdout(io.StringIO())', 'managed("m", $exc)'),
                   ('inside($o, lambda x: $any)', 'inside($o, lambda x: 1 / 0)', 'inside($o, lambda x: {}["k"])', '$o.callback(print, "called", $small)', '$o.enter_context(managed("inner"))', '$o.pop_all().close()', '$o.close()', 'inside($o, lambda x: print("in"))', '$o.push(lambda *a: print("pushed", a[0]) or True)', 'inside($o, lambda x: int("z"))', 'managed("d")(lambda: print("body"))()', 'inside(contextlib.nullcontext(), lambda x: $o)')),
    'pprint': ('pprint, difflib, shlex', ('$value', '{"key": list(range(30)), "b": {"c": "x" * 60, "a": (1,)}}', '[$value, $value, "long text here " * 6]'),
               ('pprint.pformat($o«|, width=$pos|, indent=2|, depth=1|, compact=True|, sort_dicts=False»)', 'shlex.split(«"a \'b c\' d"|"x=\\"1 2\\" # c"|"un\'closed"»)', 'shlex.quote($text)', 'list(difflib.unified_diff(["a", "b"], ["a", "c"], lineterm=""))', 'difflib.get_close_matches("appel", ["ape", "apple", "peach"])', 'difflib.SequenceMatcher(None, "abcd", $str).ratio()', 'list(difflib.ndiff(["x"], ["y"]))', 'difflib.SequenceMatcher(None, $str, $str).get_opcodes()', 'pprint.saferepr($o)')),
}

# What the holes of the themes call.
HEAD = '''
def del_(o, k):
    del o[k]


def en(n, base, **members):
    space = type(base).__prepare__("E" + str(n), (base,))
    for k, v in members.items():
        space[k] = v
    return type(base)("E" + str(n), (base,), space)


def dc(n, fields, **options):
    kinds = {"int": int, "str": str, "list": list, "dataclasses.KW_ONLY": dataclasses.KW_ONLY, "dataclasses.InitVar[int]": dataclasses.InitVar[int], "\'str\'": "str"}
    names = {}
    body = {"__annotations__": names, "__module__": __name__}
    for f in fields.split("; "):
        name, _, rest = f.partition(": ")
        kind, _, default = rest.partition(" = ")
        names[name] = kinds[kind]
        if default.startswith("dataclasses.field("):
            body[name] = field(*[w.split("=") for w in default[18:-1].split(", ")])
        elif default:
            body[name] = [] if default == "[]" else default.strip(chr(39)) if not default.isdigit() else int(default)
    if "InitVar" in fields:
        body["__post_init__"] = lambda self, b: print("post", b)
    return dataclasses.dataclass(type("D" + str(n), (), body), **options)


def field(*words):
    return dataclasses.field(**{k: {"list": list, "False": False}.get(v) if not v.isdigit() else int(v) for k, v in words})


def ann(a: int, b: "str" = 1, *c: typing.Any) -> typing.Optional[int]: ...


def parse(parser, *words):
    err, out = io.StringIO(), io.StringIO()
    try:
        with contextlib.redirect_stderr(err), contextlib.redirect_stdout(out):
            return parser.parse_args(list(words))
    except SystemExit as e:
        return e.code, out.getvalue(), err.getvalue()


def log(n, form):
    logger = logging.Logger("L" + str(n))
    handler = logging.StreamHandler(sys.stdout)
    handler.setFormatter(logging.Formatter(form))
    logger.addHandler(handler)
    return logger


def logged(logger, v):
    try:
        raise ValueError(v)
    except ValueError:
        logger.exception("failed with %r", v)


def inside(manager, f):
    with manager as m:
        print("as", type(m).__name__)
        return f(m)
    return "after"
'''

MODULES = sorted({m.strip() for theme in THEMES.values() for m in theme[0].split(',')} | {'copy', 'traceback', 'inspect'})


class Library:
    """Statements of the library, for Program."""

    def filled(self, text, o):
        """The text with each hole filled."""
        text = re.sub('«([^»]*)»', lambda m: self.pick(*m[1].split('|')), text)
        return re.sub(r'\$(\w+)', lambda m: self.hole(m[1], o), text)

    def hole(self, name, o):
        if name == 'o':
            return o
        if name == 'n':
            return str(self.count)
        if name in HOLES:
            return self.rng.choice(HOLES[name]) if self.rng.random() < 0.97 else self.expr(depth=1)
        return self.expr(None if name == 'any' else name, 1)

    def library(self, depth):
        """An object of a theme, and what is done with it."""
        _, makers, uses = THEMES[self.rng.choice(list(THEMES))]
        self.count += 1
        o = f'o{self.count}'
        lines = ['try:', f'    {o} = {self.filled(self.pick(*makers), o)}', f'    print("made", show({o}))', 'except Exception as e:', '    tell(e)', 'else:']
        for _ in range(self.rng.randint(2, 6)):
            lines += ['    try:', f'        print("lib", show({self.filled(self.pick(*uses), o)}))', '    except Exception as e:', '        tell(e)']
        return lines + [f'    print("then", show({o}))']
