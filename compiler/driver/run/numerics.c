// SPDX-License-Identifier: Apache-2.0
// check --numerics: what becomes of results when products of float32 are made as the chip makes
// them, by default and with precision=HIGHEST. In: functions before their passes, and calls of
// them. Out: each call is made in three ways on the same inputs, and the largest differences of
// each result are reported, by the place it is made at.
#include "base/buf.h"
#include "base/map.h"
#include "ir/core/attr.h"
#include "ir/core/build.h"
#include "ir/core/build_dot.h"
#include "ir/core/region.h"
#include "ir/text/print.h"
#include "ir/text/read.h"
#include "numerics.h"
#include "results.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/json.h"
#include "ir/core/place.h"

// How far a result is off, in any call.
typedef struct Apart {
  double ulps, relative; // of the exact element; infinite where one of the two is
  double exact, rounded; // the elements
  double most;           // the largest difference of elements
  int64_t at;            // in row-major order
} Apart;

// The largest differences of a result, over all calls.
typedef struct Difference {
  Span place;
  Str type;
  Apart ways[NUMERICS_WAYS];
  double largest; // element, of any call
  const int64_t *dims;
  int rank;
  int64_t calls;
} Difference;

struct Numerics {
  Session *session;
  VEC(Difference *) all; // in the order of the first calls
  Map *by_place;         // Name -> Difference
};

Numerics *numerics_new(Session *session) {
  Numerics *n = ARENA_NEW(session->arena, Numerics);
  *n = (Numerics){.session = session, .by_place = map_new(session->arena)};
  return n;
}

// ---- what is compared ---------------------------------------------------------------------------
static bool is_product(const IrOp *op) {
  return op->code == OP_DOT && op->operands[0]->type->dtype == DT_F32 &&
         op->operands[1]->type->dtype == DT_F32 &&
         ir_attr_int(op, ATTR_PRECISION) == PRECISION_DEFAULT;
}

static void find_product(const IrOp *op, void *data) { *(bool *)data |= is_product(op); }

static Str type_text(Arena *arena, const IrType *type) {
  Buf buf;
  buf_init(&buf, arena);
  buf_printf(&buf, "%s[", dtype_name(type->dtype));
  for (int i = 0; i < type->rank; i++)
    buf_printf(&buf, "%s%lld", i ? "," : "", (long long)type->dims[i]);
  buf_c(&buf, "]");
  return buf_view(&buf);
}

// A call of a function of the library has one place, with all that it makes on its way: its results
// are what no op of that place takes. In a loop the next call takes them: they are made as the last
// one's are.
static void find_takers(const Session *session, const IrFunc *func, NumericsCall *call) {
  Map *made = map_new(call->arena); // IrOp -> its result's number, plus 1
  for (size_t i = 0; i < call->results.count; i++)
    if (call->results.items[i].maker) map_set(made, call->results.items[i].maker, (void *)(i + 1));
  for (const IrOp *op = func->body->first; op; op = op->next)
    for (size_t k = 0; k < op->operand_count && op->code != OP_STORE; k++) {
      size_t number = op->operands[k]->def ? (size_t)map_get(made, op->operands[k]->def) : 0;
      NumericsResult *result = number ? &call->results.items[number - 1] : NULL;
      if (result && span_equal(result->place, result_place(session, op))) result->is_taken = true;
    }
}

static bool is_on_the_way(const NumericsCall *call, const NumericsResult *result) {
  for (size_t i = 0; i < call->results.count && result->is_taken; i++) {
    const NumericsResult *last = &call->results.items[i];
    bool is_same_kind = !last->is_taken && last->maker &&
                        last->maker->code == result->maker->code &&
                        str_equal(last->type, result->type);
    if (is_same_kind && span_equal(last->place, result->place)) return false;
  }
  return result->is_taken;
}

static void leave_out_intermediates(const Session *session, const IrFunc *func,
                                    NumericsCall *call) {
  find_takers(session, func, call);
  for (size_t i = 0; i < call->results.count; i++)
    call->results.items[i].is_left_out = is_on_the_way(call, &call->results.items[i]);
}

