// SPDX-License-Identifier: Apache-2.0
// Sorting of keys of one width by partition in vectors of AVX-512 (Hoare 1961). Keys that have
// places beside them keep their order where they are equal: what lies below the pivot moves up in
// place, the rest goes to what is spare and comes behind it. Keys alone move to both ends of the
// row itself. Included by sort_of_width.h, with
//   U        the unsigned type of the keys
//   BITS     its width
//   NAME(x)  x with the width at its end

#define JOIN_(a, b, c) a##b##c
#define JOIN(a, b, c)  JOIN_(a, b, c)
#define EPI(x)         JOIN(_mm512_##x##_epi, BITS, )
#define EPU_MASK(x)    JOIN(_mm512_mask_##x##_epu, BITS, _mask)

// The places of one vector of keys: `all` of its lanes hold some, and those `below` stay.
AVX512 static inline void NAME(split_places)(int64_t *places, int64_t *spare, int64_t at,
                                             int64_t low, int64_t high, unsigned all,
                                             unsigned below) {
  enum { PARTS = NAME(LANES) / 8 };
  __m512i from[PARTS];
  for (int part = 0; part < PARTS; part++)
    from[part] = _mm512_maskz_loadu_epi64((__mmask8)(all >> 8 * part), places + at + 8 * part);
  for (int part = 0; part < PARTS; part++) {
    __mmask8 here = (__mmask8)(all >> 8 * part), stay = (__mmask8)(below >> 8 * part),
             go = (__mmask8)(here & ~stay);
    _mm512_mask_storeu_epi64(places + low, here, _mm512_maskz_compress_epi64(stay, from[part]));
    _mm512_mask_storeu_epi64(spare + high, here, _mm512_maskz_compress_epi64(go, from[part]));
    low += __builtin_popcount(stay);
    high += __builtin_popcount(go);
  }
}

// Keys below the pivot come first; their number.
AVX512 static int64_t NAME(split_stable)(U *keys, U *spare, int64_t *places, int64_t *spare_places,
                                         int64_t count, U pivot) {
  typedef JOIN(mask_of_, BITS, ) Mask;
  const __m512i border = (__m512i)((NAME(lanes)){0} + pivot);
  int64_t low = 0, high = 0;
  for (int64_t i = 0; i < count; i += NAME(LANES)) {
    Mask all = JOIN(mask_of_, BITS, _first)(count - i);
    __m512i x = EPI(maskz_loadu)(all, keys + i);
    Mask below = EPU_MASK(cmplt)(all, x, border), above = (Mask)(all & ~below);
    EPI(mask_storeu)(keys + low, all, EPI(maskz_compress)(below, x));
    EPI(mask_storeu)(spare + high, all, EPI(maskz_compress)(above, x));
    if (places) NAME(split_places)(places, spare_places, i, low, high, all, below);
    low += __builtin_popcount(below);
    high += __builtin_popcount(above);
  }
  memcpy(keys + low, spare, (size_t)high * sizeof *keys);
  if (places) memcpy(places + low, spare_places, (size_t)high * sizeof *places);
  return low;
}

