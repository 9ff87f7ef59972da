// SPDX-License-Identifier: Apache-2.0
// What 'pallasc test' knows of options of pytest that it does not have.
#include "options.h"

const char *pytest_hint(Str name) {
  static const struct {
    const char *spelling, *instead;
  } hints[] = {
#define PYTEST(spelling, instead) {spelling, instead},
#include "pytest_options.def"
#undef PYTEST
  };
  for (size_t i = 0; i < COUNT_OF(hints); i++)
    if (str_equal(name, str_from_c(hints[i].spelling))) return hints[i].instead;
  return NULL;
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
