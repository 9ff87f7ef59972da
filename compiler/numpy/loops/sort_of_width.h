// SPDX-License-Identifier: Apache-2.0
// Sorting of keys of one width: included by loops_sort.c for each, with
//   U        the unsigned type of the keys
//   BITS     its width
//   NAME(x)  x with the width at its end

typedef U NAME(lanes) __attribute__((vector_size(64)));
enum { NAME(LANES) = 64 / sizeof(U) };

static void NAME(insert)(U *keys, int64_t *places, int64_t count) {
  for (int64_t i = 1; i < count; i++) {
    U key = keys[i];
    int64_t place = places ? places[i] : 0, at = i;
    for (; at > 0 && keys[at - 1] > key; at--) {
      keys[at] = keys[at - 1];
      if (places) places[at] = places[at - 1];
    }
    keys[at] = key;
    if (places) places[at] = place;
  }
}

// Each key goes to the place that is the number of keys that stand before it: comparisons of all
// with all, a vector of them at once. No more than SHORT_ROW.
ND_CLONES static void NAME(rank)(U *keys, int64_t *places, int64_t count) {
  U from[SHORT_ROW + NAME(LANES)] __attribute__((aligned(64))), ranks[NAME(LANES)];
  int64_t from_places[SHORT_ROW];
  memcpy(from, keys, (size_t)count * sizeof *keys);
  memset(from + count, 0xff, sizeof(U) * NAME(LANES));
  if (places) memcpy(from_places, places, (size_t)count * sizeof *places);
  for (int64_t begin = 0; begin < count; begin += NAME(LANES)) {
    const NAME(lanes) mine = *(const NAME(lanes) *)(from + begin);
    int64_t end = begin + NAME(LANES) < count ? begin + NAME(LANES) : count;
    NAME(lanes) before = {0}; // comparisons give -1
    for (int64_t i = 0; i < begin; i++) before -= (NAME(lanes))(mine >= from[i]);
    for (int64_t i = end; i < count; i++) before -= (NAME(lanes))(mine > from[i]);
    memcpy(ranks, &before, sizeof ranks);
    for (int64_t i = begin; i < end; i++)
      for (int64_t k = 0; k < NAME(LANES); k++)
        ranks[k] += (from[begin + k] > from[i]) | ((from[begin + k] == from[i]) & (begin + k > i));
    for (int64_t i = begin; i < end; i++) {
      keys[ranks[i - begin]] = from[i];
      if (places) places[ranks[i - begin]] = from_places[i];
    }
  }
}

static void NAME(sort_short)(U *keys, int64_t *places, int64_t count) {
  (count <= FEW ? NAME(insert) : NAME(rank))(keys, places, count);
}

// As many rows as a vector has lanes, side by side: key i of all of them at keys[i * LANES].
// Batcher 1968 (odd-even merges), whose comparisons do not depend on the keys.
ND_CLONES static void NAME(sort_lanes)(U *keys, int64_t count) {
  NAME(lanes) *all = (NAME(lanes) *)keys;
  for (int64_t p = 1, log = 1; p < count; p *= 2, log++)
    for (int64_t k = p; k > 0; k /= 2)
      for (int64_t j = k % p; j + k < count; j += 2 * k) {
        int64_t few = count - j - k < k ? count - j - k : k;
        for (int64_t i = j; i < j + few; i++) {
          if (i >> log != (i + k) >> log) continue;
          NAME(lanes) low = all[i], high = all[i + k], swap = (NAME(lanes))(low > high);
          all[i] = (high & swap) | (low & ~swap);
          all[i + k] = (low & swap) | (high & ~swap);
        }
      }
}

// One digit: `starts` counts the keys of each of its values, and becomes where the next one goes.
static void NAME(scatter)(const U *keys, U *to, const int64_t *places, int64_t *to_places,
                          int64_t count, unsigned shift, U mask, int64_t *starts) {
  int64_t sum = 0;
  for (U value = 0; value <= mask; value++) {
    int64_t n = starts[value];
    starts[value] = sum;
    sum += n;
  }
  if (!places) {
    for (int64_t i = 0; i < count; i++) to[starts[keys[i] >> shift & mask]++] = keys[i];
    return;
  }
  for (int64_t i = 0; i < count; i++) {
    int64_t at = starts[keys[i] >> shift & mask]++;
    to[at] = keys[i];
    to_places[at] = places[i];
  }
}

