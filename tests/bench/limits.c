// SPDX-License-Identifier: Apache-2.0
// What this CPU can do: peaks of multiply-add, bandwidth of flat loops with non-temporal stores.
// Built by the benchmark as a library.
#define _GNU_SOURCE
#include <immintrin.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#if defined(__AVX512F__)
typedef __m512 Vector;
enum { LANES = 16 };
#define LOAD(p)      _mm512_loadu_ps(p)
#define STREAM(p, v) _mm512_stream_ps(p, v)
#define ADD(a, b)    _mm512_add_ps(a, b)
#define FMA(a, b, c) _mm512_fmadd_ps(a, b, c)
#define SPLAT(x)     _mm512_set1_ps(x)
#elif defined(__AVX2__) && defined(__FMA__)
typedef __m256 Vector;
enum { LANES = 8 };
#define LOAD(p)      _mm256_loadu_ps(p)
#define STREAM(p, v) _mm256_stream_ps(p, v)
#define ADD(a, b)    _mm256_add_ps(a, b)
#define FMA(a, b, c) _mm256_fmadd_ps(a, b, c)
#define SPLAT(x)     _mm256_set1_ps(x)
#else
typedef __m128 Vector;
enum { LANES = 4 };
#define LOAD(p)      _mm_loadu_ps(p)
#define STREAM(p, v) _mm_stream_ps(p, v)
#define ADD(a, b)    _mm_add_ps(a, b)
#define FMA(a, b, c) _mm_add_ps(_mm_mul_ps(a, b), c)
#define SPLAT(x)     _mm_set1_ps(x)
#endif

// Keeps the compiler from folding or dropping what a loop does.
#define KEEP(v) __asm__ volatile("" : "+x"(v))

