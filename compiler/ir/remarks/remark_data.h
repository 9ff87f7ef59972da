// SPDX-License-Identifier: Apache-2.0
// A report as data: what remark.c records, and remark_print.c prints.
#pragma once
#include "base/map.h"
#include "ir/core/ir.h"
#include "remark.h"

typedef struct Fact {
  bool is_known;
  size_t count; // of the numbers; 0: a text
  int64_t *numbers;
  Str text;
} Fact;

typedef struct RemarkReason {
  Reason reason;
  bool is_little;
} RemarkReason;

struct RemarkItem {
  RemarkKind kind;
  Str name, entry;
  Span span, last; // the places of its first and its last line
  const IrFrames *frames;
  size_t site;        // of a kernel: kernels of one place and one way there have one number
  RemarkItem *parent; // the kernel or cluster that it is part of, or NULL
  Fact facts[FACT_COUNT];
  VEC(RemarkReason) reasons;
  VEC(RemarkItem *) parts; // once the report is reported
};

struct Remarks {
  VEC(RemarkItem *) items, kernels;
  Map *launches; // IrOp * -> RemarkItem *: kernels that are still launches
  Map *later;    // IrOp * -> LaterReasons *
};

typedef VEC(Reason) LaterReasons;
