// SPDX-License-Identifier: Apache-2.0
// Affine maps of walks (plan_affine.c): two are equal if each part is, so that what is loaded once
// for both is the same element; through shape operations they lead to the element that the
// operations themselves take, held against their meaning on numbered elements.
#include <check.h>
#include <stdlib.h>
#include "ir/core/attr.h"
#include "ir/core/ir.h"
#include "ir/interpret/evaluate.h"
#include "ir/text/read.h"
#include "plan/plan_affine.h"
#include "suite.h"

static Affine map_of(AffineTerm *term) {
  return (Affine){.constant = 3, .coef = {0, 2, 1}, .term_count = 1, .terms = term};
}

START_TEST(differs_in_each_part) {
  IrValue first = {0}, second = {0};
  AffineTerm term = {.start = {.value = &first, .wrap = 8, .last = 5}, .factor = 4};
  AffineTerm same = term, others[] = {term, term, term, term};
  others[0].start.value = &second;
  others[1].start.wrap = 0;
  others[2].start.last = 4;
  others[3].factor = 2;
  Affine map = map_of(&term), equal = map_of(&same);
  ck_assert(affine_equal(&map, &equal));
  for (size_t i = 0; i < COUNT_OF(others); i++) {
    Affine other = map_of(&others[i]);
    ck_assert(!affine_equal(&map, &other));
  }
  equal.constant++;
  ck_assert(!affine_equal(&map, &equal));
  equal = map_of(&same);
  equal.coef[2]++;
  ck_assert(!affine_equal(&map, &equal));
  equal = map_of(&same);
  equal.term_count = 0;
  ck_assert(!affine_equal(&map, &equal));
}
END_TEST

// ---- through shape operations -------------------------------------------------------------------
typedef struct ChainCase {
  const char *lines; // from %x to %r; %i and %j are known when the program runs: 3 and 1
  const char *x;     // the dimensions of %x
  AccessResult end;  // ACCESS_NONE if they do not lead there
  size_t splits;     // of dimensions, to get there
} ChainCase;

