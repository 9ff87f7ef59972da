// SPDX-License-Identifier: Apache-2.0
// What alias.c says of two accesses, against the elements that they touch: random views of views
// with known indices, and a table of what is not known, or has another root.
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "ir/analysis/alias.h"
#include "ir/analysis/effects.h"
#include "ir/core/build.h"
#include "ir/core/build_memory.h"
#include "ir/core/ir.h"
#include "ir_case.h"
#include "suite.h"

enum { MOST_ELEMENTS = 64 };

// A ref, and which elements of its root it is of, in order.
typedef struct Part {
  IrValue *ref;
  size_t count;
  int elements[MOST_ELEMENTS];
} Part;

static uint64_t state;

static int draw(int bound) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (int)((state >> 33) % (uint64_t)bound);
}

// Dimensions of 0, 1 and more elements, in strides, inside of the extent.
static IndexDim draw_dim(int64_t extent) {
  int64_t start = draw((int)extent + 1), room = extent - start;
  if (room == 0 || draw(4) == 0)
    return room ? (IndexDim){INDEX_SCALAR, start, -1, 1, -1, 1}
                : (IndexDim){INDEX_SLICE, start, -1, 0, -1, 1};
  int64_t stride = 1 + draw(3);
  return (IndexDim){INDEX_SLICE, start, -1, 1 + draw((int)((room - 1) / stride) + 1), -1, stride};
}

static IrIndex draw_index(const IrType *type) {
  IrIndex index = {.rank = type->rank};
  for (int d = 0; d < type->rank; d++)
    index.dims[d] =
        draw(3) ? draw_dim(type->dims[d]) : (IndexDim){INDEX_SLICE, 0, -1, type->dims[d], -1, 1};
  return index;
}

// The elements of a part that an index names.
static void take(const Part *of, const IrIndex *index, Part *part) {
  const IrType *type = of->ref->type;
  part->count = 0;
  int64_t counts[IR_MAX_RANK], total = 1;
  for (int d = 0; d < index->rank; d++) {
    counts[d] = index->dims[d].kind == INDEX_SLICE ? index->dims[d].size : 1;
    total *= counts[d];
  }
  for (int64_t i = 0; i < total; i++) {
    int64_t left = i, place = 0, step = 1;
    for (int d = index->rank; d-- > 0; left /= counts[d], step *= type->dims[d])
      place += (index->dims[d].start + left % counts[d] * index->dims[d].stride) * step;
    part->elements[part->count++] = of->elements[place];
  }
}

static Part whole(IrValue *root) {
  Part part = {.ref = root, .count = (size_t)ir_type_count(root->type)};
  for (size_t i = 0; i < part.count; i++) part.elements[i] = (int)i;
  return part;
}

// Up to two views, one of the other; some are views that are there already.
static Part draw_views(IrBuilder *b, Part *known, size_t *known_count, size_t most) {
  Part part = known[draw((int)*known_count)];
  for (int depth = draw(3); depth > 0 && ir_type_count(part.ref->type) > 0; depth--) {
    IrIndex index = draw_index(part.ref->type);
    Part inner;
    take(&part, &index, &inner);
    inner.ref = ir_view(b, part.ref, &index, 0, NULL);
    part = inner;
    if (*known_count < most) known[(*known_count)++] = part;
  }
  return part;
}

static bool same(const Part *a, const Part *b) {
  return a->count == b->count &&
         memcmp(a->elements, b->elements, a->count * sizeof *a->elements) == 0;
}

static bool meet(const Part *a, const Part *b) {
  for (size_t i = 0; i < a->count; i++)
    for (size_t j = 0; j < b->count; j++)
      if (a->elements[i] == b->elements[j]) return true;
  return false;
}

static void check(Alias alias, const Part *a, const Part *b, int counts[3]) {
  CHECK_EACH(alias != ALIAS_NO || !meet(a, b), "they meet");
  CHECK_EACH(alias != ALIAS_SAME || same(a, b), "they are not the same elements");
  counts[alias]++;
}

static IrBuilder new_function(Session *session) {
  IrModule *module = ir_module_new(session);
  IrFunc *func = ir_func_new(module, name_intern_c(session->interner, "f"), (Span){0});
  return (IrBuilder){.module = module, .region = func->body};
}

static IrValue *memory(IrBuilder *b, size_t rank, const int64_t *dims) {
  return ir_alloc(b, ir_ref_type(b->module, SPACE_VMEM, DT_F32, rank, dims), STR("m"));
}

