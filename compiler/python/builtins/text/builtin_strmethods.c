// SPDX-License-Identifier: Apache-2.0
// The methods of str. Searching works on bytes (UTF-8 finds no false matches); only positions are
// counted in code points.
#include "base/buf.h"
#include "base/collected.h"
#include "base/unicode.h"
#include "python/values/builtin_state.h"
#include "builtin_bytes.h"
#include "builtin_encoding.h"
#include "python/builtins/builtin_index.h"
#include "python/builtins/builtin_slice.h"
#include "builtin_str.h"
#include "builtin_strformat.h"
#include "builtin_text.h"
#include "python/values/dict.h"
#include "python/values/new_value.h"
#include "python/objects/mapping.h"
#include "python/objects/protocol.h"
#include "python/objects/iteration.h"
#include "python/values/raise.h"
#include "python/objects/type_lookup.h"
#include "python/values/values.h"
#include "python/builtins/builtin_int.h"
#include <string.h>

static Str self_text(Eval *ev, Value self) {
  Str text;
  if (value_as_str(self, &text)) return text;
  eval_raise(ev, ev->types.TypeError, "descriptor requires a 'str' object but received a '%s'",
             value_type_name(ev, self));
}

static Str take_text(Eval *ev, Value v) {
  Str text;
  if (value_as_str(v, &text)) return text;
  eval_raise(ev, ev->types.TypeError, "must be str, not %s", value_type_name(ev, v));
}

static Str take_named(Eval *ev, Value v, const char *what) {
  Str text;
  if (value_as_str(v, &text)) return text;
  eval_raise(ev, ev->types.TypeError, "%s must be str, not %s", what,
             v_is_none(v) ? "None" : value_type_name(ev, v));
}

// A part of the text of `self`, or all of it: then self, if that is nothing but a text.
static Value part_of(Eval *ev, Value self, Str part) {
  bool is_whole = is_a(self, ev->types.string) && ((const StrObject *)self.o)->text.len == part.len;
  return is_whole ? self : str_share(ev, part);
}

// ---- searching ----------------------------------------------------------------------------------
// The part between two optional bounds; false if they do not meet the text at all.
typedef struct Part {
  Str text;     // up to the end bound
  size_t begin; // byte offset of the start bound
  size_t first; // the same in code points
  bool is_ascii;
} Part;

static bool take_part(Eval *ev, Value self, Value start, Value end, Part *part) {
  Str text = self_text(ev, self);
  int64_t count = (int64_t)str_count(self);
  int64_t first = take_bound(ev, start, count, 0), last = take_bound(ev, end, count, count);
  if (first == count && !v_is_none(start) && take_index_clamped(ev, start) > count) return false;
  if (first > last) return false;
  part->is_ascii = (size_t)count == text.len;
  part->first = (size_t)first;
  part->begin = part->is_ascii ? (size_t)first : text_offset(text, (size_t)first);
  part->text = (Str){text.data, part->is_ascii ? (size_t)last : text_offset(text, (size_t)last)};
  return true;
}

static int64_t position(const Part *part, size_t offset) {
  if (part->is_ascii) return (int64_t)offset;
  return (int64_t)(part->first +
                   text_length((Str){part->text.data + part->begin, offset - part->begin}));
}

static int64_t find(Eval *ev, Value *a, bool reverse) {
  Str wanted = take_text(ev, a[1]);
  Part part;
  if (!take_part(ev, a[0], a[2], a[3], &part)) return -1;
  size_t found = reverse ? text_rfind(part.text, wanted, part.text.len)
                         : text_find(part.text, wanted, part.begin);
  if (found == SIZE_MAX || found < part.begin) return -1;
  return position(&part, found);
}

static Value str_find(Eval *ev, Value *a) { return v_int(find(ev, a, false)); }

static Value str_rfind(Eval *ev, Value *a) { return v_int(find(ev, a, true)); }

static Value found_index(Eval *ev, int64_t found) {
  if (found < 0) eval_raise(ev, ev->types.ValueError, "substring not found");
  return v_int(found);
}

static Value str_index(Eval *ev, Value *a) { return found_index(ev, find(ev, a, false)); }

static Value str_rindex(Eval *ev, Value *a) { return found_index(ev, find(ev, a, true)); }

static Value str_count_method(Eval *ev, Value *a) {
  Str wanted = take_text(ev, a[1]);
  Part part;
  if (!take_part(ev, a[0], a[2], a[3], &part)) return v_int(0);
  if (wanted.len == 0) return v_int(position(&part, part.text.len) - (int64_t)part.first + 1);
  int64_t count = 0;
  if (wanted.len == 1) { // of which there may be many
    for (size_t at = part.begin; at < part.text.len; at++)
      count += part.text.data[at] == *wanted.data;
    return v_int(count);
  }
  for (size_t at = part.begin; (at = text_find(part.text, wanted, at)) != SIZE_MAX;
       at += wanted.len)
    count++;
  return v_int(count);
}

