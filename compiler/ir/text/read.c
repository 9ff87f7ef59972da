// SPDX-License-Identifier: Apache-2.0
// The IR's text, by recursive descent; print.c shows what it looks like. The first mistake ends the
// reading, with a diagnostic at its place. What is read is verified, so that any text gives a
// well-formed module or a diagnostic. Ops get spans in the text itself.
#include <setjmp.h>
#include <string.h>

#include "base/buf.h"
#include "base/map.h"
#include "ir/core/attr.h"
#include "ir/core/index.h"
#include "ir/core/build.h"
#include "ir/core/build_memory.h"
#include "ir/core/family.h"
#include "ir/core/rules.h"
#include "read.h"
#include "scan.h"
#include "text.h"

#define MAX_DEPTH 100 // of nested regions

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

static IrRegion *read_region(Reader *r, IrRegion *region);

#define SCAN(r) (&(r)->scan)

// ---- names, numbers, types ---------------------------------------------------------------------
static Name intern(Reader *r, Str text) { return name_intern(r->session->interner, text); }

// A word or a quoted text.
static Str read_name(Reader *r, const char *what) {
  if (r->scan.token.kind == TOKEN_WORD) return scan_take(SCAN(r)).text;
  if (r->scan.token.kind == TOKEN_STRING) return scan_string(SCAN(r));
  scan_expected(SCAN(r), what);
}

static IrValue *read_value(Reader *r) {
  ScanToken token = r->scan.token;
  if (token.kind != TOKEN_VALUE) scan_expected(SCAN(r), "a value");
  IrValue *value = map_get(r->values, intern(r, token.text));
  if (!value) scan_fail(SCAN(r), token, "unknown value '%%%.*s'", STR_FMT(token.text));
  scan_take(SCAN(r));
  return value;
}

static ScanToken read_new_name(Reader *r) {
  if (r->scan.token.kind != TOKEN_VALUE) scan_expected(SCAN(r), "a value's name");
  return scan_take(SCAN(r));
}

// Gives `value` the name. Numbers are no hints.
static void define(Reader *r, ScanToken token, IrValue *value) {
  Name name = intern(r, token.text);
  if (map_has(r->values, name))
    scan_fail(SCAN(r), token, "value '%%%.*s' is defined twice", STR_FMT(token.text));
  map_set(r->values, name, value);
  value->name = text_is_word(token.text) ? name : NULL;
}

static int read_small(Reader *r) {
  ScanToken token = r->scan.token;
  int64_t number = scan_int(SCAN(r));
  if (number < 0 || number > INT32_MAX) scan_fail(SCAN(r), token, "number out of range");
  return (int)number;
}

static void read_values(Reader *r, Values *out) {
  do VEC_PUSH(r->arena, out, read_value(r));
  while (scan_accept(SCAN(r), ','));
}

static bool space_from_name(Str name, MemSpace *out) {
  for (int i = 0; i < SPACE_COUNT; i++) {
    if (!str_equal(name, str_from_c(mem_space_name((MemSpace)i)))) continue;
    *out = (MemSpace)i;
    return true;
  }
  return false;
}

static SemKind read_sem_kind(Reader *r) {
  for (int kind = SEM_DMA; kind <= SEM_BARRIER; kind++)
    if (scan_accept_word(SCAN(r), text_sem_kind((SemKind)kind))) return (SemKind)kind;
  scan_expected(SCAN(r), "'dma', 'regular' or 'barrier'");
}

static size_t read_dims(Reader *r, int64_t dims[IR_MAX_RANK]) {
  size_t rank = 0;
  if (!scan_accept(SCAN(r), '[')) return 0;
  do {
    ScanToken token = r->scan.token;
    if (rank == IR_MAX_RANK) scan_fail(SCAN(r), token, "more than %d dimensions", IR_MAX_RANK);
    dims[rank] = scan_int(SCAN(r));
    if (dims[rank++] < 0) scan_fail(SCAN(r), token, "a dimension is negative");
  } while (scan_accept(SCAN(r), ','));
  scan_expect(SCAN(r), ']');
  return rank;
}