static double seconds(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

// Each loop does some operations without end in sight of memory, and returns how many.
typedef double (*Loop)(void);

// Ten chains cover latency times throughput, and with two operands fit into sixteen registers. An
// array of them would stay in memory.
#define CHAINS(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9)
enum { CHAIN_COUNT = 10, STEPS = 100000 };

static double loop_f32(void) {
  Vector a = SPLAT(0.999f), b = SPLAT(1e-6f);
#define START(i) Vector sum##i = SPLAT((float)i);
#define STEP(i)  sum##i = FMA(sum##i, a, b);
#define USE(i)   KEEP(sum##i);
  CHAINS(START)
  for (int step = 0; step < STEPS; step++) {
    CHAINS(STEP)
    CHAINS(USE)
  }
  return 2.0 * LANES * CHAIN_COUNT * STEPS;
#undef START
#undef STEP
}

#if defined(__AVX512BF16__)
static double loop_bf16(void) {
  __m512bh a = (__m512bh)_mm512_set1_epi32(0x3f803f80), b = a;
#define START(i) __m512 sum##i = _mm512_set1_ps((float)i);
#define STEP(i)  sum##i = _mm512_dpbf16_ps(sum##i, a, b);
  CHAINS(START)
  for (int step = 0; step < STEPS; step++) {
    CHAINS(STEP)
    CHAINS(USE)
  }
  return 64.0 * CHAIN_COUNT * STEPS;
#undef START
#undef STEP
}
#endif

#if defined(__AVX512VNNI__)
static double loop_i8(void) {
  __m512i a = _mm512_set1_epi8(3), b = _mm512_set1_epi8(5);
#define START(i) __m512i sum##i = _mm512_set1_epi32(i);
#define STEP(i)  sum##i = _mm512_dpbusd_epi32(sum##i, a, b);
  CHAINS(START)
  for (int step = 0; step < STEPS; step++) {
    CHAINS(STEP)
    CHAINS(USE)
  }
  return 128.0 * CHAIN_COUNT * STEPS;
#undef START
#undef STEP
}
#endif

#if defined(__AMX_BF16__) && defined(__AMX_INT8__)
// Tiles are off until the kernel is asked for them, and unconfigured in each thread.
static int tiles_on(void) {
  if (syscall(SYS_arch_prctl, 0x1023, 18)) return 0;
  struct __attribute__((packed, aligned(64))) {
    uint8_t palette, start_row, reserved[14];
    uint16_t row_bytes[16];
    uint8_t rows[16];
  } shape = {.palette = 1};
  for (int i = 0; i < 8; i++) shape.row_bytes[i] = 64, shape.rows[i] = 16;
  _tile_loadconfig(&shape);
  return 1;
}

static double loop_amx_bf16(void) {
  if (!tiles_on()) return 0;
  _tile_zero(0);
  _tile_zero(1);
  _tile_zero(2);
  _tile_zero(3);
  _tile_zero(4);
  _tile_zero(5);
  for (int step = 0; step < 20000; step++) {
    _tile_dpbf16ps(0, 4, 5);
    _tile_dpbf16ps(1, 4, 5);
    _tile_dpbf16ps(2, 4, 5);
    _tile_dpbf16ps(3, 4, 5);
  }
  _tile_release();
  return 20000.0 * 4 * 2 * 16 * 16 * 32;
}

static double loop_amx_i8(void) {
  if (!tiles_on()) return 0;
  _tile_zero(0);
  _tile_zero(1);
  _tile_zero(2);
  _tile_zero(3);
  _tile_zero(4);
  _tile_zero(5);
  for (int step = 0; step < 20000; step++) {
    _tile_dpbssd(0, 4, 5);
    _tile_dpbssd(1, 4, 5);
    _tile_dpbssd(2, 4, 5);
    _tile_dpbssd(3, 4, 5);
  }
  _tile_release();
  return 20000.0 * 4 * 2 * 16 * 16 * 64;
}
#endif

static const Loop loops[][2] = {
    {loop_f32, NULL},
#if defined(__AVX512BF16__)
    {loop_bf16,
#else
    {loop_f32,
#endif
#if defined(__AMX_BF16__) && defined(__AMX_INT8__)
     loop_amx_bf16},
#else
     NULL},
#endif
#if defined(__AVX512VNNI__)
    {loop_i8,
#else
    {loop_f32,
#endif
#if defined(__AMX_BF16__) && defined(__AMX_INT8__)
     loop_amx_i8},
#else
     NULL},
#endif
};

typedef struct Job {
  Loop loop;
  double operations;
} Job;

static void *job_run(void *data) {
  Job *job = data;
  job->operations = job->loop();
  return NULL;
}

// Operations in a second of `threads` threads (at most 64): kind 0 is f32, 1 bf16, 2 int8. The best
// of `rounds`.
double limit_peak(int kind, int threads, int rounds) {
  double best = 0;
  for (int which = 0; which < 2; which++) {
    if (!loops[kind][which]) continue;
    for (int round = 0; round < rounds; round++) {
      Job jobs[64];
      pthread_t ids[64];
      double start = seconds(CLOCK_MONOTONIC), operations = 0;
      for (int i = 0; i < threads; i++) jobs[i] = (Job){.loop = loops[kind][which]};
      for (int i = 1; i < threads; i++) pthread_create(&ids[i], NULL, job_run, &jobs[i]);
      job_run(&jobs[0]);
      for (int i = 1; i < threads; i++) pthread_join(ids[i], NULL);
      double end = seconds(CLOCK_MONOTONIC);
      for (int i = 0; i < threads; i++) operations += jobs[i].operations;
      if (operations / (end - start) > best) best = operations / (end - start);
    }
  }
  return best;
}

// The flat loops. Pointers are aligned to a vector and counts are multiples of it.
void limit_copy(const float *x, float *out, int64_t n) {
  for (int64_t i = 0; i < n; i += LANES) STREAM(out + i, LOAD(x + i));
  _mm_sfence();
}

void limit_add(const float *x, const float *y, float *out, int64_t n) {
  for (int64_t i = 0; i < n; i += LANES) STREAM(out + i, ADD(LOAD(x + i), LOAD(y + i)));
  _mm_sfence();
}

typedef struct Part {
  const float *x, *y;
  float *out;
  int64_t n;
} Part;

static void *part_run(void *data) {
  const Part *part = data;
  if (part->y)
    limit_add(part->x, part->y, part->out, part->n);
  else
    limit_copy(part->x, part->out, part->n);
  return NULL;
}

// One of them in two halves; y is NULL for a copy.
void limit_two_threads(const float *x, const float *y, float *out, int64_t n) {
  int64_t half = n / 2;
  Part upper = {x + half, y ? y + half : NULL, out + half, n - half}, lower = {x, y, out, half};
  pthread_t id;
  pthread_create(&id, NULL, part_run, &upper);
  part_run(&lower);
  pthread_join(id, NULL);
}
