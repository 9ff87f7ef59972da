// SPDX-License-Identifier: Apache-2.0
// Types, builder, use counts, cloning, walking.
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "ir/core/attr.h"
#include "ir/core/build.h"
#include "ir/core/build_dot.h"
#include "ir/core/build_memory.h"
#include "ir/core/constant.h"
#include "ir/core/ir.h"
#include "ir/core/region.h"
#include "ir/core/rules.h"
#include "ir_case.h"
#include "suite.h"

typedef struct Fixture {
  Session *session;
  IrModule *module;
  IrFunc *func;
  IrBuilder b;
} Fixture;

static Fixture start(void) {
  Fixture f;
  f.session = session_new(0);
  f.module = ir_module_new(f.session);
  f.func = ir_func_new(f.module, name_intern_c(f.session->interner, "f"), (Span){0});
  f.b = (IrBuilder){.module = f.module, .region = f.func->body};
  return f;
}

static void stop(Fixture *f) {
  ir_module_free(f->module);
  session_free(f->session);
}

static const IrType *f32(Fixture *f, size_t rank, const int64_t *dims) {
  return ir_array_type(f->module, DT_F32, rank, dims);
}

static IrValue *param(Fixture *f, const char *name, size_t rank, const int64_t *dims) {
  return ir_func_add_param(f->func, ir_ref_type(f->module, SPACE_HBM, DT_F32, rank, dims), PARAM_IN,
                           name_intern_c(f->session->interner, name));
}

START_TEST(types_are_interned) {
  Fixture f = start();
  for (int64_t i = 0; i < 500; i++) {
    const IrType *type = f32(&f, 2, (int64_t[]){i, 128});
    ck_assert_ptr_nonnull(type);
    ck_assert_ptr_eq(type, f32(&f, 2, (int64_t[]){i, 128}));
    ck_assert_ptr_ne(type, f32(&f, 2, (int64_t[]){128, i + 1000}));
    ck_assert_int_eq(ir_type_count(type), i * 128);
    ck_assert_int_eq(ir_type_bytes(type), i * 512);
  }
  const IrType *ref = ir_ref_type(f.module, SPACE_VMEM, DT_F32, 1, (int64_t[]){8});
  ck_assert_ptr_ne(ref, f32(&f, 1, (int64_t[]){8}));
  ck_assert_ptr_ne(ref, ir_ref_type(f.module, SPACE_SMEM, DT_F32, 1, (int64_t[]){8}));
  ck_assert_ptr_ne(ir_sem_type(f.module, SEM_DMA, 0, NULL),
                   ir_sem_type(f.module, SEM_REGULAR, 0, NULL));
  ck_assert_ptr_eq(ir_type_with_dtype(f.module, f32(&f, 0, NULL), DT_I32),
                   ir_array_type(f.module, DT_I32, 0, NULL));
  stop(&f);
}
END_TEST

START_TEST(types_too_large_are_refused) {
  Fixture f = start();
  int64_t many[IR_MAX_RANK + 1] = {0};
  ck_assert_ptr_null(f32(&f, IR_MAX_RANK + 1, many));
  ck_assert_ptr_nonnull(f32(&f, IR_MAX_RANK, many));
  ck_assert_ptr_null(f32(&f, 1, (int64_t[]){-1}));
  ck_assert_ptr_null(f32(&f, 2, (int64_t[]){INT64_MAX / 2, 2}));
  ck_assert_ptr_null(f32(&f, 3, (int64_t[]){INT64_MAX / 2, 0, 2}));
  ck_assert_ptr_nonnull(f32(&f, 1, (int64_t[]){INT64_MAX / 4}));
  stop(&f);
}
END_TEST

