// SPDX-License-Identifier: Apache-2.0
// Records what was made of a program.
#include "base/buf.h"
#include "base/map.h"
#include "ir/core/attr.h"
#include "ir/core/family.h"
#include "ir/core/ir.h"
#include "remark_data.h"

Remarks *remark_new(Session *session) {
  Remarks *remarks = ARENA_NEW(session->arena, Remarks);
  remarks->launches = map_new(session->arena);
  remarks->later = map_new(session->arena);
  return remarks;
}

// ---- which kernel -------------------------------------------------------------------------------
static bool frames_equal(const IrFrames *a, const IrFrames *b) {
  for (; a && b && a != b; a = a->caller, b = b->caller)
    if (a->function != b->function || !span_equal(a->call, b->call)) return false;
  return a == b;
}

// What is traced in a kernel has the call of it among its frames.
static bool is_traced_in(const IrFrames *frames, const RemarkItem *kernel) {
  for (; frames; frames = frames->caller)
    if (span_equal(frames->call, kernel->span) && frames_equal(frames->caller, kernel->frames))
      return true;
  return false;
}

static size_t depth_of(const IrFrames *frames) {
  size_t depth = 0;
  for (; frames; frames = frames->caller) depth++;
  return depth;
}

// The innermost one; of several at one place, as in an unrolled loop, the first.
static RemarkItem *kernel_of(const Remarks *remarks, Str entry, const IrFrames *frames) {
  RemarkItem *found = NULL;
  for (size_t i = 0; i < remarks->kernels.count; i++) {
    RemarkItem *item = remarks->kernels.items[i];
    if (str_equal(item->entry, entry) && is_traced_in(frames, item) &&
        (!found || depth_of(item->frames) > depth_of(found->frames)))
      found = item;
  }
  return found;
}

// From 1.
static size_t site_of(const Remarks *remarks, const RemarkItem *kernel) {
  size_t most = 0;
  for (size_t i = 0; i < remarks->kernels.count; i++) {
    const RemarkItem *item = remarks->kernels.items[i];
    if (str_equal(item->entry, kernel->entry) && span_equal(item->span, kernel->span) &&
        frames_equal(item->frames, kernel->frames))
      return item->site;
    if (item->site > most) most = item->site;
  }
  return most + 1;
}

// ---- items --------------------------------------------------------------------------------------
static RemarkItem *new_item(Session *session, RemarkKind kind, Str entry, Span span, Str name) {
  RemarkItem *item = ARENA_NEW(session->arena, RemarkItem);
  *item = (RemarkItem){.kind = kind,
                       .entry = entry,
                       .name = str_copy(session->arena, name),
                       .span = span,
                       .last = span};
  VEC_PUSH(session->arena, &session->remarks->items, item);
  return item;
}

static Str entry_of(Session *session, const IrOp *op) {
  const IrFunc *func = op->parent->func;
  size_t sizes = func->family ? func->family->count : 0;
  Buf buf;
  buf_init(&buf, session->arena);
  buf_str(&buf, name_str(ir_family_name(func)));
  for (size_t i = 0; i < sizes; i++)
    buf_printf(&buf, "%s%s=%lld", i ? ", " : "[", func->family->sizes[i]->text,
               (long long)func->sizes[i]);
  if (sizes) buf_char(&buf, ']');
  return buf_view(&buf);
}

static void take_later(Session *session, RemarkItem *item, const IrOp *op) {
  const LaterReasons *later = map_get(session->remarks->later, op);
  for (size_t i = 0; later && i < later->count; i++) remark_reason(session, item, &later->items[i]);
}

RemarkItem *remark_item(Session *session, RemarkKind kind, const IrOp *op, Str name) {
  if (!session->remarks) return NULL;
  RemarkItem *item = new_item(session, kind, entry_of(session, op), op->span, name);
  item->frames = op->frames;
  item->parent = kernel_of(session->remarks, item->entry, op->frames);
  take_later(session, item, op);
  return item;
}