static const IrType *read_type(Reader *r) {
  ScanToken token = r->scan.token;
  MemSpace space;
  DType dtype = DT_I32;
  SemKind sem = SEM_DMA;
  int64_t dims[IR_MAX_RANK];
  const IrType *type;
  if (token.kind != TOKEN_WORD) scan_expected(SCAN(r), "a type");
  bool is_ref = space_from_name(token.text, &space);
  if (is_ref) scan_take(SCAN(r));
  if (is_ref && space == SPACE_SEM) {
    sem = read_sem_kind(r);
  } else {
    ScanToken element = r->scan.token;
    if (element.kind != TOKEN_WORD || !dtype_from_name(element.text, &dtype) ||
        dtype_is_complex(dtype))
      scan_expected(SCAN(r), "an element type");
    scan_take(SCAN(r));
  }
  size_t rank = read_dims(r, dims);
  if (!is_ref)
    type = ir_array_type(r->module, dtype, rank, dims);
  else if (space == SPACE_SEM)
    type = ir_sem_type(r->module, sem, rank, dims);
  else
    type = ir_ref_type(r->module, space, dtype, rank, dims);
  if (!type) scan_fail(SCAN(r), token, "the type is too large");
  return type;
}

// " : type" or " : (type, type)"; as many as there are results.
static void read_result_types(Reader *r, size_t count, Types *out) {
  if (!count) return;
  scan_expect(SCAN(r), ':');
  bool many = scan_accept(SCAN(r), '(');
  do VEC_PUSH(r->arena, out, read_type(r));
  while (many && scan_accept(SCAN(r), ','));
  if (many) scan_expect(SCAN(r), ')');
}

// ---- attributes --------------------------------------------------------------------------------
static void read_numbers(Reader *r, Numbers *out) {
  scan_expect(SCAN(r), '[');
  if (scan_accept(SCAN(r), ']')) return;
  do VEC_PUSH(r->arena, out, scan_int(SCAN(r)));
  while (scan_accept(SCAN(r), ','));
  scan_expect(SCAN(r), ']');
}

static bool is_element(ScanToken token) {
  return token.kind == TOKEN_NUMBER || token.kind == TOKEN_WORD;
}

static void read_element(Reader *r, DType dtype, Buf *bytes) {
  ScanToken token = r->scan.token;
  uint64_t element = 0;
  if (!is_element(token) || !text_element(r->arena, dtype, token.text, &element))
    scan_expected(SCAN(r), dtype_short_name(dtype));
  scan_take(SCAN(r));
  buf_str(bytes, (Str){(const char *)&element, dtype_size(dtype)});
}

// 1.5   {1, 2, 3}
static IrData read_data(Reader *r, DType dtype) {
  Buf bytes;
  buf_init(&bytes, r->arena);
  int64_t count = 0;
  if (!scan_accept(SCAN(r), '{')) {
    read_element(r, dtype, &bytes);
    count = 1;
  } else if (!scan_accept(SCAN(r), '}')) {
    do {
      read_element(r, dtype, &bytes);
      count++;
    } while (scan_accept(SCAN(r), ','));
    scan_expect(SCAN(r), '}');
  }
  return (IrData){dtype, count, buf_view(&bytes).data};
}

static void read_strings(Reader *r, Strings *out) {
  scan_expect(SCAN(r), '[');
  do VEC_PUSH(r->arena, out, scan_string(SCAN(r)));
  while (scan_accept(SCAN(r), ','));
  scan_expect(SCAN(r), ']');
}

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

static void read_word(Reader *r, PendingAttr *attr) {
  ScanToken at = r->scan.token;
  Str word = read_name(r, "a word");
  if (!attr_from_word(attr->name, word, &attr->number))
    scan_fail(SCAN(r), at, "'%s' cannot be '%.*s'", attr_name(attr->name), STR_FMT(word));
}

static void read_meshes(Reader *r, PendingAttr *attr) {
  ScanToken at = r->scan.token;
  Str text = scan_string(SCAN(r));
  if (!text_meshes(r->arena, text, &attr->meshes))
    scan_fail(SCAN(r), at, "'%.*s' names no meshes of cores, such as 'tensor core:2'",
              STR_FMT(text));
}

static void read_attr_value(Reader *r, PendingAttr *attr, const Values *operands) {
  switch (attr_kind(attr->name)) {
  case KIND_BOOL: attr->number = 1; break;
  case KIND_INT: attr->number = scan_int(SCAN(r)); break;
  case KIND_INTS: read_numbers(r, &attr->numbers); break;
  case KIND_WORD: read_word(r, attr); break;
  case KIND_NAME: attr->text = read_name(r, "a word"); break;
  case KIND_STR: attr->text = scan_string(SCAN(r)); break;
  case KIND_STRS: read_strings(r, &attr->texts); break;
  case KIND_MESHES: read_meshes(r, attr); break;
  case KIND_DATA: // of the first operand's element type
    if (!operands->count) scan_expected(SCAN(r), "an operand");
    attr->data = read_data(r, operands->items[0]->type->dtype);
    break;
  default: BUG("attribute '%s' has no text of its own", attr_name(attr->name));
  }
}

