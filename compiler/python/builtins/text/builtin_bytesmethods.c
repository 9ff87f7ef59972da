// SPDX-License-Identifier: Apache-2.0
// The methods of bytes: searching, parts, padding, case; letters are those of ASCII.
#include "base/unicode.h"
#include "base/buf.h"
#include "base/collected.h"
#include "builtin_bytes.h"
#include "python/builtins/builtin_index.h"
#include "python/builtins/builtin_slice.h"
#include "builtin_text.h"
#include "python/values/bytes_like.h"
#include "python/objects/convert.h"
#include "python/values/new_value.h"
#include "python/objects/protocol.h"
#include "python/objects/iteration.h"
#include "python/values/raise.h"
#include "python/objects/type_lookup.h"
#include "python/values/values.h"
#include <string.h>

// What is looked for: bytes, or one of them as a number.
static Str take_wanted(Eval *ev, Value v, char *one) {
  Str text;
  if (value_as_bytes(ev, v, &text)) return text;
  if (v.kind != V_INT && v.kind != V_BOOL)
    eval_raise(ev, ev->types.TypeError, "argument should be integer or bytes-like object, not '%s'",
               value_type_name(ev, v));
  if (v.i < 0 || v.i > 255) eval_raise(ev, ev->types.ValueError, "byte must be in range(0, 256)");
  *one = (char)v.i;
  return (Str){one, 1};
}

// Where, or -1.
static Value find(Eval *ev, Value *a, bool last) {
  char one;
  Str text = self_bytes(ev, a[0]), wanted = take_wanted(ev, a[1], &one);
  int64_t length = (int64_t)text.len;
  size_t begin = (size_t)take_bound(ev, a[2], length, 0),
         end = (size_t)take_bound(ev, a[3], length, length);
  if (begin > end) return v_int(-1);
  size_t found =
      last ? text_rfind(text, wanted, end) : text_find((Str){text.data, end}, wanted, begin);
  return v_int(found == SIZE_MAX || found < begin ? -1 : (int64_t)found);
}

static Value found_index(Eval *ev, Value found) {
  if (found.i < 0) eval_raise(ev, ev->types.ValueError, "subsection not found");
  return found;
}

static Value bytes_find(Eval *ev, Value *a) { return find(ev, a, false); }

static Value bytes_rfind(Eval *ev, Value *a) { return find(ev, a, true); }

static Value bytes_index(Eval *ev, Value *a) { return found_index(ev, find(ev, a, false)); }

static Value bytes_rindex(Eval *ev, Value *a) { return found_index(ev, find(ev, a, true)); }

static Value bytes_count(Eval *ev, Value *a) {
  char one;
  Str text = self_bytes(ev, a[0]), wanted = take_wanted(ev, a[1], &one);
  int64_t length = (int64_t)text.len, count = 0;
  size_t begin = (size_t)take_bound(ev, a[2], length, 0),
         end = (size_t)take_bound(ev, a[3], length, length);
  if (begin > end) return v_int(0);
  text = (Str){text.data + begin, end - begin};
  if (wanted.len == 0) return v_int((int64_t)text.len + 1);
  for (size_t at = 0; (at = text_find(text, wanted, at)) != SIZE_MAX; at += wanted.len) count++;
  return v_int(count);
}

static bool bytes_affix(Eval *ev, Str text, Value affix, bool at_end) {
  Str one;
  if (value_as_bytes(ev, affix, &one))
    return at_end ? str_ends_with(text, one) : str_starts_with(text, one);
  const Tuple *affixes = value_as_tuple(affix);
  if (!affixes) {
    eval_raise(ev, ev->types.TypeError, "%s first arg must be bytes or a tuple of bytes, not %s",
               at_end ? "endswith" : "startswith", value_type_name(ev, affix));
  }
  for (size_t i = 0; i < affixes->count; i++) {
    if (bytes_affix(ev, text, affixes->items[i], at_end)) return true;
  }
  return false;
}