START_TEST(op_table) {
  for (int i = 0; i < OP_COUNT; i++) {
    const OpInfo *info = op_info((OpCode)i);
    OpCode code;
    ck_assert(op_from_name(str_from_c(info->name), &code) && (int)code == i);
    ck_assert_int_le(info->attr_count, OP_MAX_ATTRS);
    bool is_of_others = info->effects & (EFFECT_WAITS | EFFECT_LATER);
    CHECK_EACH(!is_of_others || (info->effects & EFFECT_COMMUNICATES), "%s", info->name);
    CHECK_EACH(!(info->effects & EFFECT_COMMUNICATES) || (info->effects & EFFECT_ORDERED), "%s",
               info->name);
  }
  ck_assert_int_eq(op_info(OP_LAUNCH)->attr_count, 11);
  ck_assert_int_eq(op_info(OP_LAUNCH)->attrs[8], ATTR_COLLECTIVE_ID);
  ck_assert_int_eq(op_info(OP_ADD)->attr_count, 0);
  ck_assert_int_eq(op_info(OP_CONST)->attrs[0], ATTR_DATA);
  ck_assert(op_is_elementwise(OP_THREEFRY) && !op_is_elementwise(OP_RESHAPE));
  OpCode code;
  ck_assert(!op_from_name(STR("nothing"), &code));
}
END_TEST

START_TEST(builder_counts_uses) {
  Fixture f = start();
  IrValue *x = param(&f, "x", 2, (int64_t[]){8, 128});
  IrValue *a = ir_load_all(&f.b, x);
  ck_assert_uint_eq(x->use_count, 1);
  IrValue *s = ir_binary(&f.b, OP_ADD, a, a);
  ck_assert_uint_eq(a->use_count, 2);
  IrValue *c = ir_const_f64(&f.b, a->type, 2.0);
  ir_set_operand(s->def, 1, c);
  ck_assert_uint_eq(a->use_count, 1);
  ck_assert_uint_eq(c->use_count, 1);
  IrOp *store = ir_store(&f.b, s, x, ir_attr_index(a->def), 0, NULL, NULL);
  ck_assert_uint_eq(x->use_count, 2);
  ir_replace_uses(f.func->body, s, a);
  ck_assert_uint_eq(s->use_count, 0);
  ck_assert_ptr_eq(store->operands[0], a);
  ir_op_remove(s->def);
  ck_assert_uint_eq(a->use_count, 1);
  ck_assert_uint_eq(c->use_count, 0);
  ir_op_remove(c->def);
  ck_assert_ptr_eq(f.func->body->last, store);
  ck_assert_ptr_eq(f.func->body->first->next, store);
  stop(&f);
}
END_TEST

START_TEST(operands_grow) {
  Fixture f = start();
  IrValue *one = ir_i32(&f.b, 1);
  for (size_t n = 0; n < 5; n++) {
    IrValue *operands[5] = {one, one, one, one, one};
    IrOp *op = ir_build(&f.b, OP_PRNG_SEED, n, operands, 0, NULL);
    for (int i = 0; i < 20; i++) ir_add_operand(f.module, op, one);
    ck_assert_uint_eq(op->operand_count, n + 20);
    for (uint32_t i = 0; i < op->operand_count; i++) ck_assert_ptr_eq(op->operands[i], one);
    ir_op_remove(op);
  }
  ck_assert_uint_eq(one->use_count, 0);
  stop(&f);
}
END_TEST

// for i in 0..4 carry x: if (i < 2) x + x else x
static IrOp *loop_with_if(Fixture *f, IrValue *x) {
  IrValue *lower = ir_i32(&f->b, 0), *upper = ir_i32(&f->b, 4), *step = ir_i32(&f->b, 1);
  IrOp *loop = ir_for(&f->b, lower, upper, step, 1, &x);
  IrRegion *body = loop->regions[0];
  ck_assert_uint_eq(body->arg_count, 2);
  IrBuilder in = {.module = f->module, .region = body};
  IrValue *pred = ir_binary(&in, OP_LT, body->args[0], ir_i32(&in, 2));
  const IrType *type = x->type;
  IrOp *branch = ir_if(&in, pred, 1, &type);
  IrBuilder yes = {.module = f->module, .region = branch->regions[0]};
  IrValue *sum = ir_binary(&yes, OP_ADD, body->args[1], x);
  ir_yield(&yes, 1, &sum);
  IrBuilder no = {.module = f->module, .region = branch->regions[1]};
  ir_yield(&no, 1, &body->args[1]);
  ir_yield(&in, 1, branch->results);
  return loop;
}

static void count_op(IrOp *op, void *data) {
  (void)op;
  ++*(int *)data;
}

static void remove_loops(IrOp *op, void *data) {
  (void)data;
  if (op->code == OP_FOR) ir_op_remove(op);
}

