// SPDX-License-Identifier: Apache-2.0
// What the grammar of a jaxpr's text builds: tokens' values, files and locations, jaxprs with their
// variables resolved to slots. In: what an action has read. Out: parts of the tree.
#include "base/buf.h"
#include "base/checked.h"
#include "base/map.h"
#include "jaxpr_build.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MAX_LINES 1000000 // of a file of the program; more is no program's

// ---- tokens -------------------------------------------------------------------------------------
void jaxpr_error(JaxprParser *p, Span span, const char *fmt, ...) {
  if (p->is_bad) return; // what follows a mistake is not worth a message
  p->is_bad = true;
  va_list args;
  va_start(args, fmt);
  Str message = str_vformat(p->arena, fmt, args);
  va_end(args);
  diag_error(p->session, span, "%.*s", STR_FMT(message));
}

Span jaxpr_span(const JaxprParser *p, const char *text, size_t len) {
  uint32_t begin = (uint32_t)(text - p->copy);
  return (Span){p->file->id, begin, begin + (uint32_t)len};
}

bool jaxpr_take_int(JaxprParser *p, Str text, Span span, int64_t *out) {
  char digits[32];
  if (text.len < sizeof digits) {
    memcpy(digits, text.data, text.len);
    digits[text.len] = 0;
    errno = 0;
    *out = strtoll(digits, NULL, 10);
    if (!errno) return true;
  }
  jaxpr_error(p, span, "an integer in a jaxpr has at most 64 bits");
  return false;
}

double jaxpr_take_float(Str text) {
  char digits[64];
  size_t len = text.len < sizeof digits ? text.len : sizeof digits - 1;
  memcpy(digits, text.data, len);
  digits[len] = 0;
  return strtod(digits, NULL);
}

static int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// The escapes are \" \\ \n \r \t and \xHH, a byte.
bool jaxpr_take_string(JaxprParser *p, Str text, Span span, Str *out) {
  Buf buf;
  if (!memchr(text.data, '\\', text.len)) {
    *out = str_copy(p->arena, text);
    return true;
  }
  buf_init(&buf, p->arena);
  for (size_t i = 0; i < text.len; i++) {
    char c = text.data[i];
    if (c != '\\') {
      buf_char(&buf, c);
      continue;
    }
    c = text.data[++i];
    int high = i + 2 < text.len ? hex_digit(text.data[i + 1]) : -1;
    int low = i + 2 < text.len ? hex_digit(text.data[i + 2]) : -1;
    if (c == 'x' && i + 2 < text.len && high >= 0 && low >= 0) {
      buf_char(&buf, (char)(high * 16 + low));
      i += 2;
    } else if (c == 'n' || c == 'r' || c == 't') {
      buf_char(&buf, c == 'n' ? '\n' : c == 'r' ? '\r' : '\t');
    } else if (c == '"' || c == '\\') {
      buf_char(&buf, c);
    } else {
      jaxpr_error(p, span, "unknown escape '\\%c' in a string of a jaxpr", c);
      return false;
    }
  }
  *out = buf_view(&buf);
  return true;
}

Name jaxpr_take_field(JaxprParser *p, Str text) {
  text.len--; // the '='
  while (text.data[text.len - 1] == ' ') text.len--;
  return name_intern(p->session->interner, text);
}

// ---- lists --------------------------------------------------------------------------------------
JaxprInts jaxpr_ints_push(JaxprParser *p, JaxprInts list, int64_t item) {
  VEC_PUSH(p->arena, &list, item);
  return list;
}
JaxprValues jaxpr_values_push(JaxprParser *p, JaxprValues list, JaxprValue *item) {
  VEC_PUSH(p->arena, &list, item);
  return list;
}
JaxprFields jaxpr_fields_push(JaxprParser *p, JaxprFields list, JaxprField item) {
  VEC_PUSH(p->arena, &list, item);
  return list;
}
JaxprAtoms jaxpr_atoms_push(JaxprParser *p, JaxprAtoms list, JaxprAtom item) {
  VEC_PUSH(p->arena, &list, item);
  return list;
}
JaxprVars jaxpr_vars_push(JaxprParser *p, JaxprVars list, JaxprVar item) {
  VEC_PUSH(p->arena, &list, item);
  return list;
}