static const ChainCase chains[] = {
    {"%r = broadcast %x dims [1] : f32[4,5]", "[5]", ACCESS_OK, 0},
    {"%r = broadcast %x dims [0, 2] : f32[3,2,5]", "[3,1]", ACCESS_OK, 0},
    {"%r = transpose %x dims [2, 0, 1] : f32[4,2,3]", "[2,3,4]", ACCESS_OK, 0},
    {"%r = rev %x dims [0, 2] : f32[2,3,4]", "[2,3,4]", ACCESS_OK, 0},
    {"%a = rev %x dims [1] : f32[3,8]\n%r = rev %a dims [1] : f32[3,8]", "[3,8]", ACCESS_OK, 0},
    {"%r = slice %x starts [1, 2] limits [4, 9] strides [1, 3] : f32[3,3]", "[5,9]", ACCESS_OK, 0},
    {"%r = slice %x starts [1, 0] limits [3, 2] strides [1, 1] : f32[2,2]", "[5,9]", ACCESS_OK, 0},
    {"%a = slice %x starts [1] limits [20] strides [3] : f32[7]\n%b = rev %a dims [0] : f32[7]\n"
     "%r = slice %b starts [1] limits [7] strides [2] : f32[3]",
     "[20]", ACCESS_OK, 0},
    {"%r = dynamic_slice %x, %i, %j sizes [2, 4] : f32[2,4]", "[6,5]", ACCESS_OK, 0},
    {"%a = rev %x dims [0] : f32[9]\n%b = dynamic_slice %a, %i sizes [5] : f32[5]\n"
     "%r = slice %b starts [1] limits [5] strides [2] : f32[2]",
     "[9]", ACCESS_OK, 0},
    {"%a = dynamic_slice %x, %i sizes [6] : f32[6]\n%b = dynamic_slice %a, %j sizes [2] : f32[2]\n"
     "%r = rev %b dims [0] : f32[2]",
     "[12]", ACCESS_OK, 0},
    // Dimensions of size 1 come and go, whatever the map.
    {"%a = rev %x dims [0] : f32[6]\n%r = reshape %a : f32[1,6,1]", "[6]", ACCESS_OK, 0},
    {"%a = reshape %x : f32[5]\n%r = rev %a dims [0] : f32[5]", "[1,5,1]", ACCESS_OK, 0},
    {"%a = reshape %x : f32[8]\n%r = dynamic_slice %a, %i sizes [4] : f32[4]", "[8,1]", ACCESS_OK,
     0},
    {"%r = reshape %x : f32[1]", "[1,1]", ACCESS_OK, 0},
    {"%r = reshape %x : f32", "[1,1]", ACCESS_OK, 0},
    {"%r = reshape %x : f32[1,1]", "", ACCESS_OK, 0},
    // Several dimensions become one, one becomes several, and both.
    {"%r = reshape %x : f32[6,4]", "[2,3,4]", ACCESS_OK, 1},
    {"%r = reshape %x : f32[24]", "[2,3,4]", ACCESS_OK, 2},
    {"%r = reshape %x : f32[2,3,4]", "[24]", ACCESS_OK, 0},
    {"%r = reshape %x : f32[2,1,12]", "[2,3,1,4]", ACCESS_OK, 1},
    {"%r = reshape %x : f32[4,6]", "[2,2,3,2]", ACCESS_OK, 2},
    {"%r = reshape %x : f32[3,4,5]", "[3,20]", ACCESS_OK, 0},
    {"%r = reshape %x : f32[4,3]", "[2,6]", ACCESS_OK, 1},
    {"%r = reshape %x : f32[6,4]", "[4,6]", ACCESS_NONE, 0},
    {"%r = reshape %x : f32[9,2]", "[3,3,2]", ACCESS_OK, 1},
    {"%a = reshape %x : f32[24]\n%r = slice %a starts [4] limits [12] strides [1] : f32[8]",
     "[6,4]", ACCESS_OK, 1},
    {"%a = reshape %x : f32[24]\n%r = slice %a starts [5] limits [7] strides [1] : f32[2]", "[6,4]",
     ACCESS_OK, 0},
    {"%a = reshape %x : f32[24]\n%r = slice %a starts [6] limits [9] strides [1] : f32[3]", "[6,4]",
     ACCESS_NONE, 0},
    {"%a = reshape %x : f32[24]\n%r = slice %a starts [2] limits [10] strides [1] : f32[8]",
     "[6,4]", ACCESS_NONE, 1},
    {"%a = reshape %x : f32[24]\n%r = slice %a starts [1] limits [24] strides [4] : f32[6]",
     "[6,4]", ACCESS_OK, 0},
    {"%a = reshape %x : f32[24]\n%r = slice %a starts [1] limits [24] strides [2] : f32[12]",
     "[6,4]", ACCESS_OK, 1},
    {"%a = reshape %x : f32[24]\n%r = slice %a starts [0] limits [24] strides [3] : f32[8]",
     "[6,4]", ACCESS_NONE, 0},
    {"%a = reshape %x : f32[24]\n%r = slice %a starts [0] limits [24] strides [8] : f32[3]",
     "[6,4]", ACCESS_OK, 0},
    {"%a = reshape %x : f32[24]\n%r = slice %a starts [0] limits [24] strides [6] : f32[4]",
     "[6,4]", ACCESS_NONE, 0},
    {"%a = reshape %x : f32[24]\n%r = rev %a dims [0] : f32[24]", "[6,4]", ACCESS_NONE, 0},
    {"%a = reshape %x : f32[24]\n%r = dynamic_slice %a, %i sizes [4] : f32[4]", "[6,4]",
     ACCESS_NONE, 0},
    {"%a = reshape %x : f32[24]\n%r = broadcast %a dims [1] : f32[3,24]", "[6,4]", ACCESS_OK, 1},
    {"%a = transpose %x dims [1, 0] : f32[4,6]\n%r = reshape %a : f32[24]", "[6,4]", ACCESS_OK, 1},
    {"%a = reshape %x : f32[2,3,4]\n%b = transpose %a dims [1, 0, 2] : f32[3,2,4]\n"
     "%r = reshape %b : f32[6,4]",
     "[24]", ACCESS_OK, 1},
    {"%a = transpose %x dims [1, 0] : f32[4,6]\n%b = reshape %a : f32[2,2,6]\n"
     "%c = rev %b dims [2] : f32[2,2,6]\n%r = slice %c starts [0, 1, 0] limits [2, 2, 6] strides "
     "[1, 1, 5] : f32[2,1,2]",
     "[6,4]", ACCESS_OK, 0},
};