START_TEST(regions_clone_and_remove) {
  Fixture f = start();
  IrValue *x = ir_const_f64(&f.b, f32(&f, 1, (int64_t[]){8}), 1.0);
  IrOp *loop = loop_with_if(&f, x);
  uint32_t uses = x->use_count;
  ck_assert_uint_eq(uses, 2); // the initial carry, the sum
  Map *values = map_new(f.module->arena);
  IrOp *copy = ir_op_clone(&f.b, loop, values);
  ck_assert_uint_eq(x->use_count, 2 * uses);
  ck_assert_ptr_ne(copy->regions[0]->args[0], loop->regions[0]->args[0]);
  ck_assert_ptr_eq(map_get(values, loop->results[0]), copy->results[0]);
  IrOp *yield = copy->regions[0]->last;
  ck_assert_ptr_eq(yield->operands[0], yield->prev->results[0]);
  ck_assert_ptr_eq(copy->regions[0]->func, f.func);
  int count = 0;
  ir_walk(f.func->body, count_op, &count);
  ck_assert_int_eq(count, 4 + 2 * 8);
  ir_op_remove(copy);
  ck_assert_uint_eq(x->use_count, uses);
  ir_walk(f.func->body, remove_loops, NULL);
  ck_assert_uint_eq(x->use_count, 0);
  count = 0;
  ir_walk(f.func->body, count_op, &count);
  ck_assert_int_eq(count, 4);
  stop(&f);
}
END_TEST

START_TEST(ops_move) {
  Fixture f = start();
  IrValue *a = ir_i32(&f.b, 1), *b = ir_i32(&f.b, 2), *c = ir_i32(&f.b, 3);
  ir_op_move(c->def, f.func->body, a->def);
  ck_assert_ptr_eq(f.func->body->first, c->def);
  ck_assert_ptr_eq(f.func->body->last, b->def);
  ir_op_move(c->def, f.func->body, NULL);
  ck_assert_ptr_eq(f.func->body->first, a->def);
  ck_assert_ptr_eq(f.func->body->last, c->def);
  f.b.before = b->def;
  IrValue *d = ir_i32(&f.b, 4);
  ck_assert_ptr_eq(a->def->next, d->def);
  ck_assert_ptr_eq(d->def->next, b->def);
  stop(&f);
}
END_TEST

START_TEST(functions) {
  Fixture f = start();
  Name second = name_intern_c(f.session->interner, "second");
  IrFunc *g = ir_func_new(f.module, second, (Span){0});
  ck_assert_ptr_eq(ir_func_find(f.module, second), g);
  ir_func_remove(f.func);
  ck_assert_ptr_eq(f.module->first, g);
  ir_func_remove(g);
  ck_assert_ptr_null(f.module->first);
  ck_assert_ptr_null(f.module->last);
  ck_assert_ptr_null(ir_func_find(f.module, second));
  stop(&f);
}
END_TEST

static IndexDim slice(int64_t start, int64_t size) {
  return (IndexDim){INDEX_SLICE, start, -1, size, -1, 1};
}

static IndexDim at(int64_t start) { return (IndexDim){INDEX_SCALAR, start, -1, 1, -1, 1}; }

static IndexDim array(int operand) { return (IndexDim){INDEX_ARRAY, 0, operand, 1, -1, 1}; }

START_TEST(index_results) {
  Fixture f = start();
  const IrType *type = f32(&f, 4, (int64_t[]){2, 3, 4, 5});
  IrValue *i = ir_iota(&f.b, ir_array_type(f.module, DT_I32, 2, (int64_t[]){6, 7}), 0);
  const IrValue *operands[] = {i};
  IrIndex index = {4, {slice(0, 2), at(1), slice(1, 2), slice(0, 5)}};
  ck_assert_ptr_eq(ir_index_result(f.module, type, &index, operands),
                   f32(&f, 3, (int64_t[]){2, 2, 5}));
  index = (IrIndex){4, {slice(0, 2), array(0), slice(0, 4), slice(0, 5)}};
  ck_assert_ptr_eq(ir_index_result(f.module, type, &index, operands),
                   f32(&f, 5, (int64_t[]){2, 6, 7, 4, 5}));
  index = (IrIndex){4, {slice(0, 2), at(1), array(0), slice(0, 5)}};
  ck_assert_ptr_eq(ir_index_result(f.module, type, &index, operands),
                   f32(&f, 4, (int64_t[]){2, 6, 7, 5}));
  index = (IrIndex){4, {slice(0, 2), array(0), array(0), slice(0, 5)}};
  ck_assert_ptr_eq(ir_index_result(f.module, type, &index, operands),
                   f32(&f, 4, (int64_t[]){2, 6, 7, 5}));
  index = (IrIndex){4, {slice(0, 2), array(0), slice(0, 4), at(0)}}; // apart: to the front
  ck_assert_ptr_eq(ir_index_result(f.module, type, &index, operands),
                   f32(&f, 4, (int64_t[]){6, 7, 2, 4}));
  stop(&f);
}
END_TEST