static bool has_affix(const Part *part, Str affix, bool at_end) {
  Str text = {part->text.data + part->begin, part->text.len - part->begin};
  return at_end ? str_ends_with(text, affix) : str_starts_with(text, affix);
}

static Value affix_test(Eval *ev, Value *a, bool at_end) {
  const char *name = at_end ? "endswith" : "startswith";
  Part part;
  bool meets = take_part(ev, a[0], a[2], a[3], &part);
  Str affix;
  if (value_as_str(a[1], &affix)) return v_bool(meets && has_affix(&part, affix, at_end));
  const Tuple *affixes = value_as_tuple(a[1]);
  if (!affixes) {
    eval_raise(ev, ev->types.TypeError, "%s first arg must be str or a tuple of str, not %s", name,
               value_type_name(ev, a[1]));
  }
  for (size_t i = 0; i < affixes->count; i++) {
    if (!value_as_str(affixes->items[i], &affix)) {
      eval_raise(ev, ev->types.TypeError, "tuple for %s must only contain str, not %s", name,
                 value_type_name(ev, affixes->items[i]));
    }
    if (meets && has_affix(&part, affix, at_end)) return v_bool(true);
  }
  return v_bool(false);
}

static Value str_startswith(Eval *ev, Value *a) { return affix_test(ev, a, false); }

static Value str_endswith(Eval *ev, Value *a) { return affix_test(ev, a, true); }

// ---- splitting and joining ----------------------------------------------------------------------
static void reverse_items(List *list) {
  for (size_t i = 0; i < list->count / 2; i++) {
    Value item = list->items[i];
    list->items[i] = list->items[list->count - 1 - i];
    list->items[list->count - 1 - i] = item;
  }
}

static bool is_space_at(Str text, size_t at) {
  unsigned char c = (unsigned char)text.data[at];
  if (c < 0x80) return text_is_ascii_space(c);
  return text_flags(text_next(text, &at)) & TEXT_SPACE;
}

static size_t code_size(Str text, size_t at) {
  if ((unsigned char)text.data[at] < 0x80) return 1;
  size_t next = at;
  text_next(text, &next);
  return next - at;
}

// From `at` on: where the first character begins that is a space, or is none.
static size_t next_space(Str text, size_t at, bool wanted) {
  while (at < text.len) {
    unsigned char c = (unsigned char)text.data[at];
    if (c < 0x80 ? text_is_ascii_space(c) == wanted : is_space_at(text, at) == wanted) break;
    at += code_size(text, at);
  }
  return at;
}

static Value split_spaces(Eval *ev, Str text, int64_t most) {
  List *list = list_new(ev, 4);
  size_t at = 0;
  for (;;) {
    size_t begin = at = next_space(text, at, false);
    if (at >= text.len) break;
    if (most-- == 0) {
      list_push(ev, list, str_share(ev, (Str){text.data + begin, text.len - begin}));
      break;
    }
    at = next_space(text, at, true);
    list_push(ev, list, str_share(ev, (Str){text.data + begin, at - begin}));
  }
  return v_object(list);
}

static Value rsplit_spaces(Eval *ev, Str text, int64_t most) {
  List *list = list_new(ev, 4);
  size_t end = text.len;
  for (;;) {
    while (end > 0 && is_space_at(text, text_code_before(text, end)))
      end = text_code_before(text, end);
    if (end == 0) break;
    if (most-- == 0) {
      list_push(ev, list, str_share(ev, (Str){text.data, end}));
      break;
    }
    size_t begin = end;
    while (begin > 0 && !is_space_at(text, text_code_before(text, begin)))
      begin = text_code_before(text, begin);
    list_push(ev, list, str_share(ev, (Str){text.data + begin, end - begin}));
    end = begin;
  }
  reverse_items(list);
  return v_object(list);
}

// Pieces are mostly shorter than what calling memchr takes.
static Value split_byte(Eval *ev, Str text, char separator, int64_t most) {
  List *list = list_new(ev, 8);
  size_t begin = 0;
  for (size_t at = 0; at < text.len && most != 0; at++) {
    if (text.data[at] != separator) continue;
    list_push(ev, list, str_share(ev, (Str){text.data + begin, at - begin}));
    begin = at + 1;
    most--;
  }
  list_push(ev, list, str_share(ev, (Str){text.data + begin, text.len - begin}));
  return v_object(list);
}

