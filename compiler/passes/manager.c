// SPDX-License-Identifier: Apache-2.0
// Runs the passes of passes.def in their order: which ones the options want, whether what they need
// still holds, and whether what they leave is well-formed.
#include "base/buf.h"
#include "ir/core/ir.h"
#include "ir/core/verify.h"
#include "ir/text/print.h"
#include "pass.h"

typedef struct PassInfo {
  const char *name;
  bool (*run)(PassContext *ctx);
  unsigned needs, breaks, skipped;
} PassInfo;

static const PassInfo *pass_info(PassId id) {
  static const PassInfo infos[PASS_COUNT] = {
#define PASS(id, name, function, needs, breaks, skipped, what)                                     \
  [PASS_##id] = {name, function, needs, breaks, skipped},
#include "passes.def"
#undef PASS
  };
  if ((unsigned)id >= PASS_COUNT) BUG("no pass %d", (int)id);
  return &infos[id];
}

const char *pass_name(PassId id) { return pass_info(id)->name; }

bool pass_from_name(Str name, PassId *out) {
  for (int i = 0; i < PASS_COUNT; i++) {
    if (!str_equal(name, str_from_c(pass_name((PassId)i)))) continue;
    *out = (PassId)i;
    return true;
  }
  return false;
}

static void print_module(const IrModule *module, const char *when, const char *pass, FILE *to) {
  Buf text;
  buf_init(&text, module->arena);
  buf_printf(&text, "; %s %s\n", when, pass);
  ir_print(module, true, &text);
  fwrite(text.data, 1, text.len, to);
  fflush(to);
}

// Malformed IR is the pass's mistake (or, before the first, that of whoever built it).
static void verify(const IrModule *module, const char *when, const char *pass) {
  Str what;
  if (ir_verify(module, &what)) return;
  print_module(module, when, pass, stderr);
  BUG("malformed IR %s %s: %.*s", when, pass, STR_FMT(what));
}

static bool wants_verifying(const PassOptions *options) {
#ifdef NDEBUG
  return options->verify;
#else
  (void)options;
  return true;
#endif
}

bool pass_run_one(Session *session, IrModule *module, const PassOptions *options, PassId id) {
  const PassInfo *info = pass_info(id);
  PassContext ctx = {.session = session,
                     .module = module,
                     .options = options,
                     .arena = arena_new_child(session->arena)};
  bool ok = info->run(&ctx);
  arena_free(ctx.arena);
  if (!ok) return false;
  if (wants_verifying(options)) verify(module, "after", info->name);
  if (options->print_after[id])
    print_module(module, "after", info->name, options->print_to ? options->print_to : stderr);
  return true;
}

static unsigned situations(const PassOptions *options) {
  return (options->opt_level == 0 ? S_O0 : 0) | (options->check ? S_CHECK : S_NO_CHECK) |
         (options->schedule ? S_SCHEDULE : 0);
}

bool passes_run(Session *session, IrModule *module, const PassOptions *options) {
  unsigned properties = P_LAUNCHES | P_ARRAYS, here = situations(options);
  if (wants_verifying(options)) verify(module, "before", pass_name((PassId)0));
  for (int i = 0; i < PASS_COUNT; i++) {
    PassId id = (PassId)i;
    const PassInfo *info = pass_info(id);
    if (!(info->skipped & here)) {
      session_progress(session, "pass", (size_t)i, PASS_COUNT, str_from_c(info->name));
      if ((properties & info->needs) != info->needs)
        BUG("the pass '%s' comes too late: what it needs is broken", info->name);
      if (!pass_run_one(session, module, options, id)) return false;
      properties &= ~info->breaks;
    }
    if (id == options->stop_after) break;
  }
  return true;
}