static void NAME(sort_digits)(U *keys, U *spare, int64_t *places, int64_t *spare_places,
                              int64_t count) {
  int64_t starts[1 << WIDE_DIGIT];
  unsigned bits = count < LONG_ROW ? NARROW_DIGIT : WIDE_DIGIT;
  U mask = ((U)1 << bits) - 1, differs = 0, *from = keys, *to = spare;
  int64_t *from_places = places, *to_places = spare_places;
  for (int64_t i = 1; i < count; i++) differs |= keys[i] ^ keys[0];
  for (unsigned shift = 0; shift < 8 * sizeof(U); shift += bits) {
    if (!(differs >> shift & mask)) continue;
    memset(starts, 0, sizeof *starts << bits);
    for (int64_t i = 0; i < count; i++) starts[from[i] >> shift & mask]++;
    NAME(scatter)(from, to, from_places, to_places, count, shift, mask, starts);
    U *other = from;
    int64_t *other_places = from_places;
    from = to, to = other;
    from_places = to_places, to_places = other_places;
  }
  if (from == keys) return;
  memcpy(keys, from, (size_t)count * sizeof *keys);
  if (places) memcpy(places, from_places, (size_t)count * sizeof *places);
}

#ifdef AVX512
#include "sort_vectors_of_width.h"
#endif

// Keys in order, and their places beside them unless NULL. What is spare holds as many.
static void NAME(sort)(U *keys, U *spare, int64_t *places, int64_t *spare_places, int64_t count) {
#ifdef AVX512
  if ((!places || count > SHORT_ROW) && has_avx512()) {
    NAME(quick)
    (keys, spare, places, spare_places, count, 0, NULL, 0, most_splits(count));
    return;
  }
#endif
  if (count <= SHORT_ROW) {
    NAME(sort_short)(keys, places, count);
    return;
  }
  NAME(sort_digits)(keys, spare, places, spare_places, count);
}

// Keys in such an order that each of the places `at`, which rise, holds what it would hold in
// order, and what is less lies before it. The places are counted from `begin` on.
static void NAME(select_digits)(U *keys, U *spare, int64_t *places, int64_t *spare_places,
                                int64_t count, int64_t begin, const int64_t *at, int64_t wanted) {
  if (count <= SHORT_ROW) {
    NAME(sort_short)(keys, places, count);
    return;
  }
  U differs = 0;
  for (int64_t i = 1; i < count; i++) differs |= keys[i] ^ keys[0];
  if (!differs) return;
  unsigned high = 63u - (unsigned)__builtin_clzll(differs),
           shift = high >= WIDE_DIGIT ? high - WIDE_DIGIT + 1 : 0;
  const U mask = ((U)1 << WIDE_DIGIT) - 1;
  int64_t starts[1 << WIDE_DIGIT] = {0};
  for (int64_t i = 0; i < count; i++) starts[keys[i] >> shift & mask]++;
  NAME(scatter)(keys, spare, places, spare_places, count, shift, mask, starts);
  memcpy(keys, spare, (size_t)count * sizeof *keys);
  if (places) memcpy(places, spare_places, (size_t)count * sizeof *places);
  for (int64_t i = 0; i < wanted && shift > 0;) { // those that fall into the same digit at once
    U digit = keys[at[i] - begin] >> shift & mask;
    int64_t end = starts[digit], from = digit ? starts[digit - 1] : 0, more = i;
    while (more < wanted && at[more] - begin < end) more++;
    NAME(select_digits)
    (keys + from, spare, places ? places + from : NULL, spare_places, end - from, begin + from,
     at + i, more - i);
    i = more;
  }
}

static void NAME(select)(U *keys, U *spare, int64_t *places, int64_t *spare_places, int64_t count,
                         const int64_t *at, int64_t wanted) {
#ifdef AVX512
  if (has_avx512()) {
    NAME(quick)
    (keys, spare, places, spare_places, count, 0, at, wanted, most_splits(count));
    return;
  }
#endif
  NAME(select_digits)(keys, spare, places, spare_places, count, 0, at, wanted);
}

#undef U
#undef BITS
#undef NAME
