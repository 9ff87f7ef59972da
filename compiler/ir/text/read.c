// SPDX-License-Identifier: Apache-2.0
// The IR's text, by recursive descent; print.c shows what it looks like. The first mistake ends the
// reading, with a diagnostic at its place. What is read is verified, so that any text gives a
// well-formed module or a diagnostic. Ops get spans in the text itself.
#include <setjmp.h>
#include <string.h>

#include "base/map.h"
#include "ir/core/attr.h"
#include "ir/core/index.h"
#include "ir/core/build.h"
#include "ir/core/build_memory.h"
#include "ir/core/family.h"
#include "ir/core/rules.h"
#include "read.h"
#include "reader.h"
#include "text.h"

#define MAX_DEPTH 100 // of nested regions

// ---- ops ---------------------------------------------------------------------------------------
IrOp *reader_build(Reader *r, Head *head, const Values *operands, const Types *types) {
  size_t named = head->results.count, given = types->count;
  if (named != given)
    scan_fail(SCAN(r), head->name, "%zu result%s named, but there %s %zu", named,
              named == 1 ? " is" : "s are", given == 1 ? "is" : "are", given);
  return ir_build(&head->b, head->code, operands->count, operands->items, types->count,
                  types->items);
}

// Results are visible behind the op only, so that its own regions cannot use them.
static void define_results(Reader *r, const Head *head, IrOp *op) {
  for (size_t i = 0; i < head->results.count; i++)
    reader_define(r, head->results.items[i], op->results[i]);
}

static IrOp *read_generic(Reader *r, Head *head) {
  Values operands = {0};
  Types types = {0};
  PendingAttrs attrs = {.count = 0};
  if (r->scan.token.kind == TOKEN_VALUE && !r->scan.token.is_first) reader_values(r, &operands);
  reader_attrs(r, head->code, &operands, &attrs);
  reader_result_types(r, head->results.count, &types);
  IrOp *op = reader_build(r, head, &operands, &types);
  reader_set_attrs(r, head->name, op, &attrs);
  return op;
}

// The data is read after the type that stands behind it.
static IrOp *read_const(Reader *r, Head *head) {
  Values none = {0};
  Types types = {0};
  Scan data = r->scan;
  if (scan_accept(SCAN(r), '{')) {
    while (reader_is_element(r->scan.token) || scan_accept(SCAN(r), ','))
      if (reader_is_element(r->scan.token)) scan_take(SCAN(r));
    scan_expect(SCAN(r), '}');
  } else {
    scan_take(SCAN(r));
  }
  scan_expect(SCAN(r), ':');
  VEC_PUSH(r->arena, &types, reader_type(r));
  Scan behind = r->scan;
  r->scan = data;
  IrData read = reader_data(r, types.items[0]->dtype);
  r->scan = behind;
  IrOp *op = reader_build(r, head, &none, &types);
  ir_set_data(r->module, op, ATTR_DATA, read.dtype, read.count, read.bytes);
  return op;
}

static IrOp *read_alloc(Reader *r, Head *head) {
  Values none = {0};
  Types types = {0};
  Str name = STR("");
  if (r->scan.token.kind == TOKEN_STRING) name = scan_string(SCAN(r));
  PendingAttrs attrs = {0};
  reader_attrs(r, head->code, &none, &attrs);
  reader_result_types(r, head->results.count, &types);
  IrOp *op = reader_build(r, head, &none, &types);
  ir_set_str(r->module, op, ATTR_NAME, name);
  reader_set_attrs(r, head->name, op, &attrs);
  return op;
}

// A number, or a value that becomes an operand.
static void read_index_number(Reader *r, Values *operands, int *operand, int64_t *number) {
  if (r->scan.token.kind == TOKEN_VALUE) {
    *operand = (int)operands->count;
    VEC_PUSH(r->arena, operands, reader_value(r));
  } else {
    *number = scan_int(SCAN(r));
  }
}

