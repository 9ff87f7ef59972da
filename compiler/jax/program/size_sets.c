// SPDX-License-Identifier: Apache-2.0
// In: the call that --entry writes, softmax(f32[{256,512},1024], f32[{256,512}]). Out: the sets of
// sizes in it, what each is called, and where they stand in the text, which is read once more for
// each combination.
//
// A set stands in an index: f32[{256,512},1024], f32[{128*k for k in range(1, 5)}]. It is called
// what f32[n := {256,512}] says, then f32[n] stands for the same size; or what the parameter's
// annotation calls the dimension; or PARAMETER_dimK.
#include "base/compare.h"
#include "base/buf.h"
#include "ir/core/ir.h"
#include "size_sets.h"
#include <stdlib.h>
#include <string.h>
#include "python/builtins/builtin_set.h"
#include "python/core/expr.h"
#include "python/objects/convert.h"
#include "python/values/dict.h"
#include "python/values/raise.h"
#include "python/objects/protocol.h"
#include "python/values/values.h"

enum { MAX_COMBINATIONS = 64 };

// An index that is a plain name: a size, if a set is called so.
typedef struct NamedIndex {
  Name name;
  Span span;
} NamedIndex;

typedef struct SetReader {
  Eval *ev;
  Callee callee;
  size_t param; // of the argument that is read, or SIZE_MAX
  SizeSets *out;
  VEC(NamedIndex) names;
  VEC(Name) written; // names of the sets that n := {…} gave one
} SetReader;

// ---- the values of a set ------------------------------------------------------------------------
static bool is_set(Expr *e) {
  return e->kind == EX_SET || e->kind == EX_SET_COMP ||
         (e->kind == EX_DICT && e->dict.values.count == 0);
}

static SizeSet read_values(SetReader *r, Expr *e, Name name) {
  Eval *ev = r->ev;
  const Dict *set = e->kind == EX_DICT ? NULL : value_as_set(eval_expr(ev, e));
  size_t count = 0, it = 0;
  DictEntry *item;
  while (set && dict_next(set, &it, &item)) count++;
  if (count == 0) eval_raise_at(ev, e->span, ev->types.ValueError, "a set of sizes is empty");
  int64_t *values = ARENA_ARRAY(ev->arena, int64_t, count);
  count = it = 0;
  while (dict_next(set, &it, &item)) {
    int64_t size;
    if (!value_as_int(ev, item->key, &size) || size < 0)
      eval_raise_at(ev, e->span, ev->types.TypeError,
                    "a set of sizes has integers from 0 on, not %.*s",
                    STR_FMT(value_repr(ev, item->key)));
    values[count++] = size;
  }
  qsort(values, count, sizeof *values, compare_i64);
  return (SizeSet){name, values, count};
}

// The number of the set, which may be there already.
static size_t add_set(SetReader *r, Expr *e, SizeSet set) {
  Eval *ev = r->ev;
  SizeSets *out = r->out;
  for (size_t i = 0; i < out->sets.count; i++) {
    const SizeSet *known = &out->sets.items[i];
    if (known->name != set.name) continue;
    if (known->count != set.count ||
        memcmp(known->values, set.values, set.count * sizeof *set.values) != 0)
      eval_raise_at(ev, e->span, ev->types.ValueError,
                    "'%s' has other sizes here than where it stands first; sets of one name vary "
                    "together",
                    set.name->text);
    return i;
  }
  if (out->sets.count == IR_MAX_SIZES)
    eval_raise_at(ev, e->span, ev->types.ValueError, "an entry point takes %d sizes at the most",
                  IR_MAX_SIZES);
  VEC_PUSH(ev->arena, &out->sets, set);
  return out->sets.count - 1;
}

// ---- names --------------------------------------------------------------------------------------
// A name of C from any text.
static Name identifier(Eval *ev, Str text) {
  Buf buf;
  buf_init(&buf, ev->arena);
  for (size_t i = 0; i < text.len; i++) {
    char c = text.data[i];
    bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    bool is_digit = c >= '0' && c <= '9';
    if (is_letter || (is_digit && buf.len > 0)) buf_char(&buf, c);
  }
  if (buf.len == 0) buf_c(&buf, "n");
  return name_intern(ev->session->interner, buf_view(&buf));
}

static Name name_of(SetReader *r, Str path, size_t dim, size_t rank) {
  Eval *ev = r->ev;
  const Function *f = r->callee.maps ? NULL : r->callee.function;
  bool is_whole =
      f && r->param != SIZE_MAX && str_equal(path, name_str(f->params->items[r->param].name));
  Name name = is_whole ? annotation_dim_name(ev, r->callee.function, r->param, dim, rank) : NULL;
  if (name) return identifier(ev, name_str(name));
  return identifier(ev, str_format(ev->arena, "%.*s_dim%zu", STR_FMT(path), dim));
}

// ---- expressions --------------------------------------------------------------------------------
static void add_place(SetReader *r, Span span, size_t set) {
  VEC_PUSH(r->ev->arena, &r->out->places, ((SizePlace){span.begin, span.end, set}));
}

static void read_index(SetReader *r, Expr *index, Str path, size_t dim, size_t rank) {
  Eval *ev = r->ev;
  if (index->kind == EX_NAME) {
    VEC_PUSH(ev->arena, &r->names, ((NamedIndex){index->name.name, index->span}));
  } else if (index->kind == EX_NAMED && is_set(index->named.value)) {
    Name name = identifier(ev, name_str(index->named.target->name.name));
    VEC_PUSH(ev->arena, &r->written, name);
    size_t set = add_set(r, index, read_values(r, index->named.value, name));
    add_place(r, index->span, set);
  } else if (is_set(index)) {
    Name name = name_of(r, path, dim, rank);
    add_place(r, index->span, add_set(r, index, read_values(r, index, name)));
  }
}