static void add_result(NumericsCall *call, const Session *session, const IrFunc *func, uint32_t i) {
  const IrType *type = func->body->args[i]->type;
  const IrOp *maker = result_maker(func, func->body->args[i]);
  NumericsResult result = {.param = i,
                           .dtype = type->dtype,
                           .count = ir_type_count(type),
                           .rank = type->rank,
                           .maker = maker,
                           .place = maker ? result_place(session, maker) : func->span,
                           .type = type_text(call->arena, type)};
  memcpy(result.dims, type->dims, sizeof *type->dims * type->rank);
  VEC_PUSH(call->arena, &call->results, result);
}

// A buffer of the same contents.
static void *copy_of(Arena *arena, const void *buffer, size_t bytes) {
  char *own = arena_alloc(arena, bytes + 64);
  own += -(uintptr_t)own % 64;
  memcpy(own, buffer, bytes);
  return own;
}

bool numerics_begin(Numerics *n, Arena *arena, const IrFunc *func, void *const *buffers,
                    NumericsCall *call) {
  bool has_product = false;
  ir_walk_const(func->body, find_product, &has_product);
  *call = (NumericsCall){.arena = arena};
  if (!has_product) return false;
  for (int way = 0; way < NUMERICS_WAYS; way++)
    call->buffers[way] = ARENA_ARRAY(arena, void *, func->param_count + 1);
  for (uint32_t i = 0; i < func->param_count; i++) {
    const IrType *type = func->body->args[i]->type;
    bool is_input = func->params[i].role == PARAM_IN;
    for (int way = 0; way < NUMERICS_WAYS; way++)
      call->buffers[way][i] =
          is_input ? buffers[i] : copy_of(arena, buffers[i], (size_t)ir_type_bytes(type));
    if (!is_input && !dtype_is_complex(type->dtype)) add_result(call, n->session, func, i);
  }
  leave_out_intermediates(n->session, func, call);
  return call->results.count > 0;
}

IrModule *numerics_copy(Session *session, const IrModule *module) {
  Buf buf;
  buf_init(&buf, session->arena);
  ir_print(module, false, &buf);
  return ir_read(session, source_add(session, STR("<numerics>"), buf_view(&buf), true));
}

// ---- products in six passes ---------------------------------------------------------------------
// A factor in three parts that have each the bits of a bfloat16, but for the last one.
typedef struct Parts {
  IrValue *all, *rest, *last; // all of it; without the first part; without the first two
} Parts;

static IrValue *rest_of(IrBuilder *b, IrValue *x) {
  return ir_binary(b, OP_SUB, x, ir_convert(b, ir_convert(b, x, DT_BF16), DT_F32));
}

static Parts parts_of(IrBuilder *b, IrValue *x) {
  IrValue *rest = rest_of(b, x);
  return (Parts){x, rest, rest_of(b, rest)};
}

// The product rounds its factors to bfloat16: of what is left it takes the next part.
static IrValue *pass(IrBuilder *b, const IrOp *dot, IrValue *x, IrValue *y) {
  DotSides sides = ir_dot_sides(dot);
  return ir_dot(b, x, y, &sides, DT_F32, PRECISION_BF16);
}

static void in_six_passes(IrOp *dot, void *unused UNUSED) {
  if (!is_product(dot)) return;
  IrBuilder b = ir_builder_before(dot);
  Parts x = parts_of(&b, dot->operands[0]), y = parts_of(&b, dot->operands[1]);
  IrValue *const factors[][2] = {{x.all, y.last}, {x.last, y.all}, {x.rest, y.rest},
                                 {x.all, y.rest}, {x.rest, y.all}, {x.all, y.all}};
  IrValue *sum = NULL; // the small ones first
  for (size_t i = 0; i < COUNT_OF(factors); i++) {
    IrValue *product = pass(&b, dot, factors[i][0], factors[i][1]);
    sum = sum ? ir_binary(&b, OP_ADD, sum, product) : product;
  }
  sum = ir_convert(&b, sum, dot->results[0]->type->dtype);
  ir_replace_uses(dot->parent, dot->results[0], sum);
  ir_op_remove(dot);
}

