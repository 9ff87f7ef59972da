// SPDX-License-Identifier: Apache-2.0
// libFuzzer: any bytes go through the reader of IR text. What is accepted must be well-formed,
// print to a text that reads back as itself, and stay well-formed when it is simplified.
#include "in_session.h"

#include "base/buf.h"
#include "ir/core/ir.h"
#include "ir/core/verify.h"
#include "ir/text/print.h"
#include "ir/text/read.h"
#include "passes/pass.h"

static Str text_of(const IrModule *module, Arena *arena) {
  Buf out;
  buf_init(&out, arena);
  ir_print(module, false, &out);
  return buf_view(&out);
}

static void must_verify(const IrModule *module, const char *when) {
  Str what;
  if (!ir_verify(module, &what)) BUG("%s: %.*s", when, STR_FMT(what));
}

static int run(Session *session, void *data) {
  const Str *input = data;
  IrModule *module = ir_read(session, source_add(session, STR("a.ir"), *input, false));
  if (!module) return give_up(session);
  must_verify(module, "as it was read");
  Str text = text_of(module, session->arena);
  IrModule *again = ir_read(session, source_add(session, STR("b.ir"), text, false));
  if (!again) BUG("what was printed is not read: %.*s", STR_FMT(session->first_diag->message));
  if (!str_equal(text_of(again, session->arena), text)) BUG("a text reads back as another");
  PassOptions options = {.opt_level = 2, .stop_after = PASS_COUNT, .check = input->len & 1};
  PassContext ctx = {.session = session, .module = module, .options = &options};
  ctx.arena = arena_new_child(session->arena);
  pass_simplify(&ctx);
  must_verify(module, "simplified");
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return in_session(data, size, run); }
