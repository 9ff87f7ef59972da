import argparse, sys, io, contextlib
def build():
    p = argparse.ArgumentParser(prog='bench', description='Runs kernels.', epilog='See docs.', formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    p.add_argument('-v', '--verbose', action='count', default=0, help='more words')
    p.add_argument('--dtype', choices=['f32', 'bf16'], default='f32', help='element type')
    p.add_argument('--shape', type=lambda s: tuple(map(int, s.split('x'))), default=(8, 128), metavar='MxN', help='shape')
    p.add_argument('--flag', action=argparse.BooleanOptionalAction, default=True, help='a flag')
    g = p.add_mutually_exclusive_group(); g.add_argument('--fast', action='store_true', help='fast'); g.add_argument('--slow', action='store_true', help='slow')
    sub = p.add_subparsers(dest='cmd', required=True, help='what to do')
    r = sub.add_parser('run', help='run one'); r.add_argument('names', nargs='+'); r.add_argument('--n', type=int, default=3)
    l = sub.add_parser('list', aliases=['ls'], help='list all'); l.add_argument('pattern', nargs='?', default='*'); l.set_defaults(func=len)
    return p
p = build()
for argv in [['run', 'a', 'b', '--n', '7'], ['-vv', '--no-flag', 'ls'], ['--shape', '4x5', '--fast', 'list', 'k*'], ['--fast', '--slow', 'ls'], ['run'], [], ['--dtype', 'f64', 'ls'], ['run', 'x', '--n', 'q'], ['zzz'], ['--shape', 'ax', 'ls'], ['--he'], ['ls', '--bogus'], ['--dty', 'bf16', 'ls']]:
    err, out = io.StringIO(), io.StringIO()
    try:
        with contextlib.redirect_stderr(err), contextlib.redirect_stdout(out): ns = p.parse_args(argv)
        print(argv, ns if not hasattr(ns, 'func') else sorted((k, v) for k, v in vars(ns).items() if k != 'func'))
    except SystemExit as e: print(argv, 'exit', e.code, err.getvalue(), out.getvalue())
print(p.format_usage()); p.print_help()
ns, rest = p.parse_known_args(['ls', '--what', '3']); print(ns.pattern, rest)
