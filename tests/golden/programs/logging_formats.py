import logging, os, sys, io, warnings
class Plain(logging.Formatter):
    def formatException(self, info): return super().formatException(info).replace(os.path.dirname(os.path.abspath(__file__)) + os.sep, '')
log = logging.getLogger('app.core'); log.setLevel(logging.DEBUG); h = logging.StreamHandler(sys.stdout); h.setFormatter(Plain('%(levelname)-8s %(name)s:%(funcName)s:%(lineno)d %(message)s')); log.addHandler(h)
def work(n): log.debug('n=%d', n); log.info('half %.2f', n / 2); log.warning('dict %(a)s', {'a': 1}); log.error('err %r', 'x')
work(3)
try:
    raise ZeroDivisionError('zero')
except ZeroDivisionError: log.exception('failed')
log.critical('multi\nline'); log.log(25, 'custom'); logging.addLevelName(25, 'NOTE'); log.log(25, 'custom')
child = logging.getLogger('app.core.sub'); child.info('propagates'); child.propagate = False; child.info('lost'); print(child.parent.name, log.getEffectiveLevel(), logging.getLevelName(10), log.isEnabledFor(5), log.hasHandlers())
class F(logging.Filter):
    def filter(self, r): r.extra = len(r.getMessage()); return 'secret' not in r.getMessage()
b = io.StringIO(); h2 = logging.StreamHandler(b); h2.addFilter(F()); h2.setFormatter(logging.Formatter('{levelname}|{message}|{extra}', style='{')); log.handlers[:] = [h2]; log.info('a secret'); log.info('plain'); print(b.getvalue())
ad = logging.LoggerAdapter(log, {'req': 7}); ad.info('adapted'); print(b.getvalue().splitlines()[-1])
with warnings.catch_warnings(record=True) as w: warnings.simplefilter('always'); warnings.warn('old', DeprecationWarning); warnings.warn('u'); print([(x.category.__name__, str(x.message)) for x in w])
with warnings.catch_warnings():
    warnings.simplefilter('error')
    try: warnings.warn('bad', RuntimeWarning)
    except RuntimeWarning as e: print('raised', e)
logging.basicConfig(stream=sys.stdout, format='%(message)s', level=logging.INFO, force=True); logging.info('root %s', 'x'); logging.debug('no'); print(logging.root.level, h, log)
log.handlers[0].setFormatter(logging.Formatter('%(asctime)s', datefmt='%Y')); logging.disable(logging.CRITICAL); logging.info('off'); logging.disable(logging.NOTSET); logging.info('on')
