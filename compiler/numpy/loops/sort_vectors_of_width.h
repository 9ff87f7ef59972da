// SPDX-License-Identifier: Apache-2.0
// Sorting of keys of one width by partition in vectors of AVX-512 (Hoare 1961): what lies below the
// pivot moves up in place, the rest goes to what is spare and comes behind it, so that equal keys
// keep their order. Included by sort_of_width.h, with
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

// Keys below the pivot, or no more than it, come first; their number.
AVX512 static int64_t NAME(split)(U *keys, U *spare, int64_t *places, int64_t *spare_places,
                                  int64_t count, U pivot, bool with_equal) {
  typedef JOIN(mask_of_, BITS, ) Mask;
  const __m512i border = (__m512i)((NAME(lanes)){0} + pivot);
  int64_t low = 0, high = 0;
  for (int64_t i = 0; i < count; i += NAME(LANES)) {
    Mask all = JOIN(mask_of_, BITS, _first)(count - i);
    __m512i x = EPI(maskz_loadu)(all, keys + i);
    Mask below = with_equal ? EPU_MASK(cmple)(all, x, border) : EPU_MASK(cmplt)(all, x, border),
         above = (Mask)(all & ~below);
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

// Keys and those whose numbers differ by `with` bits change places where the greater is first. Of
// what is constant here nothing is left when the program runs.
AVX512 static inline __attribute__((always_inline)) void NAME(exchange)(__m512i *keys,
                                                                        unsigned with) {
  enum { VECTORS = SPLIT_ROW / NAME(LANES) };
  unsigned outer = with / NAME(LANES), inner = with % NAME(LANES);
  const __m512i lanes = JOIN(lanes_of_, BITS, )(), to = _mm512_xor_si512(lanes, EPI(set1)(inner));
  if (outer == 0) {
    const __m512i top = EPI(set1)(1u << (31 - __builtin_clz(inner)));
    JOIN(mask_of_, BITS, ) second = JOIN(_mm512_test_epi, BITS, _mask)(lanes, top);
    _Pragma("GCC unroll 16") for (unsigned i = 0; i < VECTORS; i++) {
      __m512i other = EPI(permutexvar)(to, keys[i]);
      keys[i] = JOIN(_mm512_mask_max_epu, BITS, )(JOIN(_mm512_min_epu, BITS, )(keys[i], other),
                                                  second, keys[i], other);
    }
    return;
  }
  unsigned top = 1u << (31 - __builtin_clz(outer));
  _Pragma("GCC unroll 16") for (unsigned i = 0; i < VECTORS; i++) {
    if (i & top) continue;
    __m512i low = keys[i], high = keys[i ^ outer];
    if (inner) high = EPI(permutexvar)(to, high);
    keys[i] = JOIN(_mm512_min_epu, BITS, )(low, high);
    high = JOIN(_mm512_max_epu, BITS, )(low, high);
    keys[i ^ outer] = inner ? EPI(permutexvar)(to, high) : high;
  }
}

// No more than SPLIT_ROW keys in registers, by merges whose second half is read backwards
// (Batcher 1968).
AVX512 static void NAME(sort_in_registers)(U *keys, int64_t count) {
  enum { VECTORS = SPLIT_ROW / NAME(LANES) };
  __m512i all[VECTORS];
  _Pragma("GCC unroll 16") for (int i = 0; i < VECTORS; i++) {
    JOIN(mask_of_, BITS, ) here = JOIN(mask_of_, BITS, _first)(count - i * NAME(LANES));
    all[i] = EPI(mask_loadu)(_mm512_set1_epi64(-1), here, keys + i * NAME(LANES));
  }
  _Pragma("GCC unroll 8") for (unsigned size = 2; size <= SPLIT_ROW; size *= 2) {
    if (size / 2 >= count) break;
    NAME(exchange)(all, size - 1);
    _Pragma("GCC unroll 8") for (unsigned with = size / 4; with > 0; with /= 2)
        NAME(exchange)(all, with);
  }
  _Pragma("GCC unroll 16") for (int i = 0; i < VECTORS; i++) {
    JOIN(mask_of_, BITS, ) here = JOIN(mask_of_, BITS, _first)(count - i * NAME(LANES));
    EPI(mask_storeu)(keys + i * NAME(LANES), here, all[i]);
  }
}

// The middle one of some keys at equal distances.
static U NAME(pivot)(const U *keys, int64_t count) {
  U some[SAMPLE];
  int64_t n = count < LONG_ROW ? FEW_SAMPLE : SAMPLE;
  for (int64_t i = 0; i < n; i++) some[i] = keys[(2 * i + 1) * count / (2 * n)];
  NAME(insert)(some, NULL, n);
  return some[n / 2];
}

// As select below: only the parts that hold a place wanted are put in order; all of them if `at` is
// NULL. After `depth` splits digits go on, in a time that does not depend on the keys.
static void NAME(quick)(U *keys, U *spare, int64_t *places, int64_t *spare_places, int64_t count,
                        int64_t begin, const int64_t *at, int64_t wanted, int depth) {
  while (count > SPLIT_ROW && (!at || wanted > 0)) {
    if (depth-- == 0) {
      NAME(sort_digits)(keys, spare, places, spare_places, count);
      return;
    }
    U pivot = NAME(pivot)(keys, count);
    int64_t low = NAME(split)(keys, spare, places, spare_places, count, pivot, false), before = 0;
    bool is_least = low == 0;
    if (is_least) low = NAME(split)(keys, spare, places, spare_places, count, pivot, true);
    while (at && before < wanted && at[before] < begin + low) before++;
    if (!is_least)
      NAME(quick)(keys, spare, places, spare_places, low, begin, at, before, depth);
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