// Whether a part begins or ends with it; no part, where the end is before the start, does.
static Value affix_test(Eval *ev, Value *a, bool at_end) {
  Str text = self_bytes(ev, a[0]);
  int64_t length = (int64_t)text.len, start = v_is_none(a[2]) ? 0 : take_index_clamped(ev, a[2]);
  size_t begin = (size_t)take_bound(ev, v_int(start), length, 0),
         end = (size_t)take_bound(ev, a[3], length, length);
  bool is_part = begin <= end && start <= length;
  Str part = is_part ? (Str){text.data + begin, end - begin} : (Str){text.data, 0};
  return v_bool(bytes_affix(ev, part, a[1], at_end) && is_part);
}

static Value bytes_startswith(Eval *ev, Value *a) { return affix_test(ev, a, false); }

static Value bytes_endswith(Eval *ev, Value *a) { return affix_test(ev, a, true); }

static Value bytes_join(Eval *ev, Value *a) {
  Str separator = self_bytes(ev, a[0]);
  const Tuple *items = value_to_tuple(ev, a[1]);
  Buf buf;
  buf_init(&buf, ev->arena);
  for (size_t i = 0; i < items->count; i++) {
    Str item;
    if (!as_bytes_like(ev, items->items[i], &item)) {
      eval_raise(ev, ev->types.TypeError,
                 "sequence item %zu: expected a bytes-like object, %s found", i,
                 value_type_name(ev, items->items[i]));
    }
    if (i > 0) buf_str(&buf, separator);
    buf_str(&buf, item);
  }
  return make_like(ev, a[0], buf_view(&buf));
}

static bool is_ascii_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static Value bytes_split(Eval *ev, Value *a) {
  Str text = self_bytes(ev, a[0]);
  int64_t most = take_index_clamped(ev, a[2]);
  List *list = list_new(ev, 4);
  size_t at = 0;
  if (v_is_none(a[1])) {
    for (;;) {
      while (at < text.len && is_ascii_space(text.data[at])) at++;
      if (at >= text.len) return v_object(list);
      size_t begin = at;
      while (at < text.len && (most == 0 || !is_ascii_space(text.data[at]))) at++;
      list_push(ev, list, make_like(ev, a[0], (Str){text.data + begin, at - begin}));
      if (most > 0) most--;
    }
  }
  Str separator = take_bytes_like(ev, a[1]);
  if (separator.len == 0) eval_raise(ev, ev->types.ValueError, "empty separator");
  for (; most != 0; most--) {
    size_t found = text_find(text, separator, at);
    if (found == SIZE_MAX) break;
    list_push(ev, list, make_like(ev, a[0], (Str){text.data + at, found - at}));
    at = found + separator.len;
  }
  list_push(ev, list, make_like(ev, a[0], (Str){text.data + at, text.len - at}));
  return v_object(list);
}

static Value bytes_replace(Eval *ev, Value *a) {
  Str text = self_bytes(ev, a[0]), old = take_bytes_like(ev, a[1]), new = take_bytes_like(ev, a[2]);
  int64_t most = take_index_clamped(ev, a[3]);
  Buf buf;
  buf_init(&buf, ev->arena);
  size_t at = 0;
  for (; most != 0 && at <= text.len; most--) {
    size_t found = text_find(text, old, at);
    if (found == SIZE_MAX) break;
    buf_str(&buf, (Str){text.data + at, found - at});
    buf_str(&buf, new);
    at = found + old.len;
    if (old.len == 0) {
      if (at < text.len) buf_char(&buf, text.data[at]);
      at++;
    }
  }
  if (at < text.len) buf_str(&buf, (Str){text.data + at, text.len - at});
  return make_like(ev, a[0], buf_view(&buf));
}

static Value bytes_strip_sides(Eval *ev, Value *a, bool left, bool right) {
  Str text = self_bytes(ev, a[0]);
  Str set = v_is_none(a[1]) ? STR(" \t\n\r\f\v") : take_bytes_like(ev, a[1]);
  while (left && text.len > 0 && memchr(set.data, text.data[0], set.len)) text.data++, text.len--;
  while (right && text.len > 0 && memchr(set.data, text.data[text.len - 1], set.len)) text.len--;
  return make_like(ev, a[0], text);
}