// ---- items of the program -----------------------------------------------------------------------
void jaxpr_build_version(JaxprParser *p, Span span, int64_t version) {
  if (version != JAXPR_VERSION)
    jaxpr_error(p, span, "a jaxpr of version %lld; this pallasc reads version %d",
                (long long)version, JAXPR_VERSION);
}

void jaxpr_build_file(JaxprParser *p, Span span, int64_t number, Str path) {
  if (number < 0 || (size_t)number != p->files.count) {
    jaxpr_error(p, span, "files are numbered from 0; this is number %zu", p->files.count);
    return;
  }
  JaxprFile *file = ARENA_NEW(p->arena, JaxprFile);
  file->path = name_intern(p->session->interner, path);
  VEC_PUSH(p->arena, &p->files, file);
}

static JaxprFile *find_file(JaxprParser *p, Span span, int64_t number) {
  if (number >= 0 && (size_t)number < p->files.count) return p->files.items[number];
  jaxpr_error(p, span, "there is no file %lld", (long long)number);
  return NULL;
}

void jaxpr_build_line(JaxprParser *p, Span span, int64_t number, int64_t line, Str text) {
  JaxprFile *file = find_file(p, span, number);
  if (!file) return;
  if (file->source || line < 1 || line > MAX_LINES) {
    jaxpr_error(p, span,
                file->source ? "the lines of a file stand before its locations"
                             : "lines are numbered from 1, to %d at the most",
                MAX_LINES);
    return;
  }
  while (file->lines.count < (size_t)line) VEC_PUSH(p->arena, &file->lines, STR(""));
  file->lines.items[line - 1] = text;
}

static const SourceFile *source_of(JaxprParser *p, JaxprFile *file) {
  if (file->source) return file->source;
  Buf buf;
  buf_init(&buf, p->scratch);
  for (size_t i = 0; i < file->lines.count; i++) {
    buf_str(&buf, file->lines.items[i]);
    buf_char(&buf, '\n');
  }
  file->source = source_add(p->session, name_str(file->path), buf_view(&buf), false);
  return file->source;
}

// The byte of a column; what lies beyond a line is its end.
static uint32_t offset_of(const SourceFile *source, int64_t line, int64_t column) {
  if (line < 1 || (size_t)line > source->line_starts.count) return (uint32_t)source->text.len;
  Str text = source_line(source, (uint32_t)line);
  size_t at = column < 0 ? 0 : (size_t)column < text.len ? (size_t)column : text.len;
  return source->line_starts.items[line - 1] + (uint32_t)at;
}

void jaxpr_build_loc(JaxprParser *p, Span span, const int64_t parts[7], Str function) {
  JaxprFile *file = find_file(p, span, parts[1]);
  if (!file) return;
  if (parts[0] < 0 || (size_t)parts[0] != p->locs.count) {
    jaxpr_error(p, span, "locations are numbered from 0; this is number %zu", p->locs.count);
    return;
  }
  if (parts[6] >= parts[0]) {
    jaxpr_error(p, span, "the location of a caller stands before that of what it calls");
    return;
  }
  const SourceFile *source = source_of(p, file);
  JaxprLoc *loc = ARENA_NEW(p->arena, JaxprLoc);
  uint32_t begin = offset_of(source, parts[2], parts[3]),
           end = offset_of(source, parts[4], parts[5]);
  loc->span = (Span){source->id, begin, end > begin ? end : begin};
  loc->function = name_intern(p->session->interner, function);
  loc->caller = parts[6] < 0 ? NULL : p->locs.items[parts[6]];
  VEC_PUSH(p->arena, &p->locs, loc);
}

static bool is_identifier(Str text) {
  for (size_t i = 0; i < text.len; i++) {
    char c = text.data[i];
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    if (!letter && !(i > 0 && c >= '0' && c <= '9')) return false;
  }
  return text.len > 0;
}