void numerics_six_passes(IrModule *module) { ir_walk_module(module, in_six_passes, NULL); }

// ---- differences --------------------------------------------------------------------------------
// Of the last place of a number of this type.
static double unit_of(DType dtype, double x) {
  if (!dtype_is_float(dtype)) return 1;
  int exponent;
  frexp(fmax(fabs(x), dtype_float_tiny(dtype)), &exponent);
  return ldexp(1, exponent - 1 - dtype_float_format(dtype).mantissa_bits);
}

static double ulps_between(DType dtype, double exact, double rounded) {
  if (exact == rounded || (isnan(exact) && isnan(rounded))) return 0;
  if (!isfinite(exact) || !isfinite(rounded)) return INFINITY;
  return fabs(exact - rounded) / unit_of(dtype, exact);
}

static Difference *difference_at(Numerics *n, const NumericsResult *r) {
  Arena *arena = n->session->arena, *own = arena_new_child(arena);
  Str text = str_format(own, "%u:%u:%u:%u:%.*s", r->place.file, r->place.begin, r->place.end,
                        r->param, STR_FMT(r->type));
  Name key = name_intern(n->session->interner, text);
  arena_free(own);
  Difference *d = map_get(n->by_place, key);
  if (d) return d;
  d = ARENA_NEW(arena, Difference);
  *d = (Difference){.place = r->place, .type = str_copy(arena, r->type), .rank = r->rank};
  d->dims = arena_dup(arena, r->dims, sizeof r->dims);
  map_set(n->by_place, key, d);
  VEC_PUSH(arena, &n->all, d);
  return d;
}

static void note_difference(Apart *a, DType dtype, double x, double y, int64_t at) {
  double ulps = ulps_between(dtype, x, y);
  if (ulps > 0) a->most = fmax(a->most, isfinite(ulps) ? fabs(x - y) : INFINITY);
  if (ulps <= a->ulps) return;
  a->ulps = ulps;
  a->relative = x != 0 ? fabs((x - y) / x) : INFINITY;
  a->exact = x;
  a->rounded = y;
  a->at = at;
}

static void compare(Difference *d, const NumericsResult *r, const char *exact,
                    const char *const *made) {
  size_t size = dtype_size(r->dtype);
  d->calls++;
  for (int64_t i = 0; i < r->count; i++) {
    double x = dtype_load_f64(r->dtype, exact + (size_t)i * size);
    if (isfinite(x)) d->largest = fmax(d->largest, fabs(x));
    for (int way = 0; way < NUMERICS_WAYS; way++) {
      double y = dtype_load_f64(r->dtype, made[way] + (size_t)i * size);
      note_difference(&d->ways[way], r->dtype, x, y, i);
    }
  }
}

void numerics_compare(Numerics *n, const NumericsCall *call, void *const *buffers) {
  for (size_t i = 0; i < call->results.count; i++) {
    const NumericsResult *r = &call->results.items[i];
    if (r->is_left_out) continue;
    const char *made[NUMERICS_WAYS];
    for (int way = 0; way < NUMERICS_WAYS; way++) made[way] = call->buffers[way][r->param];
    compare(difference_at(n, r), r, buffers[r->param], made);
  }
}

// ---- what is said -------------------------------------------------------------------------------
static Str index_text(Arena *arena, const Difference *d, const Apart *a) {
  Buf buf;
  buf_init(&buf, arena);
  int64_t behind = 1, rest = a->at;
  for (int i = 0; i < d->rank; i++) behind *= d->dims[i];
  for (int i = 0; i < d->rank; i++) {
    behind /= d->dims[i];
    buf_printf(&buf, "%s%lld", i ? ", " : "", (long long)(rest / behind));
    rest %= behind;
  }
  return buf_view(&buf);
}

