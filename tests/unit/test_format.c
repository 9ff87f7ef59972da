// SPDX-License-Identifier: Apache-2.0
// Numbers as text: 10,000 random doubles' repr, and format specs on ints, floats and texts, against
// what CPython 3.11 gives (make_number_cases.py).
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "python/builtins/builtins.h"
#include "python/eval.h"
#include "python/objects/operators.h"
#include "python/objects/protocol.h"
#include "python/values/raise.h"
#include "python/objects/type_lookup.h"
#include "python/builtins/text/builtin_format.h"
#include "python/numbers/digits.h"
#include "python/numbers/integer.h"
#include "suite.h"

static Eval *ev;
static Session *session;

static void setup(void) {
  session = session_new(0);
  EvalOptions options = {.tpu = STR("v5p"), .devices = 1};
  ev = eval_new(session, &options);
}

static void teardown(void) { session_free(session); }

// ---- repr ------------------------------------------------------------------------------------
static const uint64_t repr_chunks[] = {
#define REPR_CHUNK(hash) hash,
#define FORMAT_INT(value, spec, want)
#define FORMAT_FLOAT(bits, spec, want)
#define FORMAT_STR(value, spec, want)
#include "format_cases.def"
#undef REPR_CHUNK
#undef FORMAT_INT
#undef FORMAT_FLOAT
#undef FORMAT_STR
};
#define CHUNK 100

static uint64_t split_mix(uint64_t *state) {
  uint64_t z = *state += 0x9E3779B97F4A7C15u;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return z ^ z >> 31;
}

static double nth_float(size_t i, uint64_t bits) {
  double value;
  switch (i % 4) {
  case 0: memcpy(&value, &bits, sizeof value); return isnan(value) ? 0.5 : value;
  case 1: return (double)(bits >> 11) / 9007199254740992.0;
  case 2: return (double)((int64_t)(bits % 2000001) - 1000000) / 1000.0;
  default: return ldexp((double)(bits >> 12), (int)(bits % 64) - 32);
  }
}

START_TEST(test_repr) {
  uint64_t state = 2024;
  for (size_t k = 0; k < COUNT_OF(repr_chunks); k++) {
    uint64_t hash = 0xCBF29CE484222325u;
    for (size_t i = k * CHUNK; i < (k + 1) * CHUNK; i++) {
      double x = nth_float(i, split_mix(&state)), back;
      Str text = float_repr(ev->arena, x);
      ck_assert_msg(float_parse(ev->arena, text, &back) && back == x, "%.*s does not read back",
                    STR_FMT(text));
      for (size_t n = 0; n < text.len; n++)
        hash = (hash ^ (unsigned char)text.data[n]) * 0x100000001B3u;
      hash = (hash ^ '\n') * 0x100000001B3u;
    }
    ck_assert_msg(hash == repr_chunks[k], "a repr among floats %zu to %zu", k * CHUNK,
                  (k + 1) * CHUNK - 1);
  }
}
END_TEST

// ---- format specs ----------------------------------------------------------------------------
typedef struct Case {
  char kind; // 'i', 'f', 's'
  const char *value;
  uint64_t bits;
  const char *spec, *want;
} Case;

static const Case cases[] = {
#define REPR_CHUNK(hash)
#define FORMAT_INT(value, spec, want)  {'i', value, 0, spec, want},
#define FORMAT_FLOAT(bits, spec, want) {'f', NULL, bits, spec, want},
#define FORMAT_STR(value, spec, want)  {'s', value, 0, spec, want},
#include "format_cases.def"
};

typedef struct Run {
  const Case *c;
  Str text;
} Run;

static Value integer(const char *text) {
  bool negative = *text == '-';
  Value v = int_from_digits(ev, str_from_c(text + negative), 10);
  return negative ? value_unary(ev, UN_NEG, v) : v;
}

static void format_one(Eval *e, void *data) {
  Run *run = data;
  const Case *c = run->c;
  Str spec = str_from_c(c->spec);
  if (c->kind == 'i') {
    run->text = format_int(e, integer(c->value), spec);
  } else if (c->kind == 's') {
    run->text = format_text(e, str_from_c(c->value), spec);
  } else {
    double x;
    memcpy(&x, &c->bits, sizeof x);
    run->text = format_float(e, x, spec);
  }
}

START_TEST(test_specs) {
  for (size_t i = 0; i < COUNT_OF(cases); i++) {
    Run run = {.c = &cases[i]};
    Value exception;
    if (!eval_try(ev, format_one, &run, &exception)) {
      Str message = value_str(ev, exception);
      run.text =
          str_format(ev->arena, "!%s: %.*s", value_type_name(ev, exception), STR_FMT(message));
    }
    ck_assert_msg(str_equal(run.text, str_from_c(cases[i].want)),
                  "spec '%s' on %s gives '%.*s', not '%s'", cases[i].spec,
                  cases[i].value ? cases[i].value : "a float", STR_FMT(run.text), cases[i].want);
  }
}
END_TEST

int main(void) {
  Suite *suite = suite_create("format");
  TCase *tcase = tcase_create("format");
  tcase_add_checked_fixture(tcase, setup, teardown);
  tcase_add_test(tcase, test_repr);
  tcase_add_test(tcase, test_specs);
  suite_add_tcase(suite, tcase);
  return suite_run(suite);
}