// The same of keys alone, no fewer than two groups. A group at either end and what is over are kept
// aside, so that there is always room for a group at the end that the next one is taken from, and
// at the other one.
AVX512 static int64_t NAME(split_in_place)(U *keys, int64_t count, U pivot) {
  enum { VECTORS = 8, GROUP = VECTORS * NAME(LANES) };
  typedef JOIN(mask_of_, BITS, ) Mask;
  const __m512i border = (__m512i)((NAME(lanes)){0} + pivot);
  int64_t over = count % GROUP, left = GROUP, right = count - GROUP - over, low = 0, high = count;
  U kept[3 * GROUP];
  memcpy(kept, keys, GROUP * sizeof *keys);
  memcpy(kept + GROUP, keys + right, (size_t)(GROUP + over) * sizeof *keys);
  while (left < right) {
    bool is_left = left - low <= high - right;
    const U *from = keys + (is_left ? left : right - GROUP);
    left += is_left ? GROUP : 0;
    right -= is_left ? 0 : GROUP;
    __m512i x[VECTORS];
    for (int i = 0; i < VECTORS; i++) x[i] = _mm512_loadu_si512(from + i * NAME(LANES));
    _Pragma("GCC unroll 8") for (int i = 0; i < VECTORS; i++) {
      Mask below = EPU_MASK(cmplt)((Mask)-1, x[i], border), above = (Mask)~below;
      int fewer = __builtin_popcount(below), more = NAME(LANES) - fewer;
      high -= more;
      _mm512_storeu_si512(keys + low, EPI(maskz_compress)(below, x[i]));
      EPI(mask_storeu)
      (keys + high, (Mask)_bzhi_u32(-1u, (unsigned)more), EPI(maskz_compress)(above, x[i]));
      low += fewer;
    }
  }
  for (int64_t i = 0, all = 2 * GROUP + over; i < all; i += NAME(LANES)) {
    Mask here = JOIN(mask_of_, BITS, _first)(all - i);
    __m512i x = EPI(maskz_loadu)(here, kept + i);
    Mask below = EPU_MASK(cmplt)(here, x, border), above = (Mask)(here & ~below);
    int fewer = __builtin_popcount(below), more = __builtin_popcount(above);
    high -= more;
    EPI(mask_storeu)
    (keys + low, (Mask)_bzhi_u32(-1u, (unsigned)fewer), EPI(maskz_compress)(below, x));
    EPI(mask_storeu)
    (keys + high, (Mask)_bzhi_u32(-1u, (unsigned)more), EPI(maskz_compress)(above, x));
    low += fewer;
  }
  return low;
}

static int64_t NAME(split)(U *keys, U *spare, int64_t *places, int64_t *spare_places, int64_t count,
                           U pivot) {
  return places ? NAME(split_stable)(keys, spare, places, spare_places, count, pivot)
                : NAME(split_in_place)(keys, count, pivot);
}

// Keys of so many vectors and those whose numbers differ by `with` bits change places where the
// greater is first. Of what is constant here nothing is left when the program runs.
AVX512 static inline __attribute__((always_inline)) void
NAME(exchange)(__m512i *keys, unsigned vectors, unsigned with) {
  unsigned outer = with / NAME(LANES), inner = with % NAME(LANES);
  const __m512i lanes = JOIN(lanes_of_, BITS, )(), to = _mm512_xor_si512(lanes, EPI(set1)(inner));
  if (outer == 0) {
    const __m512i top = EPI(set1)(1u << (31 - __builtin_clz(inner)));
    JOIN(mask_of_, BITS, ) second = JOIN(_mm512_test_epi, BITS, _mask)(lanes, top);
    _Pragma("GCC unroll 16") for (unsigned i = 0; i < vectors; i++) {
      __m512i other = EPI(permutexvar)(to, keys[i]);
      keys[i] = JOIN(_mm512_mask_max_epu, BITS, )(JOIN(_mm512_min_epu, BITS, )(keys[i], other),
                                                  second, keys[i], other);
    }
    return;
  }
  unsigned top = 1u << (31 - __builtin_clz(outer));
  _Pragma("GCC unroll 16") for (unsigned i = 0; i < vectors; i++) {
    if (i & top || (i ^ outer) >= vectors) continue; // behind the last are the greatest
    __m512i low = keys[i], high = keys[i ^ outer];
    if (inner) high = EPI(permutexvar)(to, high);
    keys[i] = JOIN(_mm512_min_epu, BITS, )(low, high);
    high = JOIN(_mm512_max_epu, BITS, )(low, high);
    keys[i ^ outer] = inner ? EPI(permutexvar)(to, high) : high;
  }
}

// No more keys than so many vectors hold, by merges whose second half is read backwards
// (Batcher 1968).
AVX512 static inline __attribute__((always_inline)) void NAME(sort_vectors)(U *keys, int64_t count,
                                                                            unsigned vectors) {
  __m512i all[SPLIT_VECTORS];
  _Pragma("GCC unroll 16") for (unsigned i = 0; i < vectors; i++) {
    JOIN(mask_of_, BITS, ) here = JOIN(mask_of_, BITS, _first)(count - i * NAME(LANES));
    all[i] = EPI(mask_loadu)(_mm512_set1_epi64(-1), here, keys + i * NAME(LANES));
  }
  _Pragma("GCC unroll 8") for (unsigned size = 2; size < 2 * vectors * NAME(LANES); size *= 2) {
    NAME(exchange)(all, vectors, size - 1);
    _Pragma("GCC unroll 8") for (unsigned with = size / 4; with > 0; with /= 2)
        NAME(exchange)(all, vectors, with);
  }
  _Pragma("GCC unroll 16") for (unsigned i = 0; i < vectors; i++) {
    JOIN(mask_of_, BITS, ) here = JOIN(mask_of_, BITS, _first)(count - i * NAME(LANES));
    EPI(mask_storeu)(keys + i * NAME(LANES), here, all[i]);
  }
}

