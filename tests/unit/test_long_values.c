// SPDX-License-Identifier: Apache-2.0
// Where stretches of long code begin, and what is read again there.
#include <check.h>
#include <llvm-c/Analysis.h>
#include <llvm-c/IRReader.h>
#include <stdio.h>
#include <string.h>
#include "codegen/module/long_values.h"
#include "suite.h"

typedef struct KeepCase {
  const char *name, *body;
  const char *expected; // the instructions that are new, those of a block between its label and `;`
  bool with_allocas;
} KeepCase;

#define FOUR                                                                                       \
  "  store i8 1, ptr null\n  store i8 2, ptr null\n  store i8 3, ptr null\n"                       \
  "  store i8 4, ptr null\n"
#define FOUR_ALLOCAS                                                                               \
  "  %s1 = alloca i8\n  %s2 = alloca i8\n  %s3 = alloca i8\n  %s4 = alloca i8\n  %s5 = alloca "    \
  "i8\n"

static const KeepCase cases[] = {
    {"an address",
     "entry:\n  %q = getelementptr i8, ptr %p, i64 %n\n" FOUR "  store i8 5, ptr %q\n  ret void\n",
     "entry: alloca store read;", false},
    {"read once a stretch",
     "entry:\n  %m = add i64 %n, 1\n" FOUR
     "  %a = add i64 %m, %m\n  %b = add i64 %a, %m\n  ret void\n",
     "entry: alloca store read;", false},
    {"an address at a constant distance is computed again",
     "entry:\n  %q = getelementptr i8, ptr %p, i64 8\n" FOUR "  store i8 5, ptr %q\n  ret void\n",
     "entry: alloca store read address;", false},
    {"a float is left alone",
     "entry:\n  %m = uitofp i64 %n to float\n" FOUR "  %a = fadd float %m, %m\n  ret void\n", "",
     false},
    {"memory of the function has its place",
     "entry:\n  %m = alloca i8\n" FOUR "  store i8 5, ptr %m\n  ret void\n", "", false},
    {"but where that has too many addresses",
     "entry:\n  %m = alloca i8\n" FOUR "  store i8 5, ptr %m\n  store i8 6, ptr %m\n  ret void\n",
     "entry: alloca store read;", true},
    {"none begins among the memory of the function",
     "entry:\n" FOUR_ALLOCAS "  store i8 5, ptr %p\n" FOUR "  ret void\n",
     "entry: alloca store read;", false},
    {"none begins where a branch leaps over",
     "entry:\n  %c = icmp eq i64 %n, 0\n  br i1 %c, label %then, label %join\nthen:\n" FOUR FOUR
     "  br label %join\njoin:\n  store i8 9, ptr %p\n  ret void\n",
     "entry: alloca store;join: read;", false},
    {"nor in a short loop",
     "entry:\n  br label %loop\nloop:\n  %i = phi i64 [ %n, %entry ], [ %j, %loop ]\n" FOUR FOUR
     "  %j = add i64 %i, 1\n  %c = icmp eq i64 %j, 9\n  br i1 %c, label %loop, label %out\nout:\n  "
     "store i8 9, ptr %p\n  ret void\n",
     "entry: alloca store;out: read;", false},
    {"a phi's value is read where it comes from",
     "entry:\n" FOUR "  br label %next\nnext:\n" FOUR
     "  br label %last\nlast:\n  %i = phi i64 [ %n, %next ]\n  store i64 %i, ptr %p\n  ret void\n",
     "entry: alloca alloca store store;next: read read;", false},
    {"what ends the function may stand at its front",
     "entry:\n  br label %code\nleave:\n  store i64 %m, ptr %p\n  ret void\ncode:\n  %m = add i64 "
     "%n, 1\n" FOUR "  br label %leave\n",
     "", false},
};

static LLVMModuleRef module_of(LLVMContextRef context, const char *body) {
  static char text[1 << 12];
  snprintf(text, sizeof text, "define void @f(ptr %%p, i64 %%n) {\n%s}\n", body);
  LLVMMemoryBufferRef buffer =
      LLVMCreateMemoryBufferWithMemoryRangeCopy(text, strlen(text), "case");
  LLVMModuleRef module = NULL;
  char *message = NULL;
  ck_assert_msg(!LLVMParseIRInContext(context, buffer, &module, &message), "%s", message);
  return module;
}

static const char *kind_of(LLVMValueRef instruction) {
  size_t length;
  LLVMGetValueName2(instruction, &length);
  if (LLVMIsAStoreInst(instruction) && LLVMIsAAllocaInst(LLVMGetOperand(instruction, 1))) {
    LLVMGetValueName2(LLVMGetOperand(instruction, 1), &length);
    return length ? NULL : " store";
  }
  if (LLVMIsALoadInst(instruction)) return LLVMGetVolatile(instruction) ? " read" : " load";
  if (length || LLVMGetTypeKind(LLVMTypeOf(instruction)) == LLVMVoidTypeKind) return NULL;
  return LLVMIsAAllocaInst(instruction) ? " alloca" : " address";
}

static void describe(LLVMValueRef function, char *out, size_t size) {
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
    bool is_new = false;
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
      const char *kind = kind_of(i);
      size_t at = strlen(out);
      if (kind)
        snprintf(out + at, size - at, "%s%s%s", is_new ? "" : LLVMGetBasicBlockName(b),
                 is_new ? "" : ":", kind);
      is_new |= kind != NULL;
    }
    if (is_new) strncat(out, ";", size - strlen(out) - 1);
  }
}

START_TEST(kept) {
  const KeepCase *c = &cases[_i];
  Arena *arena = arena_new((OomHandler){0}, 0);
  LLVMContextRef context = LLVMContextCreate();
  LLVMModuleRef module = module_of(context, c->body);
  LLVMValueRef function = LLVMGetNamedFunction(module, "f");
  long_values_keep(module, function, 4, c->with_allocas, arena);
  char *message = NULL, described[256] = "";
  ck_assert_msg(!LLVMVerifyModule(module, LLVMReturnStatusAction, &message), "%s", message);
  LLVMDisposeMessage(message);
  describe(function, described, sizeof described);
  ck_assert_msg(strcmp(described, c->expected) == 0, "%s: \"%s\" is not \"%s\"", c->name, described,
                c->expected);
  LLVMDisposeModule(module);
  LLVMContextDispose(context);
  arena_free(arena);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("long values");
  TCase *tcase = tcase_create("kept");
  tcase_add_loop_test(tcase, kept, 0, (int)(sizeof cases / sizeof *cases));
  suite_add_tcase(suite, tcase);
  return suite_run(suite);
}
