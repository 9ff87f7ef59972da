// SPDX-License-Identifier: Apache-2.0
// unused: reports values that are made and never used (-Wunused).
//   takes:  ops as they were recorded, before anything folds or removes one
//   makes:  warnings, one a place
//   breaks: nothing
//   not:    values that only other unused ones use; places where one of several evaluations is
//           used, as in an unrolled loop
#include "base/map.h"
#include "ir/analysis/effects.h"
#include "ir/core/ir.h"
#include "ir/core/place.h"
#include "ir/core/region.h"
#include "passes/launch/launch.h"

typedef struct Unused {
  PassContext *ctx;
  Map *used; // by place: a value that was made there is used
  Map *reported;
} Unused;

// What stands at one place may take several ops; a place is used if an op of another place, or one
// with an effect, takes a value of it.
static void note_used(IrOp *op, void *data) {
  Unused *u = data;
  bool has_effect = !effects_only_reads(op->code);
  for (uint32_t i = 0; i < op->operand_count; i++) {
    IrOp *def = op->operands[i]->def;
    if (def && (has_effect || pass_place(def) != pass_place(op)))
      map_set(u->used, pass_place(def), def);
  }
}

static void report_unused(IrOp *op, void *data) {
  Unused *u = data;
  if (!effects_only_reads(op->code) || op_info(op->code)->op_class == CLASS_CONST) return;
  if (!op->frames) return; // an entry point's own: its arguments as arrays
  const SourceFile *file = source_get(u->ctx->session, op->span.file);
  if (!file || file->is_builtin || map_has(u->used, pass_place(op)) ||
      map_has(u->reported, pass_place(op)))
    return;
  map_set(u->reported, pass_place(op), op);
  Diag *diag = diag_warning(u->ctx->session, WARN_UNUSED, op->span, "this value is never used");
  ir_diag_frames(u->ctx->session, diag, op->frames);
}

bool pass_unused(PassContext *ctx) {
  Session *session = ctx->session;
  if (!session->warning_on[WARN_UNUSED]) return true;
  size_t errors = session->error_count;
  Unused u = {.ctx = ctx, .used = map_new(ctx->arena), .reported = map_new(ctx->arena)};
  ir_walk_module(ctx->module, note_used, &u);
  ir_walk_module(ctx->module, report_unused, &u);
  return session->error_count == errors;
}