// NaN has no sign, as elsewhere in what is printed.
static Str number_text(Arena *arena, double x) {
  return isnan(x) ? STR("nan") : str_format(arena, "%.9g", x);
}

static void print_text(const Numerics *n, const Difference *d, FILE *out) {
  Arena *arena = n->session->arena;
  const SourceFile *file = source_get(n->session, d->place.file);
  LineCol at = file ? source_line_col(file, d->place.begin) : (LineCol){0};
  if (file) fprintf(out, "%.*s:%u:%u: ", STR_FMT(file->path), at.line, at.column);
  fprintf(out, "%.*s", STR_FMT(d->type));
  if (d->calls > 1) fprintf(out, " of %lld calls", (long long)d->calls);
  for (int way = 0; way < NUMERICS_WAYS; way++) {
    const Apart *a = &d->ways[way];
    fputs(way ? "; with HIGHEST " : ": ", out);
    if (a->ulps > 0)
      fprintf(out, "%.4g ulp at [%.*s], %.*s and %.*s, at most %.2g of the largest element",
              a->ulps, STR_FMT(index_text(arena, d, a)), STR_FMT(number_text(arena, a->exact)),
              STR_FMT(number_text(arena, a->rounded)), a->most / d->largest);
    else
      fputs("no difference", out);
  }
  fputc('\n', out);
}

static void json_number(Buf *buf, const char *name, double x) {
  if (isfinite(x))
    buf_printf(buf, ",\"%s\":%.17g", name, x);
  else
    buf_printf(buf, ",\"%s\":\"%s\"", name, isnan(x) ? "nan" : x > 0 ? "inf" : "-inf");
}

static void json_apart(Buf *buf, const Numerics *n, const Difference *d, const char *name,
                       NumericsWay way) {
  const Apart *a = &d->ways[way];
  buf_printf(buf, ",\"%s\":{\"index\":[%.*s]", name, STR_FMT(index_text(n->session->arena, d, a)));
  json_number(buf, "ulps", a->ulps);
  json_number(buf, "relative", a->relative);
  json_number(buf, "exact", a->exact);
  json_number(buf, "rounded", a->rounded);
  json_number(buf, "largest_difference", a->most);
  buf_c(buf, "}");
}

static void print_json(const Numerics *n, const Difference *d, FILE *out) {
  Buf buf;
  buf_init(&buf, n->session->arena);
  const SourceFile *file = source_get(n->session, d->place.file);
  LineCol at = file ? source_line_col(file, d->place.begin) : (LineCol){0};
  buf_c(&buf, "{\"file\":");
  json_string(file ? file->path : STR(""), &buf);
  buf_printf(&buf, ",\"line\":%u,\"column\":%u,\"type\":\"%.*s\",\"calls\":%lld", at.line,
             at.column, STR_FMT(d->type), (long long)d->calls);
  json_number(&buf, "largest", d->largest);
  json_apart(&buf, n, d, "default", NUMERICS_DEFAULT);
  json_apart(&buf, n, d, "highest", NUMERICS_HIGHEST);
  buf_c(&buf, "}\n");
  Str text = buf_view(&buf);
  fwrite(text.data, 1, text.len, out);
}

void numerics_report(const Numerics *n, bool as_json, FILE *out) {
  size_t equal = 0;
  if (!as_json)
    fputs("float32 products with exact inputs, with inputs rounded to bfloat16 as the chip does by "
          "default, and with HIGHEST, in six passes:\n",
          out);
  for (size_t i = 0; i < n->all.count; i++) {
    const Difference *d = n->all.items[i];
    if (as_json)
      print_json(n, d, out);
    else if (d->ways[NUMERICS_DEFAULT].ulps > 0 || d->ways[NUMERICS_HIGHEST].ulps > 0)
      print_text(n, d, out);
    else
      equal++;
  }
  if (!as_json && !n->all.count)
    fputs("there is no such product\n", out);
  else if (!as_json && equal)
    fprintf(out, "%zu %s without a difference\n", equal, equal == 1 ? "result" : "results");
  fflush(out);
}