// The attributes that the op may have, up to a token that is none of them or stands on a line of
// its own.
static void read_attrs(Reader *r, OpCode code, const Values *operands, PendingAttrs *out) {
  const OpInfo *info = op_info(code);
  while (r->scan.token.kind == TOKEN_WORD && !r->scan.token.is_first) {
    PendingAttr *attr = NULL;
    for (int i = 0; i < info->attr_count; i++) {
      if (text_attr_is_inline(code, info->attrs[i])) continue;
      if (!str_equal(r->scan.token.text, str_from_c(attr_name(info->attrs[i])))) continue;
      for (size_t j = 0; j < out->count; j++)
        if (out->items[j].name == info->attrs[i])
          scan_fail(SCAN(r), r->scan.token, "attribute '%s' is given twice",
                    attr_name(info->attrs[i]));
      attr = &out->items[out->count++];
      *attr = (PendingAttr){.name = info->attrs[i]};
    }
    if (!attr)
      scan_fail(SCAN(r), r->scan.token, "'%s' has no attribute '%.*s'", info->name,
                STR_FMT(r->scan.token.text));
    scan_take(SCAN(r));
    read_attr_value(r, attr, operands);
  }
}

static void set_attr(Reader *r, IrOp *op, const PendingAttr *attr) {
  switch (attr_kind(attr->name)) {
  case KIND_BOOL:
  case KIND_WORD:
  case KIND_INT: ir_set_int(r->module, op, attr->name, attr->number); break;
  case KIND_INTS:
    ir_set_ints(r->module, op, attr->name, attr->numbers.count, attr->numbers.items);
    break;
  case KIND_NAME:
  case KIND_STR: ir_set_str(r->module, op, attr->name, attr->text); break;
  case KIND_STRS:
    ir_set_strs(r->module, op, attr->name, attr->texts.count, attr->texts.items);
    break;
  case KIND_MESHES: ir_set_meshes(r->module, op, attr->meshes.count, attr->meshes.items); break;
  default:
    ir_set_data(r->module, op, attr->name, attr->data.dtype, attr->data.count, attr->data.bytes);
  }
}

// What was given, and for the rest what the printer leaves out.
static void set_attrs(Reader *r, ScanToken at, IrOp *op, const PendingAttrs *given) {
  const OpInfo *info = op_info(op->code);
  for (size_t i = 0; i < given->count; i++) set_attr(r, op, &given->items[i]);
  for (int i = 0; i < info->attr_count; i++) {
    PendingAttr usual = {.name = info->attrs[i]};
    AttrKind kind = attr_kind(usual.name);
    if (text_attr_is_inline(op->code, usual.name) || ir_attr_find(op, usual.name)) continue;
    bool has_default = kind == KIND_BOOL || kind == KIND_INTS || kind == KIND_NAME ||
                       kind == KIND_STR || kind == KIND_STRS || kind == KIND_MESHES ||
                       text_default_int(usual.name, &usual.number) ||
                       (kind == KIND_WORD && attr_from_word(usual.name, STR(""), &usual.number));
    if (!has_default)
      scan_fail(SCAN(r), at, "'%s' needs the attribute '%s'", info->name, attr_name(usual.name));
    set_attr(r, op, &usual);
  }
}

// ---- ops ---------------------------------------------------------------------------------------
// What has been read of an op: its results' names, its name, where it goes.
typedef struct Head {
  VEC(ScanToken) results;
  ScanToken name;
  OpCode code;
  IrBuilder b;
} Head;

static IrOp *build(Reader *r, Head *head, const Values *operands, const Types *types) {
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
    define(r, head->results.items[i], op->results[i]);
}

static IrOp *read_generic(Reader *r, Head *head) {
  Values operands = {0};
  Types types = {0};
  PendingAttrs attrs = {.count = 0};
  if (r->scan.token.kind == TOKEN_VALUE && !r->scan.token.is_first) read_values(r, &operands);
  read_attrs(r, head->code, &operands, &attrs);
  read_result_types(r, head->results.count, &types);
  IrOp *op = build(r, head, &operands, &types);
  set_attrs(r, head->name, op, &attrs);
  return op;
}

