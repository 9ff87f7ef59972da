// SPDX-License-Identifier: Apache-2.0
// docs/ir.md: its tables are those of ops.def, its examples are read and printed as they stand
// there.
#include <check.h>
#include <stdlib.h>

#include "../tools/ir_doc.h"
#include "base/buf.h"
#include "ir/core/ir.h"
#include "ir/text/print.h"
#include "ir/text/read.h"
#include "suite.h"

static SourceFile *read_document(Session *session) {
  SourceFile *file = source_read(session, STR(PALLASC_TESTS "/../docs/ir.md"), (Span){0});
  ck_assert_ptr_nonnull(file);
  return file;
}

START_TEST(tables_are_current) {
  Session *session = session_new(0);
  Str text = read_document(session)->text;
  ck_assert_msg(str_equal(ir_doc_update(session->arena, text), text), "run: ir_doc docs/ir.md");
  session_free(session);
}
END_TEST

START_TEST(examples_are_read) {
  Session *session = session_new(0);
  const char *at = read_document(session)->text.data;
  int count = 0;
  while ((at = strstr(at, "```ir"))) {
    at = strchr(at, '\n') + 1;
    const char *end = strstr(at, "```\n");
    ck_assert_ptr_nonnull(end);
    Str text = {at, (size_t)(end - at)};
    IrModule *module = ir_read(session, source_add(session, STR("docs/ir.md"), text, false));
    if (!module) diag_flush(session);
    ck_assert_ptr_nonnull(module);
    Buf out;
    buf_init(&out, session->arena);
    ir_print(module, false, &out);
    ck_assert_msg(str_equal(buf_view(&out), text), "prints as\n%s", buf_view(&out).data);
    count++;
    at = end;
  }
  ck_assert_int_ge(count, 5);
  session_free(session);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("ir_doc");
  TCase *tc = tcase_create("ir_doc");
  tcase_add_test(tc, tables_are_current);
  tcase_add_test(tc, examples_are_read);
  suite_add_tcase(suite, tc);
  return suite_run(suite);
}
