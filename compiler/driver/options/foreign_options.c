// SPDX-License-Identifier: Apache-2.0
// What is known of other programs' options that are none here: pytest's for 'pallasc test', and
// those of C compilers.
#include "options.h"

typedef struct Hint {
  const char *spelling, *instead;
} Hint;

static bool is_meant(const Hint *hint, Str name) {
  Str spelling = str_from_c(hint->spelling);
  if (spelling.data[spelling.len - 1] != '*') return str_equal(name, spelling);
  spelling.len--;
  return str_starts_with(name, spelling);
}

static const char *find(size_t count, const Hint *hints, Str name) {
  for (size_t i = 0; i < count; i++)
    if (is_meant(&hints[i], name)) return hints[i].instead;
  return NULL;
}

const char *pytest_hint(Str name) {
  static const Hint hints[] = {
#define PYTEST(spelling, instead) {spelling, instead},
#include "foreign_options.def"
  };
  return find(COUNT_OF(hints), hints, name);
}

const char *compiler_hint(Str name) {
  static const Hint hints[] = {
#define COMPILER(spelling, instead) {spelling, instead},
#include "foreign_options.def"
  };
  return find(COUNT_OF(hints), hints, name);
}

bool pytest_lacks_plugin(Str value) {
  static const char *const built_in[] = {"capture",     "fixtures", "mark",
                                         "monkeypatch", "python",   "skipping",
                                         "terminal",    "unittest", "warnings"};
  if (!str_starts_with(value, STR("no:"))) return false;
  Str name = {value.data + 3, value.len - 3};
  for (size_t i = 0; i < COUNT_OF(built_in); i++)
    if (str_equal(name, str_from_c(built_in[i]))) return false;
  return true;
}