static Value split(Eval *ev, Value *a, bool reverse) {
  Str text = self_text(ev, a[0]), separator;
  int64_t most = take_index_clamped(ev, a[2]);
  if (v_is_none(a[1]))
    return reverse ? rsplit_spaces(ev, text, most) : split_spaces(ev, text, most);
  if (!value_as_str(a[1], &separator))
    eval_raise(ev, ev->types.TypeError, "must be str or None, not %s", value_type_name(ev, a[1]));
  if (separator.len == 0) eval_raise(ev, ev->types.ValueError, "empty separator");
  if (separator.len == 1 && !reverse) return split_byte(ev, text, *separator.data, most);
  List *list = list_new(ev, 4);
  size_t begin = 0, end = text.len;
  for (; most != 0; most--) {
    size_t found = reverse ? text_rfind(text, separator, end) : text_find(text, separator, begin);
    if (found == SIZE_MAX) break;
    if (reverse) {
      list_push(
          ev, list,
          str_share(ev, (Str){text.data + found + separator.len, end - found - separator.len}));
      end = found;
    } else {
      list_push(ev, list, str_share(ev, (Str){text.data + begin, found - begin}));
      begin = found + separator.len;
    }
  }
  list_push(ev, list, str_share(ev, (Str){text.data + begin, end - begin}));
  if (reverse) reverse_items(list);
  return v_object(list);
}

static Value str_split(Eval *ev, Value *a) { return split(ev, a, false); }

static Value str_rsplit(Eval *ev, Value *a) { return split(ev, a, true); }

static bool is_line_end(uint32_t code) {
  return (code >= '\n' && code <= '\r') || (code >= 0x1c && code <= 0x1e) || code == 0x85 ||
         code == 0x2028 || code == 0x2029;
}

static Value str_splitlines(Eval *ev, Value *a) {
  Str text = self_text(ev, a[0]);
  bool keep = value_truth(ev, a[1]);
  List *list = list_new(ev, 4);
  size_t begin = 0;
  for (size_t at = 0; at < text.len;) {
    size_t line_end = at;
    uint32_t code = text_next(text, &at);
    if (!is_line_end(code)) continue;
    if (code == '\r' && at < text.len && text.data[at] == '\n') at++;
    list_push(ev, list, str_share(ev, (Str){text.data + begin, (keep ? at : line_end) - begin}));
    begin = at;
  }
  if (begin < text.len)
    list_push(ev, list, str_share(ev, (Str){text.data + begin, text.len - begin}));
  return v_object(list);
}

static Value partition(Eval *ev, Value *a, bool reverse) {
  Str text = self_text(ev, a[0]), separator = take_text(ev, a[1]);
  if (separator.len == 0) eval_raise(ev, ev->types.ValueError, "empty separator");
  size_t found = reverse ? text_rfind(text, separator, text.len) : text_find(text, separator, 0);
  Value empty = str_share(ev, (Str){"", 0});
  if (found == SIZE_MAX) {
    return reverse ? make_tuple(ev, 3, (Value[]){empty, empty, a[0]})
                   : make_tuple(ev, 3, (Value[]){a[0], empty, empty});
  }
  size_t after = found + separator.len;
  Value before = str_share(ev, (Str){text.data, found}),
        rest = str_share(ev, (Str){text.data + after, text.len - after});
  return make_tuple(ev, 3, (Value[]){before, a[1], rest});
}

static Value str_partition(Eval *ev, Value *a) { return partition(ev, a, false); }

static Value str_rpartition(Eval *ev, Value *a) { return partition(ev, a, true); }

static Value str_join(Eval *ev, Value *a) {
  Str separator = self_text(ev, a[0]);
  Type *type = value_type(ev, a[1]);
  if (!type->slots.iter && v_is_unbound(type_lookup(ev, type, ev->builtin->names.dunder_iter)) &&
      v_is_unbound(type_lookup(ev, type, ev->builtin->names.dunder_getitem)))
    eval_raise(ev, ev->types.TypeError, "can only join an iterable");
  const Tuple *items = value_to_tuple(ev, a[1]);
  size_t total = 0;
  for (size_t i = 0; i < items->count; i++) {
    Str item;
    if (!value_as_str(items->items[i], &item)) {
      eval_raise(ev, ev->types.TypeError, "sequence item %zu: expected str instance, %s found", i,
                 value_type_name(ev, items->items[i]));
    }
    total += item.len + (i > 0 ? separator.len : 0);
  }
  demand_memory(ev, total);
  char *text = arena_alloc_bytes(ev->arena, total + 1), *p = text;
  for (size_t i = 0; i < items->count; i++) {
    Str item = {0};
    value_as_str(items->items[i], &item);
    if (i > 0) {
      memcpy(p, separator.data, separator.len);
      p += separator.len;
    }
    memcpy(p, item.data, item.len);
    p += item.len;
  }
  return str_share(ev, (Str){text, total});
}

