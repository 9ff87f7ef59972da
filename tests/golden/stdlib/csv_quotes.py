# csv.writer: which fields stand in quotes, by dialect.
import csv
import io

ROWS = [[1, 2.5, "a", None], ["a,b", 'q"x', "l\nm", "c\rd"], [""], [None], ["", ""], [], (1e300, -0.0, 10 ** 30, True), ["é,", "'", " ", "\t"], [[1, 2], {"a": 1}],
        iter([1, "x"]), ["a;b|c", "'q'"]]
for options in ({}, {"delimiter": ";"}, {"lineterminator": "\n"}, {"lineterminator": "|"}, {"quoting": csv.QUOTE_ALL}, {"quoting": csv.QUOTE_NONNUMERIC},
                {"quotechar": "'"}, {"delimiter": "é"}, {"dialect": "excel-tab"}, {"dialect": "unix"}):
    out = io.StringIO()
    writer = csv.writer(out, **options)
    for row in ROWS:
        if hasattr(row, "__next__"):
            row = iter([1, "x"])
        print(writer.writerow(row), end=" ")
    writer.writerows([["x", 1]] * 2)
    print(options, repr(out.getvalue()))
for bad in (3, None):
    try:
        csv.writer(io.StringIO()).writerow(bad)
    except csv.Error as error:
        print(error)
for options in ({"escapechar": "\\"}, {"escapechar": "\\", "doublequote": False}, {"escapechar": "\\", "quoting": csv.QUOTE_NONE}, {"quoting": csv.QUOTE_NONE}):
    out = io.StringIO()
    for row in [["a", "b\\c"], ["a,b", 'q"x'], ["l\nm", 1]]:
        try:
            csv.writer(out, **options).writerow(row)
        except csv.Error as error:
            print(error)
    print(options, repr(out.getvalue()))