START_TEST(random_views) {
  Session *session = session_new(0);
  IrBuilder b = new_function(session);
  int counts[3] = {0};
  state = 7;
  for (int round = 0; round < 400; round++) {
    Part known[8] = {whole(memory(&b, 2, (int64_t[]){6, 8}))};
    size_t known_count = 1;
    for (int i = 0; i < 10; i++) {
      Part a = draw_views(&b, known, &known_count, COUNT_OF(known)),
           c = draw_views(&b, known, &known_count, COUNT_OF(known));
      check(alias_of_refs(a.ref, c.ref), &a, &c, counts);
      if (!a.count || !c.count) continue;
      IrIndex a_index = draw_index(a.ref->type), c_index = draw_index(c.ref->type);
      Part a_part = {0}, c_part = {0};
      take(&a, &a_index, &a_part);
      take(&c, &c_index, &c_part);
      const IrOp *x = ir_load(&b, a.ref, &a_index, 0, NULL, NULL, NULL)->def,
                 *y = ir_load(&b, c.ref, &c_index, 0, NULL, NULL, NULL)->def;
      check(alias_of(x, y), &a_part, &c_part, counts);
    }
  }
  for (int i = 0; i < 3; i++) ck_assert_int_gt(counts[i], 100);
  session_free(session);
}
END_TEST

// What two one-dimensional accesses to one memory of 64 elements, known ones, certainly are.
typedef struct Pair {
  IndexDim a, b;
  Alias alias;
} Pair;

#define AT(start)                                                                                  \
  { INDEX_SCALAR, start, -1, 1, -1, 1 }
#define RUN(start, size, stride)                                                                   \
  { INDEX_SLICE, start, -1, size, -1, stride }
#define FROM(operand, start, size)                                                                 \
  { INDEX_SLICE, start, operand, size, -1, 1 }
#define SOME(start, most, operand)                                                                 \
  { INDEX_SLICE, start, -1, most, operand, 1 }
#define EACH(operand)                                                                              \
  { INDEX_ARRAY, 0, operand, 1, -1, 1 }

static const Pair pairs[] = {
    {AT(3), AT(3), ALIAS_SAME},
    {AT(3), AT(4), ALIAS_NO},
    {RUN(0, 8, 1), RUN(8, 8, 1), ALIAS_NO},
    {RUN(8, 8, 1), RUN(0, 8, 1), ALIAS_NO},
    {RUN(0, 9, 1), RUN(8, 8, 1), ALIAS_MAYBE},
    {RUN(8, 8, 1), RUN(0, 9, 1), ALIAS_MAYBE},
    {RUN(0, 4, 2), RUN(0, 4, 2), ALIAS_SAME},
    {RUN(0, 4, 2), RUN(0, 4, 3), ALIAS_MAYBE},
    {RUN(0, 4, 2), RUN(1, 4, 2), ALIAS_NO},
    {RUN(1, 4, 4), RUN(5, 4, 4), ALIAS_MAYBE},
    {RUN(1, 4, 4), RUN(3, 4, 4), ALIAS_NO},
    {RUN(0, 4, 2), RUN(1, 4, 1), ALIAS_MAYBE},
    {RUN(9, 4, -2), RUN(10, 4, 1), ALIAS_NO},
    {RUN(9, 4, -2), RUN(0, 3, 1), ALIAS_NO},
    {RUN(9, 4, -2), RUN(0, 4, 1), ALIAS_MAYBE},
    {RUN(4, 0, 1), RUN(0, 8, 1), ALIAS_NO}, // nothing is in it
    {RUN(0, 8, 1), RUN(4, 0, 1), ALIAS_NO},
    {FROM(1, 0, 4), FROM(1, 0, 4), ALIAS_SAME},
    {FROM(1, 0, 4), FROM(2, 0, 4), ALIAS_MAYBE},
    {FROM(1, 0, 4), RUN(8, 4, 1), ALIAS_MAYBE},
    {RUN(8, 4, 1), FROM(1, 0, 4), ALIAS_MAYBE},
    {FROM(1, 0, 4), FROM(1, 0, 5), ALIAS_MAYBE},
    {SOME(0, 4, 1), SOME(0, 4, 1), ALIAS_SAME},
    {SOME(0, 4, 1), SOME(0, 4, 2), ALIAS_MAYBE},
    {SOME(0, 4, 1), RUN(2, 4, 1), ALIAS_MAYBE},
    {EACH(1), EACH(1), ALIAS_MAYBE}, // an element may be in it twice
    {EACH(1), AT(1), ALIAS_MAYBE},
};