// ---- replacing and stripping --------------------------------------------------------------------
// Of an `old` that is not empty: all that there are, at most `most` (negative: any number).
static Value replace_all(Eval *ev, Value self, Str text, Str old, Str new, int64_t most) {
  size_t places[16], count = 0, at = 0, found; // of the first ones
  for (; (int64_t)count != most && (found = text_find(text, old, at)) != SIZE_MAX; count++) {
    if (count < COUNT_OF(places)) places[count] = found;
    at = found + old.len;
  }
  if (!count) return part_of(ev, self, text);
  size_t grown;
  if (__builtin_mul_overflow(count, new.len, &grown)) grown = SIZE_MAX / 2;
  demand_memory(ev, grown);
  size_t len = text.len - count * old.len + grown;
  char *data = arena_alloc_bytes(ev->arena, len + 1), *to = data;
  at = 0;
  for (size_t i = 0; i < count; i++, at = found + old.len) {
    found = i < COUNT_OF(places) ? places[i] : text_find(text, old, at);
    memcpy(to, text.data + at, found - at);
    to += found - at;
    if (new.len) memcpy(to, new.data, new.len);
    to += new.len;
  }
  memcpy(to, text.data + at, text.len - at);
  return str_share(ev, (Str){data, len});
}

static Value str_replace(Eval *ev, Value *a) {
  Str text = self_text(ev, a[0]);
  Str old = take_named(ev, a[1], "replace() argument 1"),
      new = take_named(ev, a[2], "replace() argument 2");
  int64_t most = take_index_clamped(ev, a[3]);
  if (old.len > 0) return replace_all(ev, a[0], text, old, new, most);
  Buf buf;
  buf_init(&buf, ev->arena);
  size_t at = 0;
  for (; most != 0; most--) { // an empty text matches before each character and at the end
    buf_str(&buf, new);
    if (at >= text.len) break;
    size_t next = at + code_size(text, at);
    buf_str(&buf, (Str){text.data + at, next - at});
    at = next;
  }
  if (at == 0 && buf.len == 0) return str_share(ev, text);
  buf_str(&buf, (Str){text.data + at, text.len - at});
  return str_share(ev, buf_view(&buf));
}

static bool has_char(Str set, Str text, size_t at, size_t size) {
  for (size_t i = 0; i < set.len;) {
    size_t next = i + code_size(set, i);
    if (next - i == size && memcmp(set.data + i, text.data + at, size) == 0) return true;
    i = next;
  }
  return false;
}

// The same where all are of ASCII: a bit for each.
typedef struct AsciiSet {
  uint64_t bits[2];
} AsciiSet;

static bool ascii_set_of(Str set, AsciiSet *out) {
  *out = (AsciiSet){0};
  for (size_t i = 0; i < set.len; i++) {
    unsigned char c = (unsigned char)set.data[i];
    if (c >= 0x80) return false;
    out->bits[c / 64] |= (uint64_t)1 << c % 64;
  }
  return true;
}

static bool ascii_set_has(const AsciiSet *set, char character) {
  unsigned char c = (unsigned char)character;
  return c < 0x80 && set->bits[c / 64] >> c % 64 & 1;
}

static Str strip_ascii(Str text, const AsciiSet *set, bool left, bool right) {
  size_t begin = 0, end = text.len;
  while (left && begin < end && ascii_set_has(set, text.data[begin])) begin++;
  while (right && end > begin && ascii_set_has(set, text.data[end - 1])) end--;
  return (Str){text.data + begin, end - begin};
}

static Value strip(Eval *ev, Value *a, bool left, bool right) {
  Str text = self_text(ev, a[0]), set;
  if (v_is_none(a[1])) return part_of(ev, a[0], text_strip(text, left, right));
  if (!value_as_str(a[1], &set)) {
    eval_raise(ev, ev->types.TypeError, "%sstrip arg must be None or str",
               left && right ? ""
               : left        ? "l"
                             : "r");
  }
  AsciiSet ascii;
  if (ascii_set_of(set, &ascii)) return part_of(ev, a[0], strip_ascii(text, &ascii, left, right));
  size_t begin = 0, end = text.len;
  while (left && begin < end) {
    size_t size = code_size(text, begin);
    if (!has_char(set, text, begin, size)) break;
    begin += size;
  }
  while (right && end > begin) {
    size_t at = text_code_before(text, end);
    if (!has_char(set, text, at, end - at)) break;
    end = at;
  }
  return part_of(ev, a[0], (Str){text.data + begin, end - begin});
}