static Value bytes_strip(Eval *ev, Value *a) { return bytes_strip_sides(ev, a, true, true); }

static Value bytes_lstrip(Eval *ev, Value *a) { return bytes_strip_sides(ev, a, true, false); }

static Value bytes_rstrip(Eval *ev, Value *a) { return bytes_strip_sides(ev, a, false, true); }

static Value bytes_change_case(Eval *ev, Value self, char first, char last) {
  Str text = self_bytes(ev, self);
  char *out = arena_dup(ev->arena, text.data, text.len);
  for (size_t i = 0; i < text.len; i++) {
    if (out[i] >= first && out[i] <= last) out[i] ^= 32;
  }
  return make_like(ev, self, (Str){out, text.len});
}

static Value bytes_upper(Eval *ev, Value *a) { return bytes_change_case(ev, a[0], 'a', 'z'); }

static Value bytes_lower(Eval *ev, Value *a) { return bytes_change_case(ev, a[0], 'A', 'Z'); }

// ---- parts --------------------------------------------------------------------------------------
static Value part(Eval *ev, Value self, Str text, size_t begin, size_t end) {
  return make_like(ev, self, (Str){text.data + begin, end - begin});
}

static Value reversed_list(List *list) {
  for (size_t i = 0, j = list->count; i + 1 < j; i++, j--) {
    Value kept = list->items[i];
    list->items[i] = list->items[j - 1];
    list->items[j - 1] = kept;
  }
  return v_object(list);
}

static Value split_spaces_from_right(Eval *ev, Value self, int64_t most) {
  Str text = self_bytes(ev, self);
  List *list = list_new(ev, 4);
  size_t end = text.len;
  for (;; most -= most > 0) {
    while (end > 0 && is_ascii_space(text.data[end - 1])) end--;
    if (end == 0) break;
    size_t begin = end;
    while (begin > 0 && (most == 0 || !is_ascii_space(text.data[begin - 1]))) begin--;
    list_push(ev, list, part(ev, self, text, begin, end));
    end = begin;
  }
  return reversed_list(list);
}

static Value bytes_rsplit(Eval *ev, Value *a) {
  Str text = self_bytes(ev, a[0]);
  int64_t most = take_index_clamped(ev, a[2]);
  if (v_is_none(a[1])) return split_spaces_from_right(ev, a[0], most);
  Str separator = take_bytes_like(ev, a[1]);
  if (separator.len == 0) eval_raise(ev, ev->types.ValueError, "empty separator");
  List *list = list_new(ev, 4);
  size_t end = text.len;
  for (; most != 0; most--) {
    size_t found = text_rfind(text, separator, end);
    if (found == SIZE_MAX) break;
    list_push(ev, list, part(ev, a[0], text, found + separator.len, end));
    end = found;
  }
  list_push(ev, list, part(ev, a[0], text, 0, end));
  return reversed_list(list);
}

static Value bytes_splitlines(Eval *ev, Value *a) {
  Str text = self_bytes(ev, a[0]);
  bool keep = value_truth(ev, a[1]);
  List *list = list_new(ev, 4);
  for (size_t begin = 0; begin < text.len;) {
    size_t end = begin;
    while (end < text.len && text.data[end] != '\n' && text.data[end] != '\r') end++;
    size_t next = end;
    if (next < text.len)
      next += text.data[next] == '\r' && next + 1 < text.len && text.data[next + 1] == '\n' ? 2 : 1;
    list_push(ev, list, part(ev, a[0], text, begin, keep ? next : end));
    begin = next;
  }
  return v_object(list);
}