AVX512 static void NAME(sort_in_registers)(U *keys, int64_t count) {
  if (count <= NAME(LANES))
    NAME(sort_vectors)(keys, count, 1);
  else if (count <= 4 * NAME(LANES))
    NAME(sort_vectors)(keys, count, 4);
  else if (count <= 8 * NAME(LANES))
    NAME(sort_vectors)(keys, count, 8);
  else if (count <= 12 * NAME(LANES))
    NAME(sort_vectors)(keys, count, 12);
  else
    NAME(sort_vectors)(keys, count, SPLIT_VECTORS);
}

// One of some keys at equal distances: the middle one, or nearer to what is wanted if that lies at
// one end, so that less is left.
static U NAME(pivot)(const U *keys, int64_t count, int64_t first, int64_t last) {
  U some[LARGE_SAMPLE];
  int64_t n = count < LONG_ROW ? SMALL_SAMPLE : LARGE_SAMPLE, at = n / 2;
  for (int64_t i = 0; i < n; i++) some[i] = keys[(2 * i + 1) * count / (2 * n)];
  NAME(sort_in_registers)(some, n);
  int64_t behind = last * n / count + n / 8, before = first * n / count - n / 8;
  if (behind < at) at = behind;
  if (before > at) at = before;
  return some[at];
}

// Williams 1964: in a time that hardly depends on the keys, with nothing spare.
static void NAME(sort_heap)(U *keys, int64_t count) {
  for (int64_t begin = count / 2, end = count; end > 1;) {
    U key = begin > 0 ? keys[--begin] : keys[--end];
    if (end < count && begin == 0) keys[end] = keys[0];
    int64_t at = begin;
    for (int64_t child; (child = 2 * at + 1) < end; at = child) {
      child += child + 1 < end && keys[child + 1] > keys[child];
      if (keys[child] <= key) break;
      keys[at] = keys[child];
    }
    keys[at] = key;
  }
}

// As select below: only the parts that hold a place wanted are put in order; all of them if `at` is
// NULL. After `depth` splits another way goes on, which no keys make slow. Nothing is spare where
// there are no places.
static void NAME(quick)(U *keys, U *spare, int64_t *places, int64_t *spare_places, int64_t count,
                        int64_t begin, const int64_t *at, int64_t wanted, int depth) {
  const int64_t longest = places ? SPLIT_ROW : SPLIT_VECTORS * NAME(LANES);
  while (count > longest && (!at || wanted > 0)) {
    if (depth-- == 0) {
      if (places)
        NAME(sort_digits)(keys, spare, places, spare_places, count);
      else
        NAME(sort_heap)(keys, count);
      return;
    }
    U pivot = at ? NAME(pivot)(keys, count, at[0] - begin, at[wanted - 1] - begin)
                 : NAME(pivot)(keys, count, 0, count);
    int64_t low = NAME(split)(keys, spare, places, spare_places, count, pivot), before = 0;
    bool is_least = low == 0;
    if (is_least && pivot == (U)-1) return; // all are
    if (is_least) low = NAME(split)(keys, spare, places, spare_places, count, pivot + 1);
    while (at && before < wanted && at[before] < begin + low) before++;
    if (!is_least) NAME(quick)(keys, spare, places, spare_places, low, begin, at, before, depth);
    keys += low, count -= low, begin += low;
    if (places) places += low;
    if (at) at += before, wanted -= before;
  }
  if (at && wanted == 0) return;
  if (places)
    NAME(sort_short)(keys, places, count);
  else
    NAME(sort_in_registers)(keys, count);
}

#undef JOIN_
#undef JOIN
#undef EPI
#undef EPU_MASK