static Value str_strip(Eval *ev, Value *a) { return strip(ev, a, true, true); }

static Value str_lstrip(Eval *ev, Value *a) { return strip(ev, a, true, false); }

static Value str_rstrip(Eval *ev, Value *a) { return strip(ev, a, false, true); }

static Value str_removeprefix(Eval *ev, Value *a) {
  Str text = self_text(ev, a[0]), prefix = take_named(ev, a[1], "removeprefix() argument");
  if (str_starts_with(text, prefix)) text = (Str){text.data + prefix.len, text.len - prefix.len};
  return str_share(ev, text);
}

static Value str_removesuffix(Eval *ev, Value *a) {
  Str text = self_text(ev, a[0]), suffix = take_named(ev, a[1], "removesuffix() argument");
  if (str_ends_with(text, suffix)) text.len -= suffix.len;
  return str_share(ev, text);
}

// ---- padding ------------------------------------------------------------------------------------
static Value pad(Eval *ev, Value *a,
                 int align) { // <0 left, 0 center, >0 right: where the text goes
  Str text = self_text(ev, a[0]), fill;
  int64_t width = take_index64(ev, a[1]), room = width - (int64_t)str_count(a[0]);
  if (!value_as_str(a[2], &fill)) {
    eval_raise(ev, ev->types.TypeError, "The fill character must be a unicode character, not %s",
               value_type_name(ev, a[2]));
  }
  if (text_length(fill) != 1)
    eval_raise(ev, ev->types.TypeError, "The fill character must be exactly one character long");
  if (room <= 0) return part_of(ev, a[0], text);
  demand_memory(ev, (size_t)room > SIZE_MAX / 4 ? SIZE_MAX : (size_t)room * fill.len);
  int64_t left = align < 0 ? 0 : align > 0 ? room : room / 2 + (room & width & 1);
  Buf buf;
  buf_init(&buf, ev->arena);
  buf_repeat(&buf, fill, (size_t)left);
  buf_str(&buf, text);
  buf_repeat(&buf, fill, (size_t)(room - left));
  return str_share(ev, buf_view(&buf));
}

static Value str_ljust(Eval *ev, Value *a) { return pad(ev, a, -1); }

static Value str_rjust(Eval *ev, Value *a) { return pad(ev, a, 1); }

static Value str_center(Eval *ev, Value *a) { return pad(ev, a, 0); }

static Value str_zfill(Eval *ev, Value *a) {
  Str text = self_text(ev, a[0]);
  int64_t room = take_index64(ev, a[1]) - (int64_t)str_count(a[0]);
  if (room <= 0) return str_share(ev, text);
  demand_memory(ev, (size_t)room);
  Buf buf;
  buf_init(&buf, ev->arena);
  if (text.len > 0 && (text.data[0] == '+' || text.data[0] == '-')) {
    buf_char(&buf, text.data[0]);
    text.data++, text.len--;
  }
  buf_pad(&buf, '0', (size_t)room);
  buf_str(&buf, text);
  return str_share(ev, buf_view(&buf));
}

static Value str_expandtabs(Eval *ev, Value *a) {
  Str text = self_text(ev, a[0]);
  int64_t size = take_index64(ev, a[1]), column = 0;
  Buf buf;
  buf_init(&buf, ev->arena);
  for (size_t at = 0; at < text.len;) {
    uint32_t code = text_next(text, &at);
    if (code == '\t') {
      int64_t room = size > 0 ? size - column % size : 0;
      buf_pad(&buf, ' ', (size_t)room);
      column += room;
      continue;
    }
    text_put_code(&buf, code);
    column = code == '\n' || code == '\r' ? 0 : column + 1;
  }
  return str_share(ev, buf_view(&buf));
}

// ---- case ---------------------------------------------------------------------------------------
#define CAPITAL_SIGMA 0x3a3
#define FINAL_SIGMA   0x3c2

// Whether a sigma at `begin` (and up to `end`) ends a word: a letter before it, none after it.
static bool is_final_sigma(Str text, size_t begin, size_t end) {
  unsigned flags = TEXT_IGNORABLE;
  for (size_t at = begin; at > 0 && flags & TEXT_IGNORABLE;) {
    at = text_code_before(text, at);
    size_t next = at;
    flags = text_flags(text_next(text, &next));
  }
  if (flags & TEXT_IGNORABLE || !(flags & TEXT_CASED)) return false;
  flags = TEXT_IGNORABLE;
  while (end < text.len && flags & TEXT_IGNORABLE) flags = text_flags(text_next(text, &end));
  return flags & TEXT_IGNORABLE || !(flags & TEXT_CASED);
}

