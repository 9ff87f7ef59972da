// SPDX-License-Identifier: Apache-2.0
// Strings, names, buffers and UTF-8.
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/buf.h"
#include "base/unicode.h"
#include "suite.h"

static Arena *arena;

static void setup(void) { arena = arena_new((OomHandler){0}, 0); }

static void teardown(void) { arena_free(arena); }

START_TEST(comparing) {
  ck_assert(str_equal(STR("ab"), STR("ab")));
  ck_assert(!str_equal(STR("ab"), STR("abc")));
  ck_assert(str_equal((Str){NULL, 0}, STR("")));
  ck_assert_int_lt(str_compare(STR("ab"), STR("abc")), 0);
  ck_assert_int_gt(str_compare(STR("b"), STR("abc")), 0);
  ck_assert_int_eq(str_compare(STR("\xff"), STR("a")), 1);
  ck_assert(str_starts_with(STR("kernel"), STR("ker")) && !str_starts_with(STR("k"), STR("ker")));
  ck_assert(str_ends_with(STR("kernel"), STR("nel")) && str_ends_with(STR("a"), STR("")));
}
END_TEST

START_TEST(formatting) {
  ck_assert_str_eq(str_format(arena, "%d %s %.*s", 3, "x", STR_FMT(STR("yz"))).data, "3 x yz");
  ck_assert_uint_eq(str_format(arena, "%s", "").len, 0);
  Str copy = str_copy(arena, (Str){"abcdef", 3});
  ck_assert_str_eq(copy.data, "abc");
}
END_TEST

// The whole matrix, as textbooks have it.
static size_t plain_distance(Str a, Str b) {
  size_t d[20][20];
  for (size_t i = 0; i <= a.len; i++)
    for (size_t j = 0; j <= b.len; j++) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
        continue;
      }
      size_t best = d[i - 1][j] + 1;
      if (d[i][j - 1] + 1 < best) best = d[i][j - 1] + 1;
      size_t same = d[i - 1][j - 1] + (a.data[i - 1] != b.data[j - 1]);
      if (same < best) best = same;
      if (i > 1 && j > 1 && a.data[i - 1] == b.data[j - 2] && a.data[i - 2] == b.data[j - 1] &&
          d[i - 2][j - 2] + 1 < best)
        best = d[i - 2][j - 2] + 1;
      d[i][j] = best;
    }
  return d[a.len][b.len];
}

START_TEST(distance) {
  ck_assert_uint_eq(str_distance(STR("pallas"), STR("pallas"), 3), 0);
  ck_assert_uint_eq(str_distance(STR("palals"), STR("pallas"), 3), 1);
  ck_assert_uint_eq(str_distance(STR(""), STR("abc"), 3), 3);
  ck_assert_uint_eq(str_distance(STR(""), STR("abcd"), 3), 4);
  unsigned seed = 1;
  for (int round = 0; round < 20000; round++) {
    char a[10], b[10];
    size_t lengths[2];
    for (int k = 0; k < 2; k++) {
      seed = seed * 1664525 + 1013904223;
      lengths[k] = seed >> 28 & 7;
      for (size_t i = 0; i < lengths[k]; i++) {
        seed = seed * 1664525 + 1013904223;
        (k ? b : a)[i] = (char)('a' + (seed >> 30));
      }
    }
    Str sa = {a, lengths[0]}, sb = {b, lengths[1]};
    size_t plain = plain_distance(sa, sb), limit = seed >> 20 & 7;
    ck_assert_uint_eq(str_distance(sa, sb, limit), plain <= limit ? plain : limit + 1);
  }
}
END_TEST

START_TEST(names_are_one_pointer_each) {
  Interner *interner = interner_new(arena);
  Name names[3000];
  char text[20];
  for (int i = 0; i < 3000; i++) {
    snprintf(text, sizeof text, "name%d", i);
    names[i] = name_intern_c(interner, text);
    ck_assert_str_eq(names[i]->text, text);
  }
  for (int i = 0; i < 3000; i++) {
    snprintf(text, sizeof text, "name%d", i);
    ck_assert_ptr_eq(name_intern(interner, str_from_c(text)), names[i]);
  }
  ck_assert_ptr_ne(name_intern(interner, (Str){"a\0b", 3}),
                   name_intern(interner, (Str){"a\0c", 3}));
  ck_assert_uint_eq(name_intern(interner, STR(""))->len, 0);
}
END_TEST