static IndexDim read_index_dim(Reader *r, const IrType *ref, int i, Values *operands) {
  IndexDim dim = {
      .kind = INDEX_SLICE, .start_operand = -1, .size = 1, .size_operand = -1, .stride = 1};
  if (scan_accept(SCAN(r), ':')) {
    dim.size = i < ref->rank ? ref->dims[i] : 0;
    return dim;
  }
  read_index_number(r, operands, &dim.start_operand, &dim.start);
  if (!scan_accept(SCAN(r), ':')) {
    bool is_array = dim.start_operand >= 0 && operands->items[dim.start_operand]->type->rank > 0;
    dim.kind = is_array ? INDEX_ARRAY : INDEX_SCALAR;
    return dim;
  }
  read_index_number(r, operands, &dim.size_operand, &dim.size);
  if (dim.size_operand >= 0) {
    scan_expect_word(SCAN(r), "max");
    dim.size = scan_int(SCAN(r));
  }
  if (scan_accept(SCAN(r), ':')) dim.stride = scan_int(SCAN(r));
  return dim;
}

static IrIndex read_index(Reader *r, const IrType *ref, Values *operands) {
  IrIndex index = {.rank = 0};
  scan_expect(SCAN(r), '[');
  if (scan_accept(SCAN(r), ']')) return index;
  do {
    if (index.rank == IR_MAX_RANK) scan_expected(SCAN(r), "']'");
    index.dims[index.rank] = read_index_dim(r, ref, index.rank, operands);
    index.rank++;
  } while (scan_accept(SCAN(r), ','));
  scan_expect(SCAN(r), ']');
  return index;
}

static IrOp *read_access(Reader *r, Head *head) {
  Values operands = {0};
  Types types = {0};
  if (op_ref_position(head->code)) {
    VEC_PUSH(r->arena, &operands, reader_value(r));
    scan_expect(SCAN(r), ',');
  }
  IrValue *ref = reader_value(r);
  VEC_PUSH(r->arena, &operands, ref);
  IrIndex index = read_index(r, ref->type, &operands);
  bool can_mask = head->code == OP_LOAD || head->code == OP_STORE;
  bool masked = can_mask && scan_accept_word(SCAN(r), "mask");
  if (masked) {
    VEC_PUSH(r->arena, &operands, reader_value(r));
    if (head->code == OP_LOAD) {
      scan_expect_word(SCAN(r), "other");
      VEC_PUSH(r->arena, &operands, reader_value(r));
    }
  }
  int64_t origin = 0;
  if (head->code == OP_UNWRITTEN) {
    scan_expect_word(SCAN(r), "origin");
    origin = scan_int(SCAN(r));
  }
  reader_result_types(r, head->results.count, &types);
  IrOp *op = reader_build(r, head, &operands, &types);
  ir_set_index(r->module, op, &index);
  if (head->code == OP_UNWRITTEN) ir_set_int(r->module, op, ATTR_ORIGIN, origin);
  if (can_mask) ir_set_int(r->module, op, ATTR_MASKED, masked);
  return op;
}

// ---- control flow ------------------------------------------------------------------------------
typedef struct Carries {
  VEC(ScanToken) names;
  Types types;
} Carries;

// (%a = %x : f32[8], …); the initial values become operands.
static void read_carries(Reader *r, Values *operands, Carries *out) {
  scan_expect(SCAN(r), '(');
  if (scan_accept(SCAN(r), ')')) return;
  do {
    VEC_PUSH(r->arena, &out->names, reader_new_name(r));
    scan_expect(SCAN(r), '=');
    VEC_PUSH(r->arena, operands, reader_value(r));
    scan_expect(SCAN(r), ':');
    VEC_PUSH(r->arena, &out->types, reader_type(r));
  } while (scan_accept(SCAN(r), ','));
  scan_expect(SCAN(r), ')');
}

static void add_carry_args(Reader *r, IrRegion *region, const Carries *carries) {
  for (size_t i = 0; i < carries->names.count; i++)
    reader_define(r, carries->names.items[i],
                  ir_region_add_arg(region, carries->types.items[i], NULL));
}

