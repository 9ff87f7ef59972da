// SPDX-License-Identifier: Apache-2.0
// out_of_bounds: reports blocks of launches that a static grid places outside of their arrays
// (-Whint).
//   takes:  launches as they were recorded, before anything folds or removes an op
//   makes:  warnings, one a block and group of its dimensions: the first step whose block lies
//           outside
//   breaks: nothing
//   not:    grids and indices that depend on data, edge blocks, launches that raise an exception
//           for it; under check, where the runtime finds it
#include "base/buf.h"
#include "ir/core/attr.h"
#include "ir/core/ir.h"
#include "ir/core/place.h"
#include "passes/launch/coverage.h"

static const char *block_name(const BlockOf *of) {
  const IrValue *ref = of->parts->body->args[of->parts->first_block + of->number];
  return ref->name ? ref->name->text : "the block";
}

static void warn_outside(PassContext *ctx, const Coverage *c) {
  Session *session = ctx->session;
  const BlockOf *of = c->of;
  int dim = c->outside.dim;
  Buf step;
  buf_init(&step, ctx->arena);
  for (size_t i = 0; i < of->parts->rank; i++)
    buf_printf(&step, i ? ", %lld" : "%lld", (long long)c->outside.step[i]);
  Str index = str_format(ctx->arena, "%lld", (long long)c->outside.index);
  Str message = launch_outside_text(session->arena, index.data, dim, block_name(of),
                                    of->type->dims[dim], &of->block->dims[dim]);
  if (diag_is_reported(session, of->launch->span, message)) return;
  Diag *diag = diag_warning(session, WARN_HINT, of->launch->span, "%.*s", STR_FMT(message));
  diag_note(session, diag, of->launch->span, "in grid step (%.*s) of '%s'",
            STR_FMT(buf_view(&step)), ir_attr_str(of->launch, ATTR_NAME).data);
  ir_diag_frames(ctx->session, diag, of->launch->frames);
}

// Most blocks are seen to be inside without a look at each step.
static bool is_inside(const BlockOf *of) {
  for (int dim = 0; dim < of->block->rank; dim++)
    if (!launch_start_is_inside(of->launch, of->map, dim, &of->block->dims[dim],
                                of->type->dims[dim]))
      return false;
  return true;
}

static void check_launch(PassContext *ctx, const IrOp *launch, void *unused UNUSED) {
  if (ir_attr_int(launch, ATTR_RAISES)) return;
  LaunchParts parts;
  launch_parts(ctx->arena, launch, &parts);
  for (size_t i = 0; i < parts.block_count; i++) {
    if (parts.blocks[i].mode == BLOCK_WHOLE) continue;
    BlockOf of = coverage_block(ctx->arena, launch, &parts, i);
    if (is_inside(&of)) continue;
    Group groups[IR_MAX_RANK];
    size_t count = coverage_groups(&of, groups);
    for (size_t j = 0; j < count; j++) {
      Coverage c;
      coverage_of(&of, groups[j], &c);
      if (c.outside.is_there) warn_outside(ctx, &c);
    }
  }
}

bool pass_out_of_bounds(PassContext *ctx) {
  return !ctx->session->warning_on[WARN_HINT] ||
         launches_visit(ctx, &(LaunchVisit){.launch = check_launch});
}
