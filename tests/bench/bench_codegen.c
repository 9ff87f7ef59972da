// SPDX-License-Identifier: Apache-2.0
// Speed of generated code: functions of IR files through the JIT, next to peers in the same run. Times are of the calling thread's CPU
// clock (one thread) or of the wall (several), the best of many; what counts is the ratio.
//   bench_codegen FILE.ir FUNCTION [repetitions]      one function alone
//   bench_codegen --peers FILE.ir                     the functions with a peer below, as ratios
// Built by hand, with -DWITH_DNNL -ldnnl where oneDNN is installed: tests/bench/README.md.
#define _GNU_SOURCE
#include <immintrin.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "codegen/codegen.h"
#include "passes/pass.h"
#include "prt.h"
#ifdef WITH_DNNL
#include <dnnl.h>
#endif

typedef struct Bench {
  const char *path, *function;
  int repetitions;
  bool peers, wall;
} Bench;

static double now(bool wall) {
  struct timespec t;
  clock_gettime(wall ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void fill(void *memory, size_t bytes, int32_t dtype) {
  static uint64_t state = 88172645463325252u;
  for (size_t i = 0; i < bytes / 4; i++) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    if (dtype == PRT_F32)
      ((float *)memory)[i] = (float)(int32_t)(uint32_t)state * (1.0f / 1073741824.0f);
    else
      ((uint32_t *)memory)[i] = (uint32_t)state & 0x3fff3fff;
  }
}

// ---- peers -------------------------------------------------------------------------------------------
typedef void (*Peer)(const prt_entry *entry, void **arguments);

static int64_t elements(const prt_param *p) {
  int64_t n = 1;
  for (int32_t i = 0; i < p->rank; i++) n *= p->dims[i];
  return n;
}

static void peer_add(const prt_entry *entry, void **arguments) {
  const float *x = arguments[0], *y = arguments[1];
  float *o = arguments[2];
  int64_t n = elements(&entry->params[0]);
  for (int64_t i = 0; i < n; i += 16) _mm512_stream_ps(o + i, _mm512_add_ps(_mm512_load_ps(x + i), _mm512_load_ps(y + i)));
  _mm_sfence();
}

#ifdef WITH_DNNL
static void peer_matmul(const prt_entry *entry, void **arguments) {
  int64_t m = entry->params[0].dims[0], k = entry->params[0].dims[1], n = entry->params[1].dims[1];
  dnnl_sgemm('N', 'N', m, n, k, 1.0f, arguments[0], k, arguments[1], n, 0.0f, arguments[2], n);
}
#endif

static Peer peer_of(const char *name) {
  if (strncmp(name, "add", 3) == 0) return peer_add;
#ifdef WITH_DNNL
  if (strncmp(name, "matmul", 6) == 0) return peer_matmul;
#endif
  return NULL;
}

// ---- running -----------------------------------------------------------------------------------------
static void measure(const prt_entry *entry, const Bench *b) {
  void *arguments[16];
  for (uint32_t i = 0; i < entry->param_count; i++) {
    size_t bytes = prt_param_bytes(&entry->params[i]);
    arguments[i] = aligned_alloc(2 << 20, (bytes + (2 << 20)) >> 21 << 21);
    fill(arguments[i], bytes, entry->params[i].dtype);
  }
  Peer peer = b->peers ? peer_of(entry->name) : NULL;
  double own = 1e9, other = 1e9;
  for (int i = 0; i < b->repetitions; i++) {
    double start = now(b->wall);
    prt_status status = entry->call(NULL, arguments);
    double end = now(b->wall);
    if (status) {
      printf("%s: %s\n", entry->name, prt_error_message());
      return;
    }
    if (end - start < own) own = end - start;
    if (!peer) continue;
    start = now(b->wall);
    peer(entry, arguments);
    end = now(b->wall);
    if (end - start < other) other = end - start;
  }
  printf("%-14s %10.1f us", entry->name, own * 1e6);
  if (strncmp(entry->name, "matmul", 6) == 0) {
    double flops = 2.0 * (double)entry->params[0].dims[0] * (double)entry->params[0].dims[1] * (double)entry->params[1].dims[1];
    printf("  %6.1f GFLOP/s", flops / own * 1e-9);
  } else {
    printf("  %6.3f Gelem/s", (double)elements(&entry->params[entry->param_count - 1]) / own * 1e-9);
  }
  if (peer) printf("  peer %10.1f us  ratio %.2f", other * 1e6, other / own);
  printf("\n");
  for (uint32_t i = 0; i < entry->param_count; i++) free(arguments[i]);
}

static int body(Session *session, void *data) {
  const Bench *b = data;
  SourceFile *file = source_read(session, str_from_c(b->path), (Span){0});
  IrModule *module = file ? ir_read(session, file) : NULL;
  PassOptions passes = {.opt_level = 2, .stop_after = PASS_COUNT};
  if (!module || !pass_run_one(session, module, &passes, PASS_FUSE)) return 1;
  CodegenOptions options = {.opt_level = 2};
  Jit *jit = jit_new(session, &options);
  JitModule *code = jit ? jit_add(jit, module) : NULL;
  if (!code) return 1;
  for (IrFunc *func = module->first; func; func = func->next)
    if (!b->function || strcmp(func->name->text, b->function) == 0) measure(jit_find(jit, code, name_str(func->name)), b);
  jit_free(jit);
  return 0;
}

int main(int argc, char **argv) {
  Bench b = {.repetitions = 30};
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--peers") == 0)
      b.peers = true;
    else if (strcmp(argv[i], "--wall") == 0)
      b.wall = true;
    else if (!b.path)
      b.path = argv[i];
    else if (argv[i][0] >= '0' && argv[i][0] <= '9')
      b.repetitions = atoi(argv[i]);
    else
      b.function = argv[i];
  }
  if (!b.path) return 2;
  Session *session = session_new(0);
  int status = session_run(session, body, &b);
  diag_flush(session);
  session_free(session);
  return status;
}