static Value cut(Eval *ev, Value *a, bool last) {
  Str text = self_bytes(ev, a[0]), separator = take_bytes_like(ev, a[1]);
  if (separator.len == 0) eval_raise(ev, ev->types.ValueError, "empty separator");
  size_t found = last ? text_rfind(text, separator, text.len) : text_find(text, separator, 0);
  Value whole = make_like(ev, a[0], text), empty = make_like(ev, a[0], (Str){"", 0});
  if (found == SIZE_MAX)
    return last ? make_tuple(ev, 3, (Value[]){empty, empty, whole})
                : make_tuple(ev, 3, (Value[]){whole, empty, empty});
  return make_tuple(ev, 3,
                    (Value[]){part(ev, a[0], text, 0, found), make_like(ev, a[0], separator),
                              part(ev, a[0], text, found + separator.len, text.len)});
}

static Value bytes_partition(Eval *ev, Value *a) { return cut(ev, a, false); }

static Value bytes_rpartition(Eval *ev, Value *a) { return cut(ev, a, true); }

static Value bytes_removeprefix(Eval *ev, Value *a) {
  Str text = self_bytes(ev, a[0]), prefix = take_bytes_like(ev, a[1]);
  return part(ev, a[0], text, str_starts_with(text, prefix) ? prefix.len : 0, text.len);
}

static Value bytes_removesuffix(Eval *ev, Value *a) {
  Str text = self_bytes(ev, a[0]), suffix = take_bytes_like(ev, a[1]);
  return part(ev, a[0], text, 0, text.len - (str_ends_with(text, suffix) ? suffix.len : 0));
}

// ---- padding ------------------------------------------------------------------------------------
static Value pad(Eval *ev, Value *a, const char *name,
                 int side) { // <0 left, 0 center, >0 right: where the text goes
  Str text = self_bytes(ev, a[0]), fill;
  int64_t width = take_index64(ev, a[1]), room = width - (int64_t)text.len;
  fill = STR(" ");
  if (!v_is_unbound(a[2]) && (!value_as_bytes(ev, a[2], &fill) || fill.len != 1))
    eval_raise(ev, ev->types.TypeError, "%s() argument 2 must be a byte string of length 1, not %s",
               name, value_type_name(ev, a[2]));
  if (room <= 0) return make_like(ev, a[0], text);
  demand_memory(ev, (size_t)width);
  int64_t left = side < 0 ? 0 : side > 0 ? room : room / 2 + (room & width & 1);
  Buf buf;
  buf_init(&buf, ev->arena);
  buf_pad(&buf, fill.data[0], (size_t)left);
  buf_str(&buf, text);
  buf_pad(&buf, fill.data[0], (size_t)(room - left));
  return make_like(ev, a[0], buf_view(&buf));
}

static Value bytes_ljust(Eval *ev, Value *a) { return pad(ev, a, "ljust", -1); }

static Value bytes_center(Eval *ev, Value *a) { return pad(ev, a, "center", 0); }

static Value bytes_rjust(Eval *ev, Value *a) { return pad(ev, a, "rjust", 1); }

static Value bytes_zfill(Eval *ev, Value *a) {
  Str text = self_bytes(ev, a[0]);
  int64_t room = take_index64(ev, a[1]) - (int64_t)text.len;
  demand_memory(ev, room > 0 ? (size_t)room : 0);
  size_t sign = text.len > 0 && (text.data[0] == '+' || text.data[0] == '-');
  Buf buf;
  buf_init(&buf, ev->arena);
  buf_str(&buf, (Str){text.data, sign});
  buf_pad(&buf, '0', room > 0 ? (size_t)room : 0);
  buf_str(&buf, (Str){text.data + sign, text.len - sign});
  return make_like(ev, a[0], buf_view(&buf));
}

static Value bytes_expandtabs(Eval *ev, Value *a) {
  Str text = self_bytes(ev, a[0]);
  int64_t size = take_index64(ev, a[1]), column = 0;
  Buf buf;
  buf_init(&buf, ev->arena);
  for (size_t i = 0; i < text.len; i++) {
    char c = text.data[i];
    int64_t room = c == '\t' && size > 0 ? size - column % size : 0;
    if (c == '\t') {
      buf_pad(&buf, ' ', (size_t)room);
    } else {
      buf_char(&buf, c);
    }
    column = c == '\n' || c == '\r' ? 0 : column + (c == '\t' ? room : 1);
  }
  return make_like(ev, a[0], buf_view(&buf));
}

