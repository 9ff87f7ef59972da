// SPDX-License-Identifier: Apache-2.0
// The matmul primitive of oneDNN 2 or 3 on plain row-major arrays. Built by the benchmark as a
// library.
#include <dnnl.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct Matmul {
  dnnl_engine_t engine;
  dnnl_stream_t stream;
  dnnl_primitive_t primitive;
  dnnl_exec_arg_t arguments[3];
} Matmul;

static dnnl_primitive_desc_t describe(dnnl_engine_t engine, int64_t n, dnnl_data_type_t in,
                                      dnnl_data_type_t out, dnnl_memory_t memories[3],
                                      void *const arrays[3]) {
  dnnl_dims_t dims = {n, n};
  dnnl_primitive_desc_t described = NULL;
#if DNNL_VERSION_MAJOR < 3
  dnnl_memory_desc_t shapes[3];
  for (int i = 0; i < 3; i++) {
    if (dnnl_memory_desc_init_by_tag(&shapes[i], 2, dims, i == 2 ? out : in, dnnl_ab)) return NULL;
    if (dnnl_memory_create(&memories[i], &shapes[i], engine, arrays[i])) return NULL;
  }
  dnnl_matmul_desc_t matmul;
  if (dnnl_matmul_desc_init(&matmul, &shapes[0], &shapes[1], NULL, &shapes[2])) return NULL;
  if (dnnl_primitive_desc_create(&described, &matmul, NULL, engine, NULL)) return NULL;
#else
  dnnl_memory_desc_t shapes[3];
  for (int i = 0; i < 3; i++) {
    if (dnnl_memory_desc_create_with_tag(&shapes[i], 2, dims, i == 2 ? out : in, dnnl_ab))
      return NULL;
    if (dnnl_memory_create(&memories[i], shapes[i], engine, arrays[i])) return NULL;
  }
  if (dnnl_matmul_primitive_desc_create(&described, engine, shapes[0], shapes[1], NULL, shapes[2],
                                        NULL))
    return NULL;
#endif
  return described;
}

// kind: 0 f32, 1 bf16 to f32, 2 bf16, 3 int8 to int32. NULL if there is no such product on this
// CPU.
Matmul *onednn_matmul(int kind, int64_t n, void *x, void *y, void *out) {
  static const dnnl_data_type_t types[][2] = {
      {dnnl_f32, dnnl_f32}, {dnnl_bf16, dnnl_f32}, {dnnl_bf16, dnnl_bf16}, {dnnl_s8, dnnl_s32}};
  Matmul *m = calloc(1, sizeof *m);
  dnnl_memory_t memories[3];
  void *const arrays[3] = {x, y, out};
  if (!m || dnnl_engine_create(&m->engine, dnnl_cpu, 0) ||
      dnnl_stream_create(&m->stream, m->engine, dnnl_stream_default_flags))
    return NULL;
  dnnl_primitive_desc_t described =
      describe(m->engine, n, types[kind][0], types[kind][1], memories, arrays);
  if (!described || dnnl_primitive_create(&m->primitive, described)) return NULL;
  static const int roles[] = {DNNL_ARG_SRC, DNNL_ARG_WEIGHTS, DNNL_ARG_DST};
  for (int i = 0; i < 3; i++) m->arguments[i] = (dnnl_exec_arg_t){roles[i], memories[i]};
  return m;
}

int onednn_run(const Matmul *m) {
  int status = dnnl_primitive_execute(m->primitive, m->stream, 3, m->arguments);
  return status ? status : (int)dnnl_stream_wait(m->stream);
}

// Without a primitive, which is the faster way for some sizes.
int onednn_sgemm(int64_t n, const float *x, const float *y, float *out) {
  return dnnl_sgemm('N', 'N', n, n, n, 1.0f, x, n, y, n, 0.0f, out, n);
}

int onednn_version(void) {
  return dnnl_version()->major * 10000 + dnnl_version()->minor * 100 + dnnl_version()->patch;
}
