# Flags that are checked together, and other names of a flag.
from absl import flags

FLAGS = flags.FLAGS
flags.DEFINE_integer('steps', 5, 'steps', short_name='s')
flags.DEFINE_float('rate', 0.5, 'rate')
flags.DEFINE_string('read', None, 'file')
flags.DEFINE_string('make', None, 'file')
flags.DEFINE_bool('fast', False, 'fast')
flags.DEFINE_bool('slow', False, 'slow')
flags.DEFINE_alias('count', 'steps')
flags.mark_flags_as_mutual_exclusive(['read', 'make'])
flags.mark_bool_flags_as_mutual_exclusive(['fast', 'slow'])
flags.declare_key_flag('rate')


@flags.multi_flags_validator(['steps', 'rate'], message='the product is below 10')
def product(values):
    return values['steps'] * values['rate'] < 10


for words in (['--count=7'], ['--steps=30'], ['--read=a', '--make=b'], ['--fast', '--slow'], ['--fast', '--make=c']):
    FLAGS.unparse_flags()
    try:
        FLAGS(['program', *words])
        print(FLAGS.steps, FLAGS.count, FLAGS.make, FLAGS.fast)
    except flags.IllegalFlagValueError as e:
        print(e)
try:
    FLAGS.rate = 9.0
except flags.IllegalFlagValueError as e:
    print(e)
for bad in (lambda: flags.mark_bool_flags_as_mutual_exclusive(['fast', 'rate']), lambda: flags.register_multi_flags_validator(['nothing'], bool)):
    try:
        bad()
    except (flags.ValidationError, KeyError) as e:
        print(type(e).__name__, e)
