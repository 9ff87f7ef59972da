"""A program of absl's."""
import sys
from absl import app, flags
from absl.testing import absltest, flagsaver

FLAGS = flags.FLAGS
BLOCK = flags.DEFINE_integer("block", 128, "rows of a block", lower_bound=1, short_name="b")
SIZES = flags.DEFINE_multi_integer("size", [1], "sizes")
flags.DEFINE_multi_string("word", None, "words")
flags.DEFINE_spaceseplist("parts", "a b", "parts")
flags.DEFINE_multi_enum("mode", ["fast"], ["fast", "exact"], "modes")
flags.DEFINE_bool("dry", False, "only look")
flags.DEFINE_string("once", "", "a word", allow_overwrite=False)
flags.register_validator("block", lambda value: value % 8 == 0, message="it must be a multiple of 8")


@flags.validator("size")
def _sizes(values):
    if any(value > 1000 for value in values):
        raise flags.ValidationError("too large")
    return True


def tried(what, function):
    try:
        print(what, function())
    except Exception as error:
        print(what, type(error).__name__, str(error).split("\n")[0].split(". ")[0])


@flagsaver.flagsaver(block=16)
def sixteen():
    return BLOCK.value


def parsed():
    with flagsaver.as_parsed(block="32"):
        return BLOCK.value, SIZES.value


class Case(absltest.TestCase):
    def runTest(self):
        pass


def asserts():
    case = Case()
    for name, *args in (("assertContainsInOrder", ["a", "b"], "xaxb"), ("assertContainsInOrder", ["a", "b"], "b a"), ("assertContainsInOrder", "q", "b a"),
                        ("assertContainsSubsequence", [1, 2, 3], [1, 3]), ("assertContainsSubsequence", [1, 2, 3], [3, 1]),
                        ("assertContainsExactSubsequence", [1, 2, 3], [2, 3]), ("assertContainsExactSubsequence", [1, 2, 3], [1, 3]),
                        ("assertSameStructure", {"a": [1, 2]}, {"a": [1, 2]}), ("assertSameStructure", {"a": [1, 2], "c": 1}, {"a": [1, 3, 4], "b": 2}),
                        ("assertSameStructure", {1, 2}, {2, 3}), ("assertSameStructure", [1], 1), ("assertJsonEqual", '{"a": 1}', '{"a": 1}'),
                        ("assertJsonEqual", '{"a": 1}', '{"a": 2}'), ("assertItemsEqual", [1, 2], [2, 1]), ("assertNotStartsWith", "abc", "a"),
                        ("assertNotEndsWith", "abc", "a"), ("assertIsSubclass", bool, int), ("assertDictAlmostEqual", {"a": 1.0}, {"a": 1.00000001})):
        tried(name, lambda: getattr(case, name)(*args))


def main(argv):
    print(argv[1:], BLOCK.value, SIZES.value, FLAGS.word, FLAGS.parts, FLAGS.mode, FLAGS.dry, FLAGS.b, len(argv))
    print(sixteen(), parsed(), BLOCK.value, SIZES.value)
    tried("set", lambda: setattr(FLAGS, "block", 12))
    FLAGS.block = 24
    print(FLAGS.block, FLAGS["block"].default, FLAGS["block"].present, FLAGS["block"].using_default_value, FLAGS.get_flag_value("word", "none"))
    tried("twice", lambda: flags.DEFINE_string("b", "x", "taken"))
    asserts()
    return 3


def failing(*words):
    FLAGS.unparse_flags()
    try:
        FLAGS(["program", *words])
        print(words, "fine")
    except flags.Error as error:
        print(words, type(error).__name__, str(error).split("\n")[0].split(". ")[0])


failing("--block=12")
failing("--size=2000")
failing("--mode=slow")
failing("--block=x")
failing("--nosuch")
failing("--once=a", "--once=b")
FLAGS.unparse_flags()
app.call_after_init(lambda: print("parsed", FLAGS.block))
try:
    app.run(main, argv=["program", "left", "-b", "64", "--size=3", "--size", "4", "--parts=x y z", "--mode=exact", "--nodry", "--", "right"])
except SystemExit as end:
    print("ends with", end.code)