START_TEST(operands_of_an_index) {
  Fixture f = start();
  const IrType *type = ir_ref_type(f.module, SPACE_VMEM, DT_F32, 2, (int64_t[]){8, 8});
  IrValue *i = ir_i32(&f.b, 1);
  IrIndex index = {2, {{INDEX_SCALAR, 0, 0, 1, -1, 1}, {INDEX_SCALAR, 0, 1, 1, -1, 1}}};
  IrValue *view = ir_view(&f.b, ir_alloc(&f.b, type, STR("x")), &index, 2, (IrValue *[]){i, i});
  Buf why;
  buf_init(&why, f.session->arena);
  ck_assert(ir_op_rules(view->def, &why));
  index = *ir_attr_index(view->def);
  index.dims[1].start_operand = index.dims[0].start_operand;
  ir_set_index(f.module, view->def, &index);
  view->def->operand_count--;
  i->use_count--;
  ck_assert(!ir_op_rules(view->def, &why));
  ck_assert(str_equal(buf_view(&why), STR("an index names an operand twice")));
  stop(&f);
}
END_TEST

START_TEST(shapes_of_helpers) {
  Fixture f = start();
  IrValue *x = ir_iota(&f.b, f32(&f, 3, (int64_t[]){2, 3, 4}), 2);
  IrValue *t = ir_transpose(&f.b, x, (int64_t[]){2, 0, 1});
  ck_assert_ptr_eq(t->type, f32(&f, 3, (int64_t[]){4, 2, 3}));
  IrValue *s = ir_slice(&f.b, x, (int64_t[]){0, 1, 0}, (int64_t[]){2, 3, 4}, (int64_t[]){1, 1, 3});
  ck_assert_ptr_eq(s->type, f32(&f, 3, (int64_t[]){2, 2, 2}));
  IrValue *zero = ir_const_f64(&f.b, f32(&f, 0, NULL), 0);
  IrValue *p =
      ir_pad(&f.b, x, zero, (int64_t[]){1, -1, 0}, (int64_t[]){0, 0, 2}, (int64_t[]){0, 1, 2});
  ck_assert_ptr_eq(p->type, f32(&f, 3, (int64_t[]){3, 4, 12}));
  IrValue *r = ir_reduce(&f.b, OP_ARGMAX, x, 1, (int64_t[]){1});
  ck_assert_ptr_eq(r->type, ir_array_type(f.module, DT_I32, 2, (int64_t[]){2, 4}));
  IrValue *wide = ir_bitcast(&f.b, x, DT_U8);
  ck_assert_ptr_eq(wide->type, ir_array_type(f.module, DT_U8, 4, (int64_t[]){2, 3, 4, 4}));
  ck_assert_ptr_eq(ir_bitcast(&f.b, wide, DT_F32)->type, x->type);
  int64_t two = 2, zero_dim = 0;
  IrInts c = {&two, 1}, n = {&zero_dim, 1};
  IrValue *d = ir_dot(&f.b, x, x, &(DotSides){{c, c}, {n, n}}, DT_F32, PRECISION_HIGHEST);
  ck_assert_ptr_eq(d->type, f32(&f, 3, (int64_t[]){2, 3, 3}));
  IrValue *row = ir_iota(&f.b, f32(&f, 2, (int64_t[]){3, 1}), 0);
  IrValue *wide_row = ir_broadcast_to(&f.b, row, 3, (int64_t[]){2, 3, 4});
  ck_assert_ptr_eq(wide_row->type, x->type);
  ck_assert_ptr_eq(ir_broadcast_to(&f.b, x, 3, x->type->dims), x);
  ck_assert_ptr_eq(ir_concat(&f.b, 2, (IrValue *[]){x, x}, 1)->type,
                   f32(&f, 3, (int64_t[]){2, 6, 4}));
  stop(&f);
}
END_TEST

