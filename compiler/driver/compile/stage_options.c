// SPDX-License-Identifier: Apache-2.0
// What the command line says to each stage, whoever runs it: the compiler of files, or a program
// that compiles what it calls. In: the options. Out: those of the evaluator, the passes, the code
// generator; products at the chip's precision; what is reported of it all.
#include <string.h>
#include "ir/core/attr.h"
#include "ir/core/ir.h"
#include "ir/core/region.h"
#include "stage_options.h"
#include "ir/remarks/remark.h"
#include "python/eval.h"

EvalOptions eval_options(const Options *o, bool run) {
  return (EvalOptions){
      .include_dirs = o->include_dirs.items,
      .include_count = o->include_dirs.count,
      .third_party = o->third_party,
      .site_packages = o->site_packages,
      .customary = o->source_kind == SOURCE_PK,
      .define_names = o->define_names.items,
      .define_values = o->define_values.items,
      .define_count = o->define_names.count,
      .max_steps = o->max_steps,
      .max_depth = o->max_depth,
      .run = run,
      .tpu = o->tpu,
      .debug_info = o->debug_info,
      .check = o->check,
      .strict_tpu = o->strict_tpu,
      .devices = o->devices,
  };
}

PassOptions pass_options(const Session *session, const Options *o) {
  PassOptions options = {.opt_level = o->opt_level,
                         .check = o->check,
                         .inputs_written = true,
                         .watch = o->nan ? WATCH_NAN | WATCH_INF : 0,
                         .stop_after = o->stop_after,
                         .print_to = session->diag_out,
                         .strict_tpu = o->strict_tpu,
                         .apart = o->apart};
  memcpy(options.print_after, o->print_after, sizeof options.print_after);
  if (o->kind == OUTPUT_SCHEDULE) {
    options.schedule = true;
    if (options.stop_after == PASS_COUNT) options.stop_after = PASS_CLEANUP;
  }
  return options;
}

CodegenOptions codegen_options(const Options *o) {
  return (CodegenOptions){.opt_level = o->opt_level,
                          .target_cpu = o->target_cpu,
                          .debug_info = o->debug_info,
                          .perf_map = o->perf_map,
                          .check = o->check,
                          .tsan = o->tsan};
}

static void round_inputs(IrOp *op, void *unused UNUSED) {
  if (op->code != OP_DOT || op->operands[0]->type->dtype != DT_F32 ||
      op->operands[1]->type->dtype != DT_F32)
    return;
  if (ir_attr_int(op, ATTR_PRECISION) == PRECISION_DEFAULT)
    ir_set_int(op->parent->func->module, op, ATTR_PRECISION, PRECISION_BF16);
}

void lower_precision(const Options *options, IrModule *module) {
  if (!options->matmul_tpu) return;
  ir_walk_module(module, round_inputs, NULL);
}

void report_begin(Session *session, const Options *o) {
  session->remarks = o->report || o->warning_on[WARN_PERF] ? remark_new(session) : NULL;
}

void report_end(Session *session, const Options *o) {
  remark_warn(session);
  if (o->report) remark_report(session);
  session->remarks = NULL;
}

int status_of(const Session *session) { return session->error_count ? STATUS_FAULT : STATUS_DONE; }
