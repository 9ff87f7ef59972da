// SPDX-License-Identifier: Apache-2.0
// What a function has much of becomes calls of functions that identical pieces share: which there
// are, by name, and how often each is called. What has little is written out.
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

typedef struct OutlinedCase {
  const char *params, *before, *lines; // of `lines`, each # is the number of the repetition
  int times;
  const char
      *functions; // each that is made beside the entry, how many places name it; types of vectors
  bool check;
} OutlinedCase;

#define DOT                                                                                        \
  "%d# = dot %a, %b lhs_contract [1] rhs_contract [0] lhs_batch [] rhs_batch [] precision "        \
  "highest : f32[8,8]\n"
#define MATRICES                                                                                   \
  "%x: hbm f32[8,8], %y: hbm f32[8,8], %z: hbm f32[16,64], out %o: hbm f32[8,8], out %p: hbm "     \
  "f32[8], out %q: hbm f32[16,64], out %i: hbm i32[16]"
#define LOADS                                                                                      \
  "%a = load %x[:, :] : f32[8,8]\n%b = load %y[:, :] : f32[8,8]\n%c = load %z[:, :] : "            \
  "f32[16,64]\n"

static const OutlinedCase outlined_cases[] = {
#include "outlined_cases.h"
};

static Str repeated(Arena *arena, const char *lines, int times) {
  Buf out;
  buf_init(&out, arena);
  for (int i = 0; i < times; i++)
    for (const char *p = lines; *p; p++)
      if (*p == '#')
        buf_printf(&out, "%d", i);
      else
        buf_char(&out, *p);
  return buf_view(&out);
}

static size_t times_of(Str text, const char *name) {
  size_t count = 0, length = strlen(name);
  for (const char *p = text.data; (p = memmem(p, (size_t)(text.data + text.len - p), name, length));
       p += length)
    count++;
  return count;
}

// The types of vectors in the code, each once.
static void put_vectors(Arena *arena, Str llvm, Buf *out) {
  const char *end = llvm.data + llvm.len;
  Buf seen;
  buf_init(&seen, arena);
  for (const char *p = llvm.data; (p = memchr(p, '<', (size_t)(end - p))); p++) {
    size_t digits = strspn(p + 1, "0123456789");
    const char *close = memchr(p, '>', (size_t)(end - p));
    if (!digits || !close || strncmp(p + 1 + digits, " x ", 3) != 0) continue;
    Str type = {p, (size_t)(close + 1 - p)};
    if (seen.len && memmem(seen.data, seen.len, type.data, type.len)) continue;
    buf_str(&seen, type);
    buf_printf(out, "%s%.*s", seen.len == type.len ? "; " : " ", STR_FMT(type));
  }
}

// The functions with bodies that are nobody's entry, and the places that name them beside that;
// whether there is code in vectors.
static Str functions_of(Arena *arena, Str llvm) {
  static const char begin[] = "define internal ";
  Buf out;
  buf_init(&out, arena);
  const char *end = llvm.data + llvm.len;
  for (const char *p = llvm.data; (p = memmem(p, (size_t)(end - p), begin, strlen(begin)));) {
    const char *name = memchr(p, '@', (size_t)(end - p));
    const char *close = memchr(name, '(', (size_t)(end - name));
    Str call = str_format(arena, "%.*s(", (int)(close - name), name);
    buf_printf(&out, "%s%.*s %zu", out.len ? "; " : "", (int)(close - name), name,
               times_of(llvm, call.data) - 1);
    p = close;
  }
  put_vectors(arena, llvm, &out);
  return buf_view(&out);
}

static Str code_of(Session *session, const OutlinedCase *c, int times, const char *cpu) {
  Str lines = repeated(session->arena, c->lines, times);
  Str text = str_format(session->arena, "module tpu v5p devices 1\nfunc @f(%s) {\n%s%.*s}\n",
                        c->params, c->before, STR_FMT(lines));
  IrModule *module = ir_read(session, source_add(session, STR("case.ir"), text, false));
  diag_flush(session);
  ck_assert_ptr_nonnull(module);
  CodegenOptions options = {.opt_level = 0, .target_cpu = str_from_c(cpu), .check = c->check};
  return llvm_text(session, module, &options);
}

START_TEST(functions_and_calls) {
  const OutlinedCase *c = &outlined_cases[_i];
  Session *session = session_new(0);
  Str code = code_of(session, c, c->times, "x86-64-v3");
  Str functions = functions_of(session->arena, code);
  ck_assert_msg(str_equal(functions, str_from_c(c->functions)), "case %d:\n\"%.*s\" is not\n\"%s\"",
                _i, STR_FMT(functions), c->functions);
  session_free(session);
}
END_TEST

// What is long is not scheduled after register allocation, which the CPU's own model would ask for.
START_TEST(scheduling_model) {
  static const OutlinedCase c = {"%z: hbm f32[16,64], out %q: hbm f32[16,64]",
                                 "%c = load %z[:, :] : f32[16,64]\n",
                                 "%n# = neg %c : f32[16,64]\nstore %n#, %q[:, :]\n",
                                 0,
                                 "",
                                 false};
  Session *session = session_new(0);
  Str code = code_of(session, &c, 2, "znver4");
  ck_assert_uint_gt(times_of(code, "\"tune-cpu\"=\"znver4\""), 0);
  code = code_of(session, &c, 450, "znver4");
  ck_assert_uint_eq(times_of(code, "\"tune-cpu\"=\"znver4\""), 0);
  ck_assert_uint_gt(times_of(code, "\"tune-cpu\"=\"x86-64-v4\""), 0);
  session_free(session);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("outlined");
  TCase *tcase = tcase_create("outlined");
  tcase_set_timeout(tcase, 300);
  tcase_add_loop_test(tcase, functions_and_calls, 0, (int)COUNT_OF(outlined_cases));
  tcase_add_test(tcase, scheduling_model);
  suite_add_tcase(suite, tcase);
  return suite_run(suite);
}