static IrOp *read_for(Reader *r, Head *head) {
  Values operands = {0};
  Carries carries = {0};
  PendingAttrs attrs = {.count = 0};
  ScanToken index = reader_new_name(r);
  scan_expect(SCAN(r), '=');
  VEC_PUSH(r->arena, &operands, reader_value(r));
  scan_expect_word(SCAN(r), "to");
  VEC_PUSH(r->arena, &operands, reader_value(r));
  scan_expect_word(SCAN(r), "step");
  VEC_PUSH(r->arena, &operands, reader_value(r));
  if (scan_accept_word(SCAN(r), "carry")) read_carries(r, &operands, &carries);
  reader_attrs(r, head->code, &operands, &attrs);
  IrOp *op = reader_build(r, head, &operands, &carries.types);
  reader_set_attrs(r, head->name, op, &attrs);
  IrRegion *body = ir_add_region(r->module, op);
  const IrType *i32 = ir_array_type(r->module, DT_I32, 0, NULL);
  reader_define(r, index, ir_region_add_arg(body, i32, NULL));
  add_carry_args(r, body, &carries);
  reader_region(r, body);
  return op;
}

static IrOp *read_while(Reader *r, Head *head) {
  Values operands = {0};
  Carries carries = {0};
  read_carries(r, &operands, &carries);
  IrOp *op = reader_build(r, head, &operands, &carries.types);
  IrRegion *test = ir_add_region(r->module, op);
  add_carry_args(r, test, &carries);
  reader_region(r, test);
  scan_expect_word(SCAN(r), "do");
  IrRegion *body = ir_add_region(r->module, op);
  scan_expect(SCAN(r), '(');
  for (size_t i = 0; i < carries.types.count; i++) {
    if (i) scan_expect(SCAN(r), ',');
    ScanToken name = reader_new_name(r);
    reader_define(r, name, ir_region_add_arg(body, carries.types.items[i], NULL));
  }
  scan_expect(SCAN(r), ')');
  reader_region(r, body);
  return op;
}

static IrOp *read_if(Reader *r, Head *head) {
  Values operands = {0};
  Types types = {0};
  VEC_PUSH(r->arena, &operands, reader_value(r));
  reader_result_types(r, head->results.count, &types);
  IrOp *op = reader_build(r, head, &operands, &types);
  reader_region(r, ir_add_region(r->module, op));
  IrRegion *otherwise = ir_add_region(r->module, op);
  if (scan_accept_word(SCAN(r), "else")) {
    reader_region(r, otherwise);
  } else {
    IrBuilder b = {.module = r->module, .region = otherwise};
    ir_yield(&b, 0, NULL);
  }
  return op;
}

static IrOp *read_switch(Reader *r, Head *head) {
  Values operands = {0};
  Types types = {0};
  VEC_PUSH(r->arena, &operands, reader_value(r));
  reader_result_types(r, head->results.count, &types);
  IrOp *op = reader_build(r, head, &operands, &types);
  scan_expect_word(SCAN(r), "case");
  do {
    if (op->region_count == UINT16_MAX) scan_expected(SCAN(r), "fewer cases");
    reader_region(r, ir_add_region(r->module, op));
  } while (scan_accept_word(SCAN(r), "case"));
  return op;
}

// One i32 argument for each axis of the region's mesh.
static void read_core(Reader *r, IrOp *op) {
  IrRegion *region = ir_add_region(r->module, op);
  const IrType *i32 = ir_array_type(r->module, DT_I32, 0, NULL);
  scan_expect(SCAN(r), '(');
  while (!scan_accept(SCAN(r), ')')) {
    if (region->arg_count) scan_expect(SCAN(r), ',');
    reader_define(r, reader_new_name(r), ir_region_add_arg(region, i32, NULL));
  }
  reader_region(r, region);
}