// in_place = ((parameter, result), …)
static void take_in_place(JaxprParser *p, JaxprEntry *entry, const JaxprValue *pairs) {
  size_t params = entry->tree->params.count, results = entry->tree->results.count;
  for (size_t i = 0; i < pairs->items.count; i++) {
    const JaxprValue *pair = pairs->items.items[i];
    bool is_pair = pair->kind == JAXPR_TUPLE && pair->items.count == 2 &&
                   pair->items.items[0]->kind == JAXPR_INT &&
                   pair->items.items[1]->kind == JAXPR_INT;
    int64_t param = is_pair ? pair->items.items[0]->i : -1;
    int64_t result = is_pair ? pair->items.items[1]->i : -1;
    if (param < 0 || result < 0 || (size_t)param >= params || (size_t)result >= results) {
      jaxpr_error(p, pair->span, "in_place has pairs of a parameter's number and a result's");
      return;
    }
    for (size_t k = 0; k < entry->in_place.count; k++)
      if (entry->in_place.items[k].param == (size_t)param ||
          entry->in_place.items[k].result == (size_t)result)
        jaxpr_error(p, pair->span, "in_place names a parameter or a result twice");
    VEC_PUSH(p->arena, &entry->in_place, ((JaxprInPlace){(size_t)param, (size_t)result}));
  }
}

void jaxpr_build_entry(JaxprParser *p, Span span, Str name, JaxprValues params, JaxprFields fields,
                       JaxprTree *tree) {
  if (!tree) return;
  JaxprEntry *entry = ARENA_NEW(p->arena, JaxprEntry);
  *entry =
      (JaxprEntry){.name = name_intern(p->session->interner, name), .tree = tree, .span = span};
  if (!is_identifier(name)) {
    jaxpr_error(p, span, "'%.*s' cannot be the name of a C function", STR_FMT(name));
    return;
  }
  if (!tree->results.count) {
    jaxpr_error(p, span, "the entry '%.*s' gives no result", STR_FMT(name));
    return;
  }
  if (params.count != tree->params.count) {
    jaxpr_error(p, span, "%zu names for %zu parameters", params.count, tree->params.count);
    return;
  }
  Map *seen = map_new(p->scratch);
  for (size_t i = 0; i < params.count; i++) {
    Name param = name_intern(p->session->interner, params.items[i]->text);
    if (!is_identifier(name_str(param)) || map_has(seen, param)) {
      jaxpr_error(p, params.items[i]->span, "'%s' cannot be the name of this parameter",
                  param->text);
      return;
    }
    const JaxprType *type = &tree->params.items[i].type;
    bool is_number = type->dtype != DT_COUNT && !dtype_is_complex(type->dtype);
    if (type->space || !is_number) {
      jaxpr_error(p, params.items[i]->span,
                  "a parameter of an entry must be an array of a type that pallasc has, got %s%s",
                  type->space ? "a Ref of " : "", type->element->text);
      return;
    }
    map_set(seen, param, param);
    VEC_PUSH(p->arena, &entry->params, param);
  }
  for (size_t i = 0; i < fields.count; i++) {
    const JaxprField *field = &fields.items[i];
    if (str_equal(name_str(field->name), STR("in_place")) && field->value->kind == JAXPR_TUPLE)
      take_in_place(p, entry, field->value);
    else
      jaxpr_error(p, field->span, "an entry has no field '%s' of this kind", field->name->text);
  }
  for (size_t i = 0; i < p->program->entries.count; i++)
    if (p->program->entries.items[i]->name == entry->name)
      jaxpr_error(p, span, "there are two entries '%s'", entry->name->text);
  VEC_PUSH(p->arena, &p->program->entries, entry);
}

// ---- jaxprs -------------------------------------------------------------------------------------
// The slot of a variable of this number; SIZE_MAX if it has none. Numbers are dense in practice:
// the scope keeps them sorted as they come, and searches.
static size_t find_slot(const JaxprScope *scope, int64_t number) {
  size_t low = 0, high = scope->defined.count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (scope->defined.items[middle].number < number)
      low = middle + 1;
    else
      high = middle;
  }
  bool found = low < scope->defined.count && scope->defined.items[low].number == number;
  return found ? scope->defined.items[low].slot : SIZE_MAX;
}

void jaxpr_build_begin(JaxprParser *p, Span span, const Str *name) {
  JaxprScope *scope = ARENA_NEW(p->arena, JaxprScope);
  *scope = (JaxprScope){.outer = p->scope, .tree = ARENA_NEW(p->arena, JaxprTree)};
  scope->tree->span = span;
  if (name) scope->tree->name = name_intern(p->session->interner, *name);
  p->scope = scope;
}