// The data is read after the type that stands behind it.
static IrOp *read_const(Reader *r, Head *head) {
  Values none = {0};
  Types types = {0};
  Scan data = r->scan;
  if (scan_accept(SCAN(r), '{')) {
    while (is_element(r->scan.token) || scan_accept(SCAN(r), ','))
      if (is_element(r->scan.token)) scan_take(SCAN(r));
    scan_expect(SCAN(r), '}');
  } else {
    scan_take(SCAN(r));
  }
  scan_expect(SCAN(r), ':');
  VEC_PUSH(r->arena, &types, read_type(r));
  Scan behind = r->scan;
  r->scan = data;
  IrData read = read_data(r, types.items[0]->dtype);
  r->scan = behind;
  IrOp *op = build(r, head, &none, &types);
  ir_set_data(r->module, op, ATTR_DATA, read.dtype, read.count, read.bytes);
  return op;
}

static IrOp *read_alloc(Reader *r, Head *head) {
  Values none = {0};
  Types types = {0};
  Str name = STR("");
  if (r->scan.token.kind == TOKEN_STRING) name = scan_string(SCAN(r));
  PendingAttrs attrs = {0};
  read_attrs(r, head->code, &none, &attrs);
  read_result_types(r, head->results.count, &types);
  IrOp *op = build(r, head, &none, &types);
  ir_set_str(r->module, op, ATTR_NAME, name);
  set_attrs(r, head->name, op, &attrs);
  return op;
}

// A number, or a value that becomes an operand.
static void read_index_number(Reader *r, Values *operands, int *operand, int64_t *number) {
  if (r->scan.token.kind == TOKEN_VALUE) {
    *operand = (int)operands->count;
    VEC_PUSH(r->arena, operands, read_value(r));
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
    VEC_PUSH(r->arena, &operands, read_value(r));
    scan_expect(SCAN(r), ',');
  }
  IrValue *ref = read_value(r);
  VEC_PUSH(r->arena, &operands, ref);
  IrIndex index = read_index(r, ref->type, &operands);
  bool can_mask = head->code == OP_LOAD || head->code == OP_STORE;
  bool masked = can_mask && scan_accept_word(SCAN(r), "mask");
  if (masked) {
    VEC_PUSH(r->arena, &operands, read_value(r));
    if (head->code == OP_LOAD) {
      scan_expect_word(SCAN(r), "other");
      VEC_PUSH(r->arena, &operands, read_value(r));
    }
  }
  int64_t origin = 0;
  if (head->code == OP_UNWRITTEN) {
    scan_expect_word(SCAN(r), "origin");
    origin = scan_int(SCAN(r));
  }
  read_result_types(r, head->results.count, &types);
  IrOp *op = build(r, head, &operands, &types);
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
    VEC_PUSH(r->arena, &out->names, read_new_name(r));
    scan_expect(SCAN(r), '=');
    VEC_PUSH(r->arena, operands, read_value(r));
    scan_expect(SCAN(r), ':');
    VEC_PUSH(r->arena, &out->types, read_type(r));
  } while (scan_accept(SCAN(r), ','));
  scan_expect(SCAN(r), ')');
}

static void add_carry_args(Reader *r, IrRegion *region, const Carries *carries) {
  for (size_t i = 0; i < carries->names.count; i++)
    define(r, carries->names.items[i], ir_region_add_arg(region, carries->types.items[i], NULL));
}

static IrOp *read_for(Reader *r, Head *head) {
  Values operands = {0};
  Carries carries = {0};
  PendingAttrs attrs = {.count = 0};
  ScanToken index = read_new_name(r);
  scan_expect(SCAN(r), '=');
  VEC_PUSH(r->arena, &operands, read_value(r));
  scan_expect_word(SCAN(r), "to");
  VEC_PUSH(r->arena, &operands, read_value(r));
  scan_expect_word(SCAN(r), "step");
  VEC_PUSH(r->arena, &operands, read_value(r));
  if (scan_accept_word(SCAN(r), "carry")) read_carries(r, &operands, &carries);
  read_attrs(r, head->code, &operands, &attrs);
  IrOp *op = build(r, head, &operands, &carries.types);
  set_attrs(r, head->name, op, &attrs);
  IrRegion *body = ir_add_region(r->module, op);
  const IrType *i32 = ir_array_type(r->module, DT_I32, 0, NULL);
  define(r, index, ir_region_add_arg(body, i32, NULL));
  add_carry_args(r, body, &carries);
  read_region(r, body);
  return op;
}

