// SPDX-License-Identifier: Apache-2.0
// What this machine can do: bytes from and to memory, and multiply-adds, measured by loops that do
// nothing else. They are compiled for several CPUs, and chosen when they are called.
#include <pthread.h>
#include <string.h>
#include "driver/progress/times.h"
#include "driver/run/made_up.h"
#include "bench.h"

#define CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
// CHAINS is what the pragmas below say. MOST_BYTES: of one array; all together are twice ALL_BYTES,
// or LEAST_BYTES each, which no cache of a core holds.
enum { LANES = 16, CHAINS = 12, MAX_THREADS = 256 };
enum { MOST_BYTES = 64 << 20, ALL_BYTES = 256 << 20, LEAST_BYTES = 8 << 20 };
static const double enough = 0.1; // seconds for each of the three

typedef struct Job {
  pthread_t thread;
  prt_array read, written;
  float sink;
  long rounds;
} Job;

CLONES static void copy_once(double *to, const double *from, int64_t count) {
  for (int64_t i = 0; i < count; i++) to[i] = from[i] * 0.5;
}

// Past the caches: what is written is not read before. Arrays are aligned, their lengths even.
static void stream_once(double *to, const double *from, int64_t count) {
#if defined(__SSE2__)
  typedef double Pair __attribute__((vector_size(16)));
  for (int64_t i = 0; i < count; i += 2) __builtin_ia32_movntpd(to + i, *(const Pair *)(from + i));
  __builtin_ia32_sfence();
#else
  copy_once(to, from, count);
#endif
}

typedef float Vector __attribute__((vector_size(LANES * sizeof(float))));

CLONES static float multiply_and_add(long rounds) {
  Vector sums[CHAINS], factor, term;
  for (int i = 0; i < LANES; i++) factor[i] = 0.999f, term[i] = (float)i;
#pragma GCC unroll 12
  for (int k = 0; k < CHAINS; k++) sums[k] = term * (float)(k + 1); // else they are one chain
  for (long r = 0; r < rounds; r++) {
#pragma GCC unroll 12
    for (int k = 0; k < CHAINS; k++) sums[k] = sums[k] * factor + term;
  }
  Vector all = term;
#pragma GCC unroll 12
  for (int k = 0; k < CHAINS; k++) all += sums[k];
  float total = 0;
  for (int i = 0; i < LANES; i++) total += all[i];
  return total;
}

static void *copy_job(void *data) {
  Job *job = data;
  copy_once(job->written.data, job->read.data, job->read.count / (int64_t)sizeof(double));
  return NULL;
}

static void *stream_job(void *data) {
  Job *job = data;
  stream_once(job->written.data, job->read.data, job->read.count / (int64_t)sizeof(double));
  return NULL;
}

static void *flops_job(void *data) {
  Job *job = data;
  job->sink = multiply_and_add(job->rounds);
  return NULL;
}

// Seconds that the work takes on all threads at once; 0 if they could not be started.
static double time_once(Job *jobs, int threads, void *(*work)(void *)) {
  double begin = times_now();
  int started = 1;
  for (; started < threads; started++)
    if (pthread_create(&jobs[started].thread, NULL, work, &jobs[started])) break;
  work(&jobs[0]);
  for (int i = 1; i < started; i++) pthread_join(jobs[i].thread, NULL);
  return started == threads ? times_now() - begin : 0;
}

static double least_time(Job *jobs, int threads, void *(*work)(void *)) {
  double begin = times_now(), least = time_once(jobs, threads, work);
  while (times_now() - begin < enough) {
    double time = time_once(jobs, threads, work);
    if (time < least) least = time;
  }
  return least;
}

// Its pages are there afterwards.
static bool take_array(prt_array *array, int64_t bytes) {
  if (prt_array_new(runtime_dtype(DT_U8), 1, &bytes, array)) return false;
  memset(array->data, 1, (size_t)bytes);
  return true;
}

BenchLimits bench_limits(int threads) {
  Job jobs[MAX_THREADS] = {0};
  BenchLimits limits = {0};
  bool good = true;
  if (threads > MAX_THREADS) threads = MAX_THREADS;
  int64_t bytes = ALL_BYTES / threads;
  bytes = bytes > MOST_BYTES ? MOST_BYTES : bytes < LEAST_BYTES ? LEAST_BYTES : bytes;
  for (int i = 0; i < threads; i++) {
    jobs[i].rounds = 200000;
    good &= take_array(&jobs[i].read, bytes) && take_array(&jobs[i].written, bytes);
  }
  double copying = good ? least_time(jobs, threads, copy_job) : 0;
  double streaming = good ? least_time(jobs, threads, stream_job) : 0;
  if (streaming > 0 && streaming < copying) copying = streaming;
  for (int i = 0; i < threads; i++) {
    prt_array_free(&jobs[i].read);
    prt_array_free(&jobs[i].written);
  }
  double adding = least_time(jobs, threads, flops_job);
  if (copying > 0) limits.bytes = 2.0 * (double)bytes * threads / copying;
  if (adding > 0) limits.flops = 2.0 * LANES * CHAINS * (double)jobs[0].rounds * threads / adding;
  return limits;
}