static void put_lower(Buf *buf, Str text, size_t begin, size_t end, uint32_t code) {
  if (code == CAPITAL_SIGMA && is_final_sigma(text, begin, end)) {
    text_put_code(buf, FINAL_SIGMA);
  } else {
    text_put_case(buf, code, CASE_LOWER);
  }
}

typedef enum CaseChange {
  TO_UPPER,
  TO_LOWER,
  TO_FOLDED,
  TO_SWAPPED,
  TO_CAPITALIZED,
  TO_TITLE
} CaseChange;

static void put_changed(Buf *buf, Str text, size_t begin, size_t end, uint32_t code,
                        CaseChange change, bool after_letter) {
  switch (change) {
  case TO_UPPER: text_put_case(buf, code, CASE_UPPER); break;
  case TO_FOLDED: text_put_case(buf, code, CASE_FOLD); break;
  case TO_LOWER: put_lower(buf, text, begin, end, code); break;
  case TO_SWAPPED:
    if (text_flags(code) & TEXT_UPPER) {
      put_lower(buf, text, begin, end, code);
    } else if (text_flags(code) & TEXT_LOWER) {
      text_put_case(buf, code, CASE_UPPER);
    } else {
      text_put_code(buf, code);
    }
    break;
  case TO_CAPITALIZED:
    begin == 0 ? text_put_case(buf, code, CASE_TITLE) : put_lower(buf, text, begin, end, code);
    break;
  case TO_TITLE:
    after_letter ? put_lower(buf, text, begin, end, code) : text_put_case(buf, code, CASE_TITLE);
    break;
  }
}

static Value change_case(Eval *ev, Value self, CaseChange change) {
  Str text = self_text(ev, self);
  Buf buf;
  buf_init(&buf, ev->arena);
  bool after_letter = false;
  for (size_t at = 0; at < text.len;) {
    size_t begin = at;
    uint32_t code = text_next(text, &at);
    put_changed(&buf, text, begin, at, code, change, after_letter);
    after_letter = text_flags(code) & TEXT_CASED;
  }
  return str_share(ev, buf_view(&buf));
}

// The letters from `first` on take their other case: of ASCII that is one bit.
static Value flip_ascii(Eval *ev, Str text, char first) {
  char *out = arena_alloc_bytes(ev->arena, text.len + 1);
  for (size_t i = 0; i < text.len; i++) {
    bool is_letter = (unsigned char)(text.data[i] - first) < 26;
    out[i] = (char)(text.data[i] ^ (is_letter ? 0x20 : 0));
  }
  return str_share(ev, (Str){out, text.len});
}

static Value str_upper(Eval *ev, Value *a) {
  Str text = self_text(ev, a[0]);
  return text_is_ascii(text) ? flip_ascii(ev, text, 'a') : change_case(ev, a[0], TO_UPPER);
}

static Value str_lower(Eval *ev, Value *a) {
  Str text = self_text(ev, a[0]);
  return text_is_ascii(text) ? flip_ascii(ev, text, 'A') : change_case(ev, a[0], TO_LOWER);
}

static Value str_casefold(Eval *ev, Value *a) { return change_case(ev, a[0], TO_FOLDED); }

static Value str_swapcase(Eval *ev, Value *a) { return change_case(ev, a[0], TO_SWAPPED); }

static Value str_capitalize(Eval *ev, Value *a) { return change_case(ev, a[0], TO_CAPITALIZED); }

static Value str_title(Eval *ev, Value *a) { return change_case(ev, a[0], TO_TITLE); }

// ---- properties ---------------------------------------------------------------------------------
// All code points have one of the flags, and there is one.
static Value all_have(Eval *ev, Value self, unsigned flags) {
  Str text = self_text(ev, self);
  for (size_t at = 0; at < text.len;) {
    if (!(text_flags(text_next(text, &at)) & flags)) return v_bool(false);
  }
  return v_bool(text.len > 0);
}

static Value str_isalpha(Eval *ev, Value *a) { return all_have(ev, a[0], TEXT_ALPHA); }

static Value str_isdecimal(Eval *ev, Value *a) { return all_have(ev, a[0], TEXT_DECIMAL); }

static Value str_isdigit(Eval *ev, Value *a) { return all_have(ev, a[0], TEXT_DIGIT); }

static Value str_isnumeric(Eval *ev, Value *a) { return all_have(ev, a[0], TEXT_NUMERIC); }

static Value str_isalnum(Eval *ev, Value *a) {
  return all_have(ev, a[0], TEXT_ALPHA | TEXT_DECIMAL | TEXT_DIGIT | TEXT_NUMERIC);
}

