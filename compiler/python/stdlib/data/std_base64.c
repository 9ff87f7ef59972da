// SPDX-License-Identifier: Apache-2.0
// The module base64: what base64.pk has in C, groups of three bytes as four letters and back.
#include <string.h>

#include "base/collected.h"
#include "python/modules/module.h"
#include "python/builtins/text/builtin_bytes.h"
#include "python/values/new_value.h"
#include "python/values/values.h"

static Value base64_letters_of(Eval *ev, Value *a) {
  Str data = take_bytes_like(ev, a[0]), letters = take_bytes_like(ev, a[1]);
  const unsigned char *in = (const unsigned char *)data.data;
  size_t count = (data.len + 2) / 3 * 4, at = 0;
  char *out = arena_alloc_bytes(ev->arena, count + 1);
  for (size_t i = 0; i < data.len; i += 3) {
    size_t left = data.len - i;
    unsigned bits = (unsigned)in[i] << 16 | (left > 1 ? (unsigned)in[i + 1] << 8 : 0) |
                    (left > 2 ? in[i + 2] : 0);
    out[at++] = letters.data[bits >> 18];
    out[at++] = letters.data[bits >> 12 & 63];
    out[at++] = left > 1 ? letters.data[bits >> 6 & 63] : '=';
    out[at++] = left > 2 ? letters.data[bits & 63] : '=';
  }
  return make_bytes(ev, (Str){out, count});
}

// Where the letters end, `=` is to fill the last group up.
static bool is_padded(Str text, size_t seen) {
  size_t pads = 0;
  for (size_t i = 0; i < text.len; i++) pads += text.data[i] == '=';
  return seen % 4 == 0 || pads >= 4 - seen % 4;
}

// (The bytes, how many letters they were, whether the last group is whole.) What is no letter is
// skipped.
static Value base64_data_of(Eval *ev, Value *a) {
  Str text = take_bytes_like(ev, a[0]), letters = take_bytes_like(ev, a[1]);
  signed char values[256];
  memset(values, -1, sizeof values);
  for (size_t i = 0; i < letters.len; i++) values[(unsigned char)letters.data[i]] = (signed char)i;
  char *out = arena_alloc_bytes(ev->arena, text.len / 4 * 3 + 4);
  size_t at = 0, seen = 0;
  unsigned bits = 0;
  for (size_t i = 0; i < text.len; i++) {
    int value = values[(unsigned char)text.data[i]];
    if (text.data[i] == '=' && seen % 4 > 1) break;
    if (value < 0) continue;
    bits = bits << 6 | (unsigned)value;
    if (seen++ % 4) out[at++] = (char)(bits >> (6 - 2 * ((seen - 1) % 4)));
  }
  Value items[] = {make_bytes(ev, (Str){out, at}), v_int((int64_t)seen),
                   v_bool(is_padded(text, seen))};
  return make_tuple(ev, 3, items);
}

static const NativeDef natives[] = {{"_letters_of(data, letters)", base64_letters_of},
                                    {"_data_of(text, letters)", base64_data_of},
                                    {0}};

const ModuleDef module_base64 = {.name = "base64", .functions = natives};