// From the ops of a function, last first, the maps of %x; starts anew with each dimension split.
static AccessResult maps_of(Arena *arena, const IrOp *last, Space *space, size_t *splits,
                            Access *out) {
  for (;;) {
    Access access = access_identity(arena, space, last->results[0]->type->rank);
    AccessResult result = ACCESS_OK;
    SplitRequest split;
    for (const IrOp *op = last; op->code != OP_CONST && result == ACCESS_OK;
         op = op->operands[0]->def) {
      result = access_through(arena, space, op, access, out, &split);
      access = *out;
    }
    if (result != ACCESS_SPLIT) return result;
    ck_assert(split.inner > 1 && space->sizes[split.dim] % split.inner == 0);
    ck_assert(space_split(space, split.dim, split.inner));
    ++*splits;
  }
}

// What %i or %j is: their slices keep them in a range that they are in.
static int64_t term_value(const AffineTerm *term) {
  int64_t value = dtype_load_i64(DT_I32, ir_attr_data(term->start.value->def, ATTR_DATA)->bytes);
  ck_assert_int_ge(term->start.last, value);
  return value * term->factor;
}

static int64_t map_value(const Space *space, const Affine *map, const int64_t *point) {
  int64_t value = map->constant;
  for (size_t d = 0; d < space->rank; d++) value += map->coef[d] * point[d];
  for (size_t i = 0; i < map->term_count; i++) value += term_value(&map->terms[i]);
  return value;
}

static const IrData *numbered(Arena *arena, size_t count) {
  float *numbers = ARENA_ARRAY(arena, float, count);
  for (size_t i = 0; i < count; i++) numbers[i] = (float)i;
  IrData *data = ARENA_NEW(arena, IrData);
  *data = (IrData){DT_F32, count, numbers};
  return data;
}

// What an op gives, where %x has those elements.
static const IrData *evaluated(Arena *arena, const IrOp *op, const IrData *x) {
  const IrData *operands[4];
  if (op->code == OP_CONST)
    return dtype_is_float(op->results[0]->type->dtype) ? x : ir_attr_data(op, ATTR_DATA);
  for (size_t i = 0; i < op->operand_count; i++)
    operands[i] = evaluated(arena, op->operands[i]->def, x);
  return ir_evaluate(arena, op, operands);
}

static void check_points(Arena *arena, const IrOp *last, const IrType *x, const Space *space,
                         const Affine *access) {
  const IrType *type = last->results[0]->type;
  const IrData *data = evaluated(arena, last, numbered(arena, (size_t)ir_type_count(x)));
  ck_assert_uint_eq(data->count, (size_t)ir_type_count(type));
  int64_t points = 1, strides[IR_MAX_RANK], stride = 1;
  for (size_t d = 0; d < space->rank; d++) points *= space->sizes[d];
  for (size_t i = x->rank; i-- > 0; stride *= x->dims[i]) strides[i] = stride;
  Affine offset = access_offset(arena, x->rank, strides, access);
  for (int64_t p = 0; p < points; p++) {
    int64_t point[MAX_WALK_DIMS] = {0}, rest = p, root[IR_MAX_RANK] = {0}, at = 0;
    for (size_t d = space->rank; d-- > 0; rest /= space->sizes[d])
      point[d] = rest % space->sizes[d];
    for (size_t d = 0; d < space->rank; d++) root[space->origin[d]] += point[d] * space->scale[d];
    for (size_t i = 0; i < type->rank; i++) at = at * type->dims[i] + root[i];
    for (size_t i = 0; i < x->rank; i++) {
      int64_t coordinate = map_value(space, &access[i], point);
      ck_assert(coordinate >= 0 && coordinate < x->dims[i]);
    }
    ck_assert_int_eq(map_value(space, &offset, point), (int64_t)((const float *)data->bytes)[at]);
  }
  for (size_t d = 0; d < space->rank; d++) {
    bool is_needed = affine_depends(space, &offset) >> d & 1;
    ck_assert_int_eq(is_needed, offset.coef[d] != 0);
  }
}