static Value str_isspace(Eval *ev, Value *a) { return all_have(ev, a[0], TEXT_SPACE); }

static Value str_isascii(Eval *ev, Value *a) { return v_bool(text_is_ascii(self_text(ev, a[0]))); }

// No cased code point is of the other case, and one is of this.
static Value one_case(Eval *ev, Value self, unsigned wanted, unsigned unwanted) {
  Str text = self_text(ev, self);
  bool found = false;
  for (size_t at = 0; at < text.len;) {
    unsigned flags = text_flags(text_next(text, &at));
    if (flags & unwanted) return v_bool(false);
    if (flags & wanted) found = true;
  }
  return v_bool(found);
}

static Value str_islower(Eval *ev, Value *a) {
  return one_case(ev, a[0], TEXT_LOWER, TEXT_UPPER | TEXT_TITLE);
}

static Value str_isupper(Eval *ev, Value *a) {
  return one_case(ev, a[0], TEXT_UPPER, TEXT_LOWER | TEXT_TITLE);
}

static Value str_istitle(Eval *ev, Value *a) {
  Str text = self_text(ev, a[0]);
  bool found = false, after_cased = false;
  for (size_t at = 0; at < text.len;) {
    unsigned flags = text_flags(text_next(text, &at));
    if (flags & (TEXT_UPPER | TEXT_TITLE)) {
      if (after_cased) return v_bool(false);
      after_cased = found = true;
    } else if (flags & TEXT_LOWER) {
      if (!after_cased) return v_bool(false);
      found = true;
    } else {
      after_cased = false;
    }
  }
  return v_bool(found);
}

static Value str_isidentifier(Eval *ev, Value *a) {
  return v_bool(unicode_is_identifier(self_text(ev, a[0])));
}

static Value str_isprintable(Eval *ev, Value *a) {
  Str text = self_text(ev, a[0]);
  for (size_t at = 0; at < text.len;) {
    if (!unicode_is_printable(text_next(text, &at))) return v_bool(false);
  }
  return v_bool(true);
}

// ---- translating --------------------------------------------------------------------------------
static Value maketrans_of_dict(Eval *ev, Value given) {
  const Dict *from = value_as_dict(given);
  if (!from)
    eval_raise(ev, ev->types.TypeError,
               "if you give only one argument to maketrans it must be a dict");
  Dict *table = dict_new(ev);
  DictEntry *entry;
  for (size_t it = 0; dict_next(from, &it, &entry);) {
    Str key;
    Value code = entry->key;
    if (value_as_str(code, &key)) {
      if (text_length(key) != 1)
        eval_raise(ev, ev->types.ValueError, "string keys in translate table must be of length 1");
      size_t at = 0;
      code = v_int(text_next(key, &at));
    } else if (!value_is_int(code)) {
      eval_raise(ev, ev->types.TypeError, "keys in translate table must be strings or integers");
    }
    dict_set(ev, table, code, entry->value);
  }
  return v_object(table);
}

static Value str_maketrans(Eval *ev, Value *a) {
  if (v_is_unbound(a[1])) return maketrans_of_dict(ev, a[0]);
  Str from = take_named(ev, a[0], "first maketrans argument"),
      to = take_named(ev, a[1], "maketrans() argument 2");
  if (text_length(from) != text_length(to))
    eval_raise(ev, ev->types.ValueError,
               "the first two maketrans arguments must have equal length");
  Dict *table = dict_new(ev);
  for (size_t i = 0, j = 0; i < from.len;) {
    Value key = v_int(text_next(from, &i));
    dict_set(ev, table, key, v_int(text_next(to, &j)));
  }
  if (!v_is_unbound(a[2])) {
    Str gone = take_named(ev, a[2], "maketrans() argument 3");
    for (size_t i = 0; i < gone.len;) dict_set(ev, table, v_int(text_next(gone, &i)), v_none());
  }
  return v_object(table);
}

typedef struct Translation {
  Value table, key, result;
} Translation;

static void look_up(Eval *ev, void *data) {
  Translation *t = data;
  t->result = value_getitem(ev, t->table, t->key);
}

// What the table gives for a code point; V_UNBOUND if it has no entry.
static Value translated(Eval *ev, Value table, uint32_t code) {
  const Dict *dict = value_as_dict(table);
  if (dict && table.o->type == ev->types.dict) return dict_get(ev, dict, v_int(code));
  Translation t = {table, v_int(code), v_unbound()};
  Value exception;
  if (eval_try(ev, look_up, &t, &exception)) return t.result;
  if (!value_is_instance(ev, exception, ev->types.LookupError)) eval_raise_value(ev, exception);
  return v_unbound();
}