// ---- letters: of ASCII alone --------------------------------------------------------------------
static bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

static bool is_lower(char c) { return c >= 'a' && c <= 'z'; }

static bool is_letter(char c) { return is_upper(c) || is_lower(c); }

static bool is_letter_or_digit(char c) { return is_letter(c) || ascii_is_digit(c); }

static bool is_ascii(char c) { return (unsigned char)c < 128; }

static Value all_are(Eval *ev, Value self, bool (*holds)(char)) {
  Str text = self_bytes(ev, self);
  for (size_t i = 0; i < text.len; i++)
    if (!holds(text.data[i])) return v_bool(false);
  return v_bool(text.len > 0);
}

static Value bytes_isalnum(Eval *ev, Value *a) { return all_are(ev, a[0], is_letter_or_digit); }

static Value bytes_isalpha(Eval *ev, Value *a) { return all_are(ev, a[0], is_letter); }

static Value bytes_isdigit(Eval *ev, Value *a) { return all_are(ev, a[0], ascii_is_digit); }

static Value bytes_isspace(Eval *ev, Value *a) { return all_are(ev, a[0], is_ascii_space); }

static Value bytes_isascii(Eval *ev, Value *a) {
  return v_bool(self_bytes(ev, a[0]).len == 0 || all_are(ev, a[0], is_ascii).i);
}

// Some letters, all of this case.
static Value all_of_case(Eval *ev, Value self, bool (*is_case)(char)) {
  Str text = self_bytes(ev, self);
  bool some = false;
  for (size_t i = 0; i < text.len; i++) {
    if (is_letter(text.data[i]) && !is_case(text.data[i])) return v_bool(false);
    some |= is_letter(text.data[i]);
  }
  return v_bool(some);
}

static Value bytes_islower(Eval *ev, Value *a) { return all_of_case(ev, a[0], is_lower); }

static Value bytes_isupper(Eval *ev, Value *a) { return all_of_case(ev, a[0], is_upper); }

static Value bytes_istitle(Eval *ev, Value *a) {
  Str text = self_bytes(ev, a[0]);
  bool some = false, inside = false;
  for (size_t i = 0; i < text.len; i++) {
    char c = text.data[i];
    if (inside ? is_upper(c) : is_lower(c)) return v_bool(false);
    inside = is_letter(c);
    some |= inside;
  }
  return v_bool(some);
}

typedef enum Casing { CASING_TITLE, CASING_CAPITAL, CASING_SWAPPED } Casing;

static Value recased(Eval *ev, Value self, Casing casing) {
  Str text = self_bytes(ev, self);
  char *out = arena_dup(ev->arena, text.data, text.len);
  for (size_t i = 0; i < text.len; i++) {
    bool first = i == 0 || (casing == CASING_TITLE && !is_letter(text.data[i - 1]));
    bool upper = casing == CASING_SWAPPED ? is_lower(out[i]) : first;
    if (is_letter(out[i])) out[i] = (char)(upper ? out[i] & ~32 : out[i] | 32);
  }
  return make_like(ev, self, (Str){out, text.len});
}

static Value bytes_title(Eval *ev, Value *a) { return recased(ev, a[0], CASING_TITLE); }

static Value bytes_capitalize(Eval *ev, Value *a) { return recased(ev, a[0], CASING_CAPITAL); }

static Value bytes_swapcase(Eval *ev, Value *a) { return recased(ev, a[0], CASING_SWAPPED); }

// ---- tables -------------------------------------------------------------------------------------
enum { TABLE_SIZE = 256 };

static Value bytes_maketrans(Eval *ev, Value *a) {
  Str from = take_bytes_like(ev, a[0]), to = take_bytes_like(ev, a[1]);
  if (from.len != to.len)
    eval_raise(ev, ev->types.ValueError, "maketrans arguments must have same length");
  char *table = arena_alloc_bytes(ev->arena, TABLE_SIZE);
  for (int i = 0; i < TABLE_SIZE; i++) table[i] = (char)i;
  for (size_t i = 0; i < from.len; i++) table[(unsigned char)from.data[i]] = to.data[i];
  return make_bytes(ev, (Str){table, TABLE_SIZE});
}

