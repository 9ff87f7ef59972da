# csv.reader: rows of drawn texts in some dialects; quotes that are doubled, fields over several lines, what ends lines, and limits.
import csv
import io
import random

random.seed(9)
parts = ["a", "b c", ",", ",", '"', '""', "\n", "\r\n", "\u00e9", " ", ";", "1.5", '"x"', '"y,z"', ',"q""r",']
dialects = [{}, {}, {"delimiter": ";"}, {"quotechar": None, "quoting": csv.QUOTE_NONE}, {"skipinitialspace": True}, {"doublequote": False}, {"strict": True}, {"quoting": csv.QUOTE_ALL}, {"delimiter": "\u00e9"}]
for k in range(400):
    text, options = "".join(random.choice(parts) for _ in range(random.randrange(1, 14))), random.choice(dialects)
    reader = csv.reader(io.StringIO(text), **options)
    try:
        shown = list(reader)
    except csv.Error as error:
        shown = error
    print(repr(text), options, shown, reader.line_num)
before = csv.field_size_limit(5)
for line in ("123456,1", "1,12345", '"12345",""', '"1234""6"'):
    try:
        print(list(csv.reader([line])))
    except csv.Error as error:
        print(error)
csv.field_size_limit(before)
print(list(csv.reader(["a,b", "", "\n", ",", "c\n"])), list(csv.DictReader(["x,y", "1", "1,2,3"])))