static Value str_translate(Eval *ev, Value *a) {
  Str text = self_text(ev, a[0]);
  Buf buf;
  buf_init(&buf, ev->arena);
  for (size_t at = 0; at < text.len;) {
    uint32_t code = text_next(text, &at);
    Value to = translated(ev, a[1], code);
    Str piece;
    if (v_is_unbound(to)) {
      text_put_code(&buf, code);
    } else if (v_is_none(to)) {
      continue;
    } else if (value_as_str(to, &piece)) {
      buf_str(&buf, piece);
    } else if (to.kind == V_INT) {
      if (to.i < 0 || to.i > 0x10ffff)
        eval_raise(ev, ev->types.ValueError, "character mapping must be in range(0x110000)");
      text_put_code(&buf, (uint32_t)to.i);
    } else {
      eval_raise(ev, ev->types.TypeError, "character mapping must return integer, None or str");
    }
  }
  return str_share(ev, buf_view(&buf));
}

// ---- formatting and the rest --------------------------------------------------------------------
static Value str_format_method(Eval *ev, Value *a) {
  return str_share(ev, text_format(ev, self_text(ev, a[0]), value_as_tuple(a[1]), a[2]));
}

static Value str_format_map(Eval *ev, Value *a) {
  return str_share(ev, text_format(ev, self_text(ev, a[0]), NULL, a[1]));
}

static Value str_encode(Eval *ev, Value *a) {
  return make_bytes(ev, text_encode(ev, self_text(ev, a[0]), a[1], a[2]));
}

static Value str_getnewargs(Eval *ev, Value *a) {
  Value text = str_share(ev, self_text(ev, a[0]));
  return make_tuple(ev, 1, &text);
}

const NativeDef str_methods[] = {
    {"__new__(cls, object=, encoding=, errors=)", str_new},
    {"capitalize(self, /)", str_capitalize},
    {"casefold(self, /)", str_casefold},
    {"center(self, width, fillchar=' ', /)", str_center},
    {"count(self, sub, start=None, end=None, /)", str_count_method},
    {"encode(self, /, encoding=, errors=)", str_encode},
    {"endswith(self, suffix, start=None, end=None, /)", str_endswith},
    {"expandtabs(self, /, tabsize=8)", str_expandtabs},
    {"find(self, sub, start=None, end=None, /)", str_find},
    {"format(self, /, *args, **kwargs)", str_format_method},
    {"format_map(self, mapping, /)", str_format_map},
    {"index(self, sub, start=None, end=None, /)", str_index},
    {"isalnum(self, /)", str_isalnum},
    {"isalpha(self, /)", str_isalpha},
    {"isascii(self, /)", str_isascii},
    {"isdecimal(self, /)", str_isdecimal},
    {"isdigit(self, /)", str_isdigit},
    {"isidentifier(self, /)", str_isidentifier},
    {"islower(self, /)", str_islower},
    {"isnumeric(self, /)", str_isnumeric},
    {"isprintable(self, /)", str_isprintable},
    {"isspace(self, /)", str_isspace},
    {"istitle(self, /)", str_istitle},
    {"isupper(self, /)", str_isupper},
    {"join(self, iterable, /)", str_join},
    {"ljust(self, width, fillchar=' ', /)", str_ljust},
    {"lower(self, /)", str_lower},
    {"lstrip(self, chars=None, /)", str_lstrip},
    {"maketrans(x, y=, z=, /)", str_maketrans},
    {"partition(self, sep, /)", str_partition},
    {"removeprefix(self, prefix, /)", str_removeprefix},
    {"removesuffix(self, suffix, /)", str_removesuffix},
    {"replace(self, old, new, count=-1, /)", str_replace},
    {"rfind(self, sub, start=None, end=None, /)", str_rfind},
    {"rindex(self, sub, start=None, end=None, /)", str_rindex},
    {"rjust(self, width, fillchar=' ', /)", str_rjust},
    {"rpartition(self, sep, /)", str_rpartition},
    {"rsplit(self, /, sep=None, maxsplit=-1)", str_rsplit},
    {"rstrip(self, chars=None, /)", str_rstrip},
    {"split(self, /, sep=None, maxsplit=-1)", str_split},
    {"splitlines(self, /, keepends=False)", str_splitlines},
    {"startswith(self, prefix, start=None, end=None, /)", str_startswith},
    {"strip(self, chars=None, /)", str_strip},
    {"swapcase(self, /)", str_swapcase},
    {"title(self, /)", str_title},
    {"translate(self, table, /)", str_translate},
    {"upper(self, /)", str_upper},
    {"zfill(self, width, /)", str_zfill},
    {"__getnewargs__(self, /)", str_getnewargs},
    {0},
};
