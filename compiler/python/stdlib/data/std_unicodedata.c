// SPDX-License-Identifier: Apache-2.0
// The module unicodedata: properties, names and normal forms of characters, by libunistring.
#include <stdlib.h>
#include <string.h>
#include <unictype.h>
#include <uniname.h>
#include <uninorm.h>
#include <uniwidth.h>
#include "base/unicode.h"
#include "python/builtins/text/builtin_text.h"
#include "python/modules/module.h"
#include "python/objects/convert.h"
#include "python/values/evaluator_state.h"
#include "python/values/new_value.h"
#include "python/values/raise.h"

// One character; `which` says of which argument in Python's words.
static uint32_t take_character(Eval *ev, Value v, const char *which) {
  Str text = take_str(ev, v, "character");
  size_t at = 0;
  uint32_t code = text.len ? utf8_decode(text, &at) : UTF8_BAD;
  if (at == 0 || at != text.len)
    eval_raise(ev, ev->types.TypeError, "%s must be a unicode character, not str", which);
  return code;
}

// The second argument if there is one, else ValueError.
static Value default_or_raise(Eval *ev, Value given, const char *message) {
  if (v_is_unbound(given)) eval_raise(ev, ev->types.ValueError, "%s", message);
  return given;
}

static Value f_name(Eval *ev, Value *a) {
  char name[UNINAME_MAX];
  uint32_t code = take_character(ev, a[0], "name() argument 1");
  if (unicode_character_name(code, name)) {
    bool ends_in_nj = code - 0xac00 < 11172 && (code - 0xac00) % 28 == 5;
    if (ends_in_nj) name[strlen(name) - 1] = 'J'; // libunistring before 1.1 says NI
    return make_str_c(ev, name);
  }
  if (uc_is_property_unified_ideograph(code))
    return make_str(ev, str_format(ev->arena, "CJK UNIFIED IDEOGRAPH-%X", (unsigned)code));
  return default_or_raise(ev, a[1], "no such name");
}

// Of CJK UNIFIED IDEOGRAPH-XXXX, which libunistring has no names for.
static uint32_t ideograph_of(Str name) {
  const Str head = STR("CJK UNIFIED IDEOGRAPH-");
  size_t digits = name.len - head.len;
  if (!str_starts_with(name, head) || digits < 4 || digits > 5) return UNINAME_INVALID;
  char text[8] = "", *end;
  memcpy(text, name.data + head.len, digits);
  uint32_t code = (uint32_t)strtoul(text, &end, 16);
  return *end == 0 && uc_is_property_unified_ideograph(code) ? code : UNINAME_INVALID;
}

static Value f_lookup(Eval *ev, Value *a) {
  Str text = take_str(ev, a[0], "name");
  const char *name = str_copy(ev->arena, text).data;
  uint32_t code = memchr(name, 0, text.len) ? UNINAME_INVALID : unicode_name_character(name);
  if (code == UNINAME_INVALID) code = ideograph_of(text);
  if (code == UNINAME_INVALID)
    eval_raise(ev, ev->types.KeyError, "undefined character name '%s'", name);
  char bytes[4];
  return make_str(ev, (Str){bytes, utf8_encode(code, bytes)});
}

static Value f_category(Eval *ev, Value *a) {
  uint32_t code = take_character(ev, a[0], "category() argument");
  return make_str_c(ev, uc_general_category_name(uc_general_category(code)));
}

static Value f_bidirectional(Eval *ev, Value *a) {
  uint32_t code = take_character(ev, a[0], "bidirectional() argument");
  static const char *const isolates[] = {"LRI", "RLI", "FSI", "PDI"}; // which it has no names for
  if (code >= 0x2066 && code <= 0x2069) return make_str_c(ev, isolates[code - 0x2066]);
  bool is_assigned = !uc_is_general_category_withtable(code, UC_CATEGORY_MASK_Cn);
  return make_str_c(ev, is_assigned ? uc_bidi_class_name(uc_bidi_class(code)) : "");
}

static Value f_combining(Eval *ev, Value *a) {
  return v_int(uc_combining_class(take_character(ev, a[0], "combining() argument")));
}

// ---- numbers ------------------------------------------------------------------------------------
static Value f_decimal(Eval *ev, Value *a) {
  int value = uc_decimal_value(take_character(ev, a[0], "decimal() argument 1"));
  return value >= 0 ? v_int(value) : default_or_raise(ev, a[1], "not a decimal");
}

static Value f_digit(Eval *ev, Value *a) {
  int value = uc_digit_value(take_character(ev, a[0], "digit() argument 1"));
  return value >= 0 ? v_int(value) : default_or_raise(ev, a[1], "not a digit");
}

static Value f_numeric(Eval *ev, Value *a) {
  uint32_t code = take_character(ev, a[0], "numeric() argument 1");
  uc_fraction_t value = uc_numeric_value(code);
  if (value.denominator) return v_float((double)value.numerator / (double)value.denominator);
  if (text_flags(code) & TEXT_NUMERIC)
    eval_raise(ev, ev->types.NotImplementedError,
               "'unicodedata.numeric' of an ideograph is not supported");
  return default_or_raise(ev, a[1], "not a numeric character");
}

