// SPDX-License-Identifier: Apache-2.0
// Strings that know their length.
#include <stdio.h>
#include <string.h>

#include "base.h"
#include "collected.h"

Str str_from_c(const char *text) { return (Str){text, strlen(text)}; }

bool str_equal(Str a, Str b) {
  return a.len == b.len && (a.len == 0 || memcmp(a.data, b.data, a.len) == 0);
}

int str_compare(Str a, Str b) {
  size_t common = a.len < b.len ? a.len : b.len;
  int order = common ? memcmp(a.data, b.data, common) : 0;
  if (order != 0) return order < 0 ? -1 : 1;
  return a.len < b.len ? -1 : a.len > b.len;
}

// FNV-1a; http://www.isthe.com/chongo/tech/comp/fnv.
uint64_t str_hash64(Str s) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (size_t i = 0; i < s.len; i++) hash = (hash ^ (unsigned char)s.data[i]) * 0x100000001b3u;
  return hash;
}

bool str_starts_with(Str s, Str prefix) {
  return s.len >= prefix.len && str_equal((Str){s.data, prefix.len}, prefix);
}

bool str_ends_with(Str s, Str suffix) {
  return s.len >= suffix.len && str_equal((Str){s.data + (s.len - suffix.len), suffix.len}, suffix);
}

Str str_copy(Arena *arena, Str s) {
  char *copy = arena_alloc_bytes(arena, s.len + 1);
  if (s.len) memcpy(copy, s.data, s.len);
  return (Str){copy, s.len};
}

Str str_vformat(Arena *arena, const char *fmt, va_list args) {
  va_list again;
  va_copy(again, args);
  char brief[128];
  int len = vsnprintf(brief, sizeof brief, fmt, args);
  if (len < 0) BUG("cannot format '%s'", fmt);
  char *text = arena_alloc_bytes(arena, (size_t)len + 1);
  if ((size_t)len < sizeof brief)
    memcpy(text, brief, (size_t)len + 1);
  else
    vsnprintf(text, (size_t)len + 1, fmt, again);
  va_end(again);
  return (Str){text, (size_t)len};
}

Str str_of_i64(Arena *arena, int64_t number) {
  char digits[24], *at = digits + sizeof digits;
  uint64_t rest = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
  do *--at = (char)('0' + rest % 10);
  while (rest /= 10);
  if (number < 0) *--at = '-';
  return str_copy(arena, (Str){at, (size_t)(digits + sizeof digits - at)});
}

Str str_format(Arena *arena, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  Str s = str_vformat(arena, fmt, args);
  va_end(args);
  return s;
}

#define MAX_EDITS 64

// Edits are insertions, deletions, substitutions and swaps of neighbours. Only the band of the
// matrix within `limit` of the diagonal is computed: cell [k] of a row i is column i + k - limit.
size_t str_distance(Str a, Str b, size_t limit) {
  while (a.len && b.len && a.data[0] == b.data[0]) a.data++, a.len--, b.data++, b.len--;
  while (a.len && b.len && a.data[a.len - 1] == b.data[b.len - 1]) a.len--, b.len--;
  size_t far = limit + 1;
  if (limit > MAX_EDITS) limit = MAX_EDITS;
  if ((a.len > b.len ? a.len - b.len : b.len - a.len) > limit) return far;
  size_t rows[3][2 * MAX_EDITS + 3];
  size_t *before = rows[0], *last = rows[1], *row = rows[2], width = 2 * limit + 1;
  for (size_t k = 0; k <= width; k++) {
    before[k] = far;
    last[k] = k >= limit && k < width ? k - limit : far;
  }
  for (size_t i = 1; i <= a.len; i++) {
    size_t least = far;
    for (size_t k = 0; k < width; k++) {
      row[k] = far;
      if (i + k < limit || i + k - limit > b.len) continue;
      size_t j = i + k - limit;
      size_t best = last[k + 1] + 1; // delete a[i - 1]
      if (k > 0 && row[k - 1] + 1 < best) best = row[k - 1] + 1;
      if (j > 0) {
        size_t same = last[k] + (a.data[i - 1] != b.data[j - 1]);
        if (same < best) best = same;
      }
      if (i > 1 && j > 1 && a.data[i - 1] == b.data[j - 2] && a.data[i - 2] == b.data[j - 1] &&
          before[k] + 1 < best)
        best = before[k] + 1;
      row[k] = best < far ? best : far;
      if (row[k] < least) least = row[k];
    }
    row[width] = far;
    if (least == far) return far;
    size_t *spare = before;
    before = last;
    last = row;
    row = spare;
  }
  size_t edits = last[b.len + limit - a.len];
  return edits <= limit ? edits : far;
}