RemarkItem *remark_kernel(Session *session, const IrOp *launch) {
  if (!session->remarks) return NULL;
  RemarkItem *item = map_get(session->remarks->launches, launch);
  if (item) return item;
  item = remark_item(session, REMARK_KERNEL, launch, ir_attr_str(launch, ATTR_NAME));
  item->site = site_of(session->remarks, item);
  map_set(session->remarks->launches, launch, item);
  VEC_PUSH(session->arena, &session->remarks->kernels, item);
  return item;
}

RemarkItem *remark_part(Session *session, RemarkItem *of, RemarkKind kind, Span span, Str name) {
  if (!session->remarks || !of) return NULL;
  RemarkItem *item = new_item(session, kind, of->entry, span, name);
  item->parent = of;
  item->frames = of->frames;
  if (!span.file) {
    item->span = of->span;
    item->last = of->last;
  }
  return item;
}

void remark_most_is_done(RemarkItem *part) {
  for (size_t i = 0; part && part->parent && i < part->parent->reasons.count; i++)
    part->parent->reasons.items[i].is_little = true;
}

// What returns a function's results has the function's own place.
void remark_covers(Session *session, RemarkItem *item, const IrOp *op) {
  if (!item) return;
  Span function = op->parent->func->span;
  if (!item->parent) item->parent = kernel_of(session->remarks, item->entry, op->frames);
  if (span_equal(op->span, function)) return;
  if (span_equal(item->span, function)) item->span = item->last = op->span;
  if (op->span.file != item->span.file) return;
  if (op->span.begin < item->span.begin) item->span = op->span;
  if (op->span.begin > item->last.begin) item->last = op->span;
}

// ---- facts --------------------------------------------------------------------------------------
void remark_numbers(Session *session, RemarkItem *item, FactId fact, size_t count,
                    const int64_t *numbers) {
  if (!item) return;
  item->facts[fact] =
      (Fact){.is_known = true,
             .count = count,
             .numbers = arena_dup(session->arena, numbers, count * sizeof *numbers)};
}

void remark_number(Session *session, RemarkItem *item, FactId fact, int64_t number) {
  remark_numbers(session, item, fact, 1, &number);
}

void remark_text(Session *session, RemarkItem *item, FactId fact, Str text) {
  if (item) item->facts[fact] = (Fact){.is_known = true, .text = str_copy(session->arena, text)};
}

// ---- reasons ------------------------------------------------------------------------------------
static void add_reason(Session *session, RemarkItem *item, const Reason *reason, bool is_little) {
  if (!item || reason->id == REASON_NONE) return;
  RemarkReason own = {*reason, is_little};
  own.reason.what = str_copy(session->arena, reason->what);
  VEC_PUSH(session->arena, &item->reasons, own);
}

void remark_reason(Session *session, RemarkItem *item, const Reason *reason) {
  add_reason(session, item, reason, false);
}

void remark_reason_of_little(Session *session, RemarkItem *item, const Reason *reason) {
  add_reason(session, item, reason, true);
}

void remark_later(Session *session, const IrOp *op, const Reason *reason) {
  if (!session->remarks) return;
  LaterReasons *later = map_get(session->remarks->later, op);
  if (!later) {
    later = ARENA_NEW(session->arena, LaterReasons);
    map_set(session->remarks->later, op, later);
  }
  VEC_PUSH(session->arena, later, *reason);
}

Str remark_name(const IrValue *value) {
  for (;;) {
    if (value->name) return name_str(value->name);
    if (!value->def) return STR("a value");
    const IrOp *op = value->def;
    if (op->code == OP_ALLOC) {
      Str name = ir_attr_find(op, ATTR_NAME) ? ir_attr_str(op, ATTR_NAME) : STR("");
      return name.len ? name : STR("an array");
    }
    bool is_access = op->code == OP_LOAD || (op_info(op->code)->effects & EFFECT_VIEWS);
    if (!is_access && !op_is_view(op->code)) return str_from_c(op_info(op->code)->name);
    value = op->operands[0];
  }
}
