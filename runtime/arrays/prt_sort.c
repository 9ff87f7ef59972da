// SPDX-License-Identifier: Apache-2.0
// Sorting for compiled code: words whose upper halves are keys, and whose lower halves are places
// in increasing order wherever keys are equal. So the keys alone are looked at, in stable steps:
// few words are merged, many go through their digits from the last to the first. Where only some
// places of the order are looked at, a sample says between which words those lie, and only what is
// between them is kept, until it is few.
#include "prt_codegen.h"

#include <string.h>

enum { RUN = 16, FEW = 160, DIGIT_BITS = 8, DIGITS = 32 / DIGIT_BITS, BUCKETS = 1 << DIGIT_BITS };

// ---- few ---------------------------------------------------------------------------------------
static void insert_all(uint64_t *words, int64_t count) {
  for (int64_t i = 1; i < count; i++) {
    uint64_t word = words[i];
    int64_t at = i;
    for (; at > 0 && words[at - 1] > word; at--) words[at] = words[at - 1];
    words[at] = word;
  }
}

// Two runs of as many words each: from both ends at once, as each step waits for the one before.
static void merge_halves(const uint64_t *from, int64_t half, uint64_t *to) {
  int64_t left = 0, right = half, last_left = half - 1, last_right = 2 * half - 1;
  for (int64_t at = 0; at < half; at++) {
    bool is_right = from[right] < from[left];
    to[at] = is_right ? from[right] : from[left];
    right += is_right;
    left += !is_right;
    bool is_left = from[last_right] < from[last_left];
    to[2 * half - 1 - at] = is_left ? from[last_left] : from[last_right];
    last_left -= is_left;
    last_right -= !is_left;
  }
}

static void merge(const uint64_t *from, int64_t middle, int64_t end, uint64_t *to) {
  int64_t left = 0, right = middle, at = 0;
  if (end == 2 * middle) {
    merge_halves(from, middle, to);
    return;
  }
  while (left < middle && right < end) {
    bool is_right = from[right] < from[left];
    to[at++] = is_right ? from[right] : from[left];
    right += is_right;
    left += !is_right;
  }
  memcpy(to + at, from + left, (size_t)(middle - left) * sizeof *to);
  memcpy(to + at + (middle - left), from + right, (size_t)(end - right) * sizeof *to);
}

static uint64_t *merge_all(uint64_t *from, uint64_t *to, int64_t count) {
  for (int64_t i = 0; i < count; i += RUN) insert_all(from + i, count - i < RUN ? count - i : RUN);
  for (int64_t width = RUN; width < count; width *= 2) {
    for (int64_t i = 0; i < count; i += 2 * width) {
      int64_t left = count - i, middle = left < width ? left : width;
      merge(from + i, middle, left < 2 * width ? left : 2 * width, to + i);
    }
    uint64_t *other = from;
    from = to;
    to = other;
  }
  return from;
}

// ---- many --------------------------------------------------------------------------------------
static unsigned digit_of(uint64_t word, int digit) {
  return (unsigned)(word >> (32 + digit * DIGIT_BITS)) & (BUCKETS - 1);
}

static void distribute(const uint64_t *from, uint64_t *to, int64_t count, int digit,
                       const int64_t *counts) {
  int64_t begins[BUCKETS], sum = 0;
  for (int i = 0; i < BUCKETS; i++) {
    begins[i] = sum;
    sum += counts[i];
  }
  for (int64_t i = 0; i < count; i++) to[begins[digit_of(from[i], digit)]++] = from[i];
}

static uint64_t *distribute_all(uint64_t *from, uint64_t *to, int64_t count) {
  int64_t counts[DIGITS][BUCKETS] = {{0}};
  for (int64_t i = 0; i < count; i++)
    for (int digit = 0; digit < DIGITS; digit++) counts[digit][digit_of(from[i], digit)]++;
  for (int digit = 0; digit < DIGITS; digit++) {
    if (counts[digit][digit_of(from[0], digit)] == count) continue; // all have the same
    distribute(from, to, count, digit, counts[digit]);
    uint64_t *other = from;
    from = to;
    to = other;
  }
  return from;
}

void prt__sort_words(uint64_t *words, uint64_t *spare, int64_t count) {
  uint64_t *sorted =
      count < FEW ? merge_all(words, spare, count) : distribute_all(words, spare, count);
  if (sorted != words) memcpy(words, sorted, (size_t)count * sizeof *words);
}

// ---- some places --------------------------------------------------------------------------------
typedef struct Window {
  uint64_t *words, *spare;
  int64_t count;
  int64_t low, high; // the places wanted, counted from the window's least word
} Window;

// Keeps what lies in [least, most]. False, and all as it was, if the places are not all there or
// that is hardly less.
static bool narrow(Window *w, uint64_t least, uint64_t most) {
  int64_t kept = 0, before = 0;
  for (int64_t i = 0; i < w->count; i++) {
    uint64_t word = w->words[i];
    w->spare[kept] = word;
    kept += word - least <= most - least;
    before += word < least;
  }
  bool is_there = w->low >= before && w->high <= before + kept;
  if (!is_there || kept > w->count - w->count / 4) return false;
  *w = (Window){w->spare, w->words, kept, w->low - before, w->high - before};
  return true;
}

// Keeps what a sample says is near the places wanted. `margin`: in words of the sample, whose
// places have a standard deviation of at most sqrt(SAMPLE) / 2.
static bool narrow_by_sample(Window *w, int64_t margin) {
  enum { SAMPLE = 64 };
  uint64_t sample[SAMPLE], spare[SAMPLE];
  for (int64_t i = 0; i < SAMPLE; i++) sample[i] = w->words[i * w->count / SAMPLE];
  const uint64_t *sorted = merge_all(sample, spare, SAMPLE);
  int64_t first = w->low * SAMPLE / w->count - margin;
  int64_t last = w->high * SAMPLE / w->count + margin;
  if (first < 0 && last >= SAMPLE) return false;
  return narrow(w, first < 0 ? 0 : sorted[first], last < SAMPLE ? sorted[last] : UINT64_MAX);
}

void prt__sort_some_words(uint64_t *words, uint64_t *spare, int64_t count, int64_t low,
                          int64_t high) {
  enum { MARGIN = 8, WIDEST = 16 };
  Window w = {words, spare, count, low, high};
  for (int64_t margin = MARGIN; w.count > FEW && margin <= WIDEST;)
    if (!narrow_by_sample(&w, margin)) margin *= 2;
  prt__sort_words(w.words, w.spare, w.count);
  memmove(words + low, w.words + w.low, (size_t)(high - low) * sizeof *words);
}
