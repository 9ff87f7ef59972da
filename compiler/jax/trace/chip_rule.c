// SPDX-License-Identifier: Apache-2.0
// What the chip's compiler refuses and the kernel IR does not show.
#include "chip_rule.h"
#include "ir/core/attr.h"
#include "ir/core/mesh.h"
#include "ir/core/region.h"
#include "python/modules/report.h"
#include "tracing.h"

// The kernel that is being traced is not for an interpreter, nor for a subcore.
static bool is_for_tensor_core(Eval *ev) {
  if (!trace_in_kernel(ev)) return false;
  const IrRegion *region = trace_builder(ev)->region;
  for (const IrRegion *r = region; r; r = ir_region_outer(r))
    if (r->parent && r->parent->code == OP_LAUNCH &&
        ir_attr_int(r->parent, ATTR_PRESET) != PRESET_NONE)
      return false;
  const IrRegion *program = ir_program_around(region);
  CoreKind kind = program ? ir_program_mesh(program)->kind : CORE_DEVICE;
  return kind == CORE_DEVICE || kind == CORE_TENSOR;
}

void chip_refuses(Eval *ev, Str message, Str words) {
  if (!ev->session->warning_on[WARN_TPU] || !is_for_tensor_core(ev)) return;
  const Diag *before = ev->session->last_diag;
  eval_warn(ev, WARN_TPU, "%.*s", STR_FMT(message));
  if (ev->options.strict_tpu && ev->session->last_diag != before)
    diag_exception(ev->session->last_diag, CATCH_NOT_IMPLEMENTED_ERROR, words);
}

void chip_has_no_rule(Eval *ev, Str primitive) {
  Str message =
      str_format(ev->arena, "a TPU's compiler has no rule for '%.*s'", STR_FMT(primitive));
  chip_refuses(ev, message,
               str_format(ev->arena, "Unimplemented primitive in Pallas TPU lowering for tc: %.*s.",
                          STR_FMT(primitive)));
}