// ---- decomposition and normal forms -------------------------------------------------------------
static Value f_decomposition(Eval *ev, Value *a) {
  static const char *const tags[] = {
      [UC_DECOMP_FONT] = "<font>",         [UC_DECOMP_NOBREAK] = "<noBreak>",
      [UC_DECOMP_INITIAL] = "<initial>",   [UC_DECOMP_MEDIAL] = "<medial>",
      [UC_DECOMP_FINAL] = "<final>",       [UC_DECOMP_ISOLATED] = "<isolated>",
      [UC_DECOMP_CIRCLE] = "<circle>",     [UC_DECOMP_SUPER] = "<super>",
      [UC_DECOMP_SUB] = "<sub>",           [UC_DECOMP_VERTICAL] = "<vertical>",
      [UC_DECOMP_WIDE] = "<wide>",         [UC_DECOMP_NARROW] = "<narrow>",
      [UC_DECOMP_SMALL] = "<small>",       [UC_DECOMP_SQUARE] = "<square>",
      [UC_DECOMP_FRACTION] = "<fraction>", [UC_DECOMP_COMPAT] = "<compat>"};
  uint32_t code = take_character(ev, a[0], "decomposition() argument");
  ucs4_t parts[UC_DECOMPOSITION_MAX_LENGTH];
  int tag, count = code - 0xac00 < 11172 ? -1 // syllables of Hangul are composed by rule
                                         : uc_decomposition(code, &tag, parts);
  Buf out;
  buf_init(&out, ev->arena);
  if (count > 0 && tag != UC_DECOMP_CANONICAL) buf_printf(&out, "%s ", tags[tag]);
  for (int i = 0; i < count; i++) buf_printf(&out, i ? " %04X" : "%04X", (unsigned)parts[i]);
  return make_str(ev, buf_view(&out));
}

static Str normalized(Eval *ev, Value form, Str text) {
  static const char *const names[] = {"NFC", "NFD", "NFKC", "NFKD"};
  const uninorm_t forms[] = {UNINORM_NFC, UNINORM_NFD, UNINORM_NFKC, UNINORM_NFKD};
  Str name = take_str(ev, form, "form");
  size_t i = 0;
  while (i < COUNT_OF(names) && !str_equal(name, str_from_c(names[i]))) i++;
  if (i == COUNT_OF(names)) eval_raise(ev, ev->types.ValueError, "invalid normalization form");
  size_t len;
  uint8_t *bytes = u8_normalize(forms[i], (const uint8_t *)text.data, text.len, NULL, &len);
  if (!bytes) eval_raise(ev, ev->types.ValueError, "surrogates have no normal form");
  Str copy = str_copy(ev->arena, (Str){(const char *)bytes, len});
  free(bytes);
  return copy;
}

static Value f_normalize(Eval *ev, Value *a) {
  return make_str(ev, normalized(ev, a[0], take_str(ev, a[1], "text")));
}

static Value f_is_normalized(Eval *ev, Value *a) {
  Str text = take_str(ev, a[1], "text");
  return v_bool(str_equal(normalized(ev, a[0], text), text));
}

static const struct {
  uint32_t first, last;
} ambiguous[] = {
#define RANGE(first, last) {first, last},
#include "std_ambiguous_width.def"
#undef RANGE
};

static bool is_ambiguous(uint32_t code) {
  size_t low = 0, high = COUNT_OF(ambiguous);
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (code > ambiguous[middle].last)
      low = middle + 1;
    else
      high = middle;
  }
  return low < COUNT_OF(ambiguous) && code >= ambiguous[low].first;
}

// Of what has no width of its own, these are wide: tone marks of ideographs and of kana.
static bool is_wide_mark(uint32_t code) {
  return (code >= 0x302a && code <= 0x302d) || code == 0x3099 || code == 0x309a || code == 0x16fe4;
}

static bool is_narrow(uint32_t code) {
  return (code >= 0x20 && code <= 0x7e) || code == 0xa2 || code == 0xa3 || code == 0xa5 ||
         code == 0xa6 || code == 0xac || code == 0xaf || (code >= 0x27e6 && code <= 0x27ed) ||
         code == 0x2985 || code == 0x2986;
}

static const char *width_of(uint32_t code) {
  ucs4_t parts[UC_DECOMPOSITION_MAX_LENGTH];
  int tag, count = uc_decomposition(code, &tag, parts);
  if ((count > 0 && tag == UC_DECOMP_WIDE) || code == 0x3000) return "F";
  if ((count > 0 && tag == UC_DECOMP_NARROW) || code == 0x20a9) return "H";
  if (is_ambiguous(code)) return "A";
  if (uc_width(code, "UTF-8") == 2 || is_wide_mark(code)) return "W";
  return is_narrow(code) ? "Na" : "N";
}

static Value f_east_asian_width(Eval *ev, Value *a) {
  return make_str_c(ev, width_of(take_character(ev, a[0], "east_asian_width() argument")));
}

static const NativeDef natives[] = {{"name(chr, default=, /)", f_name},
                                    {"lookup(name, /)", f_lookup},
                                    {"category(chr, /)", f_category},
                                    {"bidirectional(chr, /)", f_bidirectional},
                                    {"combining(chr, /)", f_combining},
                                    {"decimal(chr, default=, /)", f_decimal},
                                    {"digit(chr, default=, /)", f_digit},
                                    {"numeric(chr, default=, /)", f_numeric},
                                    {"decomposition(chr, /)", f_decomposition},
                                    {"normalize(form, unistr, /)", f_normalize},
                                    {"east_asian_width(chr, /)", f_east_asian_width},
                                    {"is_normalized(form, unistr, /)", f_is_normalized},
                                    {0}};

static const NotSupported missing[] = {{"mirrored", NULL}, {"ucd_3_2_0", NULL}, {0}};

const ModuleDef module_unicodedata = {
    .name = "unicodedata", .functions = natives, .not_supported = missing};
