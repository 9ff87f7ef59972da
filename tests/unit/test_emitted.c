// SPDX-License-Identifier: Apache-2.0
// Which instructions of LLVM an op becomes, where others would give the same numbers more slowly.
#include <check.h>
#include <string.h>
#include "ir/core/ir.h"
#include "ir/text/read.h"
#include "llvm_text.h"
#include "codegen/codegen.h"
#include "ir/text/text.h"
#include "suite.h"

typedef struct EmittedCase {
  const char *func; // what follows `func @f`
  const char *cpu;
  int level;
  const char *has, *has_not;
} EmittedCase;

// What is shifted is one number a row, which keeps vectors from going on into the next; those of
// several short rows have other lanes.
#define SHIFT(op, rows, columns)                                                                   \
  "(%a: hbm u8[" rows "], %b: hbm u8[" rows "," columns "], out %o: hbm f32[" rows "," columns     \
  "]) {\n%x = load %a[:] : u8[" rows "]\n%s = broadcast %x dims [0] : u8[" rows "," columns        \
  "]\n%n = load %b[:, :] : u8[" rows "," columns "]\nfuse {\n%y = " op " %s, %n : u8[" rows        \
  "," columns "]\n%z = convert %y : f32[" rows "," columns "]\nstore %z, %o[:, :]\n}\n}\n"

// A walk from an array of one type into one of another.
#define WALK(from, to, ops)                                                                        \
  "(%a: hbm " from "[64,64], out %o: hbm " to "[64,64]) {\n%x = load %a[:, :] : " from             \
  "[64,64]\nfuse {\n" ops "store %y, %o[:, :]\n}\n}\n"

#define ROUND "@llvm.x86.avx512bf16.cvtneps2bf16.512("

static const EmittedCase emitted_cases[] = {
    // Shifts by other vectors: those of bytes would be many instructions where lanes of 32 bits
    // are one.
    {SHIFT("shr_logical", "64", "8"), "x86-64-v3", 0, "lshr <8 x i32>", "lshr <8 x i8>"},
    {SHIFT("shl", "64", "8"), "x86-64-v3", 0, "shl <8 x i32>", "shl <8 x i8>"},
    {SHIFT("shr", "64", "8"), "x86-64-v3", 0, "ashr <8 x i32>", "ashr <8 x i8>"},
    {SHIFT("shr_logical", "1", "4"), "x86-64-v3", 0, "lshr <4 x i8>", "lshr <4 x i32>"},

    // Rounding to bf16 by an instruction that flushes: of what cannot be subnormal.
    {WALK("bf16", "bf16", "%y = mul %x, %x : bf16[64,64]\n"), "znver4", 0, ROUND, NULL},
    {WALK("bf16", "bf16", "%z = mul %x, %x : bf16[64,64]\n%y = exp2 %z : bf16[64,64]\n"), "znver4",
     2, ROUND, "add <32 x i32>"},
    {WALK("f32", "bf16",
          "%c = const 0 : f32[64,64]\n%t = lt %x, %c : bool[64,64]\n%z = add %x, %x : f32[64,64]\n"
          "%s = select %t, %z, %c : f32[64,64]\n%y = convert %s : bf16[64,64]\n"),
     "znver4", 0, ROUND, NULL},
    {WALK("f32", "bf16",
          "%c = const 0 : f32[64,64]\n%t = lt %x, %c : bool[64,64]\n"
          "%s = select %t, %x, %c : f32[64,64]\n%y = convert %s : bf16[64,64]\n"),
     "znver4", 0, "store <", ROUND},
    {WALK("f32", "bf16", "%y = convert %x : bf16[64,64]\n"), "znver4", 0, "store <", ROUND},
    {WALK("bf16", "bf16", "%y = mul %x, %x : bf16[64,64]\n"), "sapphirerapids", 0, ROUND, NULL},
    {WALK("bf16", "bf16", "%y = mul %x, %x : bf16[64,64]\n"), "x86-64-v4", 0, "store <", ROUND},

    // Floats of a byte: numbers by way of f16; what is only moved does not come back from a number.
    {WALK("f8e4m3fn", "f32", "%y = convert %x : f32[64,64]\n"), "x86-64-v3", 2, "fpext", "sitofp"},
    {WALK("f8e5m2fnuz", "f32", "%y = convert %x : f32[64,64]\n"), "x86-64-v3", 2, "store <",
     "fpext"},
    {WALK("u8", "f8e4m3fn",
          "%z = bitcast %x : f8e4m3fn[64,64]\n%c = const 1 : f8e4m3fn[64,64]\n%n = const 9 : "
          "u8[64,64]\n%t = lt %x, %n : bool[64,64]\n%y = select %t, %z, %c : f8e4m3fn[64,64]\n"),
     "x86-64-v3", 2, "store <", "fptosi"},

    // Signs of halves are changed where they lie.
    {WALK("bf16", "bf16", "%y = neg %x : bf16[64,64]\n"), "x86-64-v3", 0, "xor <16 x i16>",
     "trunc <8 x i32>"},
    {WALK("f16", "f16", "%y = abs %x : f16[64,64]\n"), "x86-64-v3", 0, "and <16 x i16>", "fptrunc"},
};

START_TEST(instructions) {
  const EmittedCase *c = &emitted_cases[_i];
  Session *session = session_new(0);
  Str text = str_format(session->arena, "module tpu v5p devices 1\nfunc @f%s", c->func);
  IrModule *module = ir_read(session, source_add(session, STR("case.ir"), text, false));
  diag_flush(session);
  ck_assert_ptr_nonnull(module);
  CodegenOptions options = {.opt_level = c->level, .target_cpu = str_from_c(c->cpu)};
  const char *llvm = str_copy(session->arena, llvm_text(session, module, &options)).data;
  ck_assert_msg(strstr(llvm, c->has), "case %d: no %s", _i, c->has);
  ck_assert_msg(!c->has_not || !strstr(llvm, c->has_not), "case %d: %s", _i, c->has_not);
  session_free(session);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("emitted");
  TCase *tcase = tcase_create("emitted");
  tcase_add_loop_test(tcase, instructions, 0, (int)COUNT_OF(emitted_cases));
  suite_add_tcase(suite, tcase);
  return suite_run(suite);
}