// Numbers grow through a jaxpr: what is defined later has the greater one.
static void define(JaxprParser *p, JaxprVar *var) {
  JaxprScope *scope = p->scope;
  var->slot = scope->tree->slots++;
  if (var->dropped) return;
  size_t count = scope->defined.count;
  if (count && scope->defined.items[count - 1].number >= var->number) {
    jaxpr_error(p, var->span, "the numbers of a jaxpr's variables grow: %%%lld comes after %%%lld",
                (long long)var->number, (long long)scope->defined.items[count - 1].number);
    return;
  }
  VEC_PUSH(p->arena, &scope->defined, ((JaxprDefined){var->number, var->slot}));
}

void jaxpr_build_const(JaxprParser *p, Span span, JaxprVar var, Str data) {
  define(p, &var);
  JaxprConst constant = {var, jaxpr_build_data(p, span, var.type, data)};
  VEC_PUSH(p->arena, &p->scope->tree->consts, constant);
}

JaxprTree *jaxpr_build_params(JaxprParser *p, JaxprVars params) {
  for (size_t i = 0; i < params.count; i++) define(p, &params.items[i]);
  p->scope->tree->params = params;
  return p->scope->tree;
}

static const JaxprLoc *find_loc(JaxprParser *p, Span span, int64_t number) {
  if (number < 0) return NULL;
  if ((size_t)number < p->locs.count) return p->locs.items[number];
  jaxpr_error(p, span, "there is no location %lld", (long long)number);
  return NULL;
}

void jaxpr_build_equation(JaxprParser *p, Span span, Name primitive, JaxprVars outs,
                          JaxprAtoms operands, JaxprFields params, int64_t loc) {
  JaxprEquation *equation = ARENA_NEW(p->arena, JaxprEquation);
  for (size_t i = 0; i < outs.count; i++) define(p, &outs.items[i]);
  *equation = (JaxprEquation){.primitive = primitive,
                              .outs = outs,
                              .operands = operands,
                              .params = params,
                              .loc = find_loc(p, span, loc),
                              .span = span};
  VEC_PUSH(p->arena, &p->scope->tree->equations, equation);
}

JaxprTree *jaxpr_build_end(JaxprParser *p, Span span, JaxprTree *tree, JaxprAtoms results) {
  tree->results = results;
  tree->span = span;
  p->scope = p->scope->outer;
  return tree;
}

JaxprAtom jaxpr_build_use(JaxprParser *p, Span span, int64_t number) {
  size_t slot = find_slot(p->scope, number);
  if (slot == SIZE_MAX) jaxpr_error(p, span, "%%%lld is not defined here", (long long)number);
  return (JaxprAtom){.slot = slot};
}

// ---- types and values ---------------------------------------------------------------------------
JaxprType jaxpr_build_type(JaxprParser *p, Span span, Name element, JaxprInts dims) {
  JaxprType type = {.element = element, .dtype = DT_COUNT, .rank = dims.count};
  if (dims.count > JAXPR_MAX_RANK) {
    jaxpr_error(p, span, "an array has at most %d dimensions, got %zu", JAXPR_MAX_RANK, dims.count);
    type.rank = 0;
  }
  for (size_t i = 0; i < type.rank; i++) {
    type.dims[i] = dims.items[i];
    if (type.dims[i] < 0)
      jaxpr_error(p, span, "the size of a dimension must not be negative, got %lld",
                  (long long)type.dims[i]);
  }
  DType dtype;
  if (!dtype_from_name(name_str(element), &dtype)) return type;
  type.dtype = dtype;
  if (dtype_bits(dtype_is_complex(dtype) ? dtype_of_parts(dtype) : dtype) == 64)
    p->program->x64 = true;
  return type;
}

JaxprType jaxpr_build_ref_type(JaxprParser *p, Span span, Name space, JaxprType type) {
  if (type.space) jaxpr_error(p, span, "a Ref holds an array, not a Ref");
  type.space = space;
  return type;
}

JaxprValue *jaxpr_build_value(JaxprParser *p, Span span, JaxprKind kind) {
  JaxprValue *value = ARENA_NEW(p->arena, JaxprValue);
  value->kind = kind;
  value->span = span;
  return value;
}

