// SPDX-License-Identifier: Apache-2.0
// Format specs as they are read, field by field, and fields laid out by them; test_format.c holds
// numbers against CPython's. Formats: which value goes where.
#include <check.h>
#include <math.h>
#include <string.h>
#include "print/prt_print.h"
#include "print/prt_text.h"
#include "text/prt_spec.h"
#include "suite.h"

static prt_spec_error parse(const char *text, char align, prt_spec *out) {
  return prt__spec_parse(text, strlen(text), 0, align, out);
}

START_TEST(specs_are_read) {
  static const struct {
    const char *text, *fill;
    char align, sign;
    bool no_minus_zero, alternate;
    int width;
    char grouping;
    int precision;
    uint32_t type;
  } cases[] = {{"", " ", '>', 0, false, false, -1, 0, -1, 0},
               {"<", " ", '<', 0, false, false, -1, 0, -1, 0},
               {"*^+z#12,.3f", "*", '^', '+', true, true, 12, ',', 3, 'f'},
               {"=<-7_x", "=", '<', '-', false, false, 7, '_', -1, 'x'},
               {"\xc3\xa9> .0e", "\xc3\xa9", '>', ' ', false, false, -1, 0, 0, 'e'},
               {"\xe2\x82\xac=5", "\xe2\x82\xac", '=', 0, false, false, 5, 0, -1, 0},
               {"\xf0\x9f\x98\x80^", "\xf0\x9f\x98\x80", '^', 0, false, false, -1, 0, -1, 0},
               {"012d", "0", '=', 0, false, false, 12, 0, -1, 'd'},
               {"<012d", "0", '<', 0, false, false, 12, 0, -1, 'd'},
               {"*<012d", "*", '<', 0, false, false, 12, 0, -1, 'd'},
               {"0", "0", '=', 0, false, false, -1, 0, -1, 0},
               {"9223372036854775807", " ", '>', 0, false, false, -2, 0, -1, 0},
               {"\xc3\xa9", " ", '>', 0, false, false, -1, 0, -1, 0xe9},
               {"\xe2\x82\xac", " ", '>', 0, false, false, -1, 0, -1, 0x20ac},
               {"3\xf0\x9f\x98\x80", " ", '>', 0, false, false, 3, 0, -1, 0x1f600},
               {"\xc3", " ", '>', 0, false, false, -1, 0, -1, 0xc3}, // cut
               {"5_", " ", '>', 0, false, false, 5, '_', -1, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    prt_spec s;
    ck_assert_int_eq(parse(cases[i].text, '>', &s), PRT_SPEC_OK);
    ck_assert_int_eq(s.fill_size, (int)strlen(cases[i].fill));
    ck_assert_mem_eq(s.fill, cases[i].fill, strlen(cases[i].fill));
    ck_assert(s.align == cases[i].align && s.sign == cases[i].sign);
    ck_assert(s.no_minus_zero == cases[i].no_minus_zero && s.alternate == cases[i].alternate);
    ck_assert(s.width == (cases[i].width == -2 ? INT64_MAX : cases[i].width));
    ck_assert(s.grouping == cases[i].grouping && s.precision == cases[i].precision);
    ck_assert_uint_eq(s.type, cases[i].type);
  }
  prt_spec s;
  ck_assert_int_eq(parse("05", '<', &s), PRT_SPEC_OK); // a text's: zeros are a fill, no more
  ck_assert(s.align == '<' && s.fill[0] == '0');
  ck_assert_int_eq(prt__spec_parse("5", 1, 's', '<', &s), PRT_SPEC_OK);
  ck_assert_uint_eq(s.type, 's');
}
END_TEST

START_TEST(bad_specs_have_reasons) {
  static const struct {
    const char *text;
    prt_spec_error error;
  } cases[] = {{"9223372036854775808", PRT_SPEC_TOO_MANY_DIGITS},
               {".9223372036854775808", PRT_SPEC_TOO_MANY_DIGITS},
               {"99999999999999999999d", PRT_SPEC_TOO_MANY_DIGITS},
               {",_d", PRT_SPEC_TWO_GROUPINGS},
               {"_,d", PRT_SPEC_TWO_GROUPINGS},
               {".", PRT_SPEC_NO_PRECISION},
               {"5.f", PRT_SPEC_NO_PRECISION},
               {"dx", PRT_SPEC_UNREAD},
               {"5 d", PRT_SPEC_UNREAD},
               {"\xc3\xa9\xc3\xa9\xc3\xa9", PRT_SPEC_UNREAD},
               {",x", PRT_SPEC_BAD_GROUPING},
               {",s", PRT_SPEC_BAD_GROUPING},
               {"_c", PRT_SPEC_BAD_GROUPING},
               {",n", PRT_SPEC_BAD_GROUPING},
               {"_\xc3\xa9", PRT_SPEC_BAD_GROUPING}};
  prt_spec s;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    ck_assert_msg(parse(cases[i].text, '>', &s) == cases[i].error, "%s", cases[i].text);
  for (const char *type = "defgEG%F"; *type; type++) {
    char text[] = {',', *type, 0};
    ck_assert_int_eq(parse(text, '>', &s), PRT_SPEC_OK);
    text[0] = '_';
    ck_assert_int_eq(parse(text, '>', &s), PRT_SPEC_OK);
  }
  for (const char *type = "boxX"; *type; type++) {
    char text[] = {'_', *type, 0};
    ck_assert_int_eq(parse(text, '>', &s), PRT_SPEC_OK);
  }
}
END_TEST

START_TEST(types_are_known) {
  for (uint32_t type = 0; type < 300; type++) {
    prt_spec s = {.type = type};
    bool is_float = type && type < 128 && strchr("eEfFgG%", (int)type) != NULL;
    ck_assert_int_eq(prt__spec_is_float(&s), is_float);
    int base = type == 'b' ? 2 : type == 'o' ? 8 : type == 'x' || type == 'X' ? 16 : 10;
    ck_assert_int_eq(prt__spec_base(&s), base);
  }
}
END_TEST

// ---- laying out ---------------------------------------------------------------------------------
static void expect_field(const char *spec, const char *text, int columns, const char *wanted) {
  prt_spec s;
  prt_text out = {0};
  ck_assert_int_eq(parse(spec, '<', &s), PRT_SPEC_OK);
  prt__put_field(&(prt_sink){prt__text_sink, &out}, &s, text, strlen(text), columns);
  ck_assert_str_eq(out.data, wanted);
  prt__text_free(&out);
}

static void expect_integer(const char *spec, bool negative, const char *digits,
                           const char *wanted) {
  prt_spec s;
  prt_text out = {0};
  ck_assert_int_eq(parse(spec, '>', &s), PRT_SPEC_OK);
  prt__put_integer_field(&(prt_sink){prt__text_sink, &out}, &s, negative, digits, strlen(digits));
  ck_assert_msg(strcmp(out.data, wanted) == 0, "%s: %s is not %s", spec, out.data, wanted);
  prt__text_free(&out);
}

static void expect_float(const char *spec, double x, const char *wanted) {
  prt_spec s;
  prt_text out = {0};
  ck_assert_int_eq(parse(spec, '>', &s), PRT_SPEC_OK);
  prt__put_float_field(&(prt_sink){prt__text_sink, &out}, &s, x);
  ck_assert_msg(strcmp(out.data, wanted) == 0, "%s: %s is not %s", spec, out.data, wanted);
  prt__text_free(&out);
}

START_TEST(fields_are_laid_out) {
  expect_field("6", "ab", 2, "ab    ");
  expect_field(">6", "ab", 2, "    ab");
  expect_field("^5", "ab", 2, " ab  ");
  expect_field("2", "abc", 3, "abc");
  expect_field("\xc3\xa9^6", "abc", 3,
               "\xc3\xa9"
               "abc\xc3\xa9\xc3\xa9");
  expect_field("4", "\xc3\xa9", 1, "\xc3\xa9   ");
  expect_integer("", true, "12", "-12");
  expect_integer("+", false, "12", "+12");
  expect_integer(" ", false, "12", " 12");
  expect_integer("-", false, "12", "12");
  expect_integer(",", false, "1234567", "1,234,567");
  expect_integer("_x", false, "1234abc", "123_4abc");
  expect_integer("#X", false, "ab", "0XAB");
  expect_integer("#b", true, "101", "-0b101");
  expect_integer("#o", false, "17", "0o17");
  expect_integer("#d", false, "17", "17");
  expect_integer("010,", true, "1234", "-0,001,234");
  expect_integer("09,", true, "1234", "-0,001,234"); // a separator never comes first
  expect_integer("#012_x", false, "abc", "0x0_0000_0abc");
  expect_integer("*=6", true, "12", "-***12");
  expect_integer("*=6,", true, "12", "-***12");
  expect_integer("^7", false, "12", "  12   ");
  expect_integer("<5", false, "12", "12   ");
}
END_TEST

START_TEST(floats_are_laid_out) {
  expect_float(".2f", 3.14159, "3.14");
  expect_float("09.2f", -3.14159, "-00003.14");
  expect_float(",.1f", 1234567.25, "1,234,567.2");
  expect_float(".1%", 0.125, "12.5%");
  expect_float("^9.0%", 0.5, "   50%   ");
  expect_float("z.1f", -0.01, "0.0");
  expect_float(".1f", -0.01, "-0.0");
  expect_float("z.1e", -1e-10, "-1.0e-10");
  expect_float("z", -0.0, "0.0");
  expect_float("+z", -0.0, "+0.0");
  expect_float("", 1e16, "1e+16");
  expect_float(".3", 1234.5, "1.23e+03");
  expect_float("E", 1.5, "1.500000E+00");
  expect_float("G", 1e-7, "1E-07");
  expect_float("F", INFINITY, "INF");
  expect_float("f", -INFINITY, "-inf");
  expect_float("z", -INFINITY, "-inf");
  expect_float("", NAN, "nan");
  expect_float("", -NAN, "nan");
  expect_float("+", -NAN, "+nan");
  expect_float("06", INFINITY, "000inf");
  expect_float("#.0f", 2.5, "2.");
  expect_float("n", 1.5, "1.5");
}
END_TEST

START_TEST(formats_choose_values) {
  static const int32_t numbers[] = {7, -8, 9};
  prt_value values[3];
  for (int i = 0; i < 3; i++) values[i] = (prt_value){.data = &numbers[i], .dtype = PRT_I32};
  static const struct {
    const char *format, *text;
  } cases[] = {{"", ""},
               {"no field", "no field"},
               {"{} {} {}", "7 -8 9"},
               {"{2}{0}", "97"},
               {"{} {0} {}", "7 7 -8"},
               {"{0:>3}{1:+d}", "  7-8"},
               {"{:x}{:03d}", "7-08"},
               {"{1!s}{0!s:>2}", "-8 7"},
               {"{0!r}", "Array(7, dtype=int32)"},
               {"{{{0}}}", "{7}"},
               {"{{}}", "{}"},
               {"{3}", "{}"}, // there are three
               {"{99999999999}", "{}"},
               {"{} {} {} {}", "7 -8 9 {}"},
               // no numbers: what stands behind one does not count
               {"{x}{ }", "7-8"},
               {"{1.}{1/}{1:}", "-8-8-8"},
               {"{1x}", "-8"},
               {"{", "{"},
               {"a } b {0", "a } b {0"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    prt_text text = {0};
    prt__print_format(&text, cases[i].format, 3, values);
    prt__text_add(&text, "", 1);
    ck_assert_str_eq(text.data, cases[i].text);
    prt__text_free(&text);
  }
}
END_TEST

int main(void) {
  Suite *suite = suite_create("prt_spec");
  TCase *tests = tcase_create("spec");
  tcase_add_test(tests, specs_are_read);
  tcase_add_test(tests, bad_specs_have_reasons);
  tcase_add_test(tests, types_are_known);
  tcase_add_test(tests, fields_are_laid_out);
  tcase_add_test(tests, floats_are_laid_out);
  tcase_add_test(tests, formats_choose_values);
  suite_add_tcase(suite, tests);
  return suite_run(suite);
}
