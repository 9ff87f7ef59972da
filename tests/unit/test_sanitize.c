// SPDX-License-Identifier: Apache-2.0
// -fsanitize=thread: what calls of ThreadSanitizer's runtime stand in the code of each kind of
// access, and that nothing else has become one.
#define _GNU_SOURCE
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include "base/buf.h"
#include "codegen/codegen.h"
#include "ir/core/ir.h"
#include "ir_case.h"
#include "llvm_text.h"
#include "suite.h"

typedef struct SanitizeCase {
  const char *params, *lines, *cpu;
  const char *calls; // of __tsan_…: each name once, and how many places call it
} SanitizeCase;

static const SanitizeCase sanitize_cases[] = {
    // one element, of each size
    {"%x: hbm i8, out %o: hbm i8", "%v = load %x[] : i8\nstore %v, %o[]\n", "x86-64-v3",
     "func_entry 3, read1 1, write1 1, func_exit 5, unaligned_read8 2"},
    {"%x: hbm bf16, out %o: hbm bf16", "%v = load %x[] : bf16\nstore %v, %o[]\n", "x86-64-v3",
     "func_entry 3, unaligned_read2 1, unaligned_write2 1, func_exit 5, unaligned_read8 2"},
    {"%x: hbm f32, out %o: hbm f32", "%v = load %x[] : f32\nstore %v, %o[]\n", "x86-64-v3",
     "func_entry 3, unaligned_read4 1, unaligned_write4 1, func_exit 5, unaligned_read8 2"},
    // vectors, and the elements that are left
    {"%x: hbm f32[8], out %o: hbm f32[8]",
     "%v = load %x[:] : f32[8]\n%n = neg %v : f32[8]\nstore %n, %o[:]\n", "x86-64-v3",
     "func_entry 3, read_range 1, write_range 1, func_exit 5, unaligned_read8 2"},
    {"%x: hbm f32[11], out %o: hbm f32[11]",
     "%v = load %x[:] : f32[11]\n%n = neg %v : f32[11]\nstore %n, %o[:]\n", "x86-64-v3",
     "func_entry 3, read_range 1, write_range 1, unaligned_read8 3, unaligned_read4 1, "
     "unaligned_write8 1, unaligned_write4 1, func_exit 5"},
    // the rest under a mask
    {"%x: hbm f32[23], out %o: hbm f32[23]",
     "%v = load %x[:] : f32[23]\n%n = neg %v : f32[23]\nstore %n, %o[:]\n", "x86-64-v4",
     "func_entry 3, read_range 1, write_range 1, unaligned_read4 8, unaligned_write4 8, func_exit "
     "5, unaligned_read8 2"},
    {"%x: hbm f32[8], %m: hbm bool[8], inout %o: hbm f32[8]",
     "%b = load %m[:] : bool[8]\n%z = const 1.0 : f32[8]\n%v = load %x[:] mask %b other %z : "
     "f32[8]\nstore %v, %o[:] mask %b\n",
     "x86-64-v3",
     "func_entry 3, unaligned_read8 5, unaligned_read4 8, unaligned_write4 8, func_exit 5"},
    // copies and fills of memory
    {"%x: hbm f32[64], out %o: hbm f32[64]", "copy %x, %o\n", "x86-64-v3",
     "func_entry 3, write_range 1, read_range 1, func_exit 5, unaligned_read8 2"},
    {"out %o: hbm i8[640]", "%z = const 0 : i8[640]\nstore %z, %o[:]\n", "x86-64-v3",
     "func_entry 3, write_range 4, func_exit 5, unaligned_read8 1"},
    {"%x: hbm f32[8,40], out %o: hbm f32[8,40]",
     "%u = view %x[:, 0 : 20] : hbm f32[8,20]\n%w = view %o[:, 7 : 20] : hbm f32[8,20]\ncopy %u, "
     "%w\n",
     "x86-64-v3", "func_entry 3, read_range 3, write_range 3, func_exit 5, unaligned_read8 2"},
};

static Str calls_of(Arena *arena, Str llvm) {
  static const char begin[] = "@__tsan_";
  Buf out, seen;
  buf_init(&out, arena);
  buf_init(&seen, arena);
  const char *end = llvm.data + llvm.len;
  for (const char *p = llvm.data; (p = memmem(p, (size_t)(end - p), begin, strlen(begin))); p++) {
    const char *close = memchr(p, '(', (size_t)(end - p));
    Str call = {p, (size_t)(close + 1 - p)};
    if (seen.len && memmem(seen.data, seen.len, call.data, call.len)) continue;
    buf_str(&seen, call);
    size_t count = 0;
    for (const char *q = llvm.data; (q = memmem(q, (size_t)(end - q), call.data, call.len)); q++)
      count++; // with the declaration
    buf_printf(&out, "%s%.*s %zu", out.len ? ", " : "", (int)(call.len - 1 - strlen(begin)),
               call.data + strlen(begin), count - 1);
  }
  return buf_view(&out);
}

START_TEST(calls) {
  const SanitizeCase *c = &sanitize_cases[_i];
  Session *session = session_new(0);
  IrModule *module = ir_case_read(session, c->params, c->lines);
  CodegenOptions options = {
      .opt_level = 0, .target_cpu = str_from_c(c->cpu), .tsan = true, .verify = true};
  Str code = llvm_text(session, module, &options);
  Str found = calls_of(session->arena, code);
  ck_assert_msg(str_equal(found, str_from_c(c->calls)), "case %d:\n\"%.*s\" is not\n\"%s\"", _i,
                STR_FMT(found), c->calls);
  session_free(session);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("sanitize");
  TCase *tcase = tcase_create("sanitize");
  tcase_add_loop_test(tcase, calls, 0, (int)COUNT_OF(sanitize_cases));
  suite_add_tcase(suite, tcase);
  return suite_run(suite);
}