static void read_argument(SetReader *r, Expr *e, Str path);

static void read_parts(SetReader *r, const ExprList *parts, Str path) {
  for (size_t i = 0; i < parts->count; i++)
    read_argument(r, parts->items[i], str_format(r->ev->arena, "%.*s_%zu", STR_FMT(path), i));
}

static void read_items(SetReader *r, Expr *dict, Str path) {
  for (size_t i = 0; i < dict->dict.values.count; i++) {
    Expr *key = dict->dict.keys.items[i];
    Str text = key && key->kind == EX_STR ? key->string : str_format(r->ev->arena, "%zu", i);
    read_argument(r, dict->dict.values.items[i],
                  str_format(r->ev->arena, "%.*s_%.*s", STR_FMT(path), STR_FMT(text)));
  }
}

// `path` is where the expression stands, as C would call it: params_w.
static void read_argument(SetReader *r, Expr *e, Str path) {
  switch (e->kind) {
  case EX_SUBSCRIPT: {
    Expr *index = e->subscript.index;
    bool is_tuple = index->kind == EX_TUPLE;
    size_t rank = is_tuple ? index->elements.count : 1;
    for (size_t i = 0; i < rank; i++)
      read_index(r, is_tuple ? index->elements.items[i] : index, path, i, rank);
    break;
  }
  case EX_TUPLE:
  case EX_LIST: read_parts(r, &e->elements, path); break;
  case EX_DICT: read_items(r, e, path); break;
  case EX_CALL:
    read_parts(r, &e->call.args, path);
    for (size_t i = 0; i < e->call.keyword_count; i++) {
      const Keyword *k = &e->call.keywords[i];
      Str name = k->name ? name_str(k->name) : STR("rest");
      read_argument(r, k->value,
                    str_format(r->ev->arena, "%.*s_%.*s", STR_FMT(path), STR_FMT(name)));
    }
    break;
  default: break;
  }
}

// What the argument's parameter is called.
static Str param_path(SetReader *r, size_t position, Name keyword) {
  const Function *f = r->callee.function;
  r->param = f ? callee_param(&r->callee, position, keyword) : SIZE_MAX;
  if (keyword) return name_str(keyword);
  if (r->param == SIZE_MAX || r->param >= f->params->positional)
    return str_format(r->ev->arena, "arg%zu", position);
  return name_str(f->params->items[r->param].name);
}

// ---- all of them --------------------------------------------------------------------------------
static int in_text_order(const void *x, const void *y) {
  const SizePlace *a = x, *b = y;
  return (a->begin > b->begin) - (a->begin < b->begin);
}

static void place_names(SetReader *r) {
  for (size_t i = 0; i < r->names.count; i++) {
    Name name = identifier(r->ev, name_str(r->names.items[i].name));
    bool is_written = false;
    for (size_t k = 0; k < r->written.count; k++) is_written |= r->written.items[k] == name;
    for (size_t k = 0; k < r->out->sets.count && is_written; k++)
      if (r->out->sets.items[k].name == name) add_place(r, r->names.items[i].span, k);
  }
  if (r->out->places.count)
    qsort(r->out->places.items, r->out->places.count, sizeof(SizePlace), in_text_order);
}

static void count_combinations(SetReader *r, Span span) {
  Buf text;
  buf_init(&text, r->ev->arena);
  SizeSets *out = r->out;
  out->combinations = 1;
  for (size_t i = 0; i < out->sets.count; i++) {
    const SizeSet *set = &out->sets.items[i];
    buf_printf(&text, "%s%s: %zu", i ? ", " : "", set->name->text, set->count);
    if (__builtin_mul_overflow(out->combinations, set->count, &out->combinations))
      out->combinations = SIZE_MAX;
  }
  if (out->combinations > MAX_COMBINATIONS)
    eval_raise_at(r->ev, span, r->ev->types.ValueError,
                  "there are more than %d combinations of sizes (%.*s); dimensions that "
                  "vary together need one name, as in f32[n := {8,16}], f32[n]",
                  MAX_COMBINATIONS, STR_FMT(buf_view(&text)));
}

void size_sets_read(Eval *ev, Expr *call, Value callee, SizeSets *out) {
  SetReader r = {.ev = ev, .callee = callee_of(ev, callee), .out = out};
  *out = (SizeSets){0};
  for (size_t i = 0; i < call->call.args.count; i++)
    read_argument(&r, call->call.args.items[i], param_path(&r, i, NULL));
  for (size_t i = 0; i < call->call.keyword_count; i++) {
    const Keyword *k = &call->call.keywords[i];
    if (k->name) read_argument(&r, k->value, param_path(&r, 0, k->name));
  }
  place_names(&r);
  count_combinations(&r, call->span);
}

void size_sets_choose(const SizeSets *sets, size_t which, int64_t *sizes) {
  for (size_t i = sets->sets.count; i-- > 0;) {
    const SizeSet *set = &sets->sets.items[i];
    sizes[i] = set->values[which % set->count];
    which /= set->count;
  }
}

Str size_sets_text(Arena *arena, const SizeSets *sets, Str text, const int64_t *sizes) {
  Buf buf;
  buf_init(&buf, arena);
  size_t at = 0;
  for (size_t i = 0; i < sets->places.count; i++) {
    const SizePlace *place = &sets->places.items[i];
    buf_str(&buf, (Str){text.data + at, place->begin - at});
    buf_printf(&buf, "%lld", (long long)sizes[place->set]);
    at = place->end;
  }
  buf_str(&buf, (Str){text.data + at, text.len - at});
  return buf_view(&buf);
}