START_TEST(buffers_grow) {
  Buf buf;
  buf_init(&buf, arena);
  ck_assert_str_eq(buf_view(&buf).data, "");
  for (int i = 0; i < 1000; i++) buf_printf(&buf, "%d,", i % 10);
  buf_pad(&buf, ' ', 3);
  buf_char(&buf, 'x');
  buf_c(&buf, "yz");
  Str view = buf_view(&buf);
  ck_assert_uint_eq(view.len, 2006);
  ck_assert_str_eq(view.data + 2000, "   xyz");
}
END_TEST

START_TEST(doubles_print_as_python_does) {
  static const struct {
    double value;
    const char *text;
  } cases[] = {
      {0.0, "0.0"},
      {-0.0, "-0.0"},
      {1.0, "1.0"},
      {0.1, "0.1"},
      {1e16, "1e+16"},
      {1e15, "1000000000000000.0"},
      {123456789.125, "123456789.125"},
      {0.0001, "0.0001"},
      {0.00001, "1e-05"},
      {1.5e300, "1.5e+300"},
      {5e-324, "5e-324"},
      {1.0 / 3.0, "0.3333333333333333"},
      {2.5, "2.5"},
      {9007199254740993.0, "9007199254740992.0"},
      {__builtin_inf(), "inf"},
      {-__builtin_inf(), "-inf"},
      {100.0, "100.0"},
      {1.7976931348623157e308, "1.7976931348623157e+308"},
  };
  for (size_t i = 0; i < COUNT_OF(cases); i++) {
    Buf buf;
    buf_init(&buf, arena);
    buf_double(&buf, cases[i].value);
    ck_assert_str_eq(buf_view(&buf).data, cases[i].text);
  }
}
END_TEST

START_TEST(utf8_round_trips) {
  for (uint32_t code = 0; code <= 0x10ffff; code++) {
    if (code >= 0xd800 && code < 0xe000) continue;
    char bytes[4];
    size_t len = utf8_encode(code, bytes), at = 0;
    uint32_t got = utf8_decode((Str){bytes, len}, &at);
    CHECK_EACH(got == code && at == len, "%#x is read as %#x", code, got);
    at = 0;
    CHECK_EACH(len == 1 || utf8_decode((Str){bytes, len - 1}, &at) == UTF8_BAD,
               "%#x is read from %zu bytes", code, len - 1);
  }
}
END_TEST

START_TEST(utf8_refuses) {
  static const char *const bad[] = {
      "\x80",         "\xc0\x80",         "\xc1\xbf",         "\xe0\x80\x80",
      "\xed\xa0\x80", "\xf0\x80\x80\x80", "\xf4\x90\x80\x80", "\xf8\x88\x80\x80\x80",
      "\xff",         "\xe2\x28\xa1"};
  for (size_t i = 0; i < COUNT_OF(bad); i++) {
    size_t at = 0;
    ck_assert_uint_eq(utf8_decode(str_from_c(bad[i]), &at), UTF8_BAD);
    ck_assert_uint_eq(at, 1);
  }
}
END_TEST

START_TEST(properties_of_characters) {
  ck_assert(unicode_is_id_start('a') && unicode_is_id_start('_') && !unicode_is_id_start('1'));
  ck_assert(unicode_is_id_continue('1') && unicode_is_id_start(0x540d) &&
            !unicode_is_id_start(0x201c));
  ck_assert(unicode_is_id_continue(0x301) && !unicode_is_id_start(0x301));
  ck_assert(unicode_is_printable(0xe9) && !unicode_is_printable(0xa0) && !unicode_is_printable(7));
  ck_assert_uint_eq(unicode_width('a'), 1);
  ck_assert_uint_eq(unicode_width(0x6f22), 2);
  ck_assert_uint_eq(unicode_width(0x1f600), 2);
  ck_assert_uint_eq(unicode_width(0x301), 0);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("str");
  TCase *tests = tcase_create("str");
  tcase_add_checked_fixture(tests, setup, teardown);
  tcase_set_timeout(tests, 60);
  tcase_add_test(tests, comparing);
  tcase_add_test(tests, formatting);
  tcase_add_test(tests, distance);
  tcase_add_test(tests, names_are_one_pointer_each);
  tcase_add_test(tests, buffers_grow);
  tcase_add_test(tests, doubles_print_as_python_does);
  tcase_add_test(tests, utf8_round_trips);
  tcase_add_test(tests, utf8_refuses);
  tcase_add_test(tests, properties_of_characters);
  suite_add_tcase(suite, tests);
  return suite_run(suite);
}