static IrOp *read_while(Reader *r, Head *head) {
  Values operands = {0};
  Carries carries = {0};
  read_carries(r, &operands, &carries);
  IrOp *op = build(r, head, &operands, &carries.types);
  IrRegion *test = ir_add_region(r->module, op);
  add_carry_args(r, test, &carries);
  read_region(r, test);
  scan_expect_word(SCAN(r), "do");
  IrRegion *body = ir_add_region(r->module, op);
  scan_expect(SCAN(r), '(');
  for (size_t i = 0; i < carries.types.count; i++) {
    if (i) scan_expect(SCAN(r), ',');
    ScanToken name = read_new_name(r);
    define(r, name, ir_region_add_arg(body, carries.types.items[i], NULL));
  }
  scan_expect(SCAN(r), ')');
  read_region(r, body);
  return op;
}

static IrOp *read_if(Reader *r, Head *head) {
  Values operands = {0};
  Types types = {0};
  VEC_PUSH(r->arena, &operands, read_value(r));
  read_result_types(r, head->results.count, &types);
  IrOp *op = build(r, head, &operands, &types);
  read_region(r, ir_add_region(r->module, op));
  IrRegion *otherwise = ir_add_region(r->module, op);
  if (scan_accept_word(SCAN(r), "else")) {
    read_region(r, otherwise);
  } else {
    IrBuilder b = {.module = r->module, .region = otherwise};
    ir_yield(&b, 0, NULL);
  }
  return op;
}

static IrOp *read_switch(Reader *r, Head *head) {
  Values operands = {0};
  Types types = {0};
  VEC_PUSH(r->arena, &operands, read_value(r));
  read_result_types(r, head->results.count, &types);
  IrOp *op = build(r, head, &operands, &types);
  scan_expect_word(SCAN(r), "case");
  do {
    if (op->region_count == UINT16_MAX) scan_expected(SCAN(r), "fewer cases");
    read_region(r, ir_add_region(r->module, op));
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
    define(r, read_new_name(r), ir_region_add_arg(region, i32, NULL));
  }
  read_region(r, region);
}

static IrOp *read_cores(Reader *r, Head *head) {
  Values none = {0};
  Types types = {0};
  PendingAttrs attrs = {.count = 0};
  if (r->scan.token.kind != TOKEN_STRING) scan_expected(SCAN(r), "the name of the program");
  Str name = scan_string(SCAN(r));
  read_attrs(r, head->code, &none, &attrs);
  IrOp *op = build(r, head, &none, &types);
  ir_set_str(r->module, op, ATTR_NAME, name);
  set_attrs(r, head->name, op, &attrs);
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
  read_attrs(r, head->code, &none, &attrs);
  read_result_types(r, head->results.count, &types);
  IrOp *op = build(r, head, &none, &types);
  set_attrs(r, head->name, op, &attrs);
  read_region(r, ir_add_region(r->module, op));
  return op;
}

// ---- launches ----------------------------------------------------------------------------------
// An index map in one line is resolved when the names of the grid's indices are known, behind
// "body".
typedef struct InlineMap {
  IrRegion *region;
  VEC(ScanToken) items; // values and numbers
  int zeros;            // of an omitted map
} InlineMap;

typedef struct LaunchReader {
  IrOp *op;
  IrRegion *body;
  Numbers grid;
  int64_t prefetch;
  VEC(IrBlock) blocks;
  VEC(InlineMap) maps; // one for each block; region is NULL if it was not in one line
  Types scratch;
} LaunchReader;

static void read_grid(Reader *r, LaunchReader *l, Values *operands) {
  scan_expect_word(SCAN(r), "grid");
  scan_expect(SCAN(r), '[');
  if (scan_accept(SCAN(r), ']')) return;
  do {
    if (r->scan.token.kind == TOKEN_VALUE) {
      VEC_PUSH(r->arena, operands, read_value(r));
      VEC_PUSH(r->arena, &l->grid, (int64_t)-1);
    } else {
      ScanToken token = r->scan.token;
      VEC_PUSH(r->arena, &l->grid, scan_int(SCAN(r)));
      if (l->grid.items[l->grid.count - 1] < 0)
        scan_fail(SCAN(r), token, "a grid size is negative");
    }
  } while (scan_accept(SCAN(r), ','));
  scan_expect(SCAN(r), ']');
}