START_TEST(constants) {
  Fixture f = start();
  int64_t i;
  double d;
  ck_assert(ir_const_int(ir_i32(&f.b, -7), &i) && i == -7);
  ck_assert(!ir_const_float(ir_i32(&f.b, -7), &d));
  const IrType *bf16 = ir_array_type(f.module, DT_BF16, 0, NULL);
  ck_assert(ir_const_float(ir_const_f64(&f.b, bf16, 1.01), &d) && d == 1.0078125);
  IrValue *same = ir_const(&f.b, f32(&f, 1, (int64_t[]){4}), (float[]){3, 3, 3, 3}, 4);
  ck_assert_int_eq(ir_attr_data(same->def, ATTR_DATA)->count, 1);
  IrValue *other = ir_const(&f.b, f32(&f, 1, (int64_t[]){4}), (float[]){3, 3, 3, 4}, 4);
  ck_assert_int_eq(ir_attr_data(other->def, ATTR_DATA)->count, 4);
  ck_assert(!ir_const_float(same, &d));
  stop(&f);
}
END_TEST

// What products of two factors are added up in, by the types of factors and result.
static const struct {
  const char *left, *right, *result;
  DType sums;
} products[] = {
    {"f32", "f32", "f32", DT_F32},    {"bf16", "bf16", "f32", DT_F32},
    {"bf16", "bf16", "bf16", DT_F32}, {"f16", "f16", "f16", DT_F32},
    {"f64", "f64", "f64", DT_F64},    {"f64", "f64", "f32", DT_F64},
    {"f32", "f32", "f64", DT_F64},    {"f64", "f32", "f32", DT_F64},
    {"f32", "f64", "f32", DT_F64},    {"i8", "i8", "i32", DT_I32},
    {"u8", "i8", "i32", DT_I32},      {"i32", "i32", "i64", DT_I64},
    {"bf16", "bf16", "i32", DT_F32},  {"i8", "f32", "f32", DT_F32},
    {"f64", "f64", "i32", DT_F64},    {"i8", "f64", "i32", DT_F64},
};

START_TEST(products_are_summed_in) {
  Session *session = session_new(0);
  const char *left = products[_i].left, *right = products[_i].right, *result = products[_i].result;
  Str params = str_format(session->arena, "%%x: hbm %s[8,8], %%y: hbm %s[8,8]", left, right);
  Str lines = str_format(session->arena,
                         "%%a = load %%x[:, :] : %s[8,8]\n%%b = load %%y[:, :] : %s[8,8]\n"
                         "%%r = dot %%a, %%b lhs_contract [1] rhs_contract [0] precision highest : "
                         "%s[8,8]\n",
                         left, right, result);
  IrModule *module = ir_case_read(session, params.data, lines.data);
  const IrOp *dot = module->first->body->first;
  while (dot->code != OP_DOT) dot = dot->next;
  ck_assert_msg(ir_dot_summed_in(dot) == products[_i].sums, "%s %s %s", left, right, result);
  session_free(session);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("ir");
  TCase *tc = tcase_create("ir");
  tcase_add_test(tc, types_are_interned);
  tcase_add_test(tc, types_too_large_are_refused);
  tcase_add_test(tc, op_table);
  tcase_add_test(tc, builder_counts_uses);
  tcase_add_test(tc, operands_grow);
  tcase_add_test(tc, regions_clone_and_remove);
  tcase_add_test(tc, ops_move);
  tcase_add_test(tc, functions);
  tcase_add_test(tc, index_results);
  tcase_add_test(tc, operands_of_an_index);
  tcase_add_test(tc, shapes_of_helpers);
  tcase_add_loop_test(tc, products_are_summed_in, 0, (int)COUNT_OF(products));
  tcase_add_test(tc, constants);
  suite_add_tcase(suite, tc);
  return suite_run(suite);
}
