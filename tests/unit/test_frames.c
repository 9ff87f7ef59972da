// SPDX-License-Identifier: Apache-2.0
// Where the buffers of a program lie in its frame: apart while both are needed, or while a copy may
// be under way that nobody has waited for; in one place if not.
#define _GNU_SOURCE
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include "base/buf.h"
#include "ir/core/ir.h"
#include "ir/text/read.h"
#include "llvm_text.h"
#include "codegen/codegen.h"
#include "ir/text/text.h"
#include "suite.h"

typedef struct FrameCase {
  const char *lines;
  const char *buffers; // offset and size of each, in the order of the text
} FrameCase;

#define SEMAPHORES                                                                                 \
  "%s = alloc : sem dma[2]\n%s0 = view %s[0] : sem dma\n%s1 = view %s[1] : sem dma\n"
#define USE(name) "copy %x, %" name "\ncopy %" name ", %o\n"

static const FrameCase frame_cases[] = {
#include "frame_cases.h"
};

static Str buffers_of(Arena *arena, Str llvm) {
  static const char table[] = "@buffers = ", row[] = "{ i64 ";
  Buf out;
  buf_init(&out, arena);
  const char *p = memmem(llvm.data, llvm.len, table, strlen(table));
  if (!p) return STR("");
  const char *end = memchr(p, '\n', (size_t)(llvm.data + llvm.len - p));
  while ((p = memmem(p, (size_t)(end - p), row, strlen(row)))) {
    char *next;
    long offset = strtol(p + strlen(row), &next, 10);
    long size = strtol(next + strlen(", i64 "), &next, 10);
    buf_printf(&out, "%s%ld %ld", out.len ? ", " : "", offset, size);
    p = next;
  }
  return buf_view(&out);
}

START_TEST(buffers) {
  const FrameCase *c = &frame_cases[_i];
  Session *session = session_new(0);
  Str text =
      str_format(session->arena,
                 "module tpu v5p devices 1\nfunc @f(%%x: hbm f32[8,128], %%y: hbm f32[4,128], "
                 "inout %%o: hbm f32[8,128]) {\n%s%s}\n",
                 SEMAPHORES, c->lines);
  IrModule *module = ir_read(session, source_add(session, STR("case.ir"), text, false));
  diag_flush(session);
  ck_assert_ptr_nonnull(module);
  CodegenOptions options = {.opt_level = 0, .target_cpu = STR("x86-64-v3"), .verify = true};
  Str code = llvm_text(session, module, &options);
  Str found = buffers_of(session->arena, code);
  ck_assert_msg(str_equal(found, str_from_c(c->buffers)), "case %d:\n\"%.*s\" is not\n\"%s\"", _i,
                STR_FMT(found), c->buffers);
  session_free(session);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("frames");
  TCase *tcase = tcase_create("frames");
  tcase_add_loop_test(tcase, buffers, 0, (int)COUNT_OF(frame_cases));
  suite_add_tcase(suite, tcase);
  return suite_run(suite);
}