// A load through the index; operands 1 and 2 of it are the two numbers.
static const IrOp *load_at(IrBuilder *b, IrValue *ref, IndexDim dim, IrValue *const numbers[2]) {
  IrIndex index = {.rank = 1, .dims = {dim}};
  int position = dim.start_operand >= 0 ? dim.start_operand : dim.size_operand;
  if (position < 0) return ir_load(b, ref, &index, 0, NULL, NULL, NULL)->def;
  if (dim.start_operand >= 0) index.dims[0].start_operand = 0;
  if (dim.size_operand >= 0) index.dims[0].size_operand = 0;
  return ir_load(b, ref, &index, 1, (IrValue *[]){numbers[position - 1]}, NULL, NULL)->def;
}

START_TEST(pairs_of_accesses) {
  const Pair *p = &pairs[_i];
  Session *session = session_new(0);
  IrBuilder b = new_function(session);
  IrValue *ref = memory(&b, 1, (int64_t[]){64});
  bool is_array = p->a.kind == INDEX_ARRAY;
  const IrType *type = ir_array_type(b.module, DT_I32, is_array, (int64_t[]){4});
  IrValue *numbers[] = {ir_const_i64(&b, type, 1), ir_const_i64(&b, type, 2)};
  const IrOp *x = load_at(&b, ref, p->a, numbers), *y = load_at(&b, ref, p->b, numbers);
  ck_assert_int_eq(alias_of(x, y), p->alias);
  ck_assert_int_eq(alias_of(y, x), p->alias);
  session_free(session);
}
END_TEST

// Parameters, allocs and parts are memories of their own; of what a launch or a loop gives a name
// to, and of one memory in another shape, nothing is known.
START_TEST(roots) {
  Session *session = session_new(0);
  IrBuilder b = new_function(session);
  IrValue *one = memory(&b, 1, (int64_t[]){8}), *other = memory(&b, 1, (int64_t[]){8});
  const IrType *type = ir_ref_type(b.module, SPACE_VMEM, DT_F32, 1, (int64_t[]){4}),
               *square = ir_ref_type(b.module, SPACE_VMEM, DT_F32, 2, (int64_t[]){2, 4});
  IrValue *part_operands[] = {one, ir_i32(&b, 1)};
  IrValue *part = ir_build(&b, OP_PART, 2, part_operands, 1, &type)->results[0];
  IrValue *shaped = ir_build(&b, OP_REF_RESHAPE, 1, &one, 1, &square)->results[0];
  IrValue *shaped_again = ir_build(&b, OP_REF_RESHAPE, 1, &one, 1, &square)->results[0];
  IrValue *seen =
      ir_view(&b, one, &(IrIndex){.rank = 1, .dims = {{INDEX_SLICE, 0, -1, 4, -1, 1}}}, 0, NULL);
  ck_assert_int_eq(alias_of_refs(one, one), ALIAS_SAME);
  ck_assert_int_eq(alias_of_refs(one, other), ALIAS_NO);
  ck_assert_int_eq(alias_of_refs(part, other), ALIAS_NO);
  ck_assert_int_eq(alias_of_refs(other, part), ALIAS_NO);
  ck_assert_int_eq(alias_of_refs(one, shaped), ALIAS_MAYBE);
  ck_assert_int_eq(alias_of_refs(shaped, shaped_again), ALIAS_MAYBE);
  ck_assert_int_eq(alias_of_refs(seen, shaped), ALIAS_MAYBE);
  ck_assert_int_eq(alias_of_refs(shaped, seen), ALIAS_MAYBE);
  session_free(session);
}
END_TEST

typedef struct Written {
  size_t count;
  const IrValue *refs[8];
} Written;
static void note_written(IrValue *ref, void *data) {
  Written *written = data;
  ck_assert_uint_lt(written->count, COUNT_OF(written->refs));
  written->refs[written->count++] = ref;
}