START_TEST(leads_to_the_element_that_the_ops_take) {
  const ChainCase *c = &chains[_i];
  Session *session = session_new(0);
  Str text = str_format(session->arena,
                        "module tpu v5p devices 1\nfunc @f() {\n%%i = const 3 : i32\n%%j = const 1 "
                        ": i32\n%%x = const 0.0 : f32%s\n%s\n}\n",
                        c->x, c->lines);
  IrModule *module = ir_read(session, source_add(session, STR("t.ir"), text, false));
  if (!module) diag_flush(session);
  ck_assert_msg(module != NULL, "not read: %s", c->lines);
  const IrOp *last = module->first->body->last->prev; // a yield comes last

  const IrType *type = last->results[0]->type;
  Space space;
  size_t splits = 0;
  Access access;
  space_init(&space, type->rank, type->dims);
  AccessResult end = maps_of(session->arena, last, &space, &splits, &access);
  ck_assert_msg(end == c->end && splits == c->splits, "%s: %d after %zu splits", c->lines, end,
                splits);
  if (end == ACCESS_OK)
    check_points(session->arena, last, module->first->body->first->next->next->results[0]->type,
                 &space, access);
  session_free(session);
}
END_TEST

// ---- whose index a map is -----------------------------------------------------------------------
START_TEST(an_index_is_the_coordinate_itself) {
  Session *session = session_new(0);
  int64_t dims[] = {4, 1, 6};
  Space space;
  space_init(&space, 3, dims);
  ck_assert(space_split(&space, 2, 3)); // to 4, 1, 2, 3
  ck_assert_uint_eq(space.rank, 4);
  ck_assert(space.sizes[2] == 2 && space.scale[2] == 3 && space.origin[2] == 2);
  ck_assert(space.sizes[3] == 3 && space.scale[3] == 1 && space.origin[3] == 2);
  ck_assert(space_split(&space, 0, 2)); // to 2, 2, 1, 2, 3
  ck_assert(space.sizes[4] == 3 && space.scale[3] == 3 && space.origin[3] == 2 &&
            space.scale[0] == 2);
  Access access = access_identity(session->arena, &space, 3);
  for (size_t i = 0; i < 3; i++)
    for (size_t k = 0; k < 3; k++) ck_assert_int_eq(affine_is_index(&space, &access[i], k), i == k);
  for (size_t d = 0; d < space.rank; d++) {
    Affine other = access[2];
    other.coef[d]++;
    ck_assert(!affine_is_index(&space, &other, 2));
  }
  Affine other = access[2];
  other.constant = 1;
  ck_assert(!affine_is_index(&space, &other, 2));
  other = access[2];
  IrValue value = {0};
  affine_add_start(session->arena, &other, &(Start){.value = &value}, 0);
  ck_assert(affine_is_index(&space, &other, 2)); // no time the start
  affine_add_start(session->arena, &other, &(Start){.value = &value}, 2);
  ck_assert(!affine_is_index(&space, &other, 2));
  while (space.rank < MAX_WALK_DIMS) ck_assert(space_split(&space, 0, 1));
  ck_assert(!space_split(&space, 0, 1));
  session_free(session);
}
END_TEST

START_TEST(sums_have_the_terms_of_both) {
  Session *session = session_new(0);
  IrValue first = {0}, second = {0};
  Affine sum = {.constant = 2, .coef = {1, 5}}, map = {.constant = 3, .coef = {0, 4}};
  affine_add_start(session->arena, &sum, &(Start){.value = &first, .last = 7}, 3);
  affine_add_start(session->arena, &sum, &(Start){.number = 10}, 2);
  affine_add_start(session->arena, &map, &(Start){.value = &second, .last = 9}, 5);
  affine_add(session->arena, &sum, &map, -2);
  ck_assert_int_eq(sum.constant, 2 + 20 - 6);
  ck_assert(sum.coef[0] == 1 && sum.coef[1] == 5 - 8);
  ck_assert_uint_eq(sum.term_count, 2);
  ck_assert(sum.terms[0].start.value == &first && sum.terms[0].factor == 3);
  ck_assert(sum.terms[1].start.value == &second && sum.terms[1].factor == -10 &&
            sum.terms[1].start.last == 9);
  session_free(session);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("affine");
  TCase *tcase = tcase_create("affine");
  tcase_add_test(tcase, differs_in_each_part);
  tcase_add_loop_test(tcase, leads_to_the_element_that_the_ops_take, 0, (int)COUNT_OF(chains));
  tcase_add_test(tcase, an_index_is_the_coordinate_itself);
  tcase_add_test(tcase, sums_have_the_terms_of_both);
  suite_add_tcase(suite, tcase);
  return suite_run(suite);
}