static IrOp *read_cores(Reader *r, Head *head) {
  Values none = {0};
  Types types = {0};
  PendingAttrs attrs = {.count = 0};
  if (r->scan.token.kind != TOKEN_STRING) scan_expected(SCAN(r), "the name of the program");
  Str name = scan_string(SCAN(r));
  reader_attrs(r, head->code, &none, &attrs);
  IrOp *op = reader_build(r, head, &none, &types);
  ir_set_str(r->module, op, ATTR_NAME, name);
  reader_set_attrs(r, head->name, op, &attrs);
  do {
    if (op->region_count == UINT16_MAX) scan_expected(SCAN(r), "fewer programs");
    read_core(r, op);
  } while (scan_accept_word(SCAN(r), "and"));
  return op;
}

static IrOp *read_fuse(Reader *r, Head *head) {
  Values none = {0};
  Types types = {0};
  PendingAttrs attrs = {.count = 0};
  reader_attrs(r, head->code, &none, &attrs);
  reader_result_types(r, head->results.count, &types);
  IrOp *op = reader_build(r, head, &none, &types);
  reader_set_attrs(r, head->name, op, &attrs);
  reader_region(r, ir_add_region(r->module, op));
  return op;
}

// ---- regions, functions, modules ---------------------------------------------------------------
static IrOp *read_op_rest(Reader *r, Head *head) {
  if (op_has_index(head->code)) return read_access(r, head);
  switch (head->code) {
  case OP_CONST: return read_const(r, head);
  case OP_ALLOC: return read_alloc(r, head);
  case OP_FOR: return read_for(r, head);
  case OP_WHILE: return read_while(r, head);
  case OP_IF: return read_if(r, head);
  case OP_SWITCH: return read_switch(r, head);
  case OP_CORES: return read_cores(r, head);
  case OP_FUSE: return read_fuse(r, head);
  case OP_LAUNCH: return reader_launch(r, head);
  default: return read_generic(r, head);
  }
}

static void read_op(Reader *r, IrRegion *region) {
  Head head = {.b = {.module = r->module, .region = region}};
  ScanToken first = r->scan.token;
  if (first.kind == TOKEN_VALUE) {
    do VEC_PUSH(r->arena, &head.results, reader_new_name(r));
    while (scan_accept(SCAN(r), ','));
    scan_expect(SCAN(r), '=');
  }
  head.name = r->scan.token;
  if (head.name.kind != TOKEN_WORD) scan_expected(SCAN(r), "an operation");
  uintptr_t code = (uintptr_t)map_get(r->ops, reader_intern(r, head.name.text));
  if (!code) scan_fail(SCAN(r), head.name, "unknown operation '%.*s'", STR_FMT(head.name.text));
  head.code = (OpCode)(code - 1);
  head.b.span = span_join(scan_span(SCAN(r), first), scan_span(SCAN(r), head.name));
  scan_take(SCAN(r));
  define_results(r, &head, read_op_rest(r, &head));
}

// "{ ops }"; a yield of nothing may be left out.
IrRegion *reader_region(Reader *r, IrRegion *region) {
  if (r->depth == MAX_DEPTH)
    scan_fail(SCAN(r), r->scan.token, "regions are nested more than %d deep", MAX_DEPTH);
  r->depth++;
  scan_expect(SCAN(r), '{');
  while (!scan_accept(SCAN(r), '}')) read_op(r, region);
  r->depth--;
  if (!region->last || region->last->code != OP_YIELD) {
    IrBuilder b = {.module = r->module, .region = region};
    ir_yield(&b, 0, NULL);
  }
  return region;
}

static void read_param(Reader *r) {
  ParamRole role = PARAM_IN;
  if (scan_accept_word(SCAN(r), "out"))
    role = PARAM_OUT;
  else if (scan_accept_word(SCAN(r), "inout"))
    role = PARAM_IN_OUT;
  ScanToken token = reader_new_name(r);
  scan_expect(SCAN(r), ':');
  Name name = text_is_word(token.text) ? reader_intern(r, token.text) : NULL;
  reader_define(r, token, ir_func_add_param(r->func, reader_type(r), role, name));
  if (r->scan.token.kind == TOKEN_STRING)
    r->func->params[r->func->param_count - 1].label = scan_string(SCAN(r));
}