// A launch writes what its blocks are written back to, and what its body writes of memory that it
// has as a whole: behind the sizes of the grid, which are operands as well.
START_TEST(operands_that_launches_write) {
  Session *session = session_new(0);
  const IrModule *module =
      ir_case_read(session, "%n: hbm i32[2], %x: hbm f32[8], %y: hbm f32[8], inout %z: hbm f32[8]",
                   "  %g = load %n[0] : i32\n"
                   "  %h = load %n[1] : i32\n"
                   "  launch \"k\" grid [%g, 2, %h] {arbitrary, arbitrary, arbitrary} {\n"
                   "    prefetch %nb: smem i32[2] of %n\n"
                   "    block %xb: hbm f32[8] of %x whole\n"
                   "    block %yb: hbm f32[8] of %y whole\n"
                   "    block %zb: vmem f32[4] to %z at (%j) buffers 2\n"
                   "  } body (%i, %j, %k, %nb, %xb, %yb, %zb) {\n"
                   "    %v = load %xb[:] : f32[8]\n"
                   "    store %v, %yb[:]\n"
                   "  }\n");
  const IrOp *launch = module->first->body->first;
  while (launch->code != OP_LAUNCH) launch = launch->next;
  const bool wanted[] = {false, false, false, false, true, true};
  ck_assert_uint_eq(launch->operand_count, COUNT_OF(wanted));
  for (uint32_t i = 0; i < COUNT_OF(wanted); i++)
    ck_assert_msg(effects_writes(launch, i) == wanted[i], "operand %u", i);
  session_free(session);
}
END_TEST

// It reads all that it has but outputs that its windows are copied to; what its body has of its
// own, however deep, is written by nobody outside.
START_TEST(operands_that_launches_read) {
  Session *session = session_new(0);
  const IrModule *module =
      ir_case_read(session,
                   "%n: hbm i32, %x: hbm f32[8], inout %y: hbm f32[8], inout %z: hbm f32[8], "
                   "inout %c: hbm f32[8]",
                   "  %g = load %n[] : i32\n"
                   "  launch \"k\" grid [%g] {arbitrary} {\n"
                   "    block %xb: vmem f32[4] of %x at (%i) buffers 2\n"
                   "    block %yb: hbm f32[8] to %y whole\n"
                   "    block %zb: vmem f32[4] to %z at (%i) buffers 2\n"
                   "  } body (%i, %xb, %yb, %zb) {\n"
                   "    %v = load %xb[:] : f32[4]\n"
                   "    %two = const 2 : i32\n"
                   "    %is = lt %i, %two : bool\n"
                   "    if %is {\n"
                   "      %own = alloc \"own\" : vmem f32[4]\n"
                   "      store %v, %own[:]\n"
                   "      store %v, %c[0 : 4]\n"
                   "    }\n"
                   "  }\n");
  const IrOp *launch = module->first->body->first;
  while (launch->code != OP_LAUNCH) launch = launch->next;
  const bool wanted[] = {false, true, true, false};
  ck_assert_uint_eq(launch->operand_count, COUNT_OF(wanted));
  for (uint32_t i = 0; i < COUNT_OF(wanted); i++)
    ck_assert_msg(effects_reads(launch, i) == wanted[i], "operand %u", i);
  Written written = {.count = 0};
  effects_visit_written(launch, note_written, &written);
  IrValue *const *args = module->first->body->args;
  ck_assert_uint_eq(written.count, 3);
  for (size_t i = 0; i < 3; i++) ck_assert_ptr_eq(written.refs[i], args[2 + i]);
  session_free(session);
}
END_TEST

// A write counts however deep it stands, one elsewhere does not.
START_TEST(writes_in_regions) {
  Session *session = session_new(0);
  const IrModule *module =
      ir_case_read(session, "%x: hbm f32[8], inout %y: hbm f32[8], inout %z: hbm f32[8]",
                   "  %v = load %y[0 : 4] : f32[4]\n"
                   "  %c0 = const 0 : i32\n"
                   "  %c1 = const 1 : i32\n"
                   "  for %i = %c0 to %c1 step %c1 {\n"
                   "    for %j = %c0 to %c1 step %c1 {\n"
                   "      store %v, %y[2 : 4]\n"
                   "    }\n"
                   "  }\n"
                   "  for %k = %c0 to %c1 step %c1 {\n"
                   "    for %l = %c0 to %c1 step %c1 {\n"
                   "      store %v, %y[4 : 4]\n"
                   "      store %v, %z[0 : 4]\n"
                   "    }\n"
                   "  }\n");
  const IrOp *load = module->first->body->first, *loop = load;
  while (loop->code != OP_FOR) loop = loop->next;
  ck_assert(alias_op_may_write(loop, load));
  ck_assert(!alias_op_may_write(loop->next, load));
  session_free(session);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("alias");
  TCase *tc = tcase_create("alias");
  tcase_add_test(tc, random_views);
  tcase_add_loop_test(tc, pairs_of_accesses, 0, COUNT_OF(pairs));
  tcase_add_test(tc, roots);
  tcase_add_test(tc, operands_that_launches_write);
  tcase_add_test(tc, operands_that_launches_read);
  tcase_add_test(tc, writes_in_regions);
  suite_add_tcase(suite, tc);
  return suite_run(suite);
}
