// SPDX-License-Identifier: Apache-2.0
// Names, numbers, types and attributes of the IR's text.
#include <string.h>

#include "base/buf.h"
#include "base/map.h"
#include "ir/core/attr.h"
#include "reader.h"
#include "text.h"

// ---- names, numbers, types ---------------------------------------------------------------------
Name reader_intern(Reader *r, Str text) { return name_intern(r->session->interner, text); }

// A word or a quoted text.
Str reader_name(Reader *r, const char *what) {
  if (r->scan.token.kind == TOKEN_WORD) return scan_take(SCAN(r)).text;
  if (r->scan.token.kind == TOKEN_STRING) return scan_string(SCAN(r));
  scan_expected(SCAN(r), what);
}

IrValue *reader_value(Reader *r) {
  ScanToken token = r->scan.token;
  if (token.kind != TOKEN_VALUE) scan_expected(SCAN(r), "a value");
  IrValue *value = map_get(r->values, reader_intern(r, token.text));
  if (!value) scan_fail(SCAN(r), token, "unknown value '%%%.*s'", STR_FMT(token.text));
  scan_take(SCAN(r));
  return value;
}

ScanToken reader_new_name(Reader *r) {
  if (r->scan.token.kind != TOKEN_VALUE) scan_expected(SCAN(r), "a value's name");
  return scan_take(SCAN(r));
}

// Gives `value` the name. Numbers are no hints.
void reader_define(Reader *r, ScanToken token, IrValue *value) {
  Name name = reader_intern(r, token.text);
  if (map_has(r->values, name))
    scan_fail(SCAN(r), token, "value '%%%.*s' is defined twice", STR_FMT(token.text));
  map_set(r->values, name, value);
  value->name = text_is_word(token.text) ? name : NULL;
}

int reader_small(Reader *r) {
  ScanToken token = r->scan.token;
  int64_t number = scan_int(SCAN(r));
  if (number < 0 || number > INT32_MAX) scan_fail(SCAN(r), token, "number out of range");
  return (int)number;
}

void reader_values(Reader *r, Values *out) {
  do VEC_PUSH(r->arena, out, reader_value(r));
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

const IrType *reader_type(Reader *r) {
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
void reader_result_types(Reader *r, size_t count, Types *out) {
  if (!count) return;
  scan_expect(SCAN(r), ':');
  bool many = scan_accept(SCAN(r), '(');
  do VEC_PUSH(r->arena, out, reader_type(r));
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

bool reader_is_element(ScanToken token) {
  return token.kind == TOKEN_NUMBER || token.kind == TOKEN_WORD;
}

static void read_element(Reader *r, DType dtype, Buf *bytes) {
  ScanToken token = r->scan.token;
  uint64_t element = 0;
  if (!reader_is_element(token) || !text_element(r->arena, dtype, token.text, &element))
    scan_expected(SCAN(r), dtype_short_name(dtype));
  scan_take(SCAN(r));
  buf_str(bytes, (Str){(const char *)&element, dtype_size(dtype)});
}

// 1.5   {1, 2, 3}
IrData reader_data(Reader *r, DType dtype) {
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

void reader_word(Reader *r, PendingAttr *attr) {
  ScanToken at = r->scan.token;
  Str word = reader_name(r, "a word");
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
  case KIND_WORD: reader_word(r, attr); break;
  case KIND_NAME: attr->text = reader_name(r, "a word"); break;
  case KIND_STR: attr->text = scan_string(SCAN(r)); break;
  case KIND_STRS: read_strings(r, &attr->texts); break;
  case KIND_MESHES: read_meshes(r, attr); break;
  case KIND_DATA: // of the first operand's element type
    if (!operands->count) scan_expected(SCAN(r), "an operand");
    attr->data = reader_data(r, operands->items[0]->type->dtype);
    break;
  default: BUG("attribute '%s' has no text of its own", attr_name(attr->name));
  }
}

// The attributes that the op may have, up to a token that is none of them or stands on a line of
// its own.
void reader_attrs(Reader *r, OpCode code, const Values *operands, PendingAttrs *out) {
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
void reader_set_attrs(Reader *r, ScanToken at, IrOp *op, const PendingAttrs *given) {
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