JaxprValue *jaxpr_build_record(JaxprParser *p, Span span, Name name, JaxprFields fields) {
  bool is_slice = str_equal(name_str(name), STR("slice")) && fields.count == 3;
  JaxprValue *value = jaxpr_build_value(p, span, is_slice ? JAXPR_SLICE : JAXPR_RECORD);
  value->name = name;
  value->fields = fields;
  return value;
}

JaxprValue *jaxpr_build_string(JaxprParser *p, Span span, Str text) {
  JaxprValue *value = jaxpr_build_value(p, span, JAXPR_STRING);
  value->text = text;
  return value;
}

JaxprValue *jaxpr_build_dtype(JaxprParser *p, Span span, Name name) {
  JaxprValue *value = jaxpr_build_value(p, span, JAXPR_DTYPE);
  value->type = jaxpr_build_type(p, span, name, (JaxprInts){0});
  return value;
}

static int digit_of(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

// The bytes of a base64 text with its padding; false if it is none.
static bool decode(Arena *arena, Str text, Str *out) {
  size_t padding = 0;
  while (padding < 2 && text.len > padding && text.data[text.len - 1 - padding] == '=') padding++;
  if (text.len % 4) return false;
  unsigned char *bytes = arena_alloc(arena, text.len / 4 * 3 + 1);
  size_t count = 0;
  for (size_t i = 0; i < text.len; i += 4) {
    uint32_t group = 0;
    for (size_t k = 0; k < 4; k++) {
      bool padded = i + k >= text.len - padding;
      int digit = padded ? 0 : digit_of(text.data[i + k]);
      if (digit < 0) return false;
      group = group << 6 | (uint32_t)digit;
    }
    for (int k = 2; k >= 0; k--) bytes[count++] = (unsigned char)(group >> 8 * k);
  }
  *out = (Str){(const char *)bytes, count - padding};
  return true;
}

static bool byte_count(const JaxprType *type, int64_t *out) {
  *out = (int64_t)dtype_size(type->dtype);
  for (size_t i = 0; i < type->rank; i++)
    if (!mul_i64(*out, type->dims[i], out)) return false;
  return true;
}

JaxprValue *jaxpr_build_data(JaxprParser *p, Span span, JaxprType type, Str base64) {
  JaxprValue *value = jaxpr_build_value(p, span, JAXPR_DATA);
  int64_t size;
  value->type = type;
  if (type.dtype == DT_COUNT || type.space)
    jaxpr_error(p, span, "data of '%s' cannot be in a jaxpr", type.element->text);
  else if (!decode(p->arena, base64, &value->text))
    jaxpr_error(p, span, "the data of an array must be base64");
  else if (!byte_count(&type, &size) || (size_t)size != value->text.len)
    jaxpr_error(p, span, "the array's type and its %zu bytes of data do not match",
                value->text.len);
  return value;
}

JaxprAtom jaxpr_build_literal(JaxprParser *p, Span span, const JaxprValue *scalar, JaxprType type) {
  JaxprValue *value = jaxpr_build_value(p, span, JAXPR_DATA);
  value->type = type;
  if (type.dtype == DT_COUNT || dtype_is_complex(type.dtype) || type.rank || type.space) {
    jaxpr_error(p, span, "a number has the type of a scalar");
    return (JaxprAtom){.is_literal = true, .literal = value};
  }
  char *bytes = arena_alloc(p->arena, 8);
  if (scalar->kind == JAXPR_FLOAT)
    dtype_store_f64(type.dtype, bytes, scalar->f);
  else
    dtype_store_i64(type.dtype, bytes, scalar->i);
  value->text = (Str){bytes, dtype_size(type.dtype)};
  return (JaxprAtom){.is_literal = true, .literal = value};
}

// ---- the whole text -----------------------------------------------------------------------------
JaxprProgram *jaxpr_read(Session *session, SourceFile *file) {
  JaxprParser parser = {.session = session,
                        .file = file,
                        .arena = session->arena,
                        .scratch = arena_new_child(session->arena),
                        .program = ARENA_NEW(session->arena, JaxprProgram)};
  parser.scanner = jaxpr_scan(&parser);
  bool good = jaxpr_parse(&parser);
  arena_free(parser.scratch);
  if (good && !parser.program->entries.count) {
    diag_error(session, (Span){file->id, 0, 0}, "this jaxpr has no entry");
    good = false;
  }
  return good ? parser.program : NULL;
}
