// SPDX-License-Identifier: Apache-2.0
// In lanes of how many bits a shift by other vectors is emitted: those of bytes would be many
// instructions where lanes of 32 bits are one.
#include <check.h>
#include <string.h>
#include "ir/core/ir.h"
#include "ir/text/read.h"
#include "llvm_text.h"
#include "codegen/codegen.h"
#include "ir/text/text.h"
#include "suite.h"

typedef struct ShiftCase {
  const char *op;
  int rows, columns;
  const char *has, *has_not;
} ShiftCase;

static const ShiftCase shift_cases[] = {
    {"shr_logical", 64, 8, "lshr <8 x i32>", "lshr <8 x i8>"},
    {"shl", 64, 8, "shl <8 x i32>", "shl <8 x i8>"},
    {"shr", 64, 8, "ashr <8 x i32>", "ashr <8 x i8>"},
    {"shr_logical", 1, 4, "lshr <4 x i8>", "lshr <4 x i32>"},
};

START_TEST(lanes_of_shifts) {
  const ShiftCase *c = &shift_cases[_i];
  Session *session = session_new(0);
  // What is shifted is one number a row, which keeps vectors from going on into the next; those of
  // several short rows have other lanes.
  Str text = str_format(
      session->arena,
      "module tpu v5p devices 1\nfunc @f(%%a: hbm u8[%d], %%b: hbm u8[%d,%d], out %%o: hbm "
      "f32[%d,%d]) {\n%%x = load %%a[:] : u8[%d]\n%%s = broadcast %%x dims [0] : u8[%d,%d]\n%%n = "
      "load %%b[:, :] : u8[%d,%d]\nfuse {\n%%y = %s %%s, %%n : u8[%d,%d]\n%%z = convert %%y : "
      "f32[%d,%d]\nstore %%z, %%o[:, :]\n}\n}\n",
      c->rows, c->rows, c->columns, c->rows, c->columns, c->rows, c->rows, c->columns, c->rows,
      c->columns, c->op, c->rows, c->columns, c->rows, c->columns);
  IrModule *module = ir_read(session, source_add(session, STR("case.ir"), text, false));
  diag_flush(session);
  ck_assert_ptr_nonnull(module);
  CodegenOptions options = {.opt_level = 0, .target_cpu = STR("x86-64-v3")};
  Str code = llvm_text(session, module, &options);
  const char *llvm = str_format(session->arena, "%.*s%c", STR_FMT(code), 0).data;
  ck_assert_msg(strstr(llvm, c->has) && !strstr(llvm, c->has_not), "case %d", _i);
  session_free(session);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("shift_lanes");
  TCase *tcase = tcase_create("shift_lanes");
  tcase_add_loop_test(tcase, lanes_of_shifts, 0, (int)COUNT_OF(shift_cases));
  suite_add_tcase(suite, tcase);
  return suite_run(suite);
}
