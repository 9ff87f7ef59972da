# What loggers tell of a record: its time, its place, its exception; handlers that write to files; adapters; styles.
import io
import logging
import os
import re
import sys
import tempfile

logging.basicConfig(stream=sys.stdout, level=logging.INFO,
                    format='%(levelname)s %(filename)s:%(lineno)d %(funcName)s %(module)s %(name)s %(message)s')


def work():
    logging.info('in work')
    logging.getLogger('part').warning('%d of %d', 1, 2)


class Model:
    def step(self):
        logging.getLogger(__name__).error('in a method')


work()
Model().step()
logging.warning('at the module')
logging.debug('below the level')
(lambda: logging.info('in a lambda'))()
def helper(text):
    logging.info(text, stacklevel=2)


def outer():
    helper('of who calls the helper')


outer()
stream = io.StringIO()
logger = logging.getLogger('own')
logger.propagate = False
handler = logging.StreamHandler(stream)
handler.setFormatter(logging.Formatter('%(asctime)s|%(message)s'))
logger.addHandler(handler)
logger.error('timed')
print(bool(re.fullmatch(r'\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3}\|timed\n', stream.getvalue())))
handler.setFormatter(logging.Formatter('{asctime} {levelname:>8} {message}', datefmt='%H:%M', style='{'))
stream.truncate(0), stream.seek(0)
logger.warning('braces')
print(re.sub(r'\d', '9', stream.getvalue()), end='')
handler.setFormatter(logging.Formatter('$levelname/$message', style='$'))
stream.truncate(0), stream.seek(0)
logging.LoggerAdapter(logger, {'rank': 3}).error('dollar %s', 'signs')
print(stream.getvalue(), end='')
handler.setFormatter(logging.Formatter('%(rank)d %(message)s'))
stream.truncate(0), stream.seek(0)
logger.error('extra', extra={'rank': 7})
print(stream.getvalue(), end='')
for log in (logger.exception, lambda text, extra: logger.error(text, exc_info=True, extra=extra)):
    stream.truncate(0), stream.seek(0)
    try:
        [].pop()
    except IndexError:
        log('failed', extra={'rank': 0})
    lines = stream.getvalue().splitlines()
    print(lines[:2], lines[-1])
try:
    logger.error('taken', extra={'name': 'x'})
except KeyError as e:
    print(e)
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, 'run.log')
    to_file = logging.FileHandler(path)
    logger.addHandler(to_file)
    logger.error('written', extra={'rank': 1})
    to_file.close()
    print(open(path).read(), end='')
print(logging.getLogger('a.b').parent is logging.getLogger('a') or logging.getLogger('a.b').parent, logging.getLevelName(35), logging.INFO)
print(handler, logger, logging.root, isinstance(logging.root, logging.RootLogger))
try:
    logging.Formatter('x', style='!')
except ValueError as e:
    print(e)