// {parallel, arbitrary}: a GridSemantics each
static void read_semantics(Reader *r, size_t rank, Numbers *out) {
  if (rank) scan_expect(SCAN(r), '{');
  for (size_t i = 0; i < rank; i++) {
    if (i) scan_expect(SCAN(r), ',');
    PendingAttr one = {.name = ATTR_SEMANTICS};
    read_word(r, &one);
    VEC_PUSH(r->arena, out, one.number);
  }
  if (rank) scan_expect(SCAN(r), '}');
}

// %x: type, a new argument of the body
static ScanToken read_body_arg(Reader *r, LaunchReader *l) {
  ScanToken name = read_new_name(r);
  scan_expect(SCAN(r), ':');
  define(r, name, ir_region_add_arg(l->body, read_type(r), NULL));
  return name;
}

static void read_block_shape(Reader *r, IrBlock *block) {
  block->rank = 0;
  scan_expect(SCAN(r), '[');
  if (scan_accept(SCAN(r), ']')) return;
  do {
    if (block->rank == IR_MAX_RANK) scan_expected(SCAN(r), "']'");
    BlockDim *dim = &block->dims[block->rank++];
    *dim = (BlockDim){.kind = BLOCK_BLOCKED, .size = 1};
    if (scan_accept_word(SCAN(r), "squeezed")) {
      dim->kind = BLOCK_SQUEEZED;
      continue;
    }
    if (scan_accept_word(SCAN(r), "element"))
      dim->kind = BLOCK_ELEMENT;
    else if (scan_accept_word(SCAN(r), "bounded"))
      dim->kind = BLOCK_BOUNDED;
    dim->size = scan_int(SCAN(r));
    if (dim->kind == BLOCK_ELEMENT && scan_accept_word(SCAN(r), "pad")) {
      dim->pad_lo = scan_int(SCAN(r));
      dim->pad_hi = scan_int(SCAN(r));
    }
  } while (scan_accept(SCAN(r), ','));
  scan_expect(SCAN(r), ']');
}

// Arguments of an index map: the grid's indices and the prefetch refs, as in the body.
static void add_map_args(IrRegion *map, const LaunchReader *l) {
  for (size_t i = 0; i < l->grid.count + (size_t)l->prefetch; i++)
    ir_region_add_arg(map, l->body->args[i]->type, l->body->args[i]->name);
}

// at (%i, 0)   at (%i, %j) { … yield … }
static void read_index_map(Reader *r, LaunchReader *l, IrRegion *region) {
  InlineMap map = {.region = region};
  scan_expect(SCAN(r), '(');
  if (!scan_accept(SCAN(r), ')')) {
    do {
      ScanTokenKind kind = r->scan.token.kind;
      if (kind != TOKEN_VALUE && kind != TOKEN_NUMBER)
        scan_expected(SCAN(r), "a grid index or a number");
      VEC_PUSH(r->arena, &map.items, scan_take(SCAN(r)));
    } while (scan_accept(SCAN(r), ','));
    scan_expect(SCAN(r), ')');
  }
  if (r->scan.token.kind == TOKEN_PUNCT && r->scan.token.text.data[0] == '{') {
    add_map_args(region, l);
    if (map.items.count != region->arg_count)
      scan_fail(SCAN(r), r->scan.token, "the index map takes %u arguments, %zu are named",
                region->arg_count, map.items.count);
    for (size_t i = 0; i < map.items.count; i++) {
      if (map.items.items[i].kind != TOKEN_VALUE)
        scan_fail(SCAN(r), map.items.items[i], "expected a value's name");
      define(r, map.items.items[i], region->args[i]);
    }
    read_region(r, region);
    map.region = NULL;
  }
  VEC_PUSH(r->arena, &l->maps, map);
}

static BlockDir read_direction(Reader *r) {
  if (scan_accept_word(SCAN(r), "of")) return BLOCK_IN;
  if (scan_accept_word(SCAN(r), "to")) return BLOCK_OUT;
  if (scan_accept_word(SCAN(r), "inout")) return BLOCK_IN_OUT;
  scan_expected(SCAN(r), "'of', 'to' or 'inout'");
}