static Value bytes_translate(Eval *ev, Value *a) {
  Str text = self_bytes(ev, a[0]), gone = {0}, table = {0};
  if (!v_is_unbound(a[2])) gone = take_bytes_like(ev, a[2]);
  if (!v_is_none(a[1])) {
    table = take_bytes_like(ev, a[1]);
    if (table.len != TABLE_SIZE)
      eval_raise(ev, ev->types.ValueError, "translation table must be 256 characters long");
  }
  Buf buf;
  buf_init(&buf, ev->arena);
  for (size_t i = 0; i < text.len; i++) {
    if (gone.len > 0 && memchr(gone.data, text.data[i], gone.len)) continue;
    buf_char(&buf, table.len ? table.data[(unsigned char)text.data[i]] : text.data[i]);
  }
  return make_like(ev, a[0], buf_view(&buf));
}

const NativeDef bytes_methods[] = {
    {"__new__(cls, source=, encoding=, errors=)", bytes_new},
    {"decode(self, /, encoding=, errors=)", bytes_decode},
    {"hex(self, sep=, bytes_per_sep=1)", bytes_hex},
    {"fromhex(cls, string, /)", bytes_fromhex},
    {"find(self, sub, start=None, end=None, /)", bytes_find},
    {"index(self, sub, start=None, end=None, /)", bytes_index},
    {"count(self, sub, start=None, end=None, /)", bytes_count},
    {"startswith(self, prefix, start=None, end=None, /)", bytes_startswith},
    {"endswith(self, suffix, start=None, end=None, /)", bytes_endswith},
    {"join(self, iterable_of_bytes, /)", bytes_join},
    {"split(self, /, sep=None, maxsplit=-1)", bytes_split},
    {"replace(self, old, new, count=-1, /)", bytes_replace},
    {"strip(self, bytes=None, /)", bytes_strip},
    {"lstrip(self, bytes=None, /)", bytes_lstrip},
    {"rstrip(self, bytes=None, /)", bytes_rstrip},
    {"upper(self, /)", bytes_upper},
    {"lower(self, /)", bytes_lower},
    {"capitalize(self, /)", bytes_capitalize},
    {"center(self, width, fillbyte=, /)", bytes_center},
    {"expandtabs(self, /, tabsize=8)", bytes_expandtabs},
    {"isalnum(self, /)", bytes_isalnum},
    {"isalpha(self, /)", bytes_isalpha},
    {"isascii(self, /)", bytes_isascii},
    {"isdigit(self, /)", bytes_isdigit},
    {"islower(self, /)", bytes_islower},
    {"isspace(self, /)", bytes_isspace},
    {"istitle(self, /)", bytes_istitle},
    {"isupper(self, /)", bytes_isupper},
    {"ljust(self, width, fillbyte=, /)", bytes_ljust},
    {"maketrans(frm, to, /)", bytes_maketrans},
    {"partition(self, sep, /)", bytes_partition},
    {"removeprefix(self, prefix, /)", bytes_removeprefix},
    {"removesuffix(self, suffix, /)", bytes_removesuffix},
    {"rfind(self, sub, start=None, end=None, /)", bytes_rfind},
    {"rindex(self, sub, start=None, end=None, /)", bytes_rindex},
    {"rjust(self, width, fillbyte=, /)", bytes_rjust},
    {"rpartition(self, sep, /)", bytes_rpartition},
    {"rsplit(self, /, sep=None, maxsplit=-1)", bytes_rsplit},
    {"splitlines(self, /, keepends=False)", bytes_splitlines},
    {"swapcase(self, /)", bytes_swapcase},
    {"title(self, /)", bytes_title},
    {"translate(self, table, /, delete=)", bytes_translate},
    {"zfill(self, width, /)", bytes_zfill},
    {0},
};
