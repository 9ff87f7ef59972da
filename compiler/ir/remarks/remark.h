// SPDX-License-Identifier: Apache-2.0
// What the compiler made of a program, and why not more: items with facts and reasons, reported by
// --report, and those reasons that are warned of by -Wperf. Whoever decides records it, once, where
// it is decided; nobody reads a record to decide anything.
//
// Session.remarks is NULL where nobody wants to know: then every function here does nothing, and
// items are NULL. Ownership: all lies in the session's arena.
#pragma once
#include "ir/core/ir.h"

typedef enum RemarkKind {
#define REMARK_KIND(id, ...) REMARK_##id,
#include "remark.def"
  REMARK_KIND_COUNT
} RemarkKind;

typedef enum FactId {
#define FACT(id, ...) FACT_##id,
#include "remark.def"
  FACT_COUNT
} FactId;

typedef enum ReasonId {
  REASON_NONE,
#define REASON(id, ...) REASON_##id,
#include "remark.def"
  REASON_COUNT
} ReasonId;

// Why something was not done. `span`: what is in the way, or nowhere; `what`: how it is called.
typedef struct Reason {
  ReasonId id;
  Span span;
  Str what;
} Reason;

typedef struct Remarks Remarks;
typedef struct RemarkItem RemarkItem;

Remarks *remark_new(Session *session);
static inline bool remark_is_on(const Session *session) { return session->remarks != NULL; }

// What was made of an op: it belongs to the kernel that the op was traced in, if that is recorded.
// `name` may be empty.
RemarkItem *remark_item(Session *session, RemarkKind kind, const IrOp *op, Str name);
// The kernel that a launch is: recorded by the first who asks.
RemarkItem *remark_kernel(Session *session, const IrOp *launch);
// A part of another item: a kernel's block, a loop nest of a cluster. Nowhere is where that is.
RemarkItem *remark_part(Session *session, RemarkItem *of, RemarkKind kind, Span span, Str name);
// The part is most of what the item that it is of gives reasons for: these are no warnings.
void remark_most_is_done(RemarkItem *part);
// The item also stands for this op: its place goes that far, and its kernel is looked for there.
void remark_covers(Session *session, RemarkItem *item, const IrOp *op);

void remark_number(Session *session, RemarkItem *item, FactId fact, int64_t number);
void remark_numbers(Session *session, RemarkItem *item, FactId fact, size_t count,
                    const int64_t *numbers);
void remark_text(Session *session, RemarkItem *item, FactId fact, Str text);
void remark_reason(Session *session, RemarkItem *item, const Reason *reason);
// So little depends on it that it is no warning.
void remark_reason_of_little(Session *session, RemarkItem *item, const Reason *reason);
// A reason of what will be made of an op, whose text lives as long; the item of that op takes it.
void remark_later(Session *session, const IrOp *op, const Reason *reason);

// What the program calls a value, or the memory that it is read from; or else the operation that
// makes it.
Str remark_name(const IrValue *value);

// remark_print.c: what was recorded since the last time, for people or as JSON, an object a line,
// as the session prints diagnostics.
void remark_report(Session *session);
// And the warnings of -Wperf.
void remark_warn(Session *session);