static void read_block(Reader *r, LaunchReader *l) {
  IrBlock block = {.mode = BLOCK_COPIED, .buffers = 2};
  if (l->op->region_count == UINT16_MAX) scan_expected(SCAN(r), "fewer blocks");
  block.span = scan_span(SCAN(r), r->scan.token);
  ScanToken name = read_body_arg(r, l);
  const IrType *type = l->body->args[l->body->arg_count - 1]->type;
  block.name = text_is_word(name.text) ? intern(r, name.text) : NULL;
  block.space = type->space;
  block.dir = read_direction(r);
  ir_add_operand(r->module, l->op, read_value(r));
  block.rank = type->rank;
  for (int i = 0; i < type->rank; i++)
    block.dims[i] = (BlockDim){.kind = BLOCK_BLOCKED, .size = type->dims[i]};
  if (scan_accept_word(SCAN(r), "shape")) read_block_shape(r, &block);
  if (scan_accept_word(SCAN(r), "in_place"))
    block.mode = BLOCK_IN_PLACE;
  else if (scan_accept_word(SCAN(r), "whole"))
    block.mode = BLOCK_WHOLE;
  IrRegion *map = ir_add_region(r->module, l->op);
  if (block.mode != BLOCK_WHOLE ||
      (r->scan.token.kind == TOKEN_WORD && str_equal(r->scan.token.text, STR("at")))) {
    scan_expect_word(SCAN(r), "at");
    read_index_map(r, l, map);
  } else {
    InlineMap zeros = {.region = map, .zeros = block.rank};
    VEC_PUSH(r->arena, &l->maps, zeros);
  }
  if (scan_accept_word(SCAN(r), "buffers")) block.buffers = read_small(r);
  block.lookahead = scan_accept_word(SCAN(r), "lookahead");
  block.revisit_any = scan_accept_word(SCAN(r), "revisit_any");
  block.partly = scan_accept_word(SCAN(r), "partly");
  if (scan_accept_word(SCAN(r), "name")) block.name = intern(r, scan_string(SCAN(r)));
  VEC_PUSH(r->arena, &l->blocks, block);
}

static void read_launch_lines(Reader *r, LaunchReader *l) {
  scan_expect(SCAN(r), '{');
  while (scan_accept_word(SCAN(r), "prefetch")) {
    read_body_arg(r, l);
    scan_expect_word(SCAN(r), "of");
    ir_add_operand(r->module, l->op, read_value(r));
    l->prefetch++;
  }
  while (scan_accept_word(SCAN(r), "block")) read_block(r, l);
  while (scan_accept_word(SCAN(r), "scratch")) {
    read_body_arg(r, l);
    VEC_PUSH(r->arena, &l->scratch, l->body->args[l->body->arg_count - 1]->type);
  }
  scan_expect(SCAN(r), '}');
}

// body (%i, %x, …): the first are the grid's indices, which get their names here; the others have
// theirs.
static void read_body_names(Reader *r, LaunchReader *l) {
  scan_expect_word(SCAN(r), "body");
  scan_expect(SCAN(r), '(');
  for (uint32_t i = 0; i < l->body->arg_count; i++) {
    if (i) scan_expect(SCAN(r), ',');
    ScanToken token = r->scan.token;
    if (i < l->grid.count) {
      define(r, read_new_name(r), l->body->args[i]);
    } else if (read_value(r) != l->body->args[i]) {
      scan_fail(SCAN(r), token, "the body's arguments are named in another order than above");
    }
  }
  scan_expect(SCAN(r), ')');
}

static void resolve_map(Reader *r, LaunchReader *l, const InlineMap *map) {
  Values yields = {0};
  IrBuilder b = {.module = r->module, .region = map->region};
  add_map_args(map->region, l);
  for (int i = 0; i < map->zeros; i++) VEC_PUSH(r->arena, &yields, ir_i32(&b, 0));
  for (size_t i = 0; i < map->items.count; i++) {
    ScanToken token = map->items.items[i];
    if (token.kind == TOKEN_NUMBER) {
      int32_t number;
      if (!text_element(r->arena, DT_I32, token.text, &number))
        scan_fail(SCAN(r), token, "expected an i32");
      VEC_PUSH(r->arena, &yields, ir_i32(&b, number));
      continue;
    }
    const IrValue *index = map_get(r->values, intern(r, token.text));
    if (!index || index->region != l->body || index->index >= l->grid.count)
      scan_fail(SCAN(r), token, "'%%%.*s' is not an index of the grid", STR_FMT(token.text));
    VEC_PUSH(r->arena, &yields, map->region->args[index->index]);
  }
  ir_yield(&b, yields.count, yields.items);
}

