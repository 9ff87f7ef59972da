// SPDX-License-Identifier: Apache-2.0
// Places in the source as constants that the runtime prints.
#include "base/map.h"
#include "ir/core/ir.h"
#include "gen_site.h"
#include "gen_const.h"

static Value site_at(LlvmGen *g, Span span, Str function, Value caller) {
  const SourceFile *file = source_get(g->session, span.file);
  LineCol at = {0, 0};
  int64_t end_column = 0;
  Value source = LLVMConstPointerNull(g->ptr);
  if (file) {
    at = source_line_col(file, span.begin);
    LineCol end = source_line_col(file, span.end);
    end_column = end.line == at.line ? end.column : at.column + 1;
    source = gen_string(g, source_line(file, at.line));
  }
  Value fields[] = {gen_string(g, file ? file->path : STR("")),
                    gen_i32(g, at.line),
                    gen_i32(g, at.column),
                    gen_i32(g, end_column),
                    source,
                    gen_string(g, function),
                    caller};
  return LLVMConstStructInContext(g->context, fields, COUNT_OF(fields), false);
}

// An op's place with the calls it was traced through; the outermost call stands in the function
// itself. The runtime knows an op by the address of its site; those of the calls are shared.
Value gen_site(LlvmGen *g, const IrOp *op) {
  Value known = map_get(g->globals, op);
  if (known) return known;
  const IrFrames *frames[64];
  size_t count = 0;
  for (const IrFrames *f = op->frames; f && count < COUNT_OF(frames); f = f->caller)
    frames[count++] = f;
  Value caller = LLVMConstPointerNull(g->ptr);
  Str function = name_str(g->func->name);
  for (size_t i = count; i-- > 0;) {
    caller = gen_shared_constant(g, site_at(g, frames[i]->call, function, caller), "site");
    function = frames[i]->function ? name_str(frames[i]->function) : STR("");
  }
  Value site = gen_private_constant(g, site_at(g, op->span, function, caller), "site");
  map_set(g->globals, op, site);
  return site;
}
