// SPDX-License-Identifier: Apache-2.0
// What the files share that read the IR's text: the reader, and how it takes names, types,
// attributes (read_parts.c), launches (read_launch.c), ops and regions (read.c). A mistake leaves
// through the scan's `failed`.
#pragma once
#include "ir/core/build.h"
#include "ir/core/ir.h"
#include "scan.h"

typedef VEC(IrValue *) Values;
typedef VEC(const IrType *) Types;
typedef VEC(int64_t) Numbers;
typedef VEC(Str) Strings;

typedef struct Reader {
  Scan scan;
  Session *session;
  Arena *arena; // for what the module does not keep
  IrModule *module;
  IrFunc *func;
  Map *ops;    // Name of an op -> its code + 1
  Map *values; // Name -> IrValue, of the function
  int depth;
} Reader;

#define SCAN(r) (&(r)->scan)

// What has been read of an op: its results' names, its name, where it goes.
typedef struct Head {
  VEC(ScanToken) results;
  ScanToken name;
  OpCode code;
  IrBuilder b;
} Head;

// An attribute's value, kept until there is the op to give it to.
typedef struct PendingAttr {
  AttrName name;
  int64_t number;
  Numbers numbers;
  Str text;
  Strings texts;
  IrData data;
  IrMeshes meshes;
} PendingAttr;

typedef struct PendingAttrs {
  PendingAttr items[OP_MAX_ATTRS];
  size_t count;
} PendingAttrs;

Name reader_intern(Reader *r, Str text);
Str reader_name(Reader *r, const char *what); // a word or a quoted text
int reader_small(Reader *r);                  // a number from 0 to INT32_MAX

// ---- values -------------------------------------------------------------------------------------
IrValue *reader_value(Reader *r);
void reader_values(Reader *r, Values *out); // one at least, between commas
ScanToken reader_new_name(Reader *r);
// Gives `value` the name. Numbers are no hints.
void reader_define(Reader *r, ScanToken token, IrValue *value);

// ---- types --------------------------------------------------------------------------------------
const IrType *reader_type(Reader *r);
// " : type" or " : (type, type)"; as many as there are results.
void reader_result_types(Reader *r, size_t count, Types *out);

// ---- attributes ---------------------------------------------------------------------------------
bool reader_is_element(ScanToken token);
IrData reader_data(Reader *r, DType dtype); // 1.5   {1, 2, 3}
void reader_word(Reader *r, PendingAttr *attr);
// The attributes that the op may have, up to a token that is none of them or stands on a line of
// its own.
void reader_attrs(Reader *r, OpCode code, const Values *operands, PendingAttrs *out);
void reader_set_attrs(Reader *r, ScanToken at, IrOp *op, const PendingAttrs *given);

// ---- ops ----------------------------------------------------------------------------------------
IrOp *reader_build(Reader *r, Head *head, const Values *operands, const Types *types);
IrOp *reader_launch(Reader *r, Head *head);
IrRegion *reader_region(Reader *r, IrRegion *region);