// "sizes softmax(n = 256)": of the family of the function before, or of a new one.
static void read_sizes(Reader *r, const IrFunc *before) {
  VEC(Name) names = {0};
  VEC(int64_t) sizes = {0};
  Name name = reader_intern(r, reader_name(r, "a family's name"));
  ScanToken open = r->scan.token;
  scan_expect(SCAN(r), '(');
  do {
    VEC_PUSH(r->arena, &names, reader_intern(r, reader_name(r, "the name of a size")));
    scan_expect(SCAN(r), '=');
    VEC_PUSH(r->arena, &sizes, scan_int(SCAN(r)));
  } while (scan_accept(SCAN(r), ','));
  scan_expect(SCAN(r), ')');
  if (names.count > IR_MAX_SIZES)
    scan_fail(SCAN(r), open, "a function takes %d sizes at the most", IR_MAX_SIZES);
  IrFamily *family = before ? before->family : NULL;
  bool is_known = family && family->name == name && family->count == names.count &&
                  memcmp(family->sizes, names.items, names.count * sizeof(Name)) == 0;
  if (!is_known) family = ir_family_new(r->module, name, names.count, names.items);
  ir_family_add(r->func, family, sizes.items);
}

static void read_func(Reader *r) {
  const IrFunc *before = r->module->last;
  scan_expect_word(SCAN(r), "func");
  scan_expect(SCAN(r), '@');
  ScanToken token = r->scan.token;
  Name name = reader_intern(r, reader_name(r, "a function's name"));
  if (ir_func_find(r->module, name))
    scan_fail(SCAN(r), token, "function '%s' is defined twice", name->text);
  r->func = ir_func_new(r->module, name, scan_span(SCAN(r), token));
  r->values = map_new(r->arena);
  scan_expect(SCAN(r), '(');
  if (!scan_accept(SCAN(r), ')')) {
    do read_param(r);
    while (scan_accept(SCAN(r), ','));
    scan_expect(SCAN(r), ')');
  }
  if (r->scan.token.kind == TOKEN_STRING) r->func->signature = scan_string(SCAN(r));
  if (scan_accept_word(SCAN(r), "sizes")) read_sizes(r, before);
  reader_region(r, r->func->body);
}

static void read_module(Reader *r) {
  scan_expect_word(SCAN(r), "module");
  scan_expect_word(SCAN(r), "tpu");
  r->module->tpu = reader_intern(r, reader_name(r, "the name of a chip"));
  scan_expect_word(SCAN(r), "devices");
  r->module->devices = reader_small(r);
  while (r->scan.token.kind != TOKEN_END) read_func(r);
}

static bool verify(Reader *r) {
  IrViolation violation;
  if (!ir_find_violation(r->module, &violation)) return true;
  Span span = violation.op ? violation.op->span : violation.func->span;
  diag_error(r->session, span, "%.*s", STR_FMT(violation.what));
  return false;
}

// Scanning leaves through `failed` at the first mistake.
static bool read_all(Reader *r) {
  jmp_buf failed;
  if (setjmp(failed)) return false;
  r->scan.failed = &failed;
  scan_next(SCAN(r));
  read_module(r);
  return true;
}

IrModule *ir_read(Session *session, SourceFile *file) {
  Reader *r = ARENA_NEW(session->arena, Reader);
  r->session = session;
  r->arena = arena_new_child(session->arena);
  r->module = ir_module_new(session);
  r->ops = map_new(r->arena);
  for (uintptr_t i = 0; i < OP_COUNT; i++)
    map_set(r->ops, reader_intern(r, str_from_c(op_info((OpCode)i)->name)), (void *)(i + 1));
  r->scan = (Scan){.session = session, .file = file, .arena = r->module->arena};
  bool ok = read_all(r) && verify(r);
  arena_free(r->arena);
  if (ok) return r->module;
  ir_module_free(r->module);
  return NULL;
}