// SPDX-License-Identifier: Apache-2.0
// Runs of calls become functions: from how many on, what ends one, and what is passed to it.
#include <check.h>
#include <llvm-c/Analysis.h>
#include <llvm-c/IRReader.h>
#include <stdio.h>
#include <string.h>
#include "codegen/module/call_runs.h"
#include "suite.h"

typedef struct RunCase {
  const char *params, *before, *call, *after;
  int calls;
  const char *expected; // the runs that are made, and the calls that stay in the function itself
} RunCase;

#define PIECES                                                                                     \
  "define internal void @piece(ptr %a, ptr %b, float %c) {\n  ret void\n}\n"                       \
  "define internal void @wide(<16 x float> %v) {\n  ret void\n}\n"                                 \
  "define internal i32 @number() {\n  ret i32 1\n}\n"                                              \
  "declare void @other(ptr)\n"
#define CALL   "  call void @piece(ptr %x, ptr %y, float 1.0)\n"
#define CALL_8 CALL CALL CALL CALL CALL CALL CALL CALL

static const RunCase cases[] = {
    {"ptr %x, ptr %y", "", CALL, "", 63, "0 runs, 63 calls"},
    {"ptr %x, ptr %y", "", CALL, "", 64, "calls(ptr, ptr), 64 calls; 1 runs, 1 calls"},
    // Addresses at a constant distance are computed in the run, others are passed.
    {"ptr %x, i64 %n", "  %y = getelementptr i8, ptr %x, i64 64\n", CALL, "", 64,
     "calls(ptr), 64 calls; 1 runs, 1 calls"},
    {"ptr %x, i64 %n", "  %y = getelementptr i8, ptr %x, i64 %n\n", CALL, "", 64,
     "calls(ptr, ptr), 64 calls; 1 runs, 1 calls"},
    // What is computed among the calls and used behind them stays.
    {"ptr %x, ptr %y", "  %z = getelementptr i8, ptr %x, i64 8\n", CALL, "  store i8 1, ptr %z\n",
     64, "calls(ptr, ptr), 64 calls; 1 runs, 1 calls"},
    // Vectors are not passed, results not given, and nobody knows what others do.
    {"<16 x float> %v, ptr %y", "", "  call void @wide(<16 x float> %v)\n", "", 64,
     "0 runs, 64 calls"},
    {"ptr %x, ptr %y", "", "  call i32 @number()\n", "", 64, "0 runs, 64 calls"},
    {"ptr %x, ptr %y", "", "  call void @other(ptr %x)\n", "", 64, "0 runs, 64 calls"},
    {"ptr %x, ptr %y", CALL_8 "  call void @other(ptr %x)\n", CALL,
     "  call void @other(ptr %x)\n" CALL_8, 64, "calls(ptr, ptr), 64 calls; 1 runs, 19 calls"},
};

static LLVMModuleRef module_of(LLVMContextRef context, const RunCase *c) {
  static char text[1 << 16];
  size_t at = (size_t)snprintf(text, sizeof text, "%sdefine void @f(%s) {\n%s", PIECES, c->params,
                               c->before);
  for (int i = 0; i < c->calls; i++)
    at += (size_t)snprintf(text + at, sizeof text - at, "%s", c->call);
  snprintf(text + at, sizeof text - at, "%s  ret void\n}\n", c->after);
  LLVMMemoryBufferRef buffer =
      LLVMCreateMemoryBufferWithMemoryRangeCopy(text, strlen(text), "case");
  LLVMModuleRef module = NULL;
  char *message = NULL;
  ck_assert_msg(!LLVMParseIRInContext(context, buffer, &module, &message), "%s", message);
  return module;
}

static int calls_of(LLVMValueRef function) {
  int count = 0;
  for (LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetFirstBasicBlock(function)); i;
       i = LLVMGetNextInstruction(i))
    count += LLVMIsACallInst(i) != NULL;
  return count;
}

static void describe(LLVMModuleRef module, char *out, size_t size) {
  int runs = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (!call_runs_is_left(f)) continue;
    runs++;
    char *type = LLVMPrintTypeToString(LLVMGlobalGetValueType(f));
    size_t at = strlen(out);
    snprintf(out + at, size - at, "calls%s, %d calls; ", strchr(type, '('), calls_of(f));
    LLVMDisposeMessage(type);
  }
  size_t at = strlen(out);
  snprintf(out + at, size - at, "%d runs, %d calls", runs,
           calls_of(LLVMGetNamedFunction(module, "f")));
}

START_TEST(runs) {
  const RunCase *c = &cases[_i];
  LLVMContextRef context = LLVMContextCreate();
  LLVMModuleRef module = module_of(context, c);
  call_runs_cut(module, LLVMGetNamedFunction(module, "f"));
  char *message = NULL, described[256] = "";
  ck_assert_msg(!LLVMVerifyModule(module, LLVMReturnStatusAction, &message), "%s", message);
  LLVMDisposeMessage(message);
  describe(module, described, sizeof described);
  ck_assert_msg(strcmp(described, c->expected) == 0, "case %d: \"%s\" is not \"%s\"", _i, described,
                c->expected);
  LLVMDisposeModule(module);
  LLVMContextDispose(context);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("call runs");
  TCase *tcase = tcase_create("runs");
  tcase_add_loop_test(tcase, runs, 0, (int)(sizeof cases / sizeof *cases));
  suite_add_tcase(suite, tcase);
  return suite_run(suite);
}