static IrOp *read_launch(Reader *r, Head *head) {
  LaunchReader l = {.prefetch = 0};
  Values operands = {0};
  Types types = {0};
  PendingAttrs attrs = {.count = 0};
  Str name = scan_string(SCAN(r));
  read_grid(r, &l, &operands);
  Numbers semantics = {0};
  read_semantics(r, l.grid.count, &semantics);
  read_attrs(r, head->code, &operands, &attrs);
  l.op = build(r, head, &operands, &types);
  set_attrs(r, head->name, l.op, &attrs);
  l.body = ir_add_region(r->module, l.op);
  const IrType *i32 = ir_array_type(r->module, DT_I32, 0, NULL);
  for (size_t i = 0; i < l.grid.count; i++) ir_region_add_arg(l.body, i32, NULL);
  read_launch_lines(r, &l);
  read_body_names(r, &l);
  for (size_t i = 0; i < l.maps.count; i++)
    if (l.maps.items[i].region) resolve_map(r, &l, &l.maps.items[i]);
  read_region(r, l.body);
  ir_set_str(r->module, l.op, ATTR_NAME, name);
  ir_set_ints(r->module, l.op, ATTR_GRID, l.grid.count, l.grid.items);
  ir_set_ints(r->module, l.op, ATTR_SEMANTICS, semantics.count, semantics.items);
  ir_set_int(r->module, l.op, ATTR_PREFETCH, l.prefetch);
  ir_set_types(r->module, l.op, ATTR_SCRATCH, l.scratch.count, l.scratch.items);
  ir_set_blocks(r->module, l.op, l.blocks.count, l.blocks.items);
  return l.op;
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
  case OP_LAUNCH: return read_launch(r, head);
  default: return read_generic(r, head);
  }
}

static void read_op(Reader *r, IrRegion *region) {
  Head head = {.b = {.module = r->module, .region = region}};
  ScanToken first = r->scan.token;
  if (first.kind == TOKEN_VALUE) {
    do VEC_PUSH(r->arena, &head.results, read_new_name(r));
    while (scan_accept(SCAN(r), ','));
    scan_expect(SCAN(r), '=');
  }
  head.name = r->scan.token;
  if (head.name.kind != TOKEN_WORD) scan_expected(SCAN(r), "an operation");
  uintptr_t code = (uintptr_t)map_get(r->ops, intern(r, head.name.text));
  if (!code) scan_fail(SCAN(r), head.name, "unknown operation '%.*s'", STR_FMT(head.name.text));
  head.code = (OpCode)(code - 1);
  head.b.span = span_join(scan_span(SCAN(r), first), scan_span(SCAN(r), head.name));
  scan_take(SCAN(r));
  define_results(r, &head, read_op_rest(r, &head));
}

// "{ ops }"; a yield of nothing may be left out.
static IrRegion *read_region(Reader *r, IrRegion *region) {
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
  ScanToken token = read_new_name(r);
  scan_expect(SCAN(r), ':');
  Name name = text_is_word(token.text) ? intern(r, token.text) : NULL;
  define(r, token, ir_func_add_param(r->func, read_type(r), role, name));
  if (r->scan.token.kind == TOKEN_STRING)
    r->func->params[r->func->param_count - 1].label = scan_string(SCAN(r));
}

// "sizes softmax(n = 256)": of the family of the function before, or of a new one.
static void read_sizes(Reader *r, const IrFunc *before) {
  VEC(Name) names = {0};
  VEC(int64_t) sizes = {0};
  Name name = intern(r, read_name(r, "a family's name"));
  ScanToken open = r->scan.token;
  scan_expect(SCAN(r), '(');
  do {
    VEC_PUSH(r->arena, &names, intern(r, read_name(r, "the name of a size")));
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
  Name name = intern(r, read_name(r, "a function's name"));
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
  read_region(r, r->func->body);
}

static void read_module(Reader *r) {
  scan_expect_word(SCAN(r), "module");
  scan_expect_word(SCAN(r), "tpu");
  r->module->tpu = intern(r, read_name(r, "the name of a chip"));
  scan_expect_word(SCAN(r), "devices");
  r->module->devices = read_small(r);
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
    map_set(r->ops, intern(r, str_from_c(op_info((OpCode)i)->name)), (void *)(i + 1));
  r->scan = (Scan){.session = session, .file = file, .arena = r->module->arena};
  bool ok = read_all(r) && verify(r);
  arena_free(r->arena);
  if (ok) return r->module;
  ir_module_free(r->module);
  return NULL;
}
